"""Facts learned from chats: added, confirmed, updated or ignored, one audit row for each change (decisions 2 to 5)."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from memory.models import AuditRow, PersonalFact
from memory.text import normalising
from tests.memory.models.fact_helpers import event_types, fact, learn, record_chat

pytestmark = pytest.mark.django_db


def test_it_works(now: datetime) -> None:
    assert learn("dog.name", "Beans", now=now) == "added"
    beans = fact("dog.name")
    assert (beans.value, beans.confidence) == ("Beans", 0.9)
    assert beans.first_seen_at == beans.last_confirmed_at == now
    assert beans.source_audit is not None
    assert event_types() == ["memory.fact.added"]


def test_the_same_value_confirms_and_keeps_the_source(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.9)
    source = fact("dog.name").source_audit_id
    later = now + timedelta(days=3)
    assert learn("dog.name", " BEANS ", now=later, confidence=0.4) == "confirmed"
    beans = fact("dog.name")
    assert (beans.value, beans.confidence, beans.source_audit_id) == ("Beans", 0.9, source)
    assert (beans.first_seen_at, beans.last_confirmed_at) == (now, later)
    learn("dog.name", "Beans", now=later, confidence=0.95)
    assert fact("dog.name").confidence == 0.95
    assert event_types() == ["memory.fact.added", "memory.fact.confirmed", "memory.fact.confirmed"]


def test_another_value_replaces_and_records_both(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.9)
    first_source = fact("dog.name").source_audit_id
    later = now + timedelta(days=3)
    assert learn("dog.name", "Bowser", now=later, confidence=0.6) == "updated"
    bowser = fact("dog.name")
    assert (bowser.value, bowser.confidence) == ("Bowser", 0.6)
    assert (bowser.first_seen_at, bowser.last_confirmed_at) == (now, later)
    assert bowser.source_audit_id != first_source
    payload = AuditRow.objects.get(event_type="memory.fact.updated").payload
    assert (payload["old_value"], payload["new_value"]) == ("Beans", "Bowser")


def test_the_same_key_twice_in_one_answer_leaves_the_last(now: datetime) -> None:
    claims = [normalising.Claim("dog.name", "Beans", 0.9), normalising.Claim("dog.name", "Bowser", 0.8)]
    assert PersonalFact.objects.learn(claims, chat=record_chat(now), now=now) == {"dog.name": "added"}
    assert fact("dog.name").value == "Bowser"
    assert event_types() == ["memory.fact.added"]


@pytest.mark.parametrize("value", ["Beans", "Waffles"])
def test_older_evidence_changes_nothing(now: datetime, value: str) -> None:
    learn("dog.name", "Beans", now=now)
    assert learn("dog.name", value, now=now, said_at=now - timedelta(seconds=1)) == "ignored"
    assert fact("dog.name").value == "Beans"
    assert fact("dog.name").last_confirmed_at == now
    assert event_types() == ["memory.fact.added"]


def test_evidence_of_the_same_moment_counts(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    assert learn("dog.name", "Bowser", now=now) == "updated"


def test_a_confirmation_from_the_future_does_not_block_what_is_said_now(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    PersonalFact.objects.update(last_confirmed_at=now + timedelta(days=300))
    assert learn("dog.name", "Bowser", now=now) == "updated"


def test_evidence_older_than_the_operators_edit_changes_nothing(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").edit("Bowser", now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn("dog.name", "Beans", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert fact("dog.name").value == "Bowser"
    assert learn("dog.name", "Waffles", now=later) == "updated"


def test_evidence_older_than_the_operators_deletion_brings_nothing_back(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").forget(now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn("dog.name", "Beans", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert not PersonalFact.objects.exists()
    assert learn("dog.name", "Beans", now=later) == "added"


def test_taking_a_deletion_back_is_the_operators_last_word(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now + timedelta(days=3))
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now + timedelta(days=10))
    later = now + timedelta(days=11)
    assert learn("dog.name", "Waffles", now=later, said_at=now + timedelta(days=5)) == "ignored"
    assert fact("dog.name").value == "Beans"


def test_an_edit_by_a_clock_that_ran_ahead_does_not_block_what_is_said_now(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").edit("Bowser", now=now + timedelta(days=365))
    later = now + timedelta(days=1)
    assert learn("dog.name", "Waffles", now=later) == "updated"


def test_change_and_audit_row_commit_together(now: datetime) -> None:
    """A failure after the change, whatever it is, takes the change with it."""
    learn("dog.name", "Beans", now=now)
    with pytest.raises(RuntimeError), transaction.atomic():
        fact("dog.name").edit("Bowser", now=now)
        raise RuntimeError
    assert fact("dog.name").value == "Beans"
    assert event_types() == ["memory.fact.added"]


def test_the_database_holds_confidence_to_0_and_1(now: datetime) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PersonalFact.objects.create(key="a", value="b", confidence=1.01, first_seen_at=now, last_confirmed_at=now)


def test_a_key_found_by_its_spelling_or_its_normal_form(now: datetime) -> None:
    PersonalFact.objects.create(key="Odd Key", value="v", first_seen_at=now, last_confirmed_at=now)
    learn("dog.name", "Beans", now=now)
    for spelled, key in [("Odd Key", "Odd Key"), ("DOG.name", "dog.name"), ("nothing", None)]:
        found = PersonalFact.objects.by_key(spelled)
        assert (found.key if found else None) == key
