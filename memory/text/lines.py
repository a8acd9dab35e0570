"""Text that encodes, fits on one line, or is cut to a length. Below every other module.

The result of `one_line` holds no line break, no hidden text and no change of reading direction, and it always encodes
as UTF-8. Nothing is escaped: markup and braces are plain text here.
"""

import re
import unicodedata

from memory.text.marks import normalised

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
CUT_MARK = " [... cut ...] "

_MAX_WORD_LOSS = 40
_HALF_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LINE_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"

# Everything without a glyph that is not white space: controls (Cc), format characters (Cf) with all direction marks and
# overrides, the blank letters and fillers, variation selectors, tag characters, noncharacters. The few format
# characters that do have a glyph (Arabic and Kaithi number and verse signs) are not in the list.
_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad"
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]+"
)

# Where an invisible character changes what is shown. Ranges, not categories: Python's Unicode tables are older than the
# emoji on people's phones.
_EMOJI = re.compile("[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_TAKES_EMOJI_STYLE = re.compile(
    "[#*0-9\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u27bf\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MONGOLIAN = re.compile("[\u1820-\u18aa]")
_JOINING_SCRIPT = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00011000-\U00011fff]"
)


def encodable(text: str) -> str:
    """`text` with half surrogate pairs replaced by U+FFFD and NUL dropped: what UTF-8 and every database accept."""
    return _HALF_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text).replace("\0", "")


def one_line(text: str) -> str:
    """The text as one line: NFC, stripped, every kind of line break and run of white space one space.

    Control, invisible and direction characters are removed, half surrogate pairs become U+FFFD. Kept are joiners and
    variation selectors where they change what is seen: inside emoji, between letters of Arabic, Indic and other joining
    scripts, after ideographs; one of each at a place. Tag characters always go (they can carry hidden text), so the
    flags of England, Scotland and Wales become a black flag. Applying it twice changes nothing.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = _INVISIBLE.sub(_kept_invisible, without_surrogates(text).replace("\u2800", " "))
    return " ".join(normalised(visible, "NFC").split())


def with_plain_breaks(text: str) -> str:
    """`text` with every line break as `\\n`: CR, CRLF, vertical tab, form feed, NEL, U+2028, U+2029, FS to US."""
    return _LINE_BREAK.sub("\n", text)


def shorten(text: str, max_chars: int) -> str:
    """The text, or its beginning cut at a word with an ellipsis; never longer than `max_chars`, the ellipsis counted.

    Cut inside a word where there is no space, or where keeping words whole would cost more than 40 characters (long
    addresses, scripts without spaces). A limit below 1 gives the empty string.
    """
    if len(text) <= max_chars:
        return text
    if max_chars < 1:
        return ""
    room = max_chars - 1
    last_space = text.rfind(" ", 0, room + 1)
    end = last_space if last_space > 0 and room - last_space <= _MAX_WORD_LOSS else room
    return text[:end].rstrip(" " + _JOINERS) + ELLIPSIS


def cut_middle(text: str, max_chars: int) -> str:
    """`text` in at most `max_chars` characters: its head and its tail with a mark between where it was longer."""
    if len(text) <= max_chars:
        return text
    room = max(max_chars - len(CUT_MARK), 0)
    tail = room // 4
    return text[: room - tail] + CUT_MARK[:max_chars] + text[len(text) - tail :]


def without_surrogates(text: str) -> str:
    """The text with each surrogate pair as one character and each half pair as U+FFFD, so that it encodes as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _kept_invisible(run: re.Match[str]) -> str:
    """What is kept of a run of invisible characters: at most one variation selector, then at most one joiner."""
    hidden, text = run.group(), run.string
    before = text[run.start() - 1 : run.start()]
    after = text[run.end() : run.end() + 1]
    selector = hidden[0] if _is_effective_selector(before, hidden[0]) else ""
    joiner = hidden[len(selector) : len(selector) + 1]
    return selector + (joiner if _is_effective_joiner(before, joiner, after) else "")


def _is_effective_selector(before: str, selector: str) -> bool:
    """Whether this variation selector can change how the character before it looks."""
    if selector in "\ufe0e\ufe0f":
        return bool(_TAKES_EMOJI_STYLE.match(before))
    if "\u180b" <= selector <= "\u180f":
        return bool(_MONGOLIAN.match(before))
    is_selector = "\ufe00" <= selector <= "\ufe0d" or "\U000e0100" <= selector <= "\U000e01ef"
    return is_selector and bool(_IDEOGRAPH.match(before))


def _is_effective_joiner(before: str, joiner: str, after: str) -> bool:
    """Whether this joiner shapes an emoji or a word: between its parts, or after a virama."""
    if not joiner or joiner not in _JOINERS:
        return False
    if joiner == "\u200d" and _EMOJI.match(before) and _EMOJI.match(after):
        return True
    if not _JOINING_SCRIPT.match(before):
        return False
    return bool(_JOINING_SCRIPT.match(after)) or unicodedata.combining(before) == 9
