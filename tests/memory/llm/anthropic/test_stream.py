"""Relaying a stream of Anthropic's: its events as OpenAI's chunks."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesar.conf import AnthropicSettings
from memory import llm
from memory.llm import BadAnswer, LLMError
from tests.memory.llm.anthropic.relaying import ASK
from tests.memory.llm.scripted import llm_settings, scripted_llm
from tests.memory.llm.servers.model_server import stream_server
from tests.memory.llm.servers.stream_pieces import named, sse

START: dict[str, Any] = {
    "type": "message_start",
    "message": {"model": "claude-small", "usage": {"input_tokens": 5, "output_tokens": 1}},
}
TEXT: dict[str, Any] = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}
END: list[dict[str, Any]] = [
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]


def test_pieces_are_handed_on_as_they_come() -> None:
    with (
        stream_server() as server,
        llm_settings(provider="anthropic", model="m", task_routing={"chat": {"base_url": server.url, "api_key": "k"}}),
    ):
        server.send(named(START))
        stream = llm.relay_stream({**ASK, "stream_options": {"include_usage": True}})
        chunks: Iterator[Any] = iter(stream)
        assert next(chunks)["choices"][0]["delta"] == {"role": "assistant", "content": ""}
        server.send(named(TEXT))
        assert next(chunks)["choices"][0]["delta"] == {"content": "Hi"}
        assert stream.completion == llm.Completion("Hi", "claude-small", "anthropic", "", 5, 1)
        server.send(named(*END))
        assert len(list(chunks)) == 2
        assert stream.completion == llm.Completion("Hi", "claude-small", "anthropic", "stop", 5, 9)
        assert server.requests[0]["stream"] is True
        assert server.asked[0].headers["x-api-key"] == "k"


def streamed(content: bytes) -> tuple[list[Any], llm.RelayedStream]:
    answer = httpx.Response(200, content=iter([content]))
    with scripted_llm(answer, provider="anthropic", anthropic=AnthropicSettings(api_key="k")):
        stream = llm.relay_stream(ASK)
        return list(stream), stream


def arguments(chunks: list[Any]) -> str:
    calls = [call for chunk in chunks for call in chunk["choices"][0]["delta"].get("tool_calls", [])]
    return "".join(call["function"].get("arguments", "") for call in calls)


def test_the_input_of_a_tool_may_come_whole() -> None:
    """Some copies of the API send it with the block's start."""
    for whole, text in (({"a": 1}, '{"a": 1}'), ({}, "{}"), (None, "{}"), ('{"b": 2}', '{"b": 2}')):
        block = {"type": "tool_use", "id": "t", "name": "walk", "input": whole}
        begin = {"type": "content_block_start", "index": 0, "content_block": block}
        chunks, stream = streamed(named(START, begin, {"type": "content_block_stop", "index": 0}, *END))
        assert arguments(chunks) == text
        assert stream.calls_tool


def test_text_may_come_with_the_blocks_start() -> None:
    begin = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Oh "}}
    _, stream = streamed(named(START, begin, TEXT, *END))
    assert stream.completion.text == "Oh Hi"


def test_events_without_names_are_read_by_their_types() -> None:
    _, stream = streamed(sse(START, TEXT, *END))
    assert (stream.completion.text, stream.completion.finish_reason) == ("Hi", "stop")


def test_a_stream_may_end_without_its_last_event() -> None:
    _, stream = streamed(named(START, TEXT, END[0]))
    assert stream.completion.finish_reason == "stop"


def test_an_end_without_a_beginning_is_no_answer() -> None:
    with pytest.raises(BadAnswer, match="ends before it begins"):
        streamed(named(END[1]))


def test_an_end_without_a_reason_is_a_normal_one() -> None:
    _, stream = streamed(named(START, TEXT, END[1]))
    assert stream.completion.finish_reason == "stop"


EVENTS: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["message_start", "content_block_start", "content_block_delta", "content_block_stop"]
                + ["message_delta", "message_stop", "ping", "error"]
            ),
            "index": st.sampled_from([0, 1, None, "x", [], {}]),
            "message": st.sampled_from(
                [None, {}, {"model": 7, "usage": []}, {"model": "m", "usage": {"input_tokens": "x"}}]
            ),
            "content_block": st.sampled_from([None, {}, {"type": "tool_use"}, {"type": "text", "text": 7}, "x"]),
            "delta": st.sampled_from(
                [
                    None,
                    {},
                    {"text": None},
                    {"text": "x"},
                    {"partial_json": 7},
                    {"partial_json": "{"},
                    {"stop_reason": 7},
                ]
            ),
            "usage": st.sampled_from([None, {}, [], {"output_tokens": -1}, {"output_tokens": 3}]),
            "error": st.sampled_from([None, "x", {"type": "overloaded_error"}, {"message": {"a": 1}}]),
        },
    ),
    max_size=6,
)


@given(EVENTS)
def test_no_events_raise_anything_of_another_kind(events: list[dict[str, Any]]) -> None:
    try:
        chunks, _ = streamed(sse(START, *events))
    except LLMError:
        return
    assert all(chunk["object"] == "chat.completion.chunk" for chunk in chunks)
