"""Messages of any shape: who speaks, what teaches, what is stored and what goes to the extractor."""

import json

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory import transcript
from memory.conversation import Conversation, new_message_indices
from memory.events import ChatCompleted, Message
from memory.learning.document import Document, document_turns
from memory.text import wording
from tests.fuzz.strategies import messages, odd_text
from tests.growth import LINEAR_AT_MOST, growth, of_unit

any_indices = st.lists(st.integers(-3, 9), max_size=6)


def everything_in(value: object) -> str:
    """As JSON text: raises where something in it is no JSON or cannot be encoded."""
    said = json.dumps(value, ensure_ascii=False)
    said.encode()
    return said


@hypothesis_settings(deadline=None, max_examples=150)
@given(messages())
def test_only_words_of_the_operator_teach(sent: list[Message]) -> None:
    teaching = new_message_indices(ChatCompleted(messages=transcript.storable(sent)))
    assert teaching == sorted(set(teaching))
    for index in teaching:
        assert sent[index].role == "user"
        assert transcript.own_words(sent[index])
    texts = Conversation(sent).operator_texts
    assert len(texts) == sum(message.role == "user" for message in sent)
    assert all(isinstance(words, str) for words in [*texts, Conversation(sent).question])
    everything_in(texts)


@hypothesis_settings(deadline=None, max_examples=150)
@given(messages())
def test_what_is_stored_is_text_and_stays_as_it_is(sent: list[Message]) -> None:
    stored = transcript.storable(sent)
    said = [message.as_sent() for message in stored]
    assert "\\u0000" not in json.dumps(said)
    everything_in([message["content"] for message in said])
    assert [message.as_sent() for message in transcript.storable(stored)] == said
    assert [transcript.plain_text(message) for message in stored] == [transcript.plain_text(one) for one in sent]
    for message in stored:
        for part in message.content if isinstance(message.content, list) else []:
            assert set(part) in ({"type", "text"}, {"type", "of"})


@hypothesis_settings(deadline=None, max_examples=100)
@given(messages(), st.none() | any_indices, st.integers(1_000, 2_000))
def test_any_row_makes_a_document_within_its_bound(sent: list[Message], new: list[int] | None, bound: int) -> None:
    completed = ChatCompleted(messages=transcript.storable(sent), new_messages=new)
    document = Document("2026-05-20", [], document_turns(completed))
    fitted = document.fit(bound)
    assert len(fitted.text) <= bound
    turns = json.loads(fitted.text)["conversation"]
    assert {turn["speaker"] for turn in turns} <= {"operator", "assistant"}
    assert 0 <= fitted.unread <= len(document.turns)


@hypothesis_settings(deadline=None, max_examples=100)
@example("```", f"```{wording.FACTS_HEADING}", [])
@given(odd_text, odd_text, st.lists(odd_text, max_size=4))
def test_our_own_block_is_never_heard_again(before: str, after: str, values: list[str]) -> None:
    sentences = [wording.sentence("note", value) for value in values]
    block = wording.facts_block(sentences, max_facts=30, max_chars=2048).text
    pasted = f"{before}\n{wording.memory_block(block, '')}\n\n{after}"
    heard = transcript.own_words(Message(role="user", content=pasted))
    assert wording.FACTS_HEADING not in heard.splitlines()
    assert all(f"  - {sentence}" not in heard.splitlines() for sentence in sentences if sentence not in before + after)


def read_all(sent: list[Message]) -> None:
    """What is made of a chat on its way to the extractor."""
    assert len(Conversation(sent).operator_texts) <= len(sent)
    stored = transcript.storable(sent)
    document = Document("2026-05-20", [], document_turns(ChatCompleted(messages=stored)))
    assert len(document.fit(48_000).text) <= 48_000


def show_fact(value: str) -> None:
    wording.facts_block([wording.sentence("note", value)], max_facts=30, max_chars=2048)


@pytest.mark.parametrize(
    "shape",
    [
        "word ",
        "\n",
        "  - x\n",
        f"{wording.FACTS_HEADING}\n  - x\n",
        "\u0301",
        "\ud83c",
        "\0",
        '"\\',
        "\u200d",
        "a\u2028",
    ],
)
def test_long_messages_and_many_are_read_in_linear_time(shape: str) -> None:
    def one(chars: int) -> list[Message]:
        return [Message(role="user", content=shape * (chars // len(shape)))]

    def many(count: int) -> list[Message]:
        return [Message(role="user", content=f"{shape}{number}") for number in range(count)]

    assert growth(read_all, one, size=20_000) <= LINEAR_AT_MOST
    assert growth(read_all, many, size=500) <= LINEAR_AT_MOST
    assert growth(show_fact, of_unit(shape), size=20_000) <= LINEAR_AT_MOST
