"""What is undone and done again is as it was, and older words change neither (decisions 2, 28)."""

from datetime import timedelta

import pytest

from memory.models import (
    AuditRow,
    CannotUndo,
    FactConflict,
    PersonalFact,
    UndoState,
    WaitingFact,
    back_to,
    let_go,
    let_go_keys,
    undo,
)
from tests.memory.models.fact_helpers import claim_that_waits, end, fact, learn
from tests.memory.models.operator_verbs.test_undo import edits, state

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_a_fact_that_is_let_go_again_may_leave(now):
    learn("dog.name", "Rex", now=now)
    row = let_go(fact("dog.name"), now=now + HOUR)
    back = undo(row, now=now + 2 * HOUR)
    assert let_go_keys([fact("dog.name")], now=now + 9 * HOUR) == set()
    again = undo(back, now=now + 3 * HOUR)
    assert let_go_keys([fact("dog.name")], now=now + 9 * HOUR) == {"dog.name"}
    assert let_go(fact("dog.name"), now=now + 4 * HOUR) is None
    undo(again, now=now + 5 * HOUR)
    assert let_go_keys([fact("dog.name")], now=now + 9 * HOUR) == set()


def test_a_fact_that_is_kept_again_is_kept_since_then(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now + HOUR)
    before = state("dog.name")
    undo(fact("dog.name").unkeep(now=now + 2 * HOUR), now=now + 3 * HOUR)
    assert state("dog.name") == before


def test_words_from_before_a_restore_do_not_end_what_was_restored(now):
    learn("like.coffee", "yes", now=now)
    deletion = fact("like.coffee").forget(now=now + 5 * HOUR)
    PersonalFact.objects.restore(deletion, now=now + 6 * HOUR)
    assert learn("dislike.coffee", "yes", now=now + 7 * HOUR, said_at=now + 3 * HOUR) == "ignored"
    assert fact("like.coffee").retired_at is None


def test_words_from_before_bringing_back_do_not_end_it_again(now):
    learn("like.coffee", "yes", now=now)
    end("like.coffee", now=now + 5 * HOUR)
    fact("like.coffee").bring_back(now=now + 6 * HOUR)
    assert learn("dislike.coffee", "yes", now=now + 7 * HOUR, said_at=now + 3 * HOUR) == "ignored"
    assert fact("like.coffee").retired_at is None


def test_newer_words_end_what_was_brought_back(now):
    learn("like.coffee", "yes", now=now)
    end("like.coffee", now=now + HOUR)
    fact("like.coffee").bring_back(now=now + 2 * HOUR)
    learn("dislike.coffee", "yes", now=now + 3 * HOUR)
    assert fact("like.coffee").retired_at is not None


def _both():
    return state("like.coffee"), state("dislike.coffee")


def _confirm(now):
    return fact("like.coffee").confirm(now=now)


def _edit(now):
    return fact("like.coffee").edit("very much", now=now)


def _bring_back(now):
    return fact("like.coffee").bring_back(now=now)


@pytest.mark.parametrize("verb", [_confirm, _edit, _bring_back])
def test_what_a_word_ended_comes_back_with_undo(verb, now):
    learn("like.coffee", "yes", now=now)
    learn("dislike.coffee", "bitter", now=now + HOUR)
    before = _both()
    row = verb(now + 2 * HOUR)
    after = _both()
    back = undo(row, now=now + 3 * HOUR)
    assert _both() == before
    again = undo(back, now=now + 4 * HOUR)
    assert _both() == after
    undo(again, now=now + 5 * HOUR)
    assert _both() == before


def test_what_an_addition_ended_comes_back_with_undo(now):
    learn("dislike.coffee", "bitter", now=now)
    before = _both()
    PersonalFact.objects.add("like.coffee", "yes", now=now + HOUR)
    row = AuditRow.objects.get(event_type="memory.fact.user_added")
    after = _both()
    back = undo(row, now=now + 2 * HOUR)
    assert _both() == before
    undo(back, now=now + 3 * HOUR)
    assert _both() == after


def test_two_that_contradict_never_both_hold(now):
    learn("like.coffee", "yes", now=now)
    learn("dislike.coffee", "bitter", now=now + HOUR)
    back = undo(fact("like.coffee").confirm(now=now + 2 * HOUR), now=now + 3 * HOUR)
    learn("dislike.coffee", "bitter", now=now + 4 * HOUR)
    undo(back, now=now + 5 * HOUR)
    assert fact("like.coffee").retired_at is None
    assert fact("dislike.coffee").retired_at is not None


def test_a_last_day_that_was_set_between_is_there_again(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").set_valid_until((now - 72 * HOUR).date(), now=now + HOUR)
    row = fact("dog.name").edit("Max", now=now + 2 * HOUR)
    fact("dog.name").set_valid_until((now + 720 * HOUR).date(), now=now + 3 * HOUR)
    before = state("dog.name")
    undo(undo(row, now=now + 4 * HOUR), now=now + 5 * HOUR)
    assert state("dog.name") == before


def test_a_claim_that_was_accepted_in_another_spelling_is_accepted_again(now):
    learn("allergies.nuts", "some", now=now)
    claim_that_waits("allergy.nuts", "all of them", now=now + HOUR).accept(now=now + 2 * HOUR)
    row = AuditRow.objects.get(event_type="memory.fact.user_edited")
    back = undo(row, now=now + 3 * HOUR)
    assert WaitingFact.objects.open().exists()
    again = undo(back, now=now + 4 * HOUR)
    assert not WaitingFact.objects.open().exists()
    undo(again, now=now + 5 * HOUR)
    assert WaitingFact.objects.open().exists()


def test_a_claim_that_waits_is_not_lost(now):
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").edit("Max", now=now + HOUR)
    claim_that_waits("dog.name", "Rex", now=now + 2 * HOUR)
    undo(undo(row, now=now + 3 * HOUR), now=now + 4 * HOUR)
    assert WaitingFact.objects.open().count() == 1


def test_the_count_of_edits_is_never_below_zero(now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now + HOUR)
    undo(edit, now=now + 2 * HOUR)
    AuditRow.objects.filter(pk=edit.pk).sweep_away()
    assert edits("dog.name", now) == 0


def test_an_edit_that_is_undone_is_not_the_operators_own_word(now):
    learn("dog.name", "Rex", now=now)
    back = undo(fact("dog.name").edit("Max", now=now + HOUR), now=now + 2 * HOUR)
    assert PersonalFact.objects.own_words() == set()
    undo(back, now=now + 3 * HOUR)
    assert PersonalFact.objects.own_words() == {"dog.name"}


def test_long_values_come_back_whole(now, configure):
    configure(memory__audit_max_string_chars=100)
    value = "Rex " + "x" * 300
    learn("dog.name", value, now=now)
    before = state("dog.name")
    undo(fact("dog.name").edit("Max", now=now + HOUR), now=now + 2 * HOUR)
    assert state("dog.name") == before
    undo(fact("dog.name").forget(now=now + 3 * HOUR), now=now + 4 * HOUR)
    assert state("dog.name") == before


def test_a_value_that_was_cut_for_the_log_is_not_set_again(now, configure):
    configure(memory__audit_max_string_chars=100)
    learn("dog.name", "Rex " + "x" * 300, now=now)
    learn("dog.name", "Max", now=now + HOUR)
    with pytest.raises(CannotUndo):
        back_to(AuditRow.objects.get(event_type="memory.fact.added"), now=now + 2 * HOUR)
    assert fact("dog.name").value == "Max"


@pytest.mark.parametrize("way", ["confirm", "learn"])
def test_a_last_day_that_is_gone_is_not_offered_to_be_undone(way, now):
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").set_valid_until((now - 48 * HOUR).date(), now=now + HOUR)
    if way == "confirm":
        fact("dog.name").confirm(now=now + 2 * HOUR)
    else:
        learn("dog.name", "Rex", now=now + 2 * HOUR)
    assert UndoState.of([row]).undoable == set()


def test_a_last_day_that_stays_is_offered_to_be_undone(now):
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").set_valid_until((now + 48 * HOUR).date(), now=now + HOUR)
    learn("dog.name", "Rex", now=now + 2 * HOUR)
    fact("dog.name").confirm(now=now + 3 * HOUR)
    assert UndoState.of([row]).undoable == {row.pk}


def test_a_claim_that_was_accepted_is_not_offered_to_be_dropped(now):
    back = undo(claim_that_waits("dog.name", "Rex", now=now).drop(now=now + HOUR), now=now + 2 * HOUR)
    assert UndoState.of([back]).undoable == {back.pk}
    WaitingFact.objects.open().get().accept(now=now + 3 * HOUR)
    assert UndoState.of([back]).undoable == set()


def test_a_word_that_took_no_last_day_away_leaves_the_one_that_is_over(now):
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").confirm(now=now + HOUR)
    fact("dog.name").set_valid_until((now - 48 * HOUR).date(), now=now + 2 * HOUR)
    before = state("dog.name")
    undo(undo(row, now=now + 3 * HOUR), now=now + 4 * HOUR)
    assert state("dog.name") == before


def test_letting_go_is_not_offered_to_be_undone_once_it_was_said_again(now):
    learn("dog.name", "Rex", now=now)
    row = let_go(fact("dog.name"), now=now + HOUR)
    learn("dog.name", "Rex", now=now + 2 * HOUR)
    assert UndoState.of([row]).undoable == set()


def test_what_is_brought_back_though_it_is_past_ends_nothing(now):
    learn("like.coffee", "yes", now=now)
    fact("like.coffee").set_valid_until((now - 48 * HOUR).date(), now=now)
    learn("dislike.coffee", "bitter", now=now + HOUR)
    fact("like.coffee").bring_back(now=now + 2 * HOUR)
    assert fact("dislike.coffee").retired_at is None


def test_two_clicks_on_confirm_are_one_row(now):
    learn("dog.name", "Rex", now=now)
    before = state("dog.name")
    first = fact("dog.name").confirm(now=now + HOUR)
    assert fact("dog.name").confirm(now=now + HOUR + timedelta(seconds=1)) == first
    assert fact("dog.name").confirm(now=now + 2 * HOUR) != first
    undo(AuditRow.objects.latest("id"), now=now + 3 * HOUR)
    undo(first, now=now + 4 * HOUR)
    assert state("dog.name") == before


def test_letting_go_holds_where_a_clock_was_ahead_when_the_fact_was_said(now):
    learn("dog.name", "Rex", now=now + timedelta(days=400))
    assert let_go(fact("dog.name"), now=now) is not None
    assert let_go_keys([fact("dog.name")], now=now + HOUR) == {"dog.name"}
    assert let_go(fact("dog.name"), now=now + HOUR) is None
    fact("dog.name").confirm(now=now + 2 * HOUR)
    assert let_go_keys([fact("dog.name")], now=now + 3 * HOUR) == set()


def test_letting_go_while_a_clock_was_ahead_ends_with_the_next_confirmation(now):
    learn("dog.name", "Rex", now=now)
    let_go(fact("dog.name"), now=now + timedelta(days=400))
    assert let_go_keys([fact("dog.name")], now=now + HOUR) == {"dog.name"}
    fact("dog.name").confirm(now=now + 2 * HOUR)
    assert let_go_keys([fact("dog.name")], now=now + 3 * HOUR) == set()


def test_a_deletion_is_not_offered_for_undo_where_its_place_is_taken(now):
    for key, later in (("pet.name", "pets.name"), ("like.coffee", "dislike.coffee"), ("dog.age", "dog.toy")):
        learn(key, "yes", now=now)
        deletion = fact(key).forget(now=now + HOUR)
        assert UndoState.of([deletion]).undoable == {deletion.pk}
        PersonalFact.objects.create(
            key=later, value="no", confidence=1.0, first_seen_at=now, last_confirmed_at=now + 2 * HOUR
        )
        is_free = key == "dog.age"
        assert UndoState.of([deletion]).undoable == ({deletion.pk} if is_free else set())
        if not is_free:
            with pytest.raises(FactConflict):
                undo(deletion, now=now + 3 * HOUR)


def test_a_claim_that_was_accepted_into_another_spelling_is_not_offered_for_undo(now):
    PersonalFact.objects.create(key="dog-name", value="Rex", confidence=1.0, first_seen_at=now, last_confirmed_at=now)
    dropped = claim_that_waits("dog_name", "Max", now=now).drop(now=now + HOUR)
    waits = undo(dropped, now=now + 2 * HOUR)
    assert UndoState.of([waits]).undoable == {waits.pk}
    WaitingFact.objects.open().get().accept(now=now + 3 * HOUR)
    assert fact("dog-name").value == "Max"
    assert UndoState.of([waits]).undoable == set()
