"""Which keys are one key, and which contradict each other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import keys, normalising


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pets.dog.name", "pet.dog.name"),
        ("hobbies.chess", "hobby.chess"),
        ("allergies.nuts", "allergy.nuts"),
        ("health.allergies", "health.allergy"),
        ("children.count", "child.count"),
        ("mother-in-law.name", "mother_in_law.name"),
        ("guinea pig.name", "guinea_pig.name"),
        ("wives.name", "wife.name"),
        ("boxes.lid", "box.lid"),
    ],
)
def test_two_spellings_are_one_key(one: str, other: str) -> None:
    assert other in normalising.key_spellings(one)
    assert one in normalising.key_spellings(other)


@pytest.mark.parametrize(("one", "other"), [("dog.name", "dog.names"), ("cat.name", "dog.name"), ("hobby", "hobby.x")])
def test_two_keys_are_two(one: str, other: str) -> None:
    assert other not in normalising.key_spellings(one)


parts = st.text("abcsy_", min_size=1, max_size=8).map(lambda part: part.strip("_") or "a")


@given(st.lists(parts, min_size=1, max_size=4).map(".".join))
def test_spellings_are_mutual_and_few(key: str) -> None:
    for other in keys.other_spellings(key):
        assert key in keys.other_spellings(other) or len(re.findall("[_ -]", other)) > 2
    assert len(keys.other_spellings(key)) <= 160
    assert len(keys.opposite_keys(key)) <= 1_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("like.figs", "dislike.figs"),
        ("likes.figs", "dislikes.figs"),
        ("love.figs", "hate.figs"),
        ("want.dog", "avoid.dog"),
        ("allergy.nuts", "no_allergy.nuts"),
        ("allergies.nuts", "no_allergy.nuts"),
        ("has_allergy.nuts", "no_allergy.nuts"),
        ("health.allergy.nuts", "health.no-allergy.nuts"),
        ("diet.sugar", "diet.without_sugar"),
        ("diet.meat", "diet.not_meat"),
    ],
)
def test_opposites_contradict_both_ways(one: str, other: str) -> None:
    assert other in keys.opposite_keys(one)
    assert keys.is_negative(other)
    assert not keys.is_negative(one)
    assert one in keys.opposite_keys(other)


@pytest.mark.parametrize(
    ("one", "other"), [("like.figs", "dislike.plums"), ("like.figs", "like.figs"), ("note", "notes")]
)
def test_other_keys_do_not(one: str, other: str) -> None:
    assert other not in keys.opposite_keys(one)


@pytest.mark.parametrize(
    ("key", "value", "other"),
    [
        ("aunt.name", "Sirpa", "aunt.sirpa"),
        ("aunt.sirpa", "Sirpa", "aunt.name"),
        ("aunt.sirpa", "lives in Turku", None),
        ("dog.name", "Beans", None),
        ("best_friend.name", "Mary Ann", "best_friend.mary_ann"),
    ],
)
def test_one_of_many_is_named_in_two_ways(key: str, value: str, other: str | None) -> None:
    assert keys.other_naming(key, value) == other
