"""What of a recorded chat was said: by whom, and whether this chat adds it."""

from memory.events import ChatCompleted, HeardSpan, Message
from memory.units import spoken_turns


def said(*messages: tuple[str, str], reply: str = "", **fields: object) -> list[tuple[bool, str, bool]]:
    chat = ChatCompleted(messages=[Message(role=role, content=text) for role, text in messages], reply=reply, **fields)
    return [(turn.by_operator, turn.text, turn.is_new) for turn in spoken_turns(chat)]


def test_it_works() -> None:
    assert said(("user", "My boat leaks."), reply="Where?", new_messages=[0]) == [
        (True, "My boat leaks.", True),
        (False, "Where?", True),
    ]


def test_all_is_new_from_the_first_new_words_on() -> None:
    talk = [("user", "One."), ("assistant", "Two."), ("user", "Three.")]
    assert said(*talk, reply="Four.", new_messages=[2]) == [
        (True, "One.", False),
        (False, "Two.", False),
        (True, "Three.", True),
        (False, "Four.", True),
    ]


def test_of_a_message_with_old_words_the_new_ones_count() -> None:
    text = "I have a dog. My boat leaks."
    heard = [HeardSpan(message=0, start=0, end=13, chat_id=1)]
    assert said(("user", text), new_messages=[0], heard=heard) == [(True, "My boat leaks.", True)]


def test_only_what_the_two_say_counts() -> None:
    """No system message, tool output or thought, and no answer that was given without a model."""
    talk = [("system", "You are kind."), ("user", "My boat leaks."), ("tool", "{}"), ("assistant", "")]
    assert said(*talk, reply="<think>A boat?</think>Where?", new_messages=[1]) == [
        (True, "My boat leaks.", True),
        (False, "Where?", True),
    ]
    assert said(("user", "My boat leaks."), reply="No model.", provider="offline", new_messages=[0]) == [
        (True, "My boat leaks.", True)
    ]
