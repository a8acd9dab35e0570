"""What was said, sentence by sentence: where each stands, and hashes by which it is heard again (decision 25). Pure.

Words are compared, not characters: case, white space, markdown, quotation marks and most punctuation make no
difference. A question mark does, because a question states nothing.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.text.marks import normalised

WINDOW = 5
"""Words in the windows by which a cut sentence is recognised; a shorter one is recognised only as a whole."""

LEAST_GLUED = 3
"""Words that must remain beside a heard sentence for the two to count as glued together, not as one new sentence."""

# Hashes of words in a row: polynomials modulo 2**64, so that the window after this one is worked out from it.
_BITS = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15
_LEAVES = pow(_FACTOR, WINDOW, 1 << 64)
_WHOLE, _WINDOW = 1, 2  # what each kind begins with, so that no window is a whole sentence
_WINDOW_STAYS = (_WINDOW * _LEAVES - _WINDOW * _LEAVES * _FACTOR) & _BITS

_MAX_SENTENCES = 20_000
_MAX_EDGE = 40
_LEAST_EDGE = 3

_SENTENCE = re.compile(
    r"[^\n.!?。！？…]+(?:[.!?…]+(?![\s\"'”’»)*_]|\Z)[^\n.!?。！？…]*)*(?:[.!?。！？…]+[\"'”’»)*_]*)?|[^\n]"
)
# What clients put beside the words: a time or a note in brackets, a date with its time or a speaker at a line's start.
_BESIDE = re.compile(
    r"\[[^\[\]\n]{1,80}\]|\((?:edited|bearbeitet|modifi|editado|modificato|sent|current|time|date)[^()\n]{0,60}\)"
    r"|(?m:^)[ \t>*_#-]{0,8}+\d{4}-\d\d-\d\d[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?"
    r"(?:[ \t]?(?:UTC\b|GMT\b|Z\b|[+-]\d\d:?\d\d))?[ \t]*[:,|–-]?"
    r"|(?m:^)[ \t>*_#-]{0,8}+(?:user|human|operator|me)[ \t*_]{0,4}:",
    re.IGNORECASE,
)
_SURE_STAMP = re.compile(
    r"\d:\d|\d{4}-\d\d|:\W*\Z|edited|bearbeitet|modifi|editado|modificato|\[\d{1,3}\]", re.IGNORECASE
)
_LINE_END = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_NO_BLANKS = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # scripts that set none between words
_SIGNS = r"\u2600-\u27bf\U0001f000-\U0001faff€$£¥₹"
MARKS = "".join(chr(code) for code in range(0x300, 0x1C00) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
"""What stands on, under or beside the letter before it: the inside of a character class."""

_OPERATOR = r"(?:[=!]==?|[<>]=|&&|\|\||[-+*/]=|[=-]>)"
"""Of code: `a == b` is not `a != b`. None of them is markdown, quotes or stamps where it stands between two words."""
_WORD = re.compile(
    rf"[{_NO_BLANKS}{_SIGNS}]|(?:[^\W_{_NO_BLANKS}][{MARKS}]*)+[+#]*"
    rf"|(?<=[\w)\]+#] ){_OPERATOR}(?= \S)|(?<=[\w)\]]){_OPERATOR}(?=[\w(])"
)
_JOINTS = frozenset(["and", "und", "et", "y", "e", "och", "og", "и", "ve"])
"""Words that begin a sentence and add nothing to it. "But" does: it contradicts."""
_STAMP_WORD = re.compile(
    r"\d+(?:st|nd|rd|th|h|am|pm|t\d+z?|z)?|[ap]m?|m|t|z|utc|gmt|ce?s?t|current|local|sent|date|time|timestamp|today|now"
    r"|on|at|the|is|user|human|operator|me|heure|uhr|uhrzeit|zeit|datum|hora|ora|fecha|data|edited|bearbeitet"
    r"|modifié|modifie|editado|modificato"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
)


@dataclass(frozen=True)
class Sentence:
    """A piece of a text: `text[start:end]`, its words in normal form, and whether it only marks a time or an edit."""

    start: int
    end: int
    words: tuple[str, ...]
    is_mark: bool = False


def split(text: str) -> list[Sentence]:
    """The sentences of a text that hold words, in order. The last one holds the rest where there are thousands."""
    plain = _LINE_END.sub(lambda end: "\n" * len(end[0]), text)
    found: list[Sentence] = []
    for sentence in _pieces(plain):
        if len(found) == _MAX_SENTENCES:
            return [*found, Sentence(sentence.start, len(text), words_of(plain[sentence.start :]))]
        found.append(sentence)
    return found


def _pieces(text: str) -> Iterator[Sentence]:
    """The marks, and the sentences before, between and after them."""
    position = 0
    for beside in _BESIDE.finditer(text):
        words = words_of(beside[0])
        if _is_mark(beside[0], words):
            yield from _sentences(text, position, beside.start())
            yield Sentence(beside.start(), beside.end(), words, is_mark=True)
            position = beside.end()
    yield from _sentences(text, position, len(text))


def _sentences(text: str, start: int, end: int) -> Iterator[Sentence]:
    for match in _SENTENCE.finditer(text, start, end):
        if words := words_of(match[0]):
            first = match.start() + len(match[0]) - len(match[0].lstrip())
            yield Sentence(first, match.start() + len(match[0].rstrip()), words, _is_mark(match[0], words))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in normal form; a text that asks ends with the word `?`."""
    words = tuple(_WORD.findall(normalised(text, "NFKC").casefold()))
    asks = words and text.rstrip(" \t\n\"'”’»)*_").endswith(("?", "？"))
    return (*words, "?") if asks else words


def identity(text: str) -> str:
    """What a whole message says, as a hash: equal for two that differ only in marks, case, spacing and markdown.

    "" for a text without words.
    """
    said = [word for sentence in split(text) if not sentence.is_mark for word in sentence.words]
    return hashlib.sha256(" ".join(said).encode()).hexdigest() if said else ""


def whole_hash(words: Sequence[str]) -> int:
    """The hash of a whole sentence, as a signed number of 64 bits; a joining word at its beginning does not count."""
    total = _WHOLE
    is_joined = len(words) > _LEAST_EDGE and words[0] in _JOINTS
    for word in words[is_joined:]:
        total = (total * _FACTOR + _word_hash(word)) & _BITS
    return _signed(total)


def window_hashes(words: Sequence[str]) -> list[int]:
    """The hashes of each `WINDOW` consecutive words; none of a shorter sentence."""
    each = [_word_hash(word) for word in words]
    found: list[int] = []
    total = _WINDOW
    for place, word in enumerate(each):
        total = (total * _FACTOR + word) & _BITS
        if place >= WINDOW:
            total = (total - each[place - WINDOW] * _LEAVES + _WINDOW_STAYS) & _BITS
        if place >= WINDOW - 1:
            found.append(_signed(total))
    return found


def edges(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The beginnings and ends that may be a sentence of their own: from word, to word; longest first."""
    for length in range(min(len(words) - 1, _MAX_EDGE), _LEAST_EDGE - 1, -1):
        yield 0, length
        yield len(words) - length, len(words)


def locate(text: str, sentence: Sentence, first: int, end: int) -> tuple[int, int] | None:
    """Where the words `first` to `end` of a sentence stand in its text; None where normalising changed their number."""
    found = list(_WORD.finditer(text, sentence.start, sentence.end))
    words = sentence.words[:-1] if sentence.words[-1:] == ("?",) else sentence.words
    if len(found) != len(words) or end > len(words):
        return None
    return found[first].start(), found[end - 1].end()


def is_open(text: str, sentence: Sentence) -> bool:
    """Whether a sentence ends without a mark that ends it, as one that was cut off does."""
    return not text[sentence.start : sentence.end].rstrip("\"'”’»)*_ ").endswith(tuple(".!?。！？…"))


def _is_mark(text: str, words: Sequence[str]) -> bool:
    """Whether a piece holds no statement: a time or an edit mark, in brackets or not."""
    if not all(_STAMP_WORD.fullmatch(word) for word in words):
        return False
    return bool(_SURE_STAMP.search(text))


@lru_cache(maxsize=65_536)
def _word_hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")


def _signed(total: int) -> int:
    return total - (1 << 64) if total >> 63 else total
