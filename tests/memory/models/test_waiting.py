"""Claims that wait: accepted, corrected, dropped, each once and with one row (decision 27)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Thread

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from memory.models import AuditRow, FactConflict, NotWaiting, PersonalFact, WaitingFact
from memory.text import normalising
from tests.memory.chat_helpers import record_chat
from tests.memory.models.fact_helpers import claim_that_waits, end, event_types, fact, learn

pytestmark = pytest.mark.django_db


def test_accepting_adds_the_fact_in_the_operators_name(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    later = now + timedelta(days=1)
    claim.accept(now=later)
    beans = fact("dog.name")
    assert (beans.value, beans.confidence, beans.last_confirmed_at) == ("Beans", 1.0, later)
    assert beans.source_audit_id == claim.source_audit_id
    assert event_types() == ["memory.fact.waiting", "memory.fact.user_added"]
    waited = AuditRow.objects.get(event_type="memory.fact.waiting")
    assert AuditRow.objects.get(event_type="memory.fact.user_added").payload["waited"] == waited.pk
    assert not WaitingFact.objects.exists()


def test_accepting_another_value_edits_the_fact(now: datetime) -> None:
    learn("dog.name", "Waffles", now=now)
    claim_that_waits("dog.name", "Beans", now=now + timedelta(days=1)).accept(now=now + timedelta(days=2))
    assert fact("dog.name").value == "Beans"
    assert event_types()[-1] == "memory.fact.user_edited"


def test_a_corrected_value_is_what_is_accepted(now: datetime) -> None:
    claim_that_waits("dog.name", "Beans", now=now).accept(now=now, value=" Bean ")
    assert fact("dog.name").value == "Bean"


def test_accepting_what_ended_brings_it_back(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now + timedelta(days=1))
    claim_that_waits("dog.name", "Beans", now=now + timedelta(days=2)).accept(now=now + timedelta(days=3), expected="")
    assert fact("dog.name").retired_at is None
    assert event_types()[-1] == "memory.fact.user_added"


def test_accepting_under_another_spelling_changes_the_fact_that_is_there(now: datetime) -> None:
    learn("pet.cat_name", "Tom", now=now)
    claim_that_waits("pets.cat-name", "Tim", now=now).accept(now=now)
    assert list(PersonalFact.objects.values_list("key", "value")) == [("pet.cat_name", "Tim")]


def test_accepting_ends_the_contrary(now: datetime) -> None:
    learn("like.ale", "ale", now=now)
    claim_that_waits("dislike.ale", "ale", now=now).accept(now=now)
    assert list(PersonalFact.objects.filter(retired_at=None).values_list("key", flat=True)) == ["dislike.ale"]


def test_accepting_twice_changes_nothing_more(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    opened = WaitingFact.objects.get(pk=claim.pk)
    claim.accept(now=now)
    with pytest.raises(NotWaiting):
        opened.accept(now=now, value="Waffles")
    with pytest.raises(NotWaiting):
        opened.drop(now=now)
    assert fact("dog.name").value == "Beans"
    assert event_types() == ["memory.fact.waiting", "memory.fact.user_added"]


def test_a_fact_that_changed_meanwhile_is_not_overwritten_unseen(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    learn("dog.name", "Rex", now=now)
    with pytest.raises(FactConflict) as caught:
        claim.accept(now=now, expected="")
    assert "Rex" in str(caught.value)
    assert WaitingFact.objects.open().count() == 1
    claim.accept(now=now, expected="Rex")
    assert fact("dog.name").value == "Beans"


def test_a_fact_that_vanished_meanwhile_is_named_before_it_is_added_again(now: datetime) -> None:
    learn("dog.name", "Rex", now=now)
    claim = claim_that_waits("dog.name", "Beans", now=now)
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict, match="was deleted or ended meanwhile"):
        claim.accept(now=now, expected="Rex")
    assert claim.accept(now=now, expected="").value == "Beans"


def test_a_dropped_claim_waits_again_for_newer_evidence_only(now: datetime) -> None:
    claim_that_waits("dog.name", "Beans", now=now).drop(now=now + timedelta(days=2))
    row = WaitingFact.objects.get()
    assert (row.value, row.quote) == ("", ""), "its words are gone"
    claim_that_waits("dog.name", "Beans", now=now + timedelta(days=3), said_at=now + timedelta(days=1))
    assert not WaitingFact.objects.open().exists()
    claim_that_waits("dog.name", "beans", now=now + timedelta(days=3))
    assert WaitingFact.objects.open().get().value == "beans"


def test_dropping_is_taken_back_once(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now, quote="my dog")
    drop = claim.drop(now=now)
    for _ in range(2):
        back = WaitingFact.objects.restore(drop, now=now)
    assert (back.value, back.quote, back.source_audit_id) == ("Beans", "my dog", claim.source_audit_id)
    assert event_types() == ["memory.fact.waiting", "memory.fact.user_dropped", "memory.fact.waiting"]
    with pytest.raises(ValueError, match="dropped"):
        WaitingFact.objects.restore(AuditRow.objects.filter(event_type="memory.fact.waiting")[0], now=now)


def test_waiting_and_dropping_are_no_word_on_the_fact(now: datetime) -> None:
    learn("dog.name", "Waffles", now=now)
    claim_that_waits("dog.name", "Beans", now=now + timedelta(days=1)).drop(now=now + timedelta(days=9))
    assert learn("dog.name", "Rex", now=now + timedelta(days=9), said_at=now + timedelta(days=2)) == "updated"


def test_a_claim_outlives_its_chat(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    AuditRow.objects.get_queryset().all().sweep_away()
    claim = WaitingFact.objects.get(pk=claim.pk)
    assert claim.accept(now=now).source_audit_id is None


@pytest.mark.django_db(transaction=True)
def test_two_browsers_accept_and_drop_the_same_claim(now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    done: list[str] = []

    def attempt(act: Callable[[WaitingFact], object]) -> None:
        try:
            act(WaitingFact.objects.get(pk=claim.pk))
            done.append("done")
        except (NotWaiting, WaitingFact.DoesNotExist):
            done.append("too late")
        finally:
            connections.close_all()

    acts: list[Callable[[WaitingFact], object]] = [
        lambda one: one.accept(now=now),
        lambda one: one.accept(now=now, value="Waffles"),
        lambda one: one.drop(now=now),
    ]
    threads = [Thread(target=attempt, args=(act,)) for act in acts]
    if connection.vendor == "sqlite" and connection.is_in_memory_db():  # type: ignore[attr-defined]
        for act in acts:  # a database of one connection
            attempt_here(act, claim.pk, done)
    else:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(done) == ["done", "too late", "too late"]
    assert len(event_types()) == 2
    assert PersonalFact.objects.count() <= 1


def attempt_here(act: Callable[[WaitingFact], object], pk: int, done: list[str]) -> None:
    opened = WaitingFact(pk=pk, said_at=datetime.now().astimezone(), created_at=datetime.now().astimezone())
    try:
        act(opened)
        done.append("done")
    except NotWaiting:
        done.append("too late")


def test_a_fact_is_found_under_another_spelling_before_a_claim_waits(now: datetime) -> None:
    learn("pet.dog_name", "Beans", now=now)
    later = now + timedelta(days=1)
    chat = record_chat("hello", later)
    claims = [normalising.Claim("pets.dog-name", "beans", 0.9, quote="x"), normalising.Claim("cat.name", "Tom", 0.9)]
    with CaptureQueriesContext(connection) as queries:
        assert WaitingFact.objects.wait(claims, chat=chat, now=later) == 1, "the fact says so already"
    assert WaitingFact.objects.open().get().key == "cat.name"
    assert sum('FROM "personal_facts"' in query["sql"] for query in queries) == 1
