"""That a fact is still true, in the operator's word: a new date, and no edit (decision 28)."""

from datetime import timedelta

import pytest

from memory import events
from memory.models import AuditRow, FactConflict, PersonalFact
from tests.memory.models.fact_helpers import end, event_types, fact, learn

pytestmark = pytest.mark.django_db


def test_it_works(now):
    learn("health.allergy", "penicillin", now=now, confidence=0.9)
    later = now + timedelta(days=50)

    row = fact("health.allergy").confirm(now=later)

    stored = fact("health.allergy")
    assert (stored.value, stored.confidence, stored.last_confirmed_at) == ("penicillin", 0.9, later)
    assert row.event_type == "memory.fact.user_confirmed"
    assert event_types("health.allergy") == ["memory.fact.added", "memory.fact.user_confirmed"]
    importance = stored.ranked(later).importance
    assert (importance.edit_count, importance.value) == (0, pytest.approx(0.9))


def test_older_evidence_does_not_override_what_was_confirmed(now):
    learn("pet.dog", "Rex", now=now)
    fact("pet.dog").confirm(now=now + timedelta(days=10))
    asked = now + timedelta(days=11)
    assert learn("pet.dog", "Max", now=asked, said_at=now + timedelta(days=5)) == "ignored"
    assert learn("pet.dog", "Max", now=asked, said_at=now + timedelta(days=10, hours=1)) == "updated"


def test_older_evidence_counts_again_after_the_word_is_undone(now):
    from memory.models import undo

    learn("pet.dog", "Rex", now=now)
    row = fact("pet.dog").confirm(now=now + timedelta(days=10))
    undo(row, now=now + timedelta(days=11))
    assert fact("pet.dog").last_confirmed_at == now
    asked = now + timedelta(days=12)
    assert learn("pet.dog", "Max", now=asked, said_at=now + timedelta(days=5)) == "updated"


def test_one_that_had_ended_is_true_again(now):
    learn("dog.name", "Rex", now=now)
    end("dog.name", now=now + timedelta(days=1))
    fact("dog.name").confirm(now=now + timedelta(days=2))
    assert fact("dog.name").retired_at is None
    assert event_types("dog.name")[-1] == "memory.fact.user_confirmed"


def test_one_that_is_past_holds_without_a_date(now):
    learn("trip.lisbon", "next week", now=now)
    fact("trip.lisbon").set_valid_until(now.date(), now=now)
    later = now + timedelta(days=9)
    fact("trip.lisbon").confirm(now=later)
    assert fact("trip.lisbon").valid_until is None


def test_a_last_day_that_is_to_come_stays(now):
    learn("trip.lisbon", "in May", now=now)
    day = (now + timedelta(days=90)).date()
    fact("trip.lisbon").set_valid_until(day, now=now)
    fact("trip.lisbon").confirm(now=now + timedelta(days=1))
    assert fact("trip.lisbon").valid_until == day


def test_it_ends_what_contradicts_it(now):
    learn("like.figs", "figs", now=now)
    PersonalFact.objects.create(
        key="dislike.figs", value="figs", first_seen_at=now, last_confirmed_at=now + timedelta(days=1)
    )
    fact("like.figs").confirm(now=now + timedelta(days=2))
    assert fact("dislike.figs").retired_at == now + timedelta(days=2)


def test_a_fact_that_vanished_is_a_conflict(now):
    learn("dog.name", "Rex", now=now)
    stale = fact("dog.name")
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict):
        stale.confirm(now=now)
    assert not AuditRow.objects.get_queryset().of_type(events.FactUserConfirmed).exists()
