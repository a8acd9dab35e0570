"""The operator adds, edits, deletes and restores facts: one audit row each, conflicts named (ADR-0033 §5)."""

from datetime import datetime, timedelta

import pytest

from memory.models import AuditRow, FactConflict, PersonalFact
from memory.text import normalising
from tests.memory.models.fact_helpers import event_types, fact, learn, record_chat

pytestmark = pytest.mark.django_db


def test_an_edit_is_certain_confirmed_and_keeps_its_source(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    source = fact("dog.name").source_audit_id
    later = now + timedelta(days=1)
    assert fact("dog.name").edit("  Bowser ", now=later)
    bowser = fact("dog.name")
    assert (bowser.value, bowser.confidence, bowser.last_confirmed_at) == ("Bowser", 1.0, later)
    assert bowser.source_audit_id == source
    assert event_types() == ["memory.fact.added", "memory.fact.user_edited"]
    payload = AuditRow.objects.get(event_type="memory.fact.user_edited").payload
    assert (payload["old_value"], payload["new_value"]) == ("Beans", "Bowser")


def test_saving_the_same_value_writes_nothing(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    assert not fact("dog.name").edit("Beans", now=now + timedelta(days=1))
    assert fact("dog.name").confidence == 0.5
    assert event_types() == ["memory.fact.added"]


def test_changing_only_the_case_is_an_edit(now: datetime) -> None:
    learn("dog.name", "beans", now=now)
    assert fact("dog.name").edit("Beans", now=now)
    assert fact("dog.name").value == "Beans"


@pytest.mark.parametrize("value", ["", "  \n\t ", "\u200b\u202e", "x" * 501])
def test_a_blank_or_over_long_edit_is_refused(now: datetime, value: str) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(normalising.TextRefused):
        fact("dog.name").edit(value, now=now)
    assert fact("dog.name").value == "Beans"
    assert event_types() == ["memory.fact.added"]


def test_an_edit_of_a_fact_that_changed_meanwhile_is_told_both_values(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    learn("dog.name", "Waffles", now=now)
    with pytest.raises(FactConflict) as caught:
        opened.edit("Bowser", now=now)
    assert "Waffles" in str(caught.value)
    assert "Bowser" in str(caught.value)
    assert caught.value.current == fact("dog.name")
    assert fact("dog.name").value == "Waffles"


def test_an_edit_of_a_fact_that_vanished_is_refused(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict) as caught:
        opened.edit("Bowser", now=now)
    assert caught.value.current is None
    assert "Bowser" in str(caught.value)
    assert event_types() == ["memory.fact.added", "memory.fact.user_deleted"]


def test_an_edit_meets_the_value_its_form_showed(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    learn("dog.name", "Waffles", now=now)
    with pytest.raises(FactConflict):
        fact("dog.name").edit("Bowser", now=now, expected="Beans")
    assert fact("dog.name").edit("Bowser", now=now, expected="Waffles")


def test_forgetting_twice_leaves_one_row(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    assert opened.forget(now=now) is not None
    assert opened.forget(now=now) is None
    assert event_types() == ["memory.fact.added", "memory.fact.user_deleted"]


def test_a_deletion_taken_back_is_the_fact_as_it_was(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.7)
    before = fact("dog.name")
    deletion = before.forget(now=now + timedelta(days=1))
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now + timedelta(days=1))
    after = fact("dog.name")
    for name in ("value", "confidence", "first_seen_at", "last_confirmed_at", "source_audit_id"):
        assert getattr(after, name) == getattr(before, name)
    assert event_types() == ["memory.fact.added", "memory.fact.user_deleted", "memory.fact.user_added"]
    assert AuditRow.objects.get(event_type="memory.fact.user_added").payload["restored_from"] == deletion.pk


def test_taking_a_deletion_back_twice_writes_once(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now)
    PersonalFact.objects.restore(deletion, now=now)
    assert event_types().count("memory.fact.user_added") == 1


def test_a_deletion_is_not_taken_back_over_a_newer_value(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now)
    assert deletion is not None
    learn("dog.name", "Waffles", now=now + timedelta(days=1))
    with pytest.raises(FactConflict):
        PersonalFact.objects.restore(deletion, now=now + timedelta(days=1))
    assert fact("dog.name").value == "Waffles"


def test_only_a_deletion_can_be_taken_back(now: datetime) -> None:
    with pytest.raises(ValueError, match="no deletion"):
        PersonalFact.objects.restore(record_chat(now), now=now)


def test_an_added_fact_is_certain_and_has_no_source(now: datetime) -> None:
    PersonalFact.objects.add(" Dog.Name ", "Beans\n", now=now)
    beans = fact("dog.name")
    assert (beans.value, beans.confidence, beans.source_audit) == ("Beans", 1.0, None)
    assert beans.first_seen_at == beans.last_confirmed_at == now
    assert event_types() == ["memory.fact.user_added"]


def test_a_key_that_is_taken_is_not_added_again(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(FactConflict) as caught:
        PersonalFact.objects.add("DOG.NAME", "Bowser", now=now)
    assert "Beans" in str(caught.value)
    assert event_types() == ["memory.fact.added"]


@pytest.mark.parametrize(("key", "value"), [("", "x"), ("k" * 129, "x"), ("dog.name", " ")])
def test_what_cannot_be_kept_is_not_added(now: datetime, key: str, value: str) -> None:
    with pytest.raises(normalising.TextRefused):
        PersonalFact.objects.add(key, value, now=now)
    assert not AuditRow.objects.exists()
