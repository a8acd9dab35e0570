"""The words of a question, and which of them a text has. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.text.terms import language_of, terms
from memory.text.terms.folding import small
from memory.text.terms.runs import runs, script_of

MAX_WORDS = 40
MAX_TEXT_CHARS = 50_000
"""How much of one text is compared."""

_SURE_CHARS = 3  # which no stemmer changes
_UNSPACED = frozenset(("cjk", "hangul", "thai"))


_OF_ASKING = frozenset(
    "talk talked talking speak spoke spoken say said tell told discuss discussed happen happened mention"  # noqa: SIM905
    " mentioned going gesprochen besprochen geredet gesagt erzählt passiert parlé dit raconté passé hablamos hablé"
    " dije dijimos pasó gesproken gezegd verteld besproken gebeurd parlato detto successo falamos disse".split()
)
"""Words that only say that something was said."""


@dataclass(frozen=True)
class Words:
    """The words of a question, each with the terms by which it is compared; stop words are left out.

    Chinese, Japanese, Korean and Thai come in pieces of a few characters, of which some may be found and others not.
    """

    language: str
    words: Sequence[tuple[str, frozenset[str]]]
    shown: Mapping[str, str]
    """{word: the same as the question writes it}."""

    @classmethod
    def of(cls, text: str, *, is_about_days: bool = False) -> "Words":
        """The words of a question; all of them where it has nothing but stop words ("who are you").

        `is_about_days`: it named days, so "what did we talk about" asks for those, and for nothing in them.
        """
        language = language_of(text)
        line = small(text, language=language)
        found = dict(_with_terms(line, language))
        if is_about_days and all(run in _OF_ASKING for run in found):
            found = {}
        elif not found:
            found = {run: frozenset([run]) for run in runs(line)}
        words = list(found.items())[:MAX_WORDS]
        return cls(language, words, {word: _as_written(word, line, text) for word, _ in words})

    @property
    def terms(self) -> frozenset[str]:
        """All terms."""
        return frozenset().union(*(own for _, own in self.words))

    def in_text(self, text: str) -> list[str]:
        """Those of the question's words that a text has, as the question writes them, in its order."""
        line = text[:MAX_TEXT_CHARS]
        known = {*terms(line, language=self.language), *self._bare(line)}
        return [self.shown.get(found, found) for word, own in self.words for found in _pieces(word, own & known)]

    def share(self, text: str) -> float:
        """The part of the question's words that a text has: 0..1."""
        line = text[:MAX_TEXT_CHARS]
        known = {*terms(line, language=self.language), *self._bare(line)}
        parts = [len(own & known) / len(own) for _, own in self.words]
        return sum(parts) / len(parts) if parts else 0.0

    def may_be_in(self, text: str) -> bool:
        """A quick look: False only where a text surely has none of them. Words of plain letters begin alike."""
        line = text[:MAX_TEXT_CHARS].lower()
        return not line.isascii() or any(not word.isascii() or word[:_SURE_CHARS] in line for word, _ in self.words)

    def _bare(self, line: str) -> list[str]:
        """The words of a text as they stand: only these can be stop words of the question."""
        return runs(small(line, language=self.language))


def _as_written(word: str, line: str, text: str) -> str:
    """A word of the line in small letters as the text has it."""
    start = line.find(word)
    return text[start : start + len(word)] if len(line) == len(text) and start >= 0 else word


def _with_terms(line: str, language: str) -> Iterator[tuple[str, frozenset[str]]]:
    for run in runs(line):
        if own := frozenset(terms(run, language=language)):
            yield run, own


def _pieces(word: str, found: frozenset[str]) -> list[str]:
    """A word that was found; of one without blanks the stretches that were."""
    if not found:
        return []
    if script_of(word) not in _UNSPACED:
        return [word]
    is_in = [False] * len(word)
    for piece in found:
        start = word.find(piece)
        if start >= 0:
            is_in[start : start + len(piece)] = [True] * len(piece)
    marked = "".join(character if there else " " for character, there in zip(word, is_in, strict=True))
    return marked.split() or sorted(found, key=len)[-1:]
