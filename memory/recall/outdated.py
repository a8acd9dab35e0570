"""What the operator corrected, deleted or took back since it was said: no line about a past conversation repeats it.

Facts live in their own table, where the operator corrects them. What was said in a chat stays as it was said, so each
sentence that would go into a prompt is held against the values that are gone. Pure but for `outdated`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection

from memory import events
from memory.models import AuditRow, MemoryRevision, PersonalFact
from memory.text import cjk, sentences
from memory.text.normalising import same_value

_BY_OPERATOR = (events.FactUserEdited, events.FactUserDeleted, events.FactRetired)
_MOST_ENDINGS = 2_000
_SHORT = 4  # letters; a value of fewer says little without its key
_PARTS = re.compile(r"; (?=the assistant [a-z]+: \")")
_IS_QUOTATION = re.compile(r"The (?:operator|assistant) [a-z]+: \"")


@dataclass(frozen=True)
class Gone:
    """A value that was true until a moment: its words, or the words it was said in (`is_quote`), as one string."""

    key: frozenset[str]
    words: str
    until: datetime
    is_quote: bool = False
    fact_key: str = ""
    says_enough: bool = True
    """Whether it means the fact wherever it stands: a name, several words. Others count beside a word of the key."""

    def is_in(self, text: str) -> bool:
        """Whether a text says it. A quote counts in part, too."""
        if self.is_quote:
            return self.words in text or (text.count(" ") > 2 and text in self.words)
        return self.words in text and (self.says_enough or any(f" {word} " in text for word in self.key))


@dataclass(frozen=True)
class Outdated:
    """The values that are gone."""

    gone: tuple[Gone, ...] = field(default=())

    def is_in(self, text: str, *, said_at: datetime) -> bool:
        """Whether a text of that time repeats a value that was corrected, deleted or taken back after it."""
        return next(self.found_in(text, said_at=said_at), None) is not None

    def found_in(self, text: str, *, said_at: datetime) -> Iterator[Gone]:
        """Which of them a text of that time repeats."""
        words = _as_words(text) if self.gone else ""
        return (one for one in self.gone if said_at < one.until and one.is_in(words))

    def without(self, summary: str, *, said_at: datetime) -> str:
        """A summary without the sentences that do so, or the sides of a quotation; "" where nothing is left."""
        if not self.is_in(summary, said_at=said_at):
            return summary
        parts = _PARTS.split(summary) if _IS_QUOTATION.match(summary) else _sentences(summary)
        kept = [part for part in parts if not self.is_in(part, said_at=said_at)]
        joined = ("; " if _IS_QUOTATION.match(summary) else " ").join(kept)
        return joined[:1].upper() + joined[1:]


NOTHING = Outdated()


def outdated() -> Outdated:
    """What is gone by now. One query where no fact changed since the last call."""
    global _latest
    stamp = MemoryRevision.current().facts_changed
    if _latest is not None and _latest[0] == stamp:
        return _latest[1]
    found = Outdated(tuple(_gone_values()))
    if not connection.in_atomic_block:  # which may be rolled back
        _latest = stamp, found
    return found


_latest: tuple[int, Outdated] | None = None


def _gone_values() -> Iterator[Gone]:
    endings = [*_endings(*_BY_OPERATOR), *_endings(events.FactUpdated)]
    holding = PersonalFact.objects.by_keys({str(key) for key, *_ in endings})
    elsewhere = {
        _as_words(value) for value in PersonalFact.objects.filter(retired_at=None).values_list("value", flat=True)
    }
    until: dict[tuple[str, str], datetime] = {}
    for key, ts, payload in endings:
        value, fact = str(payload.get("old_value") or payload.get("value") or ""), holding.get(str(key))
        if value and not (fact is not None and fact.retired_at is None and same_value(fact.value, value)):
            ended_at = _said_at(payload) or ts
            until[str(key), value] = max(ended_at, until.get((str(key), value), ended_at))
    for (key, value), moment in until.items():
        words = _as_words(value)
        says_enough = words not in elsewhere and _says_enough(value)
        yield Gone(_key_words(key), words, moment, fact_key=key, says_enough=says_enough)
    yield from _gone_quotes(until)


def _endings(*kinds: type[events.Event]) -> Iterator[tuple[str, datetime, dict[str, object]]]:
    """The latest rows by which a value was gone: key, time, payload. What chats say is never in the operator's way."""
    rows = AuditRow.objects.get_queryset().of_type(*kinds).exclude(fact_key=None).order_by("-id")
    for key, ts, payload in rows.values_list("fact_key", "ts", "payload")[:_MOST_ENDINGS]:
        if isinstance(payload, dict):
            yield str(key), ts, payload


def _says_enough(value: str) -> bool:
    """Several words, a name or another word with a capital, Chinese or Japanese: but no number, and nothing short."""
    words = value.split()
    if cjk.has_cjk(value) or len(words) > 1:
        return True
    return len(value) >= _SHORT and not value.isdigit() and any(letter.isupper() for letter in value)


def _gone_quotes(until: Mapping[tuple[str, str], datetime]) -> Iterator[Gone]:
    """The operator's words in which the values that are gone were said."""
    rows = AuditRow.objects.get_queryset().of_type(events.FactAdded, events.FactUpdated, events.FactConfirmed)
    said = rows.filter(fact_key__in={key for key, _ in until}).exclude(payload__quote=None)
    for key, payload in said.order_by("-id").values_list("fact_key", "payload")[:_MOST_ENDINGS]:
        if not isinstance(payload, dict):
            continue
        value = str(payload.get("value") or payload.get("new_value") or "")
        moment, words = until.get((str(key), value)), _as_words(str(payload.get("quote") or ""))
        if moment is not None and words.count(" ") > 2:
            yield Gone(_key_words(str(key)), words, moment, is_quote=True, fact_key=str(key))


def _said_at(payload: Mapping[str, object]) -> datetime | None:
    """When a newer statement ended it, so that the statement itself may be quoted."""
    said_at = payload.get("said_at")
    try:
        moment = datetime.fromisoformat(said_at) if isinstance(said_at, str) else None
    except ValueError:  # of another version
        return None
    return moment if moment is None or moment.tzinfo else None


def _sentences(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences.split(text)]


def _key_words(key: str) -> frozenset[str]:
    return frozenset(re.split(r"[._]", key.casefold())) - {""}


def _as_words(text: str) -> str:
    """Its words in normal form with blanks around each, so that whole words are found."""
    return f" {' '.join(word for word in sentences.words_of(text) if word != '?')} "
