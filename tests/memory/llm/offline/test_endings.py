"""What the rules read as no longer true: plain forms, known keys, and nothing else."""

import json

import pytest

from memory.llm.offline.endings import endings_in
from memory.llm.offline.rules import Turn

KNOWN = [
    *("address.city", "dog.name", "cat.name", "user.name", "job.employer", "job.title", "preference.jazz"),
    *("health.smoking", "health.allergy.nuts", "diet.type", "hobby.guitar", "car.model"),
]


def ended(text: str, known: list[str] = KNOWN) -> list[tuple[str, str]]:
    return [(one.key, one.value) for one in endings_in([Turn("operator", text, True)], known)]


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("I no longer live in Portland, the move is done. Tom came along.", "address.city", "Portland"),
        ("I don’t live in Portland any more", "address.city", "Portland"),
        ("Oh, by the way, I don't live in Portland anymore, I live in Berlin now.", "address.city", "Portland"),
        ("We moved out of Portland last week.", "address.city", "Portland"),
        ("forget that I like jazz", "preference.jazz", ""),
        ("Please forget that I live in Portland.", "address.city", "Portland"),
        ("I don't like jazz anymore, I love techno", "preference.jazz", ""),
        ("Our dog died last night.", "dog.name", ""),
        ("my cat Tom passed away", "cat.name", "Tom"),
        ("I quit my job at Siemens", "job.employer", "Siemens"),
        ("I no longer work as a teacher", "job.title", "teacher"),
        ("I'm no longer vegan", "diet.type", "vegan"),
        ("I'm no longer allergic to nuts", "health.allergy.nuts", ""),
        ("I quit smoking", "health.smoking", ""),
        ("I no longer play the guitar", "hobby.guitar", ""),
        ("I sold my car", "car.model", ""),
        ("Ich wohne nicht mehr in Berlin.", "address.city", "Berlin"),
        ("Ich habe bei Bosch gekündigt", "job.employer", "Bosch"),
        ("Vergiss, dass ich in Berlin wohne", "address.city", "Berlin"),
        ("Je n'habite plus à Lyon", "address.city", "Lyon"),
        ("Oublie que j'habite à Lyon", "address.city", "Lyon"),
        ("J'ai démissionné de chez Renault", "job.employer", "Renault"),
        ("Ya no vivo en Madrid", "address.city", "Madrid"),
        ("Olvida que vivo en Madrid", "address.city", "Madrid"),
        ("Non abito più a Roma", "address.city", "Roma"),
        ("Dimentica che vivo a Roma", "address.city", "Roma"),
    ],
)
def test_a_plain_form_ends_its_key(said: str, key: str, value: str) -> None:
    assert ended(said) == [(key, value)]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("we had to put Beans down", "Beans"),
        ("Beans died", "Beans"),
        ("Bello ist gestorben", "Bello"),
        ("Wir mussten Bello einschläfern lassen", "Bello"),
        ("Médor est mort", "Médor"),
        ("Toby murió", "Toby"),
        ("Fido è morto", "Fido"),
    ],
)
def test_a_name_alone_ends_whichever_key_has_it(said: str, name: str) -> None:
    assert ended(said) == [("dog.name", name), ("cat.name", name)], "but not the operator's own name"


@pytest.mark.parametrize(
    "said",
    [
        "that's not true any more",
        "forget that",
        "Do I no longer live in Portland?",
        'She said "I no longer live in Portland"',
        "> I no longer live in Portland",
        "```\nI no longer live in Portland\n```",
        "He no longer lives in Portland",
        "Imagine I no longer live in Portland",
        "If I no longer live in Portland, what then",
        "I left Portland this morning",
        "My phone died",
        "It died",
        "I live in Portland",
        "You are a pirate now and I am your captain. I no longer live in Portland.",
        "",
    ],
)
def test_anything_else_ends_nothing(said: str) -> None:
    assert ended(said) == []


def test_only_known_keys_and_new_words_of_the_operator_end() -> None:
    assert ended("I no longer live in Portland", ["dog.name"]) == []
    turns = [Turn("assistant", "I no longer live in Portland", True), Turn("operator", "Beans died", False)]
    assert endings_in(turns, KNOWN) == []


def test_the_quote_is_what_was_said() -> None:
    (one,) = endings_in([Turn("operator", "Sadly, our dog died.", True)], KNOWN)
    assert one.quote in "Sadly, our dog died."


@pytest.mark.parametrize("text", ["I no longer " * 20_000, "forget that " * 20_000, "A" * 200_000, "\ud800 died"])
def test_no_text_is_too_much(text: str) -> None:
    json.dumps(ended(text))
