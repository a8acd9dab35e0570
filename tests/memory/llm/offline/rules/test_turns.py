"""The offline rules on a whole chat: who spoke, what came before, which keys are known."""

from memory.llm.offline.rules import Turn, facts_in
from tests.memory.llm.offline.rules.learned import NOTHING, learned


def test_assistant_text_never_teaches() -> None:
    turns = [
        Turn("operator", "Suggest a hobby.", True),
        Turn("assistant", "I live in Graz. My dog's name is Rex.", True),
    ]
    assert facts_in(turns, []) == []


def test_earlier_turns_do_not_teach_again() -> None:
    assert facts_in([Turn("operator", "I live in Graz.", False), Turn("operator", "Thanks!", True)], []) == []


def test_a_pronoun_reaches_back_to_the_turn_before() -> None:
    assert learned("I have a dog.", "He's called Beans.") == {"dog.name": "Beans"}


def test_role_play_silences_the_rest_of_the_chat() -> None:
    assert learned("Let's role-play, you are a wizard.", "I live in Rome and my horse is called Dusk.") == NOTHING


def test_a_known_key_is_used_again() -> None:
    assert learned("I live in Kotka.", known=("home.city",)) == {"home.city": "Kotka"}
    assert learned("I'm a baker.", known=("occupation",)) == {"occupation": "baker"}
    assert learned("I hate coriander.", known=("food.coriander",)) == {"food.coriander": "no coriander"}
    assert learned("I'm allergic to nuts.", known=("allergy.nuts",)) == {"allergy.nuts": "nuts"}


def test_the_last_word_on_a_key_wins() -> None:
    assert learned("I live in Kotka. Sorry, I live in Porvoo.") == {"address.city": "Porvoo"}


def test_at_most_twelve_claims() -> None:
    assert len(learned(" ".join(f"I hate {letter}ork." for letter in "abcdefghijklmnopqrst"))) == 12


def test_a_secret_costs_only_its_own_sentence() -> None:
    assert learned("My PIN is 4711. I live in Kotka.") == {"address.city": "Kotka"}


def test_statements_before_a_task_are_learned() -> None:
    assert learned("I'm vegan. Write a poem about a wolf who lives in Graz.") == {"diet.type": "vegan"}


def test_a_fact_knows_the_sentence_it_came_from() -> None:
    text = "Hi there!  My dog’s name is Beans.\nIch wohne in Graz, und du?"
    facts = facts_in([Turn("operator", text, True)], [])
    assert [(fact.key, fact.quote) for fact in facts] == [
        ("dog.name", "Hi there!  My dog’s name is Beans."),
        ("address.city", "Ich wohne in Graz, und du?"),
    ]


def test_friends_do_not_overwrite_one_another() -> None:
    assert learned("My friend Ann called. My friend Bo did not.") == {"friend.ann": "Ann", "friend.bo": "Bo"}


def test_a_kitten_is_not_the_cat_and_a_puppy_not_the_dog() -> None:
    assert learned(
        "Our cat is called Miso. Our kitten is called Fig. Our dog is called Rex. Our puppy is called Bo."
    ) == {
        "cat.name": "Miso",
        "kitten.name": "Fig",
        "dog.name": "Rex",
        "puppy.name": "Bo",
    }
