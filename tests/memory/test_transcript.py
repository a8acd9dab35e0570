"""One message of any shape: its plain text, what is the operator's own, what is stored (decisions 1, 23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import transcript
from memory.events import Message
from memory.text import wording
from tests.turns import IMAGE, assistant, user


def test_it_works() -> None:
    assert transcript.is_operator(user("hi"))
    assert transcript.own_words(user([{"type": "text", "text": " hi "}, IMAGE])) == "hi"


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("text", "text"),
        (None, ""),
        ([], ""),
        (
            [{"type": "text", "text": "What plant?"}, IMAGE, {"type": "text", "text": "By the pond."}],
            "What plant?\nBy the pond.",
        ),
        ([{"text": "no type"}], "no type"),
        ([{"type": "text", "text": 7}], ""),
        ([{"type": "input_audio", "text": "not words"}], ""),
        ("a\0b", "ab"),
        ("half \ud83c pair", "half \N{REPLACEMENT CHARACTER} pair"),
    ],
)
def test_plain_text_of_every_kind_of_content(content: object, plain: str) -> None:
    assert transcript.plain_text(user(content)) == plain


def test_our_own_block_pasted_into_a_message_is_not_heard() -> None:
    block = wording.memory_block(
        wording.facts_block(["Your dog's name is Beans."], max_facts=9, max_chars=999).text,
        wording.episodes_block([("yesterday", "We spoke of Beans.")]),
    )
    pasted = user(f"{block}\n\nHow long do I boil an egg?")
    assert transcript.own_words(pasted) == "How long do I boil an egg?"


def test_a_list_of_the_operators_own_after_a_pasted_block_stays() -> None:
    block = wording.facts_block(["Your dog's name is Beans."], max_facts=9, max_chars=999).text
    assert (
        transcript.own_words(user(f"{block}\n\n- I live in Berlin\n- I am vegan")) == "- I live in Berlin\n- I am vegan"
    )


def test_a_list_of_the_operators_own_stays() -> None:
    assert transcript.own_words(user("Buy:\n  - milk\n  - eggs")) == "Buy:\n  - milk\n  - eggs"


def test_storage_keeps_words_and_leaves_placeholders_for_the_rest() -> None:
    (stored,) = transcript.storable([user([{"type": "text", "text": "hi\0"}, IMAGE])])
    assert stored.content == [{"type": "text", "text": "hi"}, {"type": "placeholder", "of": "image_url"}]


def test_fields_unknown_here_are_kept() -> None:
    call = assistant(None, tool_calls=[{"id": "t1", "function": {"name": "f", "arguments": "{}"}}])
    (stored,) = transcript.storable([call])
    assert stored.as_sent() == call.as_sent()


@given(st.text(st.characters()))
def test_stored_text_can_always_be_encoded(words: str) -> None:
    (stored,) = transcript.storable([user(words)])
    stored.model_dump_json().encode()
    assert "\0" not in str(stored.content)


@given(st.text(alphabet=st.sampled_from("ab -\n'`?:W"), max_size=40))
def test_without_a_heading_of_ours_nothing_is_taken_out(words: str) -> None:
    assert transcript.without_memory_block(words) == words


def test_a_block_is_put_beside_what_a_system_message_says() -> None:
    system = Message.model_validate({"role": "system", "content": "Be brief.", "name": "setup"})
    top = transcript.with_memory_block(system, "BLOCK", position="top")
    assert top.as_sent() == {"role": "system", "content": "BLOCK\n\nBe brief.", "name": "setup"}
    behind = transcript.with_memory_block(system, "BLOCK", position="after_prompt")
    assert behind.content == "Be brief.\n\nBLOCK"
    assert transcript.with_memory_block(system, "", position="top") is system


def test_a_block_is_a_part_of_its_own_beside_parts() -> None:
    parts: list[dict[str, object]] = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    system = Message.model_validate({"role": "developer", "content": parts})
    block = {"type": "text", "text": "BLOCK"}
    assert transcript.with_memory_block(system, "BLOCK", position="top").content == [block, *parts]
    assert transcript.with_memory_block(system, "BLOCK", position="after_prompt").content == [*parts, block]


@pytest.mark.parametrize("position", ["top", "after_prompt"])
def test_a_block_that_the_client_sent_back_gives_way_to_the_new_one(position: wording.Position) -> None:
    old = f"{wording.PREFACE}\n\n{wording.FACTS_HEADING}\n  - Your dog's name is Beans."
    sent_back = Message(role="system", content=wording.join_prompt("Be brief.", old, position=position))
    assert transcript.with_memory_block(sent_back, "BLOCK", position=position).content == wording.join_prompt(
        "Be brief.", "BLOCK", position=position
    )
