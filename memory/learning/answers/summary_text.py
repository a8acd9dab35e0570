"""A summariser's answer as one clean line: without reasoning, courtesies, prefaces, list marks and wrapping.

Everything is anchored at the beginning or the end of a text of bounded length, so reading takes linear time.
"""

import re
from collections.abc import Callable

from memory import llm
from memory.llm.answers.reasoning import without_reasoning
from memory.text import lines, normalising
from memory.text.secrets.masking import masked
from memory.text.secrets.shapes import MASK
from memory.text.template_tokens import prompt_line

MAX_SUMMARY_CHARS = 600
_MAX_READ_CHARS = 20_000
_MOST_LAYERS = 8

_NOTHING = re.compile(r"none|n/a|empty|no summary|nothing|null", re.IGNORECASE)
_NOTHING_WITH_REASON = re.compile(r"NONE\b\W")
_LONGEST_REASON = 200
_REFUSAL = re.compile(
    r"(?:I'm |I am )?sorry\b.{0,40}\b(?:can't|cannot|unable)|I (?:can't|cannot|am unable to|am not able to) "
    r"(?:help|assist|summari[sz]e|comply|do that)",
    re.IGNORECASE,
)

# --- what stands before a summary -----------------------------------------------------------------------------------

_COURTESY = (
    r"certainly|yes|done|as requested|i(?:['’]d| would) be happy to(?: help)?"
    r"|sure|sure thing|of course|absolutely|gladly|happy to(?: help)?|okay|ok|alright|all right"
    r"|understood|got it|no problem|with pleasure|great|gerne|natürlich|klar|sicher|selbstverständlich"
    r"|verstanden|bien sûr|certainement|d['’]accord|avec plaisir|entendu|¡?claro(?: que sí)?|por supuesto"
    r"|¡?desde luego|con gusto|entendido|certo|certamente|volentieri|ecco|com certeza|claro que sim|com prazer"
    r"|natuurlijk|zeker|graag|prima|oczywiście|jasne|pewnie|chętnie|конечно|разумеется|хорошо|с удовольствием"
    r"|понятно|tabii(?: ki)?|elbette|tamam|memnuniyetle|بالتأكيد|طبعا|بالطبع|حسنا|当然(?:可以)?|當然(?:可以)?"
    r"|好的|没问题|沒問題|可以|はい|もちろん(?:です)?|承知(?:いた)?しました|わかりました|かしこまりました"
    r"|물론(?:입니다|이죠)?|네|알겠습니다|แน่นอน(?:ครับ|ค่ะ)?|ได้(?:ครับ|ค่ะ|เลย)?"
)
_SUMMARY_WORD = (
    r""
    r"(?:(?:brief|short|concise|quick|conversation|chat|one[- ]sentence|two[- ]sentence|one or two[- ]sentence) ){0,3}"
    r"(?:summary|recap|tl;?dr)"
    r"|(?:kurze )?zusammenfassung|résumé|résumé de la conversation|(?:breve )?resumen|riassunto"
    r"|(?:breve )?resumo|(?:korte )?samenvatting|(?:krótkie )?podsumowanie|streszczenie|резюме"
    r"|краткое содержание|сводка|(?:kısa )?özet|(?:ال)?ملخص|总结|總結|摘要|概要|要約|まとめ|요약|(?:บท)?สรุป"
)
_HERE_IS = (
    r"here(?:['’]s| is| are| it is| you go| you are)\b|below is\b|the following is\b"
    r"|this is (?:a|the)\b(?=[^:]{0,40}summary)"
    r"|i(?:['’]ve| have) summari[sz]ed\b|hier (?:ist|sind|is|volgt)\b|im folgenden\b|voici\b|ci-dessous\b"
    r"|aquí (?:está|tienes?|va)\b|a continuación\b|ecco\b|di seguito\b|aqui (?:está|vai)\b|segue\b|oto\b"
    r"|poniżej\b|вот\b|ниже\b|işte\b|aşağıda\b|إليك|فيما يلي|以下是?|这是|這是|下面是|こちらが|다음은|아래는"
    r"|นี่คือ|ต่อไปนี้"
)
_OF = r"(?:of|for|der|des|du|de|del|della|da|do|van|z|rozmowy|разговора|беседы|konuşmanın|المحادثة|の)"
_BEFORE = re.compile(
    rf"(?:¡?(?:{_COURTESY})(?: *[!.:。！：…]+|(?: *[,，、] *| *[-–—] *| +)(?={_HERE_IS})|\Z)"
    rf"|(?:{_HERE_IS})[^:：\n.!?。！？]{{0,120}}(?:[:：]|[.。]?\Z)"
    rf"|(?:the )?(?:{_SUMMARY_WORD})(?: *{_OF}[^:：\n.!?。！？]{{0,80}})?(?: is)?[*_ ]*(?:[:：]|\Z))",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?:[-*+•‣·>#–—]{1,6}|\(?\d{1,2}[.)]|\(?[a-c]\)|`{3,}\w{0,20}|\*{2,3}(?=\S))(?=\s|\*|\Z)"
    r"|</?(?:summary|answer|output|result|response|episode|final|sentence)>"
)
_TAG_BEHIND = re.compile(r"(?:</?(?:summary|answer|output|result|response|episode|final|sentence)>|`{3,})\Z")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "`": "`", "「": "」", "『": "』", "*": "*", "_": "_"}


def parse_summary(answer: str, *, turn_texts: frozenset[str] = frozenset()) -> str:
    """A model's answer as one clean line, "" where it says that there is nothing to sum up.

    Raises `llm.BadAnswer` where the answer holds nothing but reasoning or courtesies, is a refusal, repeats one of
    `turn_texts` word for word, or has the shape of a secret.
    """
    shown = without_reasoning(answer)
    if answer.strip() and not shown.strip():
        raise llm.BadAnswer("The model reasoned and then gave no summary.")
    summary = _unwrapped(_without_marks(shown[:_MAX_READ_CHARS]))
    if not summary and _WORD.search(shown[:_MAX_READ_CHARS]):
        raise llm.BadAnswer("The model announced a summary and then gave none.")
    if _says_nothing(summary):
        return ""
    if _REFUSAL.match(summary):
        raise llm.BadAnswer("The model refused to sum up this chat.")
    if normalising.is_one_of(summary, turn_texts):
        raise llm.BadAnswer("The model gave back the chat instead of a summary.")
    if _holds_secret(summary):
        raise llm.BadAnswer("The summary holds what looks like a password, key or card number.")
    return lines.shorten(summary, MAX_SUMMARY_CHARS)


def _holds_secret(summary: str) -> bool:
    """Whether a summary holds a secret. It may say that one was masked."""
    return masked(summary) != summary if MASK in summary else normalising.is_secret(summary)


_WORD = re.compile(r"\w")
_EDGE = re.compile(r"[\W_]+\Z")


def _says_nothing(summary: str) -> bool:
    """Whether this is the prompt's word for a chat that is not worth a summary, or nothing but marks."""
    words = summary.strip(" .,;:!?'\"`*_()[]{}<>-–—|/\\~#")
    if not _WORD.search(words) or _NOTHING.fullmatch(words):
        return True
    bare = summary.lstrip(" '\"`*_([{<-")
    reasoned = _NOTHING_WITH_REASON.match(bare)
    return reasoned is not None and len(bare) - reasoned.end() <= _LONGEST_REASON


def _without_marks(text: str) -> str:
    """The lines as one, without marks of lists, headings, quotations and fences, and lines that announce."""
    stripped = [_after(_MARK, line.strip()) for line in text.splitlines() if line.strip()]
    while len(stripped) > 1 and _announces(stripped[0]):
        del stripped[0]
    return prompt_line(" ".join(stripped))


def _announces(line: str) -> bool:
    """Whether a line is courtesy and preface alone."""
    for _ in range(_MOST_LAYERS):
        line, before = _without_preface(line.strip("*_ ")), line
        if line in ("", before):
            break
    return not line.strip("*_ ")


def _unwrapped(summary: str) -> str:
    """The summary without what stands before it and around it, however often."""
    steps: tuple[Callable[[str], str], ...] = (_without_marks, _without_preface, _without_wrapping)
    for _ in range(_MOST_LAYERS):
        before = summary
        for step in steps:
            summary = step(summary)
        if summary == before:
            break
    return summary


def _without_preface(summary: str) -> str:
    start = len(summary) - len(summary.lstrip("*_ "))
    return _after(_BEFORE, summary[start:]) if _BEFORE.match(summary, start) else summary


def _after(beginning: re.Pattern[str], text: str) -> str:
    """The text after what may stand at its beginning."""
    found = beginning.match(text)
    return text[found.end() :].lstrip(" *_") if found else text


def _without_wrapping(summary: str) -> str:
    """Without quotation marks or stars around the whole of it, and tags behind it."""
    if behind := _TAG_BEHIND.search(summary, max(len(summary) - 40, 0)):
        summary = summary[: behind.start()].rstrip()
    closing = _QUOTES.get(summary[:1])
    inside = summary[1:-1]
    if closing and len(summary) > 1 and summary[-1] == closing and closing not in inside.strip(closing):
        return inside.strip()
    return summary
