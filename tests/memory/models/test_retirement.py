"""Facts end by the operator's word, are kept, and come back (decision 28)."""

from datetime import datetime, timedelta

import pytest

from memory.models import AuditRow, Ending, FactConflict, PersonalFact, retire
from memory.text.quotes import Quoted
from tests.memory.models.fact_helpers import end, event_types, fact, learn, record_chat

pytestmark = pytest.mark.django_db

WORDS = Quoted("it ended", 0, 0, 8)


def test_it_works(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.7)
    assert end("dog.name", now=now + timedelta(days=1), words="Beans died") == "retired"
    ended = fact("dog.name")
    assert (ended.value, ended.retired_at) == ("Beans", now + timedelta(days=1))
    payload = AuditRow.objects.get(event_type="memory.fact.retired").payload
    assert (payload["value"], payload["confidence"], payload["quote"]) == ("Beans", 0.7, "Beans died")
    assert not PersonalFact.objects.for_prompt(now)
    assert not PersonalFact.objects.by_importance(now)
    assert list(PersonalFact.objects.retired()) == [ended]


def test_ending_twice_writes_once(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    assert [end("dog.name", now=now) for _ in range(2)] == ["retired", "ignored"]
    assert event_types() == ["memory.fact.added", "memory.fact.retired"]


@pytest.mark.parametrize("count", [3, 4])
def test_one_chat_ends_at_most_three(now: datetime, count: int) -> None:
    for number in range(count):
        learn(f"note.{number}", "x", now=now)
    endings = [Ending(f"note.{number}", "", WORDS) for number in range(count)]
    counts = retire(endings, chat=record_chat(now), now=now)
    assert counts["retired"] == (3 if count == 3 else 0)
    assert counts["refused"] == (0 if count == 3 else 4)


def test_another_value_than_the_stored_one_ends_nothing(now: datetime) -> None:
    learn("address.city", "Berlin", now=now)
    assert end("address.city", now=now, value="Portland") == "refused"
    assert end("address.city", now=now, value="Berlin, Germany") == "retired"


def test_a_part_of_a_value_is_another_value_where_it_is_no_place(now: datetime) -> None:
    learn("health.allergies", "nuts, shellfish", now=now)
    assert end("health.allergies", now=now, value="nuts") == "refused"


def test_only_keys_that_end_elsewhere_do_not_count_among_the_three(now: datetime) -> None:
    for number in range(5):
        learn(f"pet{number}.name", f"Name{number}", now=now)
    endings = [Ending(f"pet{number}.name", "Name3", WORDS) for number in range(5)]
    assert retire(endings, chat=record_chat(now), now=now)["retired"] == 1
    assert [one.key for one in PersonalFact.objects.retired()] == ["pet3.name"]


def test_older_evidence_ends_nothing(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    assert end("dog.name", now=now, said_at=now - timedelta(days=1)) == "ignored"
    assert fact("dog.name").edit("Waffles", now=now + timedelta(days=2))
    assert end("dog.name", now=now + timedelta(days=3), said_at=now + timedelta(days=1)) == "ignored"


def test_brought_back_it_is_as_it_was_and_older_words_do_not_end_it_again(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.7)
    before = fact("dog.name")
    end("dog.name", now=now + timedelta(days=1))
    assert fact("dog.name").bring_back(now=now + timedelta(days=3))
    after = fact("dog.name")
    for name in ("value", "confidence", "first_seen_at", "last_confirmed_at", "source_audit_id", "retired_at"):
        assert getattr(after, name) == getattr(before, name)
    retired = AuditRow.objects.get(event_type="memory.fact.retired")
    assert AuditRow.objects.get(event_type="memory.fact.user_added").payload["restored_from"] == retired.pk
    assert not fact("dog.name").bring_back(now=now + timedelta(days=3))
    assert event_types().count("memory.fact.user_added") == 1
    assert end("dog.name", now=now + timedelta(days=4), said_at=now + timedelta(days=2)) == "ignored"
    assert end("dog.name", now=now + timedelta(days=4)) == "retired"


def test_a_newer_statement_brings_it_back_and_an_older_one_never_does(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn("dog.name", "Beans", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert learn("dog.name", "Rex", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert fact("dog.name").retired_at
    assert learn("dog.name", "Beans", now=later) == "confirmed"
    assert fact("dog.name").retired_at is None
    assert AuditRow.objects.get(event_type="memory.fact.confirmed").payload["was_retired"]
    end("dog.name", now=now + timedelta(days=4))
    assert learn("dog.name", "Waffles", now=now + timedelta(days=5)) == "updated"
    assert (fact("dog.name").value, fact("dog.name").retired_at) == ("Waffles", None)


def test_a_wrong_clock_does_not_turn_the_order_of_the_log(now: datetime) -> None:
    year = timedelta(days=365)
    learn("dog.name", "Beans", now=now + year)
    end("dog.name", now=now + year)
    assert learn("dog.name", "Beans", now=now) == "confirmed", "said after it in the log, though a clock was wrong then"
    assert fact("dog.name").retired_at is None


def test_an_edit_of_an_ended_fact_brings_it_back_with_its_value(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    assert fact("dog.name").edit("Waffles", now=now + timedelta(days=1))
    assert (fact("dog.name").value, fact("dog.name").retired_at) == ("Waffles", None)
    end("dog.name", now=now + timedelta(days=2))
    assert fact("dog.name").edit("Waffles", now=now + timedelta(days=3)), "with the same value, too"
    assert fact("dog.name").retired_at is None
    assert event_types()[-3:] == ["memory.fact.user_edited", "memory.fact.retired", "memory.fact.user_added"]


def test_adding_a_key_that_has_ended_brings_it_back(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    PersonalFact.objects.add("dog.name", "Waffles", now=now)
    assert (fact("dog.name").value, fact("dog.name").retired_at) == ("Waffles", None)
    with pytest.raises(FactConflict):
        PersonalFact.objects.add("dog.name", "Rex", now=now)


def test_a_deletion_taken_back_leaves_it_ended(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    fact("dog.name").set_valid_until(now.date(), now=now)
    deletion = fact("dog.name").forget(now=now)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now)
    assert (fact("dog.name").retired_at, fact("dog.name").valid_until) == (now, now.date())


def test_a_fact_that_vanished_is_not_brought_back(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    opened = fact("dog.name")
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict):
        opened.bring_back(now=now)


def test_setting_the_last_day_is_one_row_and_no_edit(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    day = (now + timedelta(days=9)).date()
    assert fact("dog.name").set_valid_until(day, now=now)
    assert not fact("dog.name").set_valid_until(day, now=now)
    assert fact("dog.name").set_valid_until(None, now=now)
    assert event_types() == ["memory.fact.added", "memory.fact.user_dated", "memory.fact.user_dated"]
    assert fact("dog.name").ranked(now).importance.edit_count == 0
    assert fact("dog.name").last_confirmed_at == now
