"""A fact is found under every spelling of its key, and of two that contradict one stays (decisions 3, 5)."""

from datetime import datetime, timedelta

import pytest

from memory.models import AuditRow, FactConflict, Learned, PersonalFact
from memory.text import normalising
from tests.memory.models.fact_helpers import event_types, fact, record_chat

pytestmark = pytest.mark.django_db


def learn(*said: tuple[str, str], now: datetime, said_at: datetime | None = None) -> dict[str, Learned]:
    claims = [normalising.Claim(key, value, 0.9) for key, value in said]
    return PersonalFact.objects.learn(claims, chat=record_chat(now, said_at=said_at), now=now)


def stored() -> dict[str, str]:
    return dict(PersonalFact.objects.values_list("key", "value"))


def holding() -> dict[str, str]:
    """Key and value of the facts that have not ended."""
    return dict(PersonalFact.objects.filter(retired_at=None).values_list("key", "value"))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("pet.dog.name", "pets.dog.name"),
        ("pets.dog.name", "pet.dog.name"),
        ("hobbies.main", "hobby.main"),
        ("health.allergies", "health.allergy"),
        ("mother-in-law.name", "mother_in_law.name"),
        ("Mother in Law.name", "mother_in_law.name"),
    ],
)
def test_a_fact_is_updated_under_the_spelling_it_has(now: datetime, known: str, said: str) -> None:
    known = known if known.islower() else known.lower()
    PersonalFact.objects.create(key=known, value="A", first_seen_at=now, last_confirmed_at=now)
    assert learn((said, "B"), now=now) == {known: "updated"}
    assert stored() == {known: "B"}
    assert event_types() == ["memory.fact.updated"]
    assert learn((said, "B"), now=now) == {known: "confirmed"}
    found = PersonalFact.objects.by_key(said)
    assert found is not None
    assert found.key == known


def test_two_spellings_in_one_answer_are_one_fact(now: datetime) -> None:
    assert learn(("hobbies.main", "chess"), ("hobby.main", "rowing"), now=now) == {"hobbies.main": "added"}
    assert stored() == {"hobbies.main": "rowing"}


def test_the_spelling_as_it_is_comes_first(now: datetime) -> None:
    for key in ("pets.dog.name", "pet.dog.name"):
        PersonalFact.objects.create(key=key, value="A", first_seen_at=now, last_confirmed_at=now)
    learn(("pet.dog.name", "B"), now=now)
    assert stored() == {"pets.dog.name": "A", "pet.dog.name": "B"}


def test_the_operators_last_word_counts_for_every_spelling(now: datetime) -> None:
    learn(("hobbies.main", "chess"), now=now)
    fact("hobbies.main").forget(now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn(("hobby.main", "chess"), now=later, said_at=now + timedelta(days=1)) == {"hobby.main": "ignored"}
    assert stored() == {}


def test_the_operator_adds_no_second_spelling(now: datetime) -> None:
    learn(("pets.dog.name", "Beans"), now=now)
    with pytest.raises(FactConflict, match="pets.dog.name is already known"):
        PersonalFact.objects.add("pet.dog.name", "Rex", now=now)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("like.figs", "dislike.figs"),
        ("dislike.figs", "like.figs"),
        ("allergy.nuts", "no_allergy.nuts"),
        ("allergies.nuts", "no_allergy.nuts"),
        ("no-allergy.nuts", "has_allergy.nuts"),
        ("love.rain", "hate.rain"),
        ("want.dog", "avoid.dog"),
    ],
)
def test_newer_evidence_takes_out_what_it_contradicts(now: datetime, old: str, new: str) -> None:
    PersonalFact.objects.create(key=old, value="A", first_seen_at=now, last_confirmed_at=now)
    later = now + timedelta(days=1)
    assert learn((new, "B"), now=later) == {new: "added"}
    assert holding() == {new: "B"}
    assert [item.fact.key for item in PersonalFact.objects.for_prompt(later)] == [new]
    rows = list(AuditRow.objects.exclude(event_type="chat.completed").order_by("id"))
    assert [(row.event_type, row.fact_key) for row in rows] == [
        ("memory.fact.added", new),
        ("memory.fact.retired", old),
    ]
    assert rows[1].payload["value"] == "A"


def test_older_evidence_changes_nothing_that_contradicts_it(now: datetime) -> None:
    learn(("like.figs", "figs"), now=now)
    assert learn(("dislike.figs", "figs"), now=now, said_at=now - timedelta(days=1)) == {"dislike.figs": "ignored"}
    assert stored() == {"like.figs": "figs"}


def test_what_the_operator_took_away_takes_nothing_with_it(now: datetime) -> None:
    learn(("like.figs", "figs"), now=now)
    fact("like.figs").forget(now=now + timedelta(days=5))
    PersonalFact.objects.create(key="dislike.figs", value="figs", first_seen_at=now, last_confirmed_at=now)
    later = now + timedelta(days=6)
    assert learn(("like.figs", "figs"), now=later, said_at=now + timedelta(days=1)) == {"like.figs": "ignored"}
    assert stored() == {"dislike.figs": "figs"}


def test_of_contradictions_in_one_answer_the_last_counts(now: datetime) -> None:
    assert learn(("like.figs", "figs"), ("dislike.figs", "figs"), now=now) == {"dislike.figs": "added"}
    assert stored() == {"dislike.figs": "figs"}


def test_a_yes_or_no_is_a_value(now: datetime) -> None:
    learn(("diet.vegetarian", "yes"), now=now)
    assert learn(("diet.vegetarian", "no"), now=now) == {"diet.vegetarian": "updated"}


def test_the_operator_who_adds_the_contrary_is_believed(now: datetime) -> None:
    learn(("like.figs", "figs"), now=now)
    PersonalFact.objects.add("dislike.figs", "figs", now=now)
    assert holding() == {"dislike.figs": "figs"}
    assert event_types() == ["memory.fact.added", "memory.fact.user_added", "memory.fact.retired"]


def test_what_the_operator_brings_back_ends_its_contrary(now: datetime) -> None:
    learn(("like.figs", "figs"), now=now)
    PersonalFact.objects.add("dislike.figs", "figs", now=now)
    assert fact("like.figs").bring_back(now=now)
    assert holding() == {"like.figs": "figs"}
    assert fact("dislike.figs").edit("dried figs", now=now)
    assert holding() == {"dislike.figs": "dried figs"}


def test_of_contradictions_stored_long_ago_the_newer_is_in_the_prompt(now: datetime) -> None:
    for days, key in (
        (3, "dislike.figs"),
        (1, "likes.figs"),
        (2, "dog.name"),
        (1, "no_allergy.nuts"),
        (9, "allergy.nuts"),
    ):
        at = now - timedelta(days=days)
        PersonalFact.objects.create(key=key, value="x", first_seen_at=at, last_confirmed_at=at)
    served = {item.fact.key for item in PersonalFact.objects.for_prompt(now)}
    assert served == {"likes.figs", "dog.name", "no_allergy.nuts"}


def test_a_kitten_leaves_the_cat_its_name(now: datetime) -> None:
    learn(("cat.name", "Miso"), now=now)
    learn(("kitten.name", "Pip"), now=now)
    assert stored() == {"cat.name": "Miso", "kitten.name": "Pip"}


@pytest.mark.parametrize(("known", "said"), [("aunt.name", "aunt.sirpa"), ("aunt.sirpa", "aunt.name")])
def test_one_person_is_named_once(now: datetime, known: str, said: str) -> None:
    learn((known, "Sirpa"), now=now)
    assert learn((said, "Sirpa"), now=now) == {known: "confirmed"}
    assert stored() == {known: "Sirpa"}


def test_two_aunts_are_two(now: datetime) -> None:
    learn(("aunt.name", "Sirpa"), now=now)
    assert learn(("aunt.marja", "Marja"), now=now) == {"aunt.marja": "added"}


def test_an_answer_of_a_hundred_claims_is_learned(now: datetime) -> None:
    claims = [(f"pets.guinea_pig.best_friend_{number}.name", "x") for number in range(100)]
    assert set(learn(*claims, now=now).values()) == {"added"}


@pytest.mark.parametrize("since", ["hobby.main", "no_hobbies.main"])
def test_a_deletion_is_not_taken_back_beside_what_was_learned_since(now: datetime, since: str) -> None:
    learn(("hobbies.main", "chess"), now=now)
    deletion = fact("hobbies.main").forget(now=now)
    assert deletion is not None
    learn((since, "rowing"), now=now + timedelta(days=1))
    with pytest.raises(FactConflict, match=f"was learned anew as {since}"):
        PersonalFact.objects.restore(deletion, now=now + timedelta(days=2))
    assert stored() == {since: "rowing"}
