"""Relaying a stream of OpenAI's: chunks pass unchanged, and the first is recorded."""

import json
from typing import Any

import httpx
import pytest

from memory import llm
from memory.llm import (
    Completion,
    ConnectionLost,
)
from tests.memory.llm.openai.relaying import ASK, HELLO, KEY, START, STOP, read, upstream
from tests.memory.llm.scripted import completion, scripted_llm
from tests.memory.llm.servers.stream_pieces import DONE, chunk, sse

WITH_USAGE = {**ASK, "stream_options": {"include_usage": True}}


def test_chunks_are_handed_on_as_they_come() -> None:
    with upstream() as server:
        server.send(sse(START))
        stream = llm.relay_stream({**WITH_USAGE, "seed": 3})
        assert stream.completion == Completion("", "gpt-small", "openai", "", None, None)
        chunks = iter(stream)
        assert next(chunks) == START
        server.send(sse(HELLO))
        assert next(chunks) == HELLO
        assert (stream.completion.text, stream.completion.finish_reason) == ("Hello", "")
        usage = {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}
        last = {"id": "chatcmpl-1", "model": "gpt-small-2", "choices": [], "usage": usage}
        server.send(sse(STOP), sse(last), DONE)
        server.end()
        assert list(chunks) == [STOP, last]
    assert stream.completion == Completion("Hello", "gpt-small-2", "openai", "stop", 5, 1)
    assert server.requests == [{**WITH_USAGE, "seed": 3, "model": "gpt-small", "stream": True}]
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.asked[0].headers["accept-encoding"] == "identity"


def test_a_connection_serves_one_stream_after_another() -> None:
    with upstream() as server:
        for _ in range(3):
            server.send(sse(HELLO, STOP), DONE)
            server.end()
            assert len(list(llm.relay_stream(ASK))) == 2
        assert len(server.connections) == 1


def test_a_server_that_never_ends_its_stream_is_left_after_done() -> None:
    with upstream() as server:
        server.send(sse(HELLO, STOP), DONE)
        assert list(llm.relay_stream(ASK)) == [HELLO, STOP]
        assert server.is_left()


def test_tool_calls_pass_untouched() -> None:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ""}}
    more = {"index": 0, "function": {"arguments": '{"city"'}}
    sent = [
        chunk(role="assistant", content=None, tool_calls=[call]),
        chunk(tool_calls=[more]),
        chunk(finish_reason="tool_calls"),
    ]
    chunks, stream = read(sse(*sent) + DONE)
    assert chunks == sent
    assert stream.calls_tool
    assert (stream.completion.text, stream.completion.finish_reason) == ("", "tool_calls")


def test_of_several_streamed_choices_the_first_is_recorded() -> None:
    sent = [
        chunk(index=1, content="Two"),
        chunk(content="One"),
        chunk(finish_reason="stop"),
        chunk(index=1, finish_reason="length"),
    ]
    chunks, stream = read(sse(*sent))
    assert chunks == sent
    assert (stream.completion.text, stream.completion.finish_reason) == ("One", "stop")
    with pytest.raises(ConnectionLost):
        read(sse(*sent[:-1]))


def test_a_surrogate_pair_in_two_chunks_is_one_character() -> None:
    _, stream = read(b"".join(sse(json.dumps(chunk(content=half))) for half in ("\ud83d", "\udc15")) + sse(STOP))
    assert stream.completion.text == "\U0001f415"


def test_chunks_of_any_shape_are_handed_on_with_nothing_changed() -> None:
    odd: list[dict[str, Any]] = [
        {"object": "chat.completion.chunk", "choices": None},
        {"choices": [], "prompt_filter_results": []},
        {"choices": [None, 7, {"delta": None}, {"index": "x", "delta": {"content": 7}}]},
        {"choices": [{"index": 0, "delta": {"content": None, "role": None}, "finish_reason": None}], "vendor": 1.5},
        {"usage": 7, "choices": {"a": 1}},
    ]
    chunks, stream = read(sse(*odd, STOP) + DONE)
    assert chunks == [*odd, STOP]
    assert stream.completion.text == ""


@pytest.mark.parametrize(
    "options", [{}, {"stream_options": None}, {"stream_options": {"include_usage": False, "x": 1}}]
)
def test_tokens_that_the_client_does_not_ask_for_are_asked_for_recorded_and_kept_from_it(
    options: dict[str, Any],
) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}
    sent = sse({**HELLO, "usage": None}, {**STOP, "usage": None}, {"choices": [], "usage": usage})
    with scripted_llm(httpx.Response(200, content=sent + DONE)) as server:
        stream = llm.relay_stream({**ASK, **options})
        assert list(stream) == [HELLO, STOP]
    assert (stream.completion.input_tokens, stream.completion.output_tokens) == (5, 1)
    given = options.get("stream_options") or {}
    assert server.requests[0]["stream_options"] == {**given, "include_usage": True}


# --- a whole answer in place of a stream ------------------------------------------------------------------------


def test_a_whole_answer_is_handed_on_as_chunks() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]
    answer = completion("Hello to you.", tool_calls=calls)
    with scripted_llm(*[httpx.Response(200, json=answer)] * 2):
        (first, last), stream = list(found := llm.relay_stream(WITH_USAGE)), found
        (alone,) = list(llm.relay_stream(ASK))
    assert alone == first
    assert first["object"] == last["object"] == "chat.completion.chunk"
    assert first["choices"] == [
        {
            "index": 0,
            "finish_reason": "stop",
            "delta": {"role": "assistant", "content": "Hello to you.", "tool_calls": [{"index": 0, **calls[0]}]},
        }
    ]
    assert (last["choices"], last["usage"]) == ([], answer["usage"])
    assert stream.completion == Completion("Hello to you.", "scripted", "openai", "stop", 11, 7)
    assert stream.calls_tool


def test_a_whole_answer_may_begin_with_a_mark_and_blanks() -> None:
    for head in (b"\xef\xbb\xbf", b"\n \n", b"\xef\xbb\xbf \n"):
        (chunk,), _ = read(iter([head[:1], head[1:], json.dumps(completion("Hello.")).encode()]))
        assert chunk["choices"][0]["delta"]["content"] == "Hello."
