"""Values that say that nothing is known ("unknown", "keine Angabe", "-"), in sixteen languages. Pure.

"none" alone can be a statement ("allergies: none") or a way to say nothing: what the operator wrote decides.
"""

import re
from collections.abc import Iterable

from memory.text.lines import one_line

_PHRASES = """
    no specific information | no specific info | no details given | keine angaben gemacht | wird nicht erwähnt
    wurde nicht erwähnt | wird nicht genannt | no se ha mencionado | non viene menzionato | não foi mencionado
    wordt niet genoemd | nie zostało podane | не было упомянуто | 並未提及 | 并未提及 | 言及はありません | 언급이 없음
    unknown | unknown yet | n/a | n.a | na | n\\a | null | nil | undefined | nan | unsure | unclear
    undisclosed | tbd | tba
    to be determined | to be confirmed | to be announced | no information | no info | no data | no value
    no answer
    no details | no mention | nothing known | nothing mentioned | nothing specified | nothing stated
    nothing provided
    none mentioned | none specified | none given | none provided | none stated | none available | none listed
    none found | none recorded | none indicated | none disclosed | none yet | missing | blank | empty | no idea
    i don't know | don't know | do not know | i do not know | it is not known | not sure | hard to say
    cannot say
    unbekannt | nicht bekannt | keine angabe | keine angaben | k.a | k. a | nicht angegeben | nicht erwähnt
    nicht genannt | nicht spezifiziert | keine information | keine informationen | keine daten | weiß nicht
    ich weiß nicht | nicht verfügbar | nicht zutreffend | nicht festgelegt | unklar | noch unbekannt | entfällt
    inconnu | inconnue | non précisé | non précisée | non spécifié | non spécifiée | non mentionné
    non mentionnée
    non renseigné | non renseignée | non indiqué | non indiquée | non communiqué | non disponible
    non applicable
    pas précisé | pas mentionné | aucune information | aucune donnée | aucune mention | je ne sais pas | néant
    s.o
    non connu | non connue | indéterminé
    desconocido | desconocida | no especificado | no especificada | no mencionado | no mencionada | no indicado
    no indicada | no disponible | no aplicable | no aplica | no se sabe | no se menciona | no se especifica
    no consta
    sin información | sin datos | sin especificar | ninguna información | no proporcionado | no proporcionada
    no lo sé
    no conocido | s/d | n/d
    sconosciuto | sconosciuta | non specificato | non specificata | non menzionato | non menzionata
    non indicato
    non indicata | non noto | non nota | non disponibile | non applicabile | nessuna informazione | non si sa
    non lo so | non fornito | non fornita | ignoto | ignota | non pervenuto
    desconhecido | desconhecida | não especificado | não especificada | não mencionado | não mencionada
    não informado | não informada | não indicado | não indicada | não disponível | não aplicável | não se aplica
    sem informação | sem informações | sem dados | não sei | não se sabe | não consta | nenhuma informação
    onbekend | niet bekend | niet vermeld | niet genoemd | niet gespecificeerd | niet opgegeven
    niet aangegeven
    niet beschikbaar | niet van toepassing | n.v.t | nvt | geen informatie | geen gegevens | geen opgave
    weet ik niet
    ik weet het niet | onduidelijk | nog onbekend
    nieznany | nieznana | nieznane | nie podano | nie określono | nie wspomniano | brak danych | brak informacji
    nie dotyczy | nie wiadomo | nie wiem | niedostępne | niedostępny | nieokreślony | nieokreślone | b/d | b.d
    неизвестно | неизвестен | неизвестна | не указано | не указан | не указана | не упомянуто | не упомянут
    не упоминается | не сообщено | не определено | не задано | нет данных | нет информации | не применимо
    неприменимо | не знаю | недоступно | н/д | н.д
    bilinmiyor | belirtilmemiş | belirtilmedi | belirsiz | bilgi yok | bilgi verilmemiş | bahsedilmemiş
    bahsedilmedi
    mevcut değil | geçerli değil | uygulanamaz | veri yok | bilmiyorum | henüz bilinmiyor | söylenmedi
    yok sayılır
    غير معروف | غير معروفة | غير محدد | غير محددة | غير مذكور | غير مذكورة | غير متوفر | غير متاح | غير متاحة
    لم يذكر
    لم يُذكر | لم تذكر | لم يحدد | لا توجد معلومات | لا معلومات | لا يوجد معلومات | لا ينطبق | مجهول | لا أعرف
    لا أعلم
    未知 | 不详 | 不詳 | 不明 | 不清楚 | 不知道 | 未提及 | 未提到 | 没有提到 | 沒有提到 | 未说明 | 未說明
    未指定 | 未提供
    未注明 | 未註明 | 暂无 | 暫無 | 暂无信息 | 无信息 | 無資訊 | 没有信息 | 沒有資訊 | 无数据 | 無資料 | 不适用
    不適用
    无可用信息 | 未填写 | 未填寫 | 未透露 | 尚未提及 | 尚不清楚 | 未知的 | 未定 | 未明确 | 未明確 | 没有提及
    沒有提及
    不明です | わからない | わかりません | 分からない | 分かりません | 記載なし | 言及なし | 情報なし | 未記載
    未設定
    特定されていません | 言及されていません | 指定なし | 該当なし | 未指定です | 知らない | 未回答 | 未定義
    알 수 없음 | 알수없음 | 미상 | 미정 | 불명 | 모름 | 모르겠음 | 언급 없음 | 언급되지 않음 | 명시되지 않음
    정보 없음
    해당 없음 | 해당사항 없음 | 지정되지 않음 | 제공되지 않음 | 알려지지 않음 | 미지정 | 불분명 | 확인 불가
    언급 안 됨
    ไม่ทราบ | ไม่รู้ | ไม่ระบุ | ไม่ได้ระบุ | ไม่มีข้อมูล | ไม่ได้กล่าวถึง | ไม่ได้กล่าว | ไม่เกี่ยวข้อง
    ไม่ปรากฏ
    ไม่แน่ใจ | ยังไม่ทราบ | ยังไม่ระบุ | ไม่แน่ชัด | ไม่มีการกล่าวถึง | ไม่มีการระบุ
"""

# "none": a statement where the operator denied something, else nothing.
_NONES = """
    none | no | nothing | nope | not any | keine | keiner | keines | kein | nein | nichts | aucun | aucune | non
    rien
    ninguno | ninguna | ningún | nada | nessuno | nessuna | niente | nenhum | nenhuma | não | geen | nee | niets
    brak
    żaden | żadne | żadna | nie | nic | нет | ничего | никаких | yok | hiçbiri | hiç | hayır | لا | لا شيء
    لا يوجد | لا توجد
    无 | 無 | 没有 | 沒有 | なし | 無し | ない | 없음 | 없다 | ไม่มี | ไม่
"""


def _phrases(text: str) -> frozenset[str]:
    found = (one_line(phrase).casefold() for line in text.splitlines() for phrase in line.split(" | "))
    return frozenset(phrase for phrase in found if phrase)


_UNKNOWN, _NONE = _phrases(_PHRASES), _phrases(_NONES)
_NO = _phrases("no | nope | nein | non | não | nee | nie | нет | hayır | لا | ไม่ | ない")
_NAMES_TOO = frozenset({"na", "nan", "nil", "null"})

_SAYING = (
    r"known|specified|mentioned|provided|stated|given|available|applicable|disclosed|said|clear|determined|defined"
    r"|indicated|shared|revealed|set|found|listed|discussed|described|answered|recorded|noted|supplied|communicated"
)
_ENGLISH = re.compile(
    r"(?:(?:the )?(?:exact |specific |current )?(?:value|name|city|information|info|details?|data|date|age|location"
    r"|address|job|reason|status|it|this|that|currently|still) )?(?:is |are |was |were |has been |have been )?"
    r"(?:(?:unknown|unspecified|undisclosed)(?: (?:name|location|city|place|value|age|date|job|address|person|thing))?"
    r"|unstated|undetermined|undefined|unmentioned"
    rf"|(?:not|never|none|no \w{{1,20}}|nothing) (?:(?:yet|explicitly|currently|directly|clearly|specifically|been|was"
    rf"|were|is) ){{0,3}}(?:{_SAYING})(?: (?:explicitly|directly|clearly|specifically))?)"
    r"(?: (?:yet|here|so far|at this time|at present|(?:in|by|from|within|during) (?:the |this |our |any )?"
    r"(?:conversation|chat|text|dialogue|message|messages|context|user|operator|exchange|discussion|transcript)))?"
)
_STATEMENTS = re.compile(r"no (?:\w+ )*known\b.*|none known")  # "no known allergies" is what doctors write
_EDGE = " .,;:!?'\"`*_()[]{}<>«»“”„‘’。，！？、：；（）【】「」『』"
_REMARK = re.compile(r"\([^()]{0,80}\)|\[[^\[\]]{0,80}\]")
_IN_THE_CHAT = re.compile(
    r"(?:\b(?:in|im|by|from|von|vom|dans|par|en|por|nel|nella|dal|dall|na|no|pelo|pela|door|w|przez|в|из|on)\b ?)?"
    r"(?:\b(?:the|this|der|dem|den|diesem|dieser|la|le|l['’]|cette|el|esta|este|il|questa|o|a|desta|het|de|dit|tej"
    r"|этом)\b ?)?"
    r"(?:\b(?:conversation|chat|dialogue|text|gespräch|unterhaltung|dialog|texte?|discussion|échange|conversación"
    r"|charla|conversazione|conversa|gesprek|rozmow\w{1,3}|разговор\w{0,2}|бесед\w{1,2}|чат\w{0,2}|диалог\w{0,2}"
    r"|тексте?|konuşma\w{0,4}|sohbet\w{0,3}|user|operator|nutzer|benutzer|utilisateur|usuario|utente|usuário|gebruiker"
    r"|użytkownika?|пользовател\w{1,3}|kullanıcı\w{0,5})\b"
    r"|في المحادثة|في النص|(?:在|本)?(?:对话|對話|聊天|文|文本)(?:中|里|裡)(?:并|並)?"
    r"|(?:この)?(?:会話|対話|文中)(?:の中)?(?:では|で|には|に)"
    r"|(?:이 )?(?:대화|본문)(?:에서는|에서|에는|에)|ในบทสนทนา(?:นี้)?|ในการสนทนา|ในข้อความ)"
)
_NO_WORD = re.compile(r"[\s().\u2026\u00b7\u2022\-\u2010-\u2015\u2212_?\uff1f/~=*|。・、ー]*")
_LONGEST_CHARS = 120


def says_nothing(value: str) -> bool:
    """Whether a value only says that nothing is known; a list does where each of its parts does. "none" does not."""
    line = one_line(value).casefold()
    if len(line) > _LONGEST_CHARS:
        return False
    if _NO_WORD.fullmatch(line):
        return True
    parts = [part for part in re.split(r"[,;、，]", line) if part.strip()]
    return _is_unknown(line) or all(map(_is_unknown, parts))


def _is_unknown(line: str) -> bool:
    words = line.strip(_EDGE)
    if _NO_WORD.fullmatch(line) or words in _UNKNOWN or line.strip() in _UNKNOWN:
        return True
    bare = _IN_THE_CHAT.sub(" ", _REMARK.sub(" ", line)).strip(_EDGE)
    if bare in _UNKNOWN and bare:
        return True
    return any(_ENGLISH.fullmatch(form) and not _STATEMENTS.fullmatch(form) for form in (words, bare))


def is_none(value: str) -> bool:
    """Whether a value is a bare "none" or "no", in any of the languages."""
    return one_line(value).casefold().strip(_EDGE) in _NONE


def is_no(value: str) -> bool:
    """Whether a value is the answer "no", as to whether somebody smokes."""
    return one_line(value).casefold().strip(_EDGE) in _NO


def may_be_name(value: str) -> bool:
    """Whether a value that says nothing is the name of people, too: "Null", "Na"."""
    return value.casefold() in _NAMES_TOO


_DENIALS = re.compile(
    r"\b(?:no|not|none|never|without|nothing|neither|nor|cannot|zero|free|only child|kein\w{0,2}|nicht|nie|niemals|ohne"
    r"|nein|nichts|kinderlos|einzelkind|ne|n['’]\w+|pas|aucune?|jamais|sans|non|rien|enfant unique|sin|nunca"
    r"|ning[uú]n[oa]?|nada|tampoco|hij[oa] únic[oa]|senza|nessun[oa]?|mai|niente|figli[oa] unic[oa]|não|nao|sem"
    r"|nenhuma?|filh[oa] únic[oa]|geen|niet|nooit|zonder|nee|niets|enig kind|bez|żad\w{1,3}|nigdy|brak|не|нет|без"
    r"|никогда|ни|никак\w{1,4}|ні|немає|yok\w{0,5}|değil\w{0,5}|hiç\w{0,4}|hayır|ei|en|ilman|inte|inga|ingen|utan|ikke|uten|uden"
    r"|enebarn|enda barnet|ainoa lapsi|nem|nincs\w{0,4}|ne\w{1,6}|žádn\w{1,3}|nu|fără|không|chưa|tidak|tanpa|bukan|δεν"
    r"|όχι|χωρίς|לא|אין|בלי|नहीं|बिना)\b"
    r"|n['’]t\b|(?<=\w)less\b|(?:maz|mez|m[ıiuü]yor(?:um|uz|lar)?|mam|mem|[st]{1,2}[oö]n)\b"
    r"|لا|ليس|بدون|لم|لن|没|沒|不|无|無|未|别|ない|なし|なく|ません|ず|없|않|아니|안 |못|ไม่|มิได้|ปราศจาก",
    re.IGNORECASE,
)


def denies(said: Iterable[str]) -> bool:
    """Whether any of these texts holds a word of denial, so that "none" can be what they state."""
    return any(_DENIALS.search(text) for text in said)
