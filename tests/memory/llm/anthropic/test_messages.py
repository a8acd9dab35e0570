"""The provider `anthropic`: a chat's messages in its shape."""

from typing import Any

import pytest

from memory.events import Message
from tests.memory.llm.anthropic.completing import HELLO, PIXEL, TEXT, THOUGHT, answering, ask, turns_of


def test_system_messages_stand_apart_from_the_turns() -> None:
    messages = [
        Message(role="system", content="Be brief.\n"),
        Message(role="user", content="Hello"),
        Message(role="developer", content=[{"type": "text", "text": "Be kind."}]),
        Message(role="system", content="  "),
    ]
    _, server = ask(answering(TEXT), messages=messages)
    assert server.requests[0]["system"] == "Be brief.\n\n\nBe kind."
    assert server.requests[0]["messages"] == [{"role": "user", "content": "Hello"}]


def test_without_a_system_message_there_is_no_system() -> None:
    _, server = ask(answering(TEXT), messages=[Message(role="system", content=" "), *HELLO])
    assert "system" not in server.requests[0]


def test_messages_of_one_side_become_one_turn() -> None:
    assert turns_of(
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ) == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ]


def test_turns_without_content_are_left_out() -> None:
    assert turns_of(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": " \n"},
        {"role": "user", "content": [{"type": "text", "text": ""}]},
        {"role": "user", "content": "b"},
    ) == [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]


def test_the_first_and_the_last_turn_are_the_users() -> None:
    turns = turns_of(
        {"role": "assistant", "content": "Welcome."},
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": "Well then "},
    )
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user", "assistant", "user"]
    assert (turns[0]["content"], turns[-1]["content"]) == ("[nothing said]", "[go on]")


def test_nothing_but_a_system_message_is_still_a_request() -> None:
    assert turns_of({"role": "system", "content": "Say hello."}) == [{"role": "user", "content": "[nothing said]"}]


def test_tool_calls_and_their_results_become_words() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
    assert turns_of(
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "tool_calls": [call, {"odd": True}, "odd"]},
        {"role": "tool", "tool_call_id": "1", "content": "12 degrees"},
    ) == [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": '[called the tool weather with {"city": "Oslo"}]'},
        {
            "role": "user",
            "content": [{"type": "text", "text": "[result of a tool]"}, {"type": "text", "text": "12 degrees"}],
        },
    ]


@pytest.mark.parametrize(
    ("part", "block"),
    [
        (
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}", "detail": "low"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}},
        ),
        (
            {"type": "image_url", "image_url": {"url": f"data:image/JPG;charset=utf-8;base64,{PIXEL}"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": PIXEL}},
        ),
        (
            {"type": "input_image", "image_url": "https://pictures.test/a.png"},
            {"type": "image", "source": {"type": "url", "url": "https://pictures.test/a.png"}},
        ),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": PIXEL}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": PIXEL}},
        ),
        ({"type": "image_url", "image_url": {"url": "http://plain.test/a.png"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": {"url": f"data:image/tiff;base64,{PIXEL}"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": {"url": "data:text/html,hello"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": None}, "[image_url left out]"),
        ({"type": "image"}, "[image left out]"),
        ({"type": "input_audio", "input_audio": {"data": "AAAA"}}, "[input_audio left out]"),
        ({"type": 7}, "[part left out]"),
        ({"text": "no type"}, "no type"),
    ],
)
def test_a_part_goes_out_in_anthropics_shape_or_as_a_placeholder(
    part: dict[str, Any], block: dict[str, Any] | str
) -> None:
    turns = turns_of({"role": "user", "content": [{"type": "text", "text": "See:"}, part]})
    expected = {"type": "text", "text": block} if isinstance(block, str) else block
    assert turns[0]["content"] == [{"type": "text", "text": "See:"}, expected]


def test_what_a_model_thought_before_is_not_sent_again() -> None:
    turns = turns_of(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [THOUGHT, {"type": "redacted_thinking", "data": "x"}, TEXT]},
        {"role": "user", "content": "b"},
    )
    assert turns[1] == {"role": "assistant", "content": "Hello to you."}


def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    assert turns_of({"role": "user", "content": "weather \ud83c today"})[0]["content"] == "weather \ufffd today"
