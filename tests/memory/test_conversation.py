"""A conversation read once: what its newest words are, what may teach, and how it is known again (decision 1)."""

from memory.conversation import Conversation
from memory.events import Message
from tests.turns import IMAGE, assistant, user


def test_it_works() -> None:
    messages = [user("hi"), assistant("hello"), user("my dog's name is Beans")]
    assert Conversation(messages).question == "my dog's name is Beans"
    assert Conversation(messages).latest_indices == [2]


def test_what_comes_after_the_last_assistant_turn_is_new() -> None:
    messages = [user("a"), assistant("b"), user("c"), user("d")]
    assert Conversation(messages).latest_indices == [2, 3]
    assert Conversation([user("a"), assistant("b")]).latest_indices == []
    assert Conversation([]).latest_indices == []


def test_a_picture_alone_still_counts_in_the_sequence() -> None:
    assert Conversation([user([IMAGE]), user("hi")]).operator_texts == ["[image_url]", "hi"]


def test_two_conversations_share_the_fingerprints_of_their_common_beginning() -> None:
    one = Conversation([user("a"), assistant("x"), user("b"), user("c")]).fingerprints
    other = Conversation([user("A"), user("b"), user("d")]).fingerprints
    assert one[:2] == other[:2]
    assert one[2] != other[2]
    assert Conversation([user("ab")]).fingerprints[-1] != Conversation([user("a"), user("b")]).fingerprints[-1]
    assert Conversation([assistant("x")]).fingerprints == []


def test_a_picture_sent_last_asks_nothing() -> None:
    assert Conversation([user("my dog"), user([IMAGE])]).question == ""


def test_the_system_prompt_is_the_clients_own() -> None:
    prompts = [Message(role="system", content="Be brief."), Message(role="developer", content="No lists.")]
    assert Conversation([*prompts, user("hi")]).system_prompt == "Be brief.\n\nNo lists."
    assert Conversation([user("hi")]).system_prompt is None
