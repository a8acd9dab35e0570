"""Undo of every verb of the operator's: memory as it was, and edits that were taken back count for nothing."""

from datetime import timedelta

import pytest

from memory import events
from memory.models import (
    AuditRow,
    CannotUndo,
    FactConflict,
    PersonalFact,
    UndoState,
    WaitingFact,
    back_to,
    undo,
)
from tests.memory.models.fact_helpers import claim_that_waits, end, event_types, fact, learn, record_chat

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
COLUMNS = ("value", "confidence", "first_seen_at", "last_confirmed_at", "retired_at", "valid_until", "source_audit_id")


def state(key):
    return PersonalFact.objects.filter(key=key).values(*COLUMNS, "kept_at").first()


def edits(key, now):
    return fact(key).ranked(now).importance.edit_count


def test_it_works(now):
    learn("dog.name", "Rex", now=now, confidence=0.7)
    before = state("dog.name")
    edit = fact("dog.name").edit("Max", now=now + DAY)

    row = undo(edit, now=now + 2 * DAY)

    assert state("dog.name") == before
    assert row.event_type == "memory.fact.user_edited"
    assert row.event.reverts == edit.pk
    assert (row.event.old_value, row.event.new_value) == ("Max", "Rex")
    assert edits("dog.name", now) == 0
    assert len(event_types("dog.name")) == 3, "one row each"


def test_a_typo_that_is_fixed_and_undone_weighs_nothing(now):
    learn("dog.name", "Rex", now=now, confidence=1.0)
    for _ in range(3):
        undo(fact("dog.name").edit("Rxe", now=now), now=now)
    assert fact("dog.name").ranked(now).importance.value == 1.0
    (ranked,) = PersonalFact.objects.by_importance(now)
    assert ranked.importance.value == 1.0
    fact("dog.name").edit("Max", now=now)
    assert edits("dog.name", now) == 1


def test_undo_of_an_undo_counts_as_the_edit_it_is(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now + DAY)
    after = state("dog.name")
    counts = []
    row = edit
    for step in range(2, 6):
        row = undo(row, now=now + step * DAY)
        counts.append(edits("dog.name", now))
    assert counts == [0, 1, 0, 1]
    assert state("dog.name") == after


def test_what_is_undone_is_not_undone_twice(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    undo(edit, now=now)
    learn("dog.name", "Max", now=now + DAY)
    assert undo(edit, now=now + DAY) is None
    assert edits("dog.name", now) == 0


def test_a_value_that_changed_meanwhile_is_a_conflict_with_both(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    learn("dog.name", "Bello", now=now + DAY)
    with pytest.raises(FactConflict, match="“Bello”.*“Rex”") as caught:
        undo(edit, now=now + DAY)
    assert caught.value.wanted == "Rex"
    assert caught.value.current.value == "Bello"


def test_an_edit_of_a_deleted_fact_is_a_conflict(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict):
        undo(edit, now=now)


def test_an_edit_that_brought_back_is_ended_again(now):
    learn("dog.name", "Rex", now=now)
    end("dog.name", now=now + DAY)
    before = state("dog.name")
    edit = fact("dog.name").edit("Max", now=now + 2 * DAY)
    after = state("dog.name")
    row = undo(edit, now=now + 3 * DAY)
    assert state("dog.name") == before
    undo(row, now=now + 4 * DAY)
    assert state("dog.name") == after


def test_an_edit_that_took_a_last_day_away_gives_it_back(now):
    learn("trip", "Rome", now=now)
    fact("trip").set_valid_until(now.date(), now=now)
    before = state("trip")
    edit = fact("trip").edit("Oslo", now=now + 9 * DAY)
    after = state("trip")
    row = undo(edit, now=now + 10 * DAY)
    assert state("trip") == before
    undo(row, now=now + 11 * DAY)
    assert state("trip") == after


def _confirm(now):
    return fact("dog.name").confirm(now=now)


def _keep(now):
    return fact("dog.name").keep(now=now)


def _date(now):
    return fact("dog.name").set_valid_until((now + 30 * DAY).date(), now=now)


def _delete(now):
    return fact("dog.name").forget(now=now)


@pytest.mark.parametrize("verb", [_confirm, _keep, _date, _delete])
def test_a_verb_is_undone_and_done_again(verb, now):
    learn("dog.name", "Rex", now=now, confidence=0.6)
    before = state("dog.name")
    done = verb(now + DAY)
    after = state("dog.name")

    undone = undo(done, now=now + 2 * DAY)
    assert state("dog.name") == before
    assert undone.pk > done.pk

    undo(undone, now=now + DAY)
    assert state("dog.name") == after
    assert len(event_types("dog.name")) == 4


def test_a_kept_fact_that_is_unkept_is_kept_again(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now)
    undo(fact("dog.name").unkeep(now=now), now=now)
    assert fact("dog.name").is_kept


def test_an_added_fact_is_deleted_and_added_again(now):
    PersonalFact.objects.add("dog.name", "Rex", now=now)
    before = state("dog.name")
    added = AuditRow.objects.get(event_type="memory.fact.user_added")
    gone = undo(added, now=now + DAY)
    assert state("dog.name") is None
    assert gone.event.reverts == added.pk
    undo(gone, now=now + DAY)
    assert state("dog.name") == before


def test_an_added_fact_that_was_learned_otherwise_is_not_deleted(now):
    PersonalFact.objects.add("dog.name", "Rex", now=now)
    learn("dog.name", "Max", now=now + DAY)
    with pytest.raises(FactConflict):
        undo(AuditRow.objects.get(event_type="memory.fact.user_added"), now=now + DAY)
    assert fact("dog.name").value == "Max"


def test_what_was_brought_back_ends_again(now):
    learn("dog.name", "Rex", now=now)
    end("dog.name", now=now + DAY)
    before = state("dog.name")
    back = fact("dog.name").bring_back(now=now + 2 * DAY)
    row = undo(back, now=now + 3 * DAY)
    assert state("dog.name") == before
    assert row.event_type == "memory.fact.retired"
    undo(row, now=now + 4 * DAY)
    assert fact("dog.name").retired_at is None


def test_what_a_chat_ended_is_brought_back(now):
    learn("dog.name", "Rex", now=now)
    end("dog.name", now=now + DAY)
    row = undo(AuditRow.objects.get(event_type="memory.fact.retired"), now=now + 2 * DAY)
    assert row.event_type == "memory.fact.user_added"
    assert fact("dog.name").retired_at is None


def test_a_dropped_claim_waits_again_and_is_dropped_again(now):
    drop = claim_that_waits("dog.name", "Rex", now=now).drop(now=now)
    row = undo(drop, now=now)
    assert WaitingFact.objects.open().get().value == "Rex"
    undo(row, now=now)
    assert not WaitingFact.objects.open().exists()


@pytest.mark.parametrize("known", [True, False])
def test_an_accepted_claim_waits_again(known, now):
    if known:
        learn("dog.name", "Max", now=now - DAY)
    before = state("dog.name")
    claim_that_waits("dog.name", "Rex", now=now).accept(now=now)
    kind = "memory.fact.user_edited" if known else "memory.fact.user_added"
    row = undo(AuditRow.objects.get(event_type=kind), now=now)
    assert state("dog.name") == before
    claim = WaitingFact.objects.open().get()
    assert (claim.value, claim.quote) == ("Rex", "nobody said this")
    undo(row, now=now)
    assert fact("dog.name").value == "Rex"
    assert not WaitingFact.objects.open().exists()


def test_a_last_day_that_changed_meanwhile_is_a_conflict(now):
    learn("dog.name", "Rex", now=now)
    row = _date(now)
    fact("dog.name").set_valid_until(None, now=now)
    with pytest.raises(FactConflict, match="without an end"):
        undo(row, now=now)


def test_what_was_confirmed_again_is_a_conflict(now):
    learn("dog.name", "Rex", now=now)
    row = _confirm(now + DAY)
    learn("dog.name", "Rex", now=now + 2 * DAY)
    with pytest.raises(FactConflict, match="confirmed again"):
        undo(row, now=now + 3 * DAY)


def test_what_is_not_the_operators_cannot_be_undone(now):
    with pytest.raises(CannotUndo):
        undo(record_chat(now), now=now)
    learn("dog.name", "Rex", now=now)
    with pytest.raises(CannotUndo):
        undo(AuditRow.objects.get(event_type="memory.fact.added"), now=now)


def test_what_is_emptied_cannot_be_undone(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    AuditRow.objects.filter(pk=edit.pk).empty_words()
    with pytest.raises(CannotUndo, match="no longer kept"):
        undo(AuditRow.objects.get(pk=edit.pk), now=now)


def test_an_emptied_pair_still_counts_for_nothing(now):
    learn("dog.name", "Rex", now=now)
    undo(fact("dog.name").edit("Max", now=now), now=now)
    AuditRow.objects.get_queryset().of_type(events.FactUserEdited).empty_words()
    assert edits("dog.name", now) == 0
    last = AuditRow.objects.order_by("-id").first()
    assert last.event.reverts is not None


def test_back_to_an_earlier_value(now):
    learn("dog.name", "Rex", now=now)
    learn("dog.name", "Max", now=now + DAY)
    learn("dog.name", "Bello", now=now + 2 * DAY)
    first = AuditRow.objects.get(event_type="memory.fact.added")
    row = back_to(first, now=now + 3 * DAY, expected="Bello")
    assert (row.event_type, row.event.reverts) == ("memory.fact.user_edited", None)
    assert fact("dog.name").value == "Rex"
    assert edits("dog.name", now) == 1
    assert back_to(first, now=now + 3 * DAY) is None


def test_back_to_the_value_before_the_latest_edit_undoes_it(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now + DAY)
    row = back_to(AuditRow.objects.get(event_type="memory.fact.added"), now=now + 2 * DAY)
    assert row.event.reverts == edit.pk
    assert edits("dog.name", now) == 0


def test_back_to_a_value_of_a_fact_that_changed_meanwhile_is_a_conflict(now):
    learn("dog.name", "Rex", now=now)
    learn("dog.name", "Max", now=now + DAY)
    with pytest.raises(FactConflict):
        back_to(AuditRow.objects.get(event_type="memory.fact.added"), now=now + DAY, expected="Bello")


def test_what_can_be_undone_is_what_holds(now):
    learn("dog.name", "Rex", now=now)
    first = fact("dog.name").edit("Max", now=now)
    second = fact("dog.name").edit("Bello", now=now)
    kept = fact("dog.name").keep(now=now)
    rows = [*AuditRow.objects.order_by("id")]
    assert UndoState.of(rows).undoable == {second.pk, kept.pk}, "a later edit stands in the way of the first"
    row = undo(second, now=now)
    rows = [*AuditRow.objects.order_by("id")]
    assert UndoState.of(rows).undoable == {row.pk, kept.pk}
    assert UndoState.of([first]).undoable == set()


def test_what_can_be_undone_takes_one_query(now, django_assert_num_queries):
    learn("dog.name", "Rex", now=now)
    rows = [fact("dog.name").edit("Max", now=now), fact("dog.name").keep(now=now)]
    with django_assert_num_queries(1):
        assert UndoState.of(rows).undoable
    with django_assert_num_queries(0):
        assert not UndoState.of([]).undoable
