"""Facts by importance, and their order in prompts, sorted once per change (ADR-0034 §4; decision 36)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from memory.models import MemoryRevision, PersonalFact
from tests.conftest import Configure
from tests.memory.models.fact_helpers import fact, learn

pytestmark = pytest.mark.django_db


def test_importance_is_freshness_times_confidence_times_edits(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    fact("dog.name").edit("Bowser", now=now)
    fact("dog.name").edit("Waffles", now=now)
    (ranked,) = PersonalFact.objects.by_importance(now + timedelta(days=60))
    assert ranked.importance.freshness == pytest.approx(0.36787944)
    assert ranked.importance.edit_count == 2
    assert ranked.importance.value == pytest.approx(0.36787944 * 1.0 * 2.0)


def test_edits_of_another_key_do_not_count(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    learn("dog.name.nick", "B", now=now)
    fact("dog.name.nick").edit("Bee", now=now)
    counts = {item.fact.key: item.importance.edit_count for item in PersonalFact.objects.by_importance(now)}
    assert counts == {"dog.name": 0, "dog.name.nick": 1}


def test_the_most_important_come_first_and_ties_go_to_the_newer_then_the_lower_id(now: datetime) -> None:
    learn("old", "1", now=now - timedelta(days=10), confidence=1.0)
    for key in ("first", "second"):
        learn(key, "1", now=now, confidence=0.9)
    learn("sure", "1", now=now, confidence=1.0)
    order = [item.fact.key for item in PersonalFact.objects.by_importance(now)]
    assert order == ["sure", "first", "second", "old"]
    assert [item.fact.key for item in PersonalFact.objects.by_importance(now, limit=2)] == order[:2]


def test_ranking_takes_the_same_few_queries_for_any_number_of_facts(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=5)
    PersonalFact.objects.bulk_create(
        PersonalFact(key=f"k{number}", value="v", first_seen_at=now, last_confirmed_at=now) for number in range(300)
    )
    MemoryRevision.current()
    with CaptureQueriesContext(connection) as queries:
        assert len(PersonalFact.objects.for_prompt(now)) == 5
    assert len(queries) <= 4


def test_no_facts_no_ranks(now: datetime) -> None:
    assert PersonalFact.objects.by_importance(now) == []
    assert PersonalFact.objects.for_prompt(now) == []


def prompt_keys(now: datetime) -> list[str]:
    return [item.fact.key for item in PersonalFact.objects.for_prompt(now)]


@pytest.mark.django_db(transaction=True)
def test_facts_are_sorted_once_until_one_changes(now: datetime) -> None:
    for number in range(3):
        learn(f"note.n{number}", "v", now=now - timedelta(days=number))
    later = now + timedelta(days=30)
    assert prompt_keys(now) == ["note.n0", "note.n1", "note.n2"]
    with CaptureQueriesContext(connection) as queries:
        again = PersonalFact.objects.for_prompt(later)
    assert len(queries) == 1
    assert again[0].importance.freshness == pytest.approx(0.60653066)
    assert [item.fact.key for item in again] == [item.fact.key for item in PersonalFact.objects.by_importance(later)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["learn", "edit", "forget", "restore", "add", "confirm"])
def test_every_change_of_a_fact_is_seen_at_once(now: datetime, change: str) -> None:
    learn("a.one", "v", now=now - timedelta(days=2))
    learn("b.two", "v", now=now - timedelta(days=1))
    deletion = fact("b.two").forget(now=now) if change == "restore" else None
    before = [(item.fact.key, item.fact.value) for item in PersonalFact.objects.for_prompt(now)]
    if change == "learn":
        learn("a.one", "w", now=now)
    elif change == "confirm":
        learn("a.one", "v", now=now)
    elif change == "edit":
        fact("a.one").edit("w", now=now)
    elif change == "forget":
        fact("a.one").forget(now=now)
    elif change == "add":
        PersonalFact.objects.add("c.three", "v", now=now)
    elif deletion is not None:
        PersonalFact.objects.restore(deletion, now=now)
    after = [(item.fact.key, item.fact.value) for item in PersonalFact.objects.for_prompt(now)]
    assert after != before
    assert after == [(item.fact.key, item.fact.value) for item in PersonalFact.objects.by_importance(now)]


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_undone_leaves_no_wrong_order_behind(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(RuntimeError), transaction.atomic():
        fact("dog.name").edit("Bowser", now=now)
        assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Bowser"
        raise RuntimeError
    assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Beans"
    fact("dog.name").edit("Waffles", now=now)
    assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Waffles"


@pytest.mark.django_db(transaction=True)
def test_a_fact_from_the_future_is_sorted_at_every_moment(now: datetime) -> None:
    """It does not age yet, so the others fall behind it as time goes on."""
    learn("a.ahead", "v", now=now, said_at=now + timedelta(minutes=4), confidence=0.99999)
    learn("b.now", "v", now=now, confidence=1.0)
    for minutes in (0, 3, 4, 90):
        moment = now + timedelta(minutes=minutes)
        assert prompt_keys(moment) == [item.fact.key for item in PersonalFact.objects.by_importance(moment)]
    assert prompt_keys(now) != prompt_keys(now + timedelta(minutes=4))


@pytest.mark.django_db(transaction=True)
def test_other_settings_sort_anew(now: datetime, configure: Configure) -> None:
    learn("a.old", "v", now=now - timedelta(days=30))
    fact("a.old").edit("w", now=now - timedelta(days=30))
    learn("b.new", "v", now=now, confidence=1.0)
    assert prompt_keys(now) == ["b.new", "a.old"]
    configure(memory__facts_importance__halflife_days=600.0)
    assert prompt_keys(now) == ["a.old", "b.new"]
    configure(memory__facts__max_injected=1)
    assert prompt_keys(now) == ["a.old"]


@pytest.mark.django_db(transaction=True)
def test_all_facts_that_hold_are_kept_in_order_until_one_changes(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=1)
    for number in range(4):
        learn(f"note.n{number}", "v", now=now - timedelta(days=number))
    fact("note.n1").end(said_at=now, now=now)
    fact("note.n2").set_valid_until((now - timedelta(days=1)).date(), now=now)
    with CaptureQueriesContext(connection) as queries:
        candidates = PersonalFact.objects.prompt_candidates(now)
    assert [item.fact.key for item in candidates] == ["note.n0", "note.n3"]
    assert len(queries) == 3
    with CaptureQueriesContext(connection) as queries:
        assert PersonalFact.objects.prompt_candidates(now + timedelta(hours=3)) is candidates
    assert len(queries) == 1
    (later,) = PersonalFact.objects.at(now + timedelta(days=60), candidates[:1])
    assert later.importance.freshness == pytest.approx(0.36787944)
    fact("note.n3").forget(now=now)
    assert [item.fact.key for item in PersonalFact.objects.prompt_candidates(now)] == ["note.n0"]


def test_of_two_candidates_that_contradict_the_newer_one_stays(now: datetime) -> None:
    for key, said in (("like.figs", now), ("dislike.figs", now - timedelta(days=1))):
        PersonalFact.objects.create(key=key, value="figs", first_seen_at=said, last_confirmed_at=said)
    assert [item.fact.key for item in PersonalFact.objects.prompt_candidates(now)] == ["like.figs"]
