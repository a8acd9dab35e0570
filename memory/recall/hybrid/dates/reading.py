"""The ranges of days that a message speaks of. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from heapq import merge

from memory.recall.hybrid.dates.east_asian import east_asian_ranges
from memory.recall.hybrid.dates.figures import date_in_figures, is_month_first
from memory.recall.hybrid.dates.grammar import END, NUMBER, Grammar, Phrase
from memory.recall.hybrid.dates.languages import ENGLISH, GERMAN, GRAMMARS, language_of
from memory.recall.hybrid.dates.ranges import DatePhrase, DateRange, Kind, resolved
from memory.recall.hybrid.dates.tokens import Token, tokens_of
from memory.text.marks import normalised

MAX_RANGES = 8
"""How many ranges of a message count, its first."""

_WEEKDAY_GAP = 2
"""So many tokens may stand between a weekday and its date: "am Montag, den 13. Oktober"."""

_SENTENCE_ENDS = frozenset(".!?")
_SHORT_DATES = GERMAN.words("short_date")


def date_ranges(message: str, *, today: date) -> list[DateRange]:
    """The ranges of a message in the order of its words, each once, at most MAX_RANGES; [] where it has no dates.

    Linear in the length. What lies ahead is left out, what contains today ends today. A word that may mean something
    else ("may", "march", "fall") counts only where it cannot.
    """
    return list(_first_once(one.range for one in _phrases(normalised(message, "NFC"), today)))


def date_phrases(text: str, *, today: date) -> list[DatePhrase]:
    """The words of a text in NFC that say when, in their order, as far as `date_ranges` reads."""
    found: list[DatePhrase] = []
    for phrase in _phrases(text, today):
        found.append(phrase)
        if len({one.range for one in found}) == MAX_RANGES:
            break
    return found


def _phrases(text: str, today: date) -> Iterator[DatePhrase]:
    """What a text in NFC says of days, in the order of its words."""
    return merge(
        _Message(tokens_of(text), today).ranges(), east_asian_ranges(text, today), key=lambda found: found.start
    )


def _first_once(ranges: Iterator[DateRange]) -> Iterator[DateRange]:
    """Each range once. Stops after MAX_RANGES of them, so that the rest of the text is not read."""
    seen: set[DateRange] = set()
    for one in ranges:
        if one not in seen:
            seen.add(one)
            yield one
        if len(seen) == MAX_RANGES:
            return


def _grammars_by_first_word() -> Mapping[str, Sequence[tuple[Grammar, frozenset[str]]]]:
    """Word -> the grammars with phrases that begin with it, and what may follow it there."""
    grammars: dict[str, list[tuple[Grammar, frozenset[str]]]] = {}
    for grammar in GRAMMARS:
        for word, following in grammar.beginnings().items():
            grammars.setdefault(word, []).append((grammar, following))
    return grammars


_BY_FIRST_WORD = _grammars_by_first_word()


@dataclass(frozen=True, slots=True)
class _Found:
    """What tokens[start:end] mean; the range is None where they mean no day that there is."""

    kind: Kind
    start: int
    end: int
    range: DateRange | None


@dataclass(frozen=True)
class _Message:
    """The words and figures of a message between blanks."""

    tokens: Sequence[Token] = field(repr=False)
    today: date

    def ranges(self) -> Iterator[DatePhrase]:
        """Each range with its place. A weekday is left out where its date follows."""
        weekday: _Found | None = None
        for found in self._all_found():
            if weekday and not (found.kind == "day" and self._is_beside(weekday, found)):
                yield from self._placed(weekday)
            weekday = found if found.kind == "weekday" else None
            if weekday is None:
                yield from self._placed(found)
        if weekday:
            yield from self._placed(weekday)

    def _placed(self, found: _Found) -> Iterator[DatePhrase]:
        if found.range is not None:
            last = self.tokens[found.end - 1]
            yield DatePhrase(self.tokens[found.start].start, last.start + len(last.text), found.range)

    def _is_beside(self, weekday: _Found, found: _Found) -> bool:
        between = self.tokens[weekday.end : found.start]
        return len(between) <= _WEEKDAY_GAP and not any(token.text in _SENTENCE_ENDS for token in between)

    def _all_found(self) -> Iterator[_Found]:
        start = 0
        while start < len(self.tokens):
            found = self._found(start)
            if found is not None:
                yield found
            start = found.end if found is not None else start + 1

    def _found(self, start: int) -> _Found | None:
        if self.tokens[start].kind == "figures":
            return self._figures(start)
        return self._phrase(start) if self._word(start) in _BY_FIRST_WORD else None

    def _figures(self, start: int) -> _Found:
        text = self.tokens[start].text
        found = date_in_figures(
            text,
            month_first="/" in text and self._is_month_first,
            is_short_date=start > 0 and self.tokens[start - 1].text in _SHORT_DATES and self._language is GERMAN,
            today=self.today,
        )
        return _Found("day", start, start + 1, found)

    def _phrase(self, start: int) -> _Found | None:
        """The longest phrase of any language that begins here."""
        phrases = [grammar.longest(self.tokens, start) for grammar in self._grammars(start)]
        possible = [phrase for phrase in phrases if phrase is not None and self._is_sure(phrase)]
        if not possible:
            return None
        phrase = max(possible, key=lambda phrase: phrase.end)
        return _Found(phrase.kind, start, phrase.end, self._range(phrase))

    def _grammars(self, start: int) -> Iterator[Grammar]:
        """Those that this token and the next may begin a phrase in."""
        follows = self._word(start + 1)
        for grammar, following in _BY_FIRST_WORD.get(self._word(start), ()):
            if follows in following or END in following:
                yield grammar

    def _word(self, place: int) -> str:
        if place >= len(self.tokens):
            return END
        token = self.tokens[place]
        return NUMBER if token.kind == "number" else token.text

    def _is_sure(self, phrase: Phrase) -> bool:
        """Whether it is none of the words that mean something else in another language ("hier")."""
        is_unsure = self.tokens[phrase.start].text in phrase.grammar.words("unsure")
        return not is_unsure or self._language is phrase.grammar

    def _range(self, phrase: Phrase) -> DateRange | None:
        before = self.tokens[phrase.start - 1].text if phrase.start else ""
        after = self.tokens[phrase.end].text if phrase.end < len(self.tokens) else ""
        if before in phrase.grammar.words("not_after") or after in phrase.grammar.words("not_before"):
            return None
        found = resolved(phrase.kind, phrase.values, self.today)
        if found is not None and {before, self.tokens[phrase.start].text} & phrase.grammar.words("since"):
            return DateRange(found.first, self.today)
        return found

    @cached_property
    def _language(self) -> Grammar | None:
        return language_of(self.tokens)

    @cached_property
    def _is_month_first(self) -> bool:
        return is_month_first(self.tokens, is_english=self._language is ENGLISH)
