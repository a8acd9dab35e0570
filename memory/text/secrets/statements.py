"""Where a text states a password, a PIN or a key: "the password is ...", "api_key=...", "... is my PIN".

The words around a secret are looked for near words that announce one, and nowhere else. Standard library only.
"""

import re
from collections.abc import Iterator

from memory.text.secrets.shapes import MASK, TICKET, WORDLIKE

Span = tuple[int, int]

# --- words ----------------------------------------------------------------------------------------------------------

_NOUN = (
    r"(?:pass ?words?|passwd|pass ?codes?|pass ?phrases?|passw[oö]rt\w{0,3}|kennw[oö]rt\w{0,3}|mots? ?de ?passe"
    r"|contrase[nñ]as?|salasan\w{1,7}|l[oö]senord\w{0,4}|wachtwoord\w{0,2}|senhas?|passord\w{0,2}|adgangskode\w{0,2}"
    r"|has[lł][oa]|hesl[oa]|jelszó\w{0,4}|jelszavam|parola d'ordine|şifre\w{0,3}|парол\w{1,3}|pwd|pw)"
)
_CJK_WORD = r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호)(?!管理|マネ|生成|관리|を忘|忘)"
_KEY = (
    r"(?:(?:api|secret|private|access|licen[cs]e|product|encryption|signing|master|recovery|session|auth|client)"
    r"[ _-]?(?:keys?|tokens?|secrets?)|(?:bearer|bot|refresh|id|deploy)[ _-]?tokens?|tokens?|secrets?|credentials?"
    r"|api-?schlüssel|clé api|schlüssel|密钥)"
)
_MINE = r"(?:my|the|our|his|her|their|your|a|mein|das|mon|le|mi|la)"
_IS = r"(?:is|was|are|equals|ist|lautet|lauten|war|est|es|era|é|è|on|oli|är|er|var|jest|to|becomes|это|=)"
_NO_TAIL = (
    r"(?![ -]?(?:managers?|management|generators?|polic(?:y|ies)|hygiene|protect(?:ion|ed)|reset|strength|security|less"
    r"|apps?|fields?|box|inputs?|forms?|prompts?|columns?|hash(?:es)?|length|files?|pages?|screens?|entry|dialog|checks?"
    r"|rules?|requirements?|databases?|stores?|vaults?|rotations?|change[sd]?|hints?|count|limits?|usage)\b)"
)
_CLAUSE = (
    r"(?:and|or|but|because|so|which|that|when|if|then|while|since|i|we|he|she|they|you|und|oder|aber|weil|dass|wenn"
    r"|ich|et|ou|mais|y|o|pero|que|ja|mutta|forgot|forget|lost|change[ds]?|reset)"
)
_BETWEEN = rf"(?:[ \t]{{1,3}}(?!{_CLAUSE}\b)[\w'’.-]{{1,20}}){{0,8}}?"
_NO_VALUE = re.compile(
    r"(?:not|no|too|wrong|required|incorrect|correct|invalid|valid|expired|weak|strong|very|so|the|a|an|in|on|at|of|for|to"
    r"|stored|saved|written|kept|my|your|his|her|their|our|its|always|never|still|now|already|being|what|that|this|these"
    r"|those|here|there|where|which|who|how|why|when|if|easy|hard|long|short|safe|secure|unsafe|insecure|hashed|encrypted"
    r"|reset|changed|needed|missing|empty|visible|hidden|different|same|blank|set|sent|gone|lost|broken|ok|okay|fine|good"
    r"|bad|great|new|old|unknown|public|private|none|null|nil|true|false|undefined|optional|default|str|string|text|int"
    r"|bool|boolean|varchar|char|bytes|any|n/?a|tbd|todo|and|or|but|because|by|with|from|only|just|also|probably|maybe"
    r"|must|should|can|could|will|would|may|might|has|have|had|is|was|are|be|been|it|you|we|they|one|some|something"
    r"|anything|nothing|everything|necessary|important|important|case|at|least|up|under|over|out|below|above|going"
    r"|working|accepted|rejected|denied|shown|displayed|asked|given|shared|leaked|stolen|compromised|forgotten|ready"
    r"|minimum|maximum|min|max|length|printed|typed|entered|required|every|each|boarding"
    r"|falsch|richtig|vergessen|nicht|kein\w{0,2}|zu|sehr|sicher|unsicher|nötig|geändert|abgelaufen|oublié|incorrecta?|pas"
    r"|trop|olvidada?|väärä|unohtunut|fel|glömt|nie)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\*+|•+|x{3,}|\.{2,}|…|_+|-+|\?+|[<$%{(\[].*|your[-_ ].*|[A-Za-z_]+(?:\.[A-Za-z_]+)*[(\[].*"
    r"|(?:os|process|env|self|config|settings|this|args|options|req|request|data|user)\.\w.*",
    re.IGNORECASE | re.DOTALL,
)

# --- statements, each ending where the value begins -------------------------------------------------------------------

_ANNOUNCED = re.compile(
    "pass|pwd|pw|kennw|mots? ?de|contrase|salasan|l[oö]senord|wachtwoord|senha|adgangskode|has[lł]|hesl|jelsz|parola"
    "|şifre|парол|密|口令|パスワード|暗証|비밀번호|key|token|secret|credential|schlüssel|clé|bearer|basic|pin|cv[vc]|csc|code"
    "|combination|log-?in|seed|tunnuslu|geheimzahl|ssn|social security",
)
_NEAR_BEFORE, _NEAR_AFTER = 100, 160

_STATED = re.compile(
    rf"(?<![^\W_]){_NOUN}\b{_NO_TAIL}{_BETWEEN}"
    r"(?:[*_]{0,2}\s{0,3}(?:[:：]|={1,3}>?|->|→)[*_ \t]{0,5}|['’]s[ \t]|[ \t][-–—~][ \t]"
    rf"|[ \t]{_IS}:?[ \t]{{1,3}})",
    re.IGNORECASE,
)
_ASSIGNED_PASSWORD = re.compile(
    r"(?:passw(?:or[dt]|d)|passphrase|passcode|pwd)\\?[\"'`]?\s{0,3}(?:=>|={1,3}|[:：])\s{0,3}", re.IGNORECASE
)
_BESIDE = re.compile(
    rf"(?<![^\W_]){_NOUN}\b{_NO_TAIL}[ \t]{{1,3}}"
    r"(?=[^\s,]{0,40}[\d@#$%^&*_+~|\\<>])(?=[^\s,]{0,40}[A-Za-z@#$%^&*])(?=\S{5})"
    r"|(?<![^\W_])(?:password|passcode|passwd|kennwort|passwort)[ \t]{1,3}(?=\d{4,12}(?![\w-]))"
    r"|\bpass[ ](?:is|was)[ ](?=[^\s,.;]{0,60}[\d@#$%^&*])(?=[^\s,.;]{0,60}[a-z])(?=\S{6})",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"\s*(?:[\w-]{{1,20}}[ -]){{0,3}}?{_NOUN}\b{_NO_TAIL}[ \t]{{1,3}}"
    r"(?!(?:again|too|twice|once|weekly|monthly|yearly|daily|easily|please|settings?|help|issues?|problems?|tips?|ideas?)\b)"
    r"(?=\S{4,60}\s*\Z)",
    re.IGNORECASE,
)
_PASS = re.compile(r"(?:(?<=\s)|^)(?:([\w-]{1,20})\s)?pass\s?[:=]\s?", re.IGNORECASE)
_LOGIN = re.compile(
    r"\b(?:login|log-in|credentials)\s?[:=]\s?[\w.@+-]{1,60}\s?[/:|]\s?"
    r"|\b(?:user(?:name)?|login|log-in)\b[^\n]{1,40}?[ ,;/|]pass\b[^\w\n]{1,3}",
    re.IGNORECASE,
)
_TICKET = re.compile(rf"{TICKET}|first|second|single", re.IGNORECASE)
_CJK_STATED = re.compile(rf"{_CJK_WORD}[\s:：=是为はが는은]{{0,4}}", re.IGNORECASE)
_BEFORE = re.compile(
    rf"([^\s\"'“”,;]{{3,60}})[\"'”]?[ \t](?:(?:is|was|ist|est|es|är|é|on)[ \t]{_MINE}|as(?:[ \t]{_MINE})?"
    rf"|als|como|comme)[ \t](?:[\w-]{{1,20}}[ \t]){{0,2}}(?:{_NOUN}|(?:api|access|secret)[ _-]?keys?)\b{_NO_TAIL}"
    rf"(?![^.\n]{{0,20}}\b{_IS}\b)",
    re.IGNORECASE,
)

# --- codes of digits ------------------------------------------------------------------------------------------------

_DIGITS = r"(\d(?:[ .-]?\d){2,9})(?![\w-])"
_CODES = (
    re.compile(
        r"\bpin(?:[ -]?(?:code|number|nummer|koodi|kod))?\b(?:\s(?:of|for|to|on|von|de|für)(?:\s[\w'-]{1,20}){1,5}?)?"
        rf"(?:\s{_IS}|\\?[\"']?\s?[:=,–—-])?\s?\\?[\"']?{_DIGITS}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bpin(?:[ -]?code)?(?:\s{_IS}|\s?:)\s"
        r"((?:(?:zero|one|two|three|four|five|six|seven|eight|nine|oh)\b[ ,-]{0,2}){4,8})",
        re.IGNORECASE,
    ),
    re.compile(r"\b(\d{4,8})\s(?:is|as|for|ist|als)\s(?:[\w-]{1,20} ){0,3}pin\b", re.IGNORECASE),
    re.compile(r"\b(?:cv[vc]2?|security code)\b\W{0,4}(?:\w{1,12}\W{1,3}){0,2}?(\d{3,4})(?![\w-])", re.IGNORECASE),
    re.compile(
        r"\b(?:door|gate|alarm|safe|lock|entry|garage|unlock|vault|sim|backup|recovery|verification|access|entrance)"
        rf" ?(?:codes?|combination)\b(?:\s[\w'-]{{1,15}}){{0,3}}?(?:\s{_IS}|\s?[:=])\s?{_DIGITS}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bcodes? (?:for|to|of) (?:the |my |our )?(?:\w{1,20} )?(?:door|gate|alarm|safe|lock|garage|vault|entrance)\b"
        rf"(?:\s{_IS}|\s?[:=])\s?{_DIGITS}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:geheimzahl|tunnuslu\w{{1,6}})\b(?:\s{_IS}|\s?[:=])?\s?{_DIGITS}", re.IGNORECASE),
    re.compile(r"\b(?:ssn|social security)\b\D{0,30}(\d{3}[ -]?\d\d[ -]?\d{4})\b", re.IGNORECASE),
)

# --- keys that are announced ----------------------------------------------------------------------------------------

_ANNOUNCED_KEY = re.compile(
    rf"(?<![^\W_])(?:{_KEY}|keys?)\\?[\"'`]?(?P<between>[^\n\w]{{1,6}}|[ \t](?:\w{{1,12}}[ \t]){{0,3}}?{_IS}:?[ \t])"
    r"\\?[\"'`]?(?P<value>[A-Za-z0-9_+/=~.-]{8,512})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bbearer\s{1,3}\\?[\"']?([A-Za-z0-9._~+/=-]{16,})", re.IGNORECASE)
_BASIC = re.compile(
    r"\bauthorization\\?[\"']?\s{0,2}[:=]\s{0,2}\\?[\"']?basic\s{1,3}([A-Za-z0-9+/=]{8,})", re.IGNORECASE
)
_ELEMENT = re.compile(
    r"<[\w:-]{0,40}?(?:password|passwd|pwd|secret|token|api[_-]?key)[\w:-]{0,20}>([^<>\s]{1,200})</", re.IGNORECASE
)
_STRONG_KEY = re.compile(_KEY, re.IGNORECASE)
_PART_SEPARATOR = re.compile(r"[/_+=.~-]+")
_HEX = re.compile(r"[0-9a-fA-F]{16,}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def spans(text: str) -> Iterator[Span]:
    """Start and end of each secret that words announce."""
    for start, end in _windows(text):
        yield from _passwords(text, start, end)
        yield from _numbers_and_keys(text, start, end)


def _windows(text: str) -> Iterator[Span]:
    """The parts of a text around the words that announce a secret, without overlaps."""
    start = end = 0
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two characters
        lowered = text.replace("İ", "I").lower()
    for found in _ANNOUNCED.finditer(lowered):
        if found.start() - _NEAR_BEFORE > end:
            if end:
                yield start, end
            start = found.start() - _NEAR_BEFORE
        end = min(len(text), found.end() + _NEAR_AFTER)
    if end:
        yield start, end


def _passwords(text: str, start: int, end: int) -> Iterator[Span]:
    for statement in (_STATED, _ASSIGNED_PASSWORD, _BESIDE, _LOGIN):
        for found in statement.finditer(text, start, end):
            yield from _value_at(text, found.end(), is_assigned="=" in found[0])
    if start == 0 and (alone := _ALONE.match(text)):
        yield from _value_at(text, alone.end())
    for found in _PASS.finditer(text, start, end):
        if not _TICKET.fullmatch(found[1] or ""):
            yield from _value_at(text, found.end())
    for found in _CJK_STATED.finditer(text, start, end):
        value = _CJK_VALUE.match(text, found.end())
        is_joined = found[0][-1] not in " \t:：=是为は"  # as in a sentence about passwords
        if value and not text.startswith(MASK, value.start()) and (value[0].isascii() or not is_joined):
            yield value.span()
    for found in _BEFORE.finditer(text, start, end):
        if not _NO_VALUE.fullmatch(found[1]) and not text.endswith(MASK, 0, found.end(1)):
            yield found.span(1)


_CJK_VALUE = re.compile(r"[!-~]{3,80}|[^\s,.。、，；;！!？?「」]{2,40}")


def _numbers_and_keys(text: str, start: int, end: int) -> Iterator[Span]:
    for code in _CODES:
        yield from (found.span(1) for found in code.finditer(text, start, end))
    for pattern in (_BEARER, _BASIC, _ELEMENT):
        yield from (found.span(1) for found in pattern.finditer(text, start, end))
    for found in _ANNOUNCED_KEY.finditer(text, start, end):
        value = _whole_word(text, found.start("value"))
        if _is_key(found, text[value[0] : value[1]]):
            yield value


def _whole_word(text: str, start: int) -> Span:
    found = _KEY_WORD.match(text, start)
    return found.span() if found else (start, start)


_KEY_WORD = re.compile(r"[A-Za-z0-9_+/=~.-]*[A-Za-z0-9_+/=~-]")


def _is_key(found: re.Match[str], value: str) -> bool:
    """Whether a word can be the key that is announced. A bare "key" may be that of a table, a cache or a commit."""
    is_strong = _STRONG_KEY.match(found[0]) is not None
    is_direct = is_strong or bool(found["between"].strip())
    if _PLACEHOLDER.fullmatch(value):
        return False
    if _HEX.fullmatch(value) or _UUID.fullmatch(value):
        return is_direct and (is_strong or not _UUID.fullmatch(value))
    rest = "".join(part for part in _PART_SEPARATOR.split(value) if not WORDLIKE.fullmatch(part))
    has_both = any(map(str.isdigit, rest)) and any(map(str.isalpha, rest))
    if is_strong and is_direct and has_both:
        return len(rest) >= 8
    return len(rest) >= 12 and (has_both or not (rest.islower() or rest.isupper()))


# --- how far a value goes -------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"(\\?[\"'`]|“|„|«|»|‘|「)([^\n]{1,200}?)(?:\1|[”“»«’」])")
_VALUE = re.compile(r"\S{1,200}")
_NEXT_WORD = re.compile(r"[ \t]([A-Za-z\u00c0-\u024f]{2,20})(?=[\s.,;!?)]|$)")
_ENDS = ".,;:!?)]}>\"'`”’»」\\"
_MOST_WORDS = 7


def _value_at(text: str, start: int, *, is_assigned: bool = False) -> Iterator[Span]:
    """The value that begins at `start`: what is quoted, one word, or the words of a pass phrase. None for prose."""
    if text.startswith(MASK, start):
        return
    quoted = _QUOTED.match(text, start)
    if quoted:
        if not _PLACEHOLDER.fullmatch(quoted[2]) and MASK not in quoted[2]:
            yield quoted.span(2)
        return
    found = _VALUE.match(text, start)
    if found is None:
        return
    word = re.split(r"[&;]" if is_assigned else r"\0", found[0])[0]
    word = re.split(r"[，。、；！？「」]|\\[\"nrt]|[\"']\s?[,}\]]", word)[0].rstrip(_ENDS)
    bare = word.lstrip("\"'`“„«(")
    end = start + len(word)
    if not bare or _PLACEHOLDER.fullmatch(word) or (is_assigned and _NAME.fullmatch(bare)):
        return
    if _NO_VALUE.fullmatch(bare) and not _LONG_PHRASE.match(text, end):
        return
    yield start + len(word) - len(bare), end if is_assigned or not bare.isalpha() else _end_of_phrase(text, end)


def _end_of_phrase(text: str, end: int) -> int:
    """Where a pass phrase of plain words ends: at a mark, at a word that no phrase holds, after some words."""
    for _ in range(_MOST_WORDS):
        word = _NEXT_WORD.match(text, end)
        if word is None or _NO_VALUE.fullmatch(word[1]) or _CLAUSE_WORD.fullmatch(word[1]):
            return end
        end = word.end(1)
    return end


_NAME = re.compile(_NOUN, re.IGNORECASE)
_LONG_PHRASE = re.compile(
    rf"(?:[ \t](?!(?:{_NO_VALUE.pattern}|{_CLAUSE})\b)[a-z]{{3,12}}){{3,7}}(?=\s*(?:[.,!\n]|$|and\b|und\b))",
    re.IGNORECASE,
)
_CLAUSE_WORD = re.compile(
    rf"{_CLAUSE}|it|please|thanks?|bitte|danke|as|don|dont|remember|keep|use|let|do", re.IGNORECASE
)
