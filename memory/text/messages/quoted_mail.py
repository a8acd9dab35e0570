"""Text without what was quoted: lines of mails and pages, and the mail below the line that introduces it. Pure."""

import re
from collections.abc import Sequence

_QUOTED_LINE = re.compile(r"[ ]{0,3}>(?:[\s>]|\w|$)")
_SEPARATOR = re.compile(
    r"\s*(?:[-_*=]{2,}\s*)?(?:begin )?(?:original message|original appointment|forwarded message|forwarded by\b.{0,200}"
    r"|urspr\u00fcngliche nachricht|weitergeleitete nachricht|anfang der weitergeleiteten nachricht"
    r"|message (?:d['\u2019]origine|original|transf\u00e9r\u00e9)|d\u00e9but du message transf\u00e9r\u00e9"
    r"|mensaje (?:original|reenviado)"
    r"|messaggio (?:originale|inoltrato)|mensagem (?:original|encaminhada)|oorspronkelijk bericht|doorgestuurd bericht"
    r"|alkuper\u00e4inen viesti|v\u00e4litetty viesti|opprinnelig melding|videresendt melding|ursprungligt meddelande"
    r"|vidarebefordrat meddelande|oprindelig (?:meddelelse|besked)|videresendt (?:meddelelse|besked)"
    r"|\u539f\u59cb\u90ae\u4ef6|\u8f6c\u53d1\u7684\u90ae\u4ef6|\u539f\u59cb\u90f5\u4ef6)\s*:?\s*(?:[-_*=]{2,})?\s*",
    re.IGNORECASE,
)
_FROM = r"from|von|de|da|van|fra|fr\u00e5n|l\u00e4hett\u00e4j\u00e4|\u53d1\u4ef6\u4eba|\u5dee\u51fa\u4eba"
_OTHER_HEADERS = (
    r"sent|date|to|cc|bcc|subject|reply-to|importance|gesendet|datum|an|betreff|envoy\u00e9|\u00e0|objet"
    r"|enviado|enviada"
    r"|para|asunto|assunto|fecha|data|inviato|a|oggetto|verzonden|aan|onderwerp|sendt|dato|til|emne|skickat|till"
    r"|\u00e4mne|kopia|l\u00e4hetetty|vastaanottaja|aihe|\u53d1\u9001\u65f6\u95f4|\u6536\u4ef6\u4eba"
    r"|\u4e3b\u9898|\u65e5\u671f"
)
_FROM_LINE = re.compile(rf"\s*\*{{0,2}}(?:{_FROM})\s?[:\uff1a]\*{{0,2}}\s*\S", re.IGNORECASE)
_HEADER_LINE = re.compile(rf"\s*\*{{0,2}}(?:{_FROM}|{_OTHER_HEADERS})\s?[:\uff1a]", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    r".{1,300}\b(?:wrote|writes|schrieb|schreef|skrev|a \u00e9crit|escribi\u00f3|escreveu|ha scritto"
    r"|kirjoitti)\b.{0,100}?"
    r"\s?[:\uff1a]\s*",
    re.IGNORECASE,
)
_OF_A_MAIL = re.compile(r"\d{1,2}[:.]\d\d\b|\b(?:19|20)\d\d\b|\S@\S|\d{1,2}[./-]\d{1,2}[./-]\d")
_SUBJECT_LINE = re.compile(
    r"\s*\*{0,2}(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|\u00e4mne|aihe"
    r"|\u4e3b\u9898)\s?[:\uff1a]",
    re.IGNORECASE,
)
_HEADER_WINDOW = 6
_LEAST_HEADERS = 3
_MOST_ATTRIBUTION_CHARS = 500


def without_quotes(text: str) -> str:
    """`text` without quoted lines ("> ..."), and without a mail below its separator, headers or "... wrote:".

    The same text where there is none of it.
    """
    if not any(sign in text for sign in ">:\uff1a-_*="):
        return text
    lines = text.split("\n")
    kept: list[str] = []
    place = 0
    while place < len(lines):
        if _begins_mail(lines, place):
            break
        introduced = _attribution_lines(lines, place)
        if introduced and not _is_quoted_next(lines, place + introduced):
            break
        if introduced:
            place += introduced
            continue
        if not _QUOTED_LINE.match(lines[place]):
            kept.append(lines[place])
        place += 1
    return text if len(kept) == len(lines) else "\n".join(kept)


def _begins_mail(lines: Sequence[str], place: int) -> bool:
    """Whether a mail begins at a line: by its separator, or by three of its headers with the sender's among them."""
    line = lines[place]
    if len(line) <= _MOST_ATTRIBUTION_CHARS and _is_set_off(line) and _SEPARATOR.fullmatch(line):
        return True
    if not _HEADER_LINE.match(line):
        return False
    window = lines[place : place + _HEADER_WINDOW]
    headers = [one for one in window if _HEADER_LINE.match(one)]
    has_sender = any(_FROM_LINE.match(one) for one in headers)
    is_mail = any("@" in one[:_MOST_ATTRIBUTION_CHARS] or _SUBJECT_LINE.match(one) for one in headers)
    return len(headers) >= _LEAST_HEADERS and has_sender and is_mail  # "From: Oslo, To: Bergen, Date: ..." is a journey


def _is_set_off(line: str) -> bool:
    """Whether a separator looks like one: words alone may be a sentence of the operator's."""
    words = line.strip()
    return words.startswith(("-", "_", "*", "=")) or words.endswith(":")


def _attribution_lines(lines: Sequence[str], place: int) -> int:
    """How many lines from here on say who wrote what follows: "On 5 May 2026 Bob wrote:"; 0 where none does.

    Without quoted lines below it must look like a mail's, with a time or an address.
    """
    for count in (1, 2):
        said = " ".join(lines[place : place + count])
        if len(said) > _MOST_ATTRIBUTION_CHARS or not lines[place].strip() or place + count > len(lines):
            return 0
        if said.rstrip().endswith((":", "\N{FULLWIDTH COLON}")) and _ATTRIBUTION.fullmatch(said):
            quoted = _is_quoted_next(lines, place + count)
            return count if quoted or (_OF_A_MAIL.search(said) and any(map(str.strip, lines[place + count :]))) else 0
    return 0


def _is_quoted_next(lines: Sequence[str], place: int) -> bool:
    """Whether the next line that is not blank, of the next few, is quoted."""
    following = next((line for line in lines[place : place + 3] if line.strip()), "")
    return bool(_QUOTED_LINE.match(following))
