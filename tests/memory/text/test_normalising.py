"""Keys, values, confidences, hashes and secrets in their normal form (decisions 1, 5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import normalising


def test_it_works() -> None:
    entry = {"key": " Dog.Name ", "value": "Beans\n", "confidence": "0.8"}
    assert normalising.parse_claim(entry) == normalising.Claim("dog.name", "Beans", 0.8)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (" Cafe\u0301.Favourite ", "caf\u00e9.favourite"),
        ("morning  routine", "morning_routine"),
        ("a\tb\u2028c", "a_b_c"),
        ("ключ", "ключ"),
        ("k" * 128, "k" * 128),
    ],
)
def test_a_key_has_one_spelling(raw: str, key: str) -> None:
    assert normalising.normal_key(raw) == key
    assert normalising.normal_key(key) == key


@pytest.mark.parametrize("raw", ["", "   ", "\u200b", "k" * 129])
def test_a_key_that_names_nothing_is_refused(raw: str) -> None:
    with pytest.raises(normalising.TextRefused):
        normalising.normal_key(raw)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (43, "43"),
        (2.0, "2"),
        (0.5, "0.5"),
        (True, "yes"),
        (["rake", "hoe"], "rake, hoe"),
        ([1, "two"], "1, two"),
        ("a\r\nb\x0bc\u2028d\x85e", "a b c d e"),
        ("\u202eevil\u200b\x07", "evil"),
        ({"row": 4}, None),
        (None, None),
        ("  ", None),
        ([], None),
        ([{"a": 1}, "b"], None),
        ([None], None),
        (float("nan"), None),
        (10**400, None),
    ],
)
def test_a_value_becomes_readable_text_or_falls(value: object, kept: str | None) -> None:
    claim = normalising.parse_claim({"key": "k", "value": value})  # type: ignore[dict-item]
    assert (claim.value if claim else None) == kept


def test_an_over_long_value_is_cut_at_a_word() -> None:
    claim = normalising.parse_claim({"key": "k", "value": "word " * 200})
    assert claim is not None
    assert len(claim.value) <= 500
    assert claim.value.endswith("word\N{HORIZONTAL ELLIPSIS}")


@pytest.mark.parametrize(
    ("confidence", "kept"),
    [
        (0.4, 0.4),
        ("0.8", 0.8),
        (95, 1.0),
        (-1, 0.0),
        (1, 1.0),
        (None, 1.0),
        ("high", None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        ("nan", None),
        ([0.5], None),
        (10**400, None),
    ],
)
def test_a_confidence_is_a_number_from_0_to_1_or_the_entry_falls(confidence: object, kept: float | None) -> None:
    claim = normalising.parse_claim({"key": "k", "value": "v", "confidence": confidence})  # type: ignore[dict-item]
    assert (claim.confidence if claim else None) == kept


def test_a_missing_confidence_is_1() -> None:
    claim = normalising.parse_claim({"key": "k", "value": "v"})
    assert claim is not None
    assert claim.confidence == 1.0


@pytest.mark.parametrize("entry", ["text", 7, None, [], {}, {"key": "k"}, {"value": "v"}, {"key": 1, "value": "v"}])
def test_what_is_no_entry_falls_alone(entry: object) -> None:
    assert normalising.parse_claim(entry) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Beans", " beans ", True),
        ("New  York", "new york", True),
        ("Straße", "STRASSE", True),
        ("Beans", "Bean", False),
    ],
)
def test_values_are_compared_without_case_and_spacing(one: str, other: str, same: bool) -> None:
    assert normalising.same_value(one, other) is same


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("card.number", "4000 0000 0000 0002"),
        ("note", "4000-0000-0000-0002"),
        ("note", "my visa is 4111111111111111"),
        ("note", "sk-proj-abcdefghijklmnop1234"),
        ("note", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ("note", "AKIAIOSFODNN7EXAMPLE"),
        ("note", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc"),
        ("note", "-----BEGIN RSA PRIVATE KEY----- MIIE"),
        ("note", "the admin password is hunter2"),
        ("note", "postgres://me:secret@db/x"),
        ("wifi.password", "correct horse"),
        ("bank.pin", "1234"),
        ("api_key", "x"),
        ("note", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
    ],
)
def test_secrets_are_never_learned(key: str, value: str) -> None:
    assert normalising.parse_claim({"key": key, "value": value}) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("phone.home", "+358 40 123 4567"),
        ("hobby.main", "pinball and passkey collecting"),
        ("shoe.size", "43"),
        ("children.birthdays", "2012-03-04, 2015-06-07"),
        ("preference.tokens", "collects old subway tokens"),
        ("pet.name", "Pinky"),
        ("address.street", "Donaudampfschifffahrtsgesellschaftsstrasse 12"),
        ("spinning.class", "Mondays"),
    ],
)
def test_what_only_looks_a_little_like_a_secret_is_learned(key: str, value: str) -> None:
    assert normalising.parse_claim({"key": key, "value": value}) is not None


def test_messages_are_the_same_whatever_their_case_and_spacing() -> None:
    assert normalising.message_hash("My dog's  name\nis Beans") == normalising.message_hash("my dog's name is beans ")
    assert normalising.message_hash("Beans") != normalising.message_hash("Bowser")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["key", "value", "confidence", "x"]), inner),
)


@given(json_values)
def test_any_entry_is_a_clean_claim_or_falls(entry: object) -> None:
    claim = normalising.parse_claim(entry)  # type: ignore[arg-type]
    if claim is not None:
        assert 0 <= claim.confidence <= 1
        assert 0 < len(claim.key) <= 128
        assert 0 < len(claim.value) <= 500
        assert len(claim.value.splitlines()) == 1
        claim.value.encode()
