"""A model's quotation is found in what was said, however it is spelled, and never in what was not."""

import pytest

from memory.text.quotes import MAX_QUOTE_CHARS, SaidWords, same_letters
from tests.growth import LINEAR_AT_MOST, growth

SAID = SaidWords(
    {
        0: "Hi! I don’t live in   Portland any more,\nwe moved to Pörto last May.",
        2: "私は東京に住んでいます。 My dog's name is **Beans** now",
    }
)


def test_it_works() -> None:
    found = SAID.find("we moved to Pörto")
    assert found is not None
    assert (found.text, found.message, found.start, found.end) == ("we moved to Pörto", 0, 45 - 4, 58)


@pytest.mark.parametrize(
    "quote",
    [
        "WE MOVED TO PORTO",
        "we  moved\nto Porto,",
        "“I don't live in Portland”",
        "I dont live in Portland",
        "My dog's name is Beans",
        "My dog's name is Bea…",
        "...dog's name is Beans",
        "we moved to Porto last M",
        "I don't live in Portland ... moved to Porto",
        "we moved [...] last May",
        "moved to Porto ... dog's name",
        "東京に住んで",
        "Beans",
    ],
)
def test_what_was_said_is_found(quote: str) -> None:
    assert SAID.find(quote) is not None


@pytest.mark.parametrize(
    "quote",
    [
        "I moved to Porto",
        "live in Port",
        "we moved to Porto ... we live in Berlin",
        "last May ... we moved to Porto last May and stayed",
        "oves to",
        "I",
        "",
        "...",
        "!!!",
        "Portland is where I live",
    ],
)
def test_what_was_not_said_is_not(quote: str) -> None:
    assert SAID.find(quote) is None


def test_a_letter_composed_in_two_ways_is_the_same() -> None:
    assert SaidWords({0: "Jose\u0301 lives here"}).find("José lives") is not None
    assert SaidWords({0: "die Straße"}).find("die Strasse") is not None
    assert SaidWords({0: "मैं दिल्ली में रहता हूँ"}).find("दिल्ली में रहता") is not None


def test_the_place_is_in_the_message_as_it_stands() -> None:
    text = "Well...  my DOG's\tname is Beans!"
    found = SaidWords({3: text}).find("my dogs name is Beans")
    assert found is not None
    assert text[found.start : found.end] == "my DOG's\tname is Beans"
    assert found.message == 3
    assert found.text == "my DOG's name is Beans"


def test_a_long_quotation_keeps_its_ends_and_no_more() -> None:
    found = SaidWords({0: f"I live {'far away ' * 100} in Porto"}).find("I live ... in Porto")
    assert found is not None
    assert found.text == "I live … in Porto"
    assert len(found.text) <= MAX_QUOTE_CHARS


def test_the_latest_message_counts() -> None:
    found = SaidWords({0: "my dog Beans", 4: "my dog Beans"}).find("my dog Beans")
    assert found is not None
    assert found.message == 4


@pytest.mark.parametrize(
    ("value", "words"),
    [("Porto", "Pörto"), ("beans", "Beans"), ("coffee black, no sugar", None), ("Berlin", None), ("", None)],
)
def test_a_value_without_a_quotation_is_looked_for(value: str, words: str | None) -> None:
    found = SAID.find_value(value)
    assert (found.text if found else None) == words


def test_half_of_a_values_words_in_one_sentence_will_do() -> None:
    said = SaidWords({0: "I drink coffee. Black, please, and no sugar in it.", 2: "Coffee is nice"})
    found = said.find_value("coffee black, without sugar")
    assert found is not None
    assert found.text == "Black, please, and no sugar"


def test_the_same_letters_are_the_same() -> None:
    assert same_letters("Köln ", "koln")
    assert not same_letters("Köln", "Kölner")


def test_the_time_grows_with_the_text_and_no_faster() -> None:
    def search(text: str) -> None:
        said = SaidWords({0: text})
        said.find(" ... ".join(["a"] * 200))
        said.find("ab " * 300)

    assert growth(search, lambda words: "a" * words + " " + "ab " * words, size=10_000) <= LINEAR_AT_MOST
