"""Takes back what the operator did, row by row (decisions 28, 33): one verb for every verb of theirs."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import TypeVar

from django.db import transaction
from pydantic import ValidationError

from memory import events
from memory.models.audit import AuditRow
from memory.models.episodes import EpisodeSummary
from memory.models.facts import PersonalFact
from memory.models.learned.conflict import FactConflict
from memory.models.learned.fact import record_change
from memory.models.operator.along import ended_by, undo_along
from memory.models.operator.undone import UndoState
from memory.models.review.waiting import NotWaiting, WaitingFact
from memory.models.revision import MemoryRevision
from memory.models.undo.deleted_episode import EpisodeGone
from memory.text import normalising

_Event = TypeVar("_Event", bound=events.Event)


class CannotUndo(Exception):
    """A row that is nothing the operator could take back, or whose values are no longer kept. The message says so."""


def undo(row: AuditRow, *, now: datetime) -> AuditRow | None:
    """Take back what this row says the operator did: the row of that, which can be undone in turn.

    None, and nothing is written, where it is not so any more. Memory is as it was before, date and confidence included,
    and an edit and its undoing count as no edit. Raises `CannotUndo`, `FactConflict` where something else changed
    meanwhile, `TooManyKept` where too much is kept meanwhile, `NotWaiting`.
    """
    if row.event_type == events.EpisodeUserDeleted.name:
        return _bring_episode_back(row, now=now)
    act = _ACTS.get(row.event_type)
    event = _event_of(row)
    if act is None or event is None:
        raise CannotUndo(f"Event {row.pk} is nothing that can be undone.")
    if getattr(event, "emptied", False) or event.truncated:
        raise CannotUndo(f"Event {row.pk} cannot be undone: what it said is no longer kept.")
    with transaction.atomic():
        MemoryRevision.hold()
        if row.pk in UndoState.of([row]).undone:
            return None
        by = act(row, event, now)
        if by is not None and isinstance(event, _WHAT_HOLDS):
            undo_along(row, by=by, now=now)
        return by


def _bring_episode_back(deletion: AuditRow, *, now: datetime) -> AuditRow | None:
    try:
        return EpisodeSummary.objects.brought_back(deletion, now=now).row
    except EpisodeGone as gone:
        raise CannotUndo(f"Event {deletion.pk} cannot be undone. {gone}") from gone


def back_to(row: AuditRow, *, now: datetime, expected: str | None = None) -> AuditRow | None:
    """Give a fact the value again that this row gave it, audit `user_edited`; None where it has it.

    Where that takes back the latest change, an edit of the operator's, it is its undoing. `expected`: the value that
    they saw. Raises `CannotUndo` where the row holds no value, `FactConflict` where the fact changed or vanished.
    """
    value = value_after(row)
    if not value or not row.fact_key:
        raise CannotUndo(f"Event {row.pk} holds no value that could be set again.")
    with transaction.atomic():
        MemoryRevision.hold()
        fact = PersonalFact.objects.by_key(row.fact_key) or PersonalFact(key=row.fact_key, value=expected or "")
        if expected is not None and fact.value != expected:
            return fact.edit(value, now=now, expected=expected)
        latest = AuditRow.objects.get_queryset().of_type(*_GIVING_VALUES).filter(fact_key=fact.key).order_by("-id")
        last = latest.first()
        event = _event_of(last) if last else None
        is_its_undoing = isinstance(event, events.FactUserEdited) and event.old_value == value
        if last is not None and is_its_undoing and fact.value != value and fact.retired_at is None:
            return undo(last, now=now)
        return fact.edit(value, now=now)


def value_after(row: AuditRow) -> str:
    """The value that this row gave its fact; "" where it gave none, or it is not kept whole."""
    event = None if row.payload.get("truncated") else _event_of(row)
    if isinstance(event, events.FactUserEdited | events.FactUpdated):
        return event.new_value
    return event.value if isinstance(event, events.FactAdded | events.FactUserAdded) else ""


_WHAT_HOLDS = (
    *(events.FactUserEdited, events.FactUserAdded, events.FactUserDeleted),
    *(events.FactUserConfirmed, events.FactUserDated, events.FactRetired),
)
"""The rows that say of a fact whether it holds: what contradicts it goes along."""

_GIVING_VALUES = (events.FactAdded, events.FactUpdated, events.FactUserEdited, events.FactUserAdded)


def _event_of(row: AuditRow) -> events.Event | None:
    try:
        return row.event
    except (KeyError, ValidationError):
        return None


def _fact(event: events.Event, wanted: str) -> PersonalFact:
    """The fact that an event is about, locked. Raises `FactConflict` where it is gone."""
    return PersonalFact(key=event.about_key or "", value=wanted).locked()


def _refuse_other_value(fact: PersonalFact, value: str, *, wanted: str) -> None:
    if fact.value != value:
        raise FactConflict(
            f"{fact.key} changed meanwhile to “{fact.value}”. Edit that fact if “{wanted}” is right.",
            wanted=wanted,
            current=fact,
        )


def _undo_edit(row: AuditRow, event: events.FactUserEdited, now: datetime) -> AuditRow:
    fact = _fact(event, event.old_value)
    _refuse_other_value(fact, event.new_value, wanted=event.old_value)
    if fact.retired_at is not None and event.reverts is None:
        raise FactConflict(f"{fact.key} ended meanwhile. Bring it back first.", wanted=event.old_value, current=fact)
    waited = _accepted(event.reverts)
    last_day = _last_day_before(fact, event, now)
    back = events.FactUserEdited(
        key=fact.key,
        old_value=fact.value,
        new_value=event.old_value,
        old_confidence=fact.confidence,
        old_confirmed_at=fact.last_confirmed_at,
        retired_at=fact.retired_at,
        old_valid_until=None if last_day == fact.valid_until else fact.valid_until,
        waited=waited,
        reverts=row.pk,
        edits=-1 if row.edits is None else -row.edits,
    )
    fact.value, fact.confidence = event.old_value, 1.0 if event.old_confidence is None else event.old_confidence
    _stand_as_before(fact, event, now)
    written = record_change(back, now=now)
    _review_as_before(event.waited, waited, now)
    return written


def _last_day_before(
    fact: PersonalFact, event: events.FactUserEdited | events.FactUserConfirmed, now: datetime
) -> date | None:
    """The last day that a fact had before this event: none where this one gave it back, which is over."""
    taken_back = _taken_back(event.reverts)
    gave_back = isinstance(taken_back, events.FactUserEdited | events.FactUserConfirmed) and taken_back.old_valid_until
    is_over = gave_back and fact.is_past(now)
    return event.old_valid_until or (None if is_over else fact.valid_until)


def _stand_as_before(
    fact: PersonalFact, event: events.FactUserEdited | events.FactUserConfirmed, now: datetime
) -> None:
    """Give the fact the dates it had before this event, and save it."""
    fact.valid_until = _last_day_before(fact, event, now)
    fact.last_confirmed_at, fact.retired_at = event.old_confirmed_at or now, event.retired_at
    fact.save(update_fields=["value", "confidence", "last_confirmed_at", "retired_at", "valid_until"])


def _taken_back(reverts: int | None) -> events.Event | None:
    """What the row says that was taken back; None where it is no longer there."""
    row = AuditRow.objects.filter(pk=reverts).first() if reverts is not None else None
    return None if row is None else _event_of(row)


def _accepted(reverts: int | None) -> int | None:
    """The row of the claim that was accepted by the word which a row took back. That is said again where it is undone.

    None where no claim was.
    """
    event = _taken_back(reverts)
    return event.waited if isinstance(event, events.FactUserEdited | events.FactUserAdded) else None


def _review_as_before(was_accepted: int | None, is_accepted: int | None, now: datetime) -> None:
    """What was accepted waits for review again; what is accepted again waits no longer."""
    if was_accepted is not None:
        WaitingFact.objects.wait_again(was_accepted, now=now)
    if is_accepted is not None:
        WaitingFact.objects.accepted_again(is_accepted)


def _undo_addition(row: AuditRow, event: events.FactUserAdded, now: datetime) -> AuditRow | None:
    fact = _fact(event, event.value)
    _refuse_other_value(fact, event.value, wanted="")
    had_ended = event.retired_at
    by = _end_again(row, had_ended, fact, now) if had_ended else fact.forget(now=now, reverts=row.pk)
    if by is not None:
        _review_as_before(event.waited, None, now)
    return by


def _end_again(row: AuditRow, retired_at: datetime, fact: PersonalFact, now: datetime) -> AuditRow | None:
    """Take back that the fact was brought back. None where it has ended meanwhile."""
    if fact.retired_at is not None:
        return None
    fact.retired_at = retired_at
    fact.save(update_fields=["retired_at"])
    ended = events.FactRetired(
        key=fact.key, value=fact.value, confidence=fact.confidence, said_at=retired_at, reverts=row.pk
    )
    return record_change(ended, now=now)


def _undo_deletion(row: AuditRow, event: events.FactUserDeleted, now: datetime) -> AuditRow | None:
    waited = _accepted(event.reverts)
    PersonalFact.objects.restore(row, now=now, waited=waited, ending=ended_by(row))
    _review_as_before(None, waited, now)
    back = AuditRow.objects.get_queryset().of_type(events.FactUserAdded)
    return back.filter(pk__gt=row.pk, fact_key=event.key, payload__restored_from=row.pk).order_by("-id").first()


def _undo_end(row: AuditRow, event: events.FactRetired, now: datetime) -> AuditRow | None:
    waited = _accepted(event.reverts)
    by = _fact(event, event.value).bring_back(now=now, waited=waited, may_end=False)
    _review_as_before(None, waited if by is not None else None, now)
    return by


def _undo_confirmation(row: AuditRow, event: events.FactUserConfirmed, now: datetime) -> AuditRow:
    fact = _fact(event, event.value)
    _refuse_other_value(fact, event.value, wanted=event.value)
    if fact.last_confirmed_at != (event.confirmed_at or row.ts):
        raise FactConflict(f"{fact.key} was confirmed again meanwhile.", wanted=event.value, current=fact)
    back = events.FactUserConfirmed(
        key=fact.key,
        value=fact.value,
        confirmed_at=event.old_confirmed_at or now,
        old_confirmed_at=fact.last_confirmed_at,
        retired_at=fact.retired_at,
        old_valid_until=None if _last_day_before(fact, event, now) == fact.valid_until else fact.valid_until,
        reverts=row.pk,
    )
    _stand_as_before(fact, event, now)
    return record_change(back, now=now)


def _undo_keep(row: AuditRow, event: events.FactUserKept, now: datetime) -> AuditRow | None:
    return _fact(event, event.value).unkeep(now=now, reverts=row.pk)


def _undo_unkeep(row: AuditRow, event: events.FactUserUnkept, now: datetime) -> AuditRow | None:
    return _fact(event, event.value).keep(now=now, reverts=row.pk, since=event.kept_at)


def _undo_letting_go(row: AuditRow, event: events.FactUserLetGo, now: datetime) -> AuditRow:
    fact = _fact(event, event.value)
    other = events.FactUserLetGo(key=fact.key, value=fact.value, is_gone=not event.lets_go, reverts=row.pk)
    return record_change(other, now=now)


def _undo_date(row: AuditRow, event: events.FactUserDated, now: datetime) -> AuditRow | None:
    fact = _fact(event, event.value)
    if fact.valid_until != event.valid_until:
        was = event.old_valid_until.isoformat() if event.old_valid_until else "without an end"
        now_is = f"holds until {fact.valid_until.isoformat()}" if fact.valid_until else "holds without an end"
        raise FactConflict(f"{fact.key} {now_is} meanwhile, not as it was set then.", wanted=was, current=fact)
    return fact.set_valid_until(event.old_valid_until, now=now, reverts=row.pk)


def _undo_drop(row: AuditRow, event: events.FactUserDropped, now: datetime) -> AuditRow | None:
    return WaitingFact.objects.restore(row, now=now).row


def _undo_waiting(row: AuditRow, event: events.FactWaiting, now: datetime) -> AuditRow:
    if event.restored_from is None:
        raise CannotUndo(f"Event {row.pk} is of a chat. Drop the claim instead.")
    hash_ = normalising.claim_hash(event.key, event.value)
    claim = WaitingFact.objects.open().filter(claim_hash=hash_).first()
    if claim is None:
        raise NotWaiting(f"“{event.value}” for {event.key} waits no longer: it was accepted or dropped meanwhile.")
    return claim.drop(now=now, reverts=row.pk)


_Act = Callable[[AuditRow, events.Event, datetime], AuditRow | None]


def _act(kind: type[_Event], act: Callable[[AuditRow, _Event, datetime], AuditRow | None]) -> tuple[str, _Act]:
    def on(row: AuditRow, event: events.Event, now: datetime) -> AuditRow | None:
        if not isinstance(event, kind):
            raise CannotUndo(f"Event {row.pk} is nothing that can be undone.")
        return act(row, event, now)

    return kind.name, on


_ACTS: Mapping[str, _Act] = dict(
    (
        _act(events.FactUserEdited, _undo_edit),
        _act(events.FactUserAdded, _undo_addition),
        _act(events.FactUserDeleted, _undo_deletion),
        _act(events.FactRetired, _undo_end),
        _act(events.FactUserConfirmed, _undo_confirmation),
        _act(events.FactUserKept, _undo_keep),
        _act(events.FactUserUnkept, _undo_unkeep),
        _act(events.FactUserLetGo, _undo_letting_go),
        _act(events.FactUserDated, _undo_date),
        _act(events.FactUserDropped, _undo_drop),
        _act(events.FactWaiting, _undo_waiting),
    )
)
