"""The messages that have a question's words, by the index that the timeline is searched with."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from pydantic import ValidationError

from memory import events
from memory.models import AuditQuerySet, AuditRow
from memory.recall.explicit import reasons
from memory.recall.explicit.corrections import Corrections
from memory.recall.explicit.question import Question
from memory.recall.explicit.results import Found
from memory.text import sentences
from memory.text.lines import one_line, shorten
from memory.units import SpokenTurn, spoken_turns

logger = logging.getLogger(__name__)

MAX_TEXT_CHARS = 320
_MOST_WORDS_ALONE = 8
_ROWS_A_LOOK = 40
_CHATS = 60
_BEFORE_CHARS = 60


@dataclass(frozen=True)
class _Place:
    """A turn of a chat that has some of the words: `share` of them, `is_phrase`: one of the quoted stretches."""

    row: AuditRow
    turn: SpokenTurn
    when: datetime
    share: float
    is_phrase: bool


def find(question: Question, gone: Corrections, *, limit: int) -> list[Found]:
    """At most `limit` chats, each by the message that has most of the words, newer ones first among equals."""
    rows = _shown(_candidates(question))
    places = [place for row in rows if (place := _place(question, row)) is not None]
    places.sort(key=lambda one: _rank(question, one), reverse=True)
    return [_found(question, place, gone) for place in places[:limit]]


def _rank(question: Question, place: _Place) -> tuple[bool, bool, float, datetime]:
    return place.is_phrase, question.is_dated(place.when), round(place.share, 2), place.when


def chat_ids(question: Question) -> list[int]:
    """The turns, by the id of their first row, that have the words."""
    return [row.chat_id or row.pk for row in _shown(_candidates(question))]


def _candidates(question: Question) -> list[AuditRow]:
    """Chats that may have the words, newest first: those that have all of them, then those that have one."""
    words = [word for word, _ in question.words.words]
    if not words:
        return []
    chats = _timely(AuditRow.objects.get_queryset().chats(), question)
    looks = [" ".join(_phrases(question)), " ".join(words)]
    looks += words[:_MOST_WORDS_ALONE] if len(words) > 1 else []
    found: dict[int, AuditRow] = {}
    for look in filter(str.strip, looks):
        if len(found) >= _CHATS:
            break
        for rows in _dated_first(chats.search(look), question):
            found |= {row.pk: row for row in rows.newest_first()[:_ROWS_A_LOOK] if row.pk not in found}
    return list(found.values())


def _phrases(question: Question) -> Iterator[str]:
    """What stands in quotation marks, as the index looks for words that follow each other."""
    return (".".join(phrase.split()) for phrase in question.quoted)


def _dated_first(chats: AuditQuerySet, question: Question) -> Iterator[AuditQuerySet]:
    """The chats of the days that are asked for, then all."""
    for one in question.ranges:
        yield _of_moments(chats, question.moments(one.first, one.last))
    yield chats


def _timely(chats: AuditQuerySet, question: Question) -> AuditQuerySet:
    return chats if question.between is None else _of_moments(chats, question.between)


def _of_moments(chats: AuditQuerySet, between: tuple[datetime, datetime]) -> AuditQuerySet:
    """The chats that were written down then, and all that took place at another time: those are looked at later."""
    return chats.filter(Q(ts__range=between) | ~Q(payload__occurred_at=None))


def _shown(rows: Sequence[AuditRow]) -> Iterator[AuditRow]:
    """Without chats that nothing may be learned from, and those whose episode the operator deleted."""
    deleted = _deleted([row.chat_id or row.pk for row in rows])
    for row in rows:
        if (row.chat_id or row.pk) in deleted or row.payload.get("learn") is False:
            continue
        yield row


def _deleted(chats: Iterable[int]) -> set[int]:
    """Those of these chats whose episode the operator deleted, and did not bring back. One query."""
    said = AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted, events.EpisodeUserRestored)
    last = dict(said.filter(chat__in=list(chats)).order_by("id").values_list("chat_id", "event_type"))
    return {chat for chat, event_type in last.items() if event_type == events.EpisodeUserDeleted.name}


def _place(question: Question, row: AuditRow) -> _Place | None:
    """The turn of a chat that has most of the words; None where none has one, or the row cannot be read."""
    try:
        spoken, when = spoken_turns(row.completed), row.said_at
    except ValidationError as error:  # a row that no verb of ours wrote
        logger.error("Chat #%s cannot be searched: its row cannot be read: %s", row.pk, error)
        return None
    turns = [turn for turn in spoken if turn.is_new and question.words.may_be_in(turn.text)]
    places = [
        _Place(row, turn, when, question.words.share(turn.text), _has_phrase(question, turn.text)) for turn in turns
    ]
    best = max(places, key=lambda one: (one.is_phrase, one.share, one.turn.by_operator), default=None)
    return best if best is not None and best.share > 0 and question.may_be_of(when) else None


def _has_phrase(question: Question, text: str) -> bool:
    said = f" {' '.join(sentences.words_of(text))} "
    return any(f" {' '.join(sentences.words_of(phrase))} " in said for phrase in question.quoted)


def _found(question: Question, place: _Place, gone: Corrections) -> Found:
    day = question.day_of(place.when)
    is_dated = question.is_dated(place.when)
    text = excerpt(question, place.turn.text)
    words = question.words_in(place.turn.text)
    return Found(
        kind="message",
        id=f"chat:{place.row.pk}",
        title=reasons.title("Message" if place.turn.by_operator else "Answer", day),
        text=gone.told(text, said_at=place.when),
        when=place.when,
        score=reasons.score(cosine=0.0, share=place.share, is_dated=is_dated),
        why=reasons.why(
            words, dated=day if is_dated else None, verb="you wrote" if place.turn.by_operator else "the answer says"
        ),
        chat_id=place.row.pk,
        key="",
        words=words,
    )


def excerpt(question: Question, text: str) -> str:
    """The sentence with most of the words, with as much behind it as there is room for."""
    pieces = sentences.split(text)
    if not pieces:
        return shorten(one_line(text), MAX_TEXT_CHARS)
    best = max(pieces, key=lambda one: question.words.share(text[one.start : one.end]))
    line = one_line(text[best.start : best.start + 4 * MAX_TEXT_CHARS])
    return shorten(line, MAX_TEXT_CHARS)
