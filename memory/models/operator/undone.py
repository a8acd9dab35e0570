"""Which of the operator's rows are undone already, and which can be undone."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from memory import events
from memory.models.audit import AuditRow
from memory.models.facts import PersonalFact
from memory.models.operator.along import ended_by
from memory.text import normalising

_VALUE = (events.FactAdded, events.FactUpdated, events.FactUserEdited, events.FactUserAdded, events.FactUserDeleted)
_KEEPING = (events.FactUserKept, events.FactUserUnkept)
_REVIEW = (events.FactUserDropped, events.FactWaiting)
_SUPERSEDED_BY: dict[str, frozenset[str]] = {
    kind.name: frozenset(later.name for later in laters)
    for kinds, laters in (
        ((events.FactUserEdited, events.FactUserAdded, events.FactRetired), (*_VALUE, events.FactRetired)),
        ((events.FactUserDeleted,), _VALUE),
        (
            (events.FactUserConfirmed,),
            (*_VALUE, events.FactRetired, events.FactUserConfirmed, events.FactConfirmed),
        ),
        (_KEEPING, (*_KEEPING, events.FactUserDeleted)),
        ((events.FactUserDated,), (*_VALUE, events.FactUserDated)),
        ((events.FactUserLetGo,), (*_VALUE, events.FactConfirmed, events.FactUserConfirmed, events.FactUserLetGo)),
        (_REVIEW, _REVIEW),
    )
    for kind in kinds
}
"""Kind of a row -> the kinds that, later, say of the same fact what this one said."""
_LATER = (
    *_VALUE,
    *_KEEPING,
    *_REVIEW,
    events.FactRetired,
    events.FactConfirmed,
    events.FactUserConfirmed,
    events.FactUserLetGo,
    events.FactUserDated,
)


class _Later(NamedTuple):
    """A row about a fact, and the row that it takes back."""

    pk: int
    fact_key: str | None
    event_type: str
    reverts: object
    restored_from: object
    waited: object
    valid_until: object
    old_valid_until: object

    def supersedes(self, row: AuditRow) -> bool:
        """Whether this row, which is about the same fact, says later what that one said, or takes it away."""
        if self.pk <= row.pk:
            return False
        if row.event_type == events.FactUserDated.name and self.event_type == events.FactConfirmed.name:
            return bool(self.valid_until != row.payload.get("valid_until"))
        if row.event_type == events.FactUserDated.name and self.event_type == events.FactUserConfirmed.name:
            return self.old_valid_until is not None
        return self.event_type in _SUPERSEDED_BY[row.event_type]


@dataclass(frozen=True)
class UndoState:
    """Ids of rows: those that are `undone`, and those that `undo` takes back, as far as the log tells.

    `undoable` are not those that are undone, that hold no values any more, or after which something else was said of
    the same fact.
    """

    undone: Set[int] = frozenset()
    undoable: Set[int] = frozenset()

    @classmethod
    def of(cls, rows: Iterable[AuditRow]) -> "UndoState":
        """The state of these rows. One query; none where none of them is of a kind that can be undone.

        One more where a deletion could be undone: what stands in its place.
        """
        rows = [row for row in rows if row.event_type in _SUPERSEDED_BY]
        later = _later(rows)
        undone = _undone(later, {row.pk for row in rows})
        undoable = _not_superseded([row for row in rows if _holds_values(row)], later) - undone
        deletions = [row for row in rows if row.pk in undoable and row.event_type == events.FactUserDeleted.name]
        return cls(undone, undoable - _without_place(deletions))


def _without_place(deletions: Sequence[AuditRow]) -> set[int]:
    """Those of these deletions whose fact cannot come back, since another spelling or a contrary fact is there."""
    gone = {row.pk: str(row.fact_key) for row in deletions}
    taken = PersonalFact.objects.taken_places(gone.values())
    ending = {row.pk: ended_by(row) for row in deletions if taken.get(gone[row.pk])}
    return {pk for pk, key in gone.items() if set(taken.get(key, ())) - ending.get(pk, set())}


def _not_superseded(rows: Sequence[AuditRow], later: Sequence[_Later]) -> set[int]:
    """The ids of those of these rows after which nothing else was said of the same fact."""
    kinds: dict[str | None, list[_Later]] = defaultdict(list)
    for one in later:
        kinds[one.fact_key].append(one)
    accepted = {one.waited for one in later}
    return {
        row.pk for row in rows if row.pk not in accepted and not any(one.supersedes(row) for one in kinds[row.fact_key])
    }


def _holds_values(row: AuditRow) -> bool:
    if row.event_type == events.FactWaiting.name:
        return row.payload.get("restored_from") is not None  # of a chat's own it is dropping it
    return not row.payload.get("emptied")


def _later(rows: Sequence[AuditRow]) -> list[_Later]:
    """What was said later of the facts of these rows, the newest first."""
    if not rows:
        return []
    keys = {spelled for row in rows if row.fact_key for spelled in _keys_of_later(row, row.fact_key)}
    found = AuditRow.objects.get_queryset().of_type(*_LATER).filter(fact_key__in=keys)
    named = ("reverts", "restored_from", "waited", "valid_until", "old_valid_until")
    columns = ("pk", "fact_key", "event_type", *(f"payload__{name}" for name in named))
    since = found.filter(pk__gt=min(row.pk for row in rows)).order_by("-id")
    return [_Later(*values) for values in since.values_list(*columns)]


def _keys_of_later(row: AuditRow, key: str) -> Sequence[str]:
    """The keys of rows that matter: a claim that waited may be accepted into a fact of another spelling."""
    return normalising.key_spellings(key) if row.event_type == events.FactWaiting.name else [key]


def _undone(newest_first: Sequence[_Later], of: set[int]) -> set[int]:
    """Those ids that a row takes back which is not taken back itself."""
    taken: set[object] = set()
    for row in newest_first:
        if row.pk not in taken:
            taken |= {row.reverts, row.restored_from} - {None}
    return {pk for pk in of if pk in taken}
