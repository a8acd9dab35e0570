import gzip
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesar.conf import OpenAISettings
from memory import llm
from memory.llm import (
    AccessDenied,
    BadAnswer,
    Completion,
    ConnectionLost,
    LLMError,
    NotFound,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    Unreachable,
)
from tests.memory.llm.model_server import ModelServer, Refusal, model_server, stream_server
from tests.memory.llm.scripted import completion, llm_settings, scripted_llm
from tests.memory.llm.stream_pieces import DONE, chunk, sse

KEY = "sk-live-0123456789abcdefghij"
ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
START, HELLO, STOP = chunk(role="assistant", content=""), chunk(content="Hello"), chunk(finish_reason="stop")


@contextmanager
def openai_at(url: str, **fields: Any) -> Iterator[None]:
    server = OpenAISettings(base_url=f"{url}/v1", api_key=KEY)
    with llm_settings(provider="openai", model="gpt-small", openai=server, **fields):
        yield


@contextmanager
def upstream(status: int = 200, **fields: Any) -> Iterator[ModelServer]:
    """A server whose stream the test controls, and the route to it."""
    with stream_server(status) as server, openai_at(server.url, **fields):
        yield server


def read(content: bytes | Iterator[bytes], **headers: str) -> tuple[list[dict[str, Any]], llm.RelayedStream]:
    """Every chunk of these bytes, and the stream they came by."""
    pieces = iter([content]) if isinstance(content, bytes) else content
    with scripted_llm(httpx.Response(200, content=pieces, headers=headers)):
        stream = llm.relay_stream(ASK)
        return list(stream), stream


def problem_with(content: bytes) -> str:
    """What the error says that these bytes end in; "" where they end well."""
    try:
        read(content)
    except LLMError as error:
        return str(error)
    return ""


def wait_for(happens: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=happens, daemon=True)
    thread.start()
    return thread


# --- a whole answer ---------------------------------------------------------------------------------------------


def test_it_works() -> None:
    with scripted_llm(httpx.Response(200, json=completion("Hello to you."))) as server:
        relayed = llm.relay({**ASK, "model": "gpt-large"})
    assert relayed.answer == completion("Hello to you.")
    assert relayed.completion == Completion("Hello to you.", "scripted", "openai", "stop", 11, 7)
    assert not relayed.calls_tool
    assert server.requests == [{**ASK, "model": "gpt-large", "stream": False}]


def test_every_field_goes_out_as_it_came() -> None:
    sent: dict[str, Any] = {
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}}]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {}}]},
            {"role": "tool", "tool_call_id": "1", "content": "42", "odd": [None, 1.5]},
        ],
        "tools": [{"type": "custom", "custom": {"name": "x"}}],
        "tool_choice": {"type": "allowed_tools"},
        "response_format": {"type": "json_object"},
        "seed": 7,
        "logprobs": True,
        "n": 2,
        "modalities": ["text", "audio"],
        "audio": {"voice": "alloy", "format": "wav"},
        "stream_options": {"include_usage": True},
        "metadata": {"a": "b"},
        "vendor": {"deep": [{"er": None}]},
    }
    with scripted_llm(
        httpx.Response(200, json=completion("ok")), httpx.Response(200, content=sse(STOP) + DONE)
    ) as server:
        llm.relay(dict(sent))
        list(llm.relay_stream(dict(sent)))
    assert server.requests == [
        {**sent, "model": "scripted", "stream": False},
        {**sent, "model": "scripted", "stream": True},
    ]


@pytest.mark.parametrize("model", [None, "", "  ", 7])
def test_without_a_wish_the_model_is_the_routes(model: str | int | None) -> None:
    with scripted_llm(httpx.Response(200, json=completion("ok"))) as server:
        llm.relay({**ASK, "model": model})
    assert server.requests[0]["model"] == "scripted"


def test_an_answer_that_only_calls_tools_is_handed_on() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Turku"}'}}]
    answer = completion(None, finish_reason="tool_calls", tool_calls=calls)
    with scripted_llm(httpx.Response(200, json=answer)):
        relayed = llm.relay(ASK)
    assert relayed.answer == answer
    assert relayed.calls_tool
    assert (relayed.completion.text, relayed.completion.finish_reason) == ("", "tool_calls")


def test_of_several_choices_the_first_is_recorded() -> None:
    answer = completion("One.")
    answer["choices"].append({"index": 1, "finish_reason": "length", "message": {"content": "Two"}})
    with scripted_llm(httpx.Response(200, json=answer)):
        relayed = llm.relay({**ASK, "n": 2})
    assert relayed.answer == answer
    assert (relayed.completion.text, relayed.completion.finish_reason) == ("One.", "stop")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": [{"type": "text", "text": "In "}, {"type": "text", "text": "parts."}]}, "In parts."),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "", "reasoning_content": "Hm."}, ""),
        ({"content": "half \ud83c pair"}, "half \ufffd pair"),
        ({"content": None, "audio": {"transcript": "Spoken."}}, ""),
    ],
)
def test_the_text_that_is_recorded(message: dict[str, Any], text: str) -> None:
    answer = {"choices": [{"message": message, "finish_reason": "stop"}]}
    with scripted_llm(httpx.Response(200, content=json.dumps(answer).encode())):
        relayed = llm.relay(ASK)
    assert relayed.completion.text == text
    assert relayed.answer == answer


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"message": "Rate limit exceeded", "code": 429}, "choices": None}, RateLimited),
        ({"choices": []}, BadAnswer),
        ({"choices": None}, BadAnswer),
        ({"choices": [{"message": None}]}, BadAnswer),
        ({"choices": [{"error": {"code": 502, "message": "upstream"}}]}, ServerFault),
        ({"object": "list", "data": []}, BadAnswer),
        ([], ServerFault),
    ],
)
def test_a_strange_200_is_an_error(body: object, kind: type[LLMError]) -> None:
    for ask in (llm.relay, llm.relay_stream):
        with scripted_llm(*[httpx.Response(200, json=body)] * 2), pytest.raises(kind):
            ask(ASK)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, RequestRefused), (401, AccessDenied), (404, NotFound), (413, RequestRefused), (429, RateLimited)]
    + [(500, ServerFault), (308, NotFound), (408, TooSlow)],
)
def test_a_refusal_keeps_its_status(status: int, kind: type[LLMError]) -> None:
    refusal = httpx.Response(status, json={"error": {"message": f"No, {KEY}."}}, headers={"location": "/v1"})
    for ask in (llm.relay, llm.relay_stream):
        bare = OpenAISettings(base_url="http://llm.test", api_key=KEY)
        with scripted_llm(refusal, openai=bare) as server, pytest.raises(kind) as raised:
            ask(ASK)
        assert raised.value.status == status
        assert KEY not in str(raised.value)
        assert ("end in /v1" in str(raised.value)) == (kind is NotFound)
        assert len(server.requests) == 1


@pytest.mark.parametrize("ask", [llm.relay, llm.relay_stream])
def test_what_passes_is_asked_once_more(ask: Callable[[Any], object]) -> None:
    busy = httpx.Response(503, json={"error": "busy"}, headers={"retry-after": "3"})
    answer = httpx.Response(200, json=completion("ok"))
    with scripted_llm(busy, answer) as server:
        ask(ASK)
    assert server.pauses == [3.0]
    with scripted_llm(busy, busy) as server, pytest.raises(ServerFault):
        ask(ASK)
    with scripted_llm(httpx.ReadTimeout("slow")) as server, pytest.raises(TooSlow):
        ask(ASK)
    with (
        scripted_llm(httpx.ConnectError("refused"), httpx.ConnectError("refused")) as server,
        pytest.raises(Unreachable),
    ):
        ask(ASK)
    assert len(server.requests) == 2


# --- a stream ---------------------------------------------------------------------------------------------------


def test_chunks_are_handed_on_as_they_come() -> None:
    with upstream() as server:
        server.send(sse(START))
        stream = llm.relay_stream({**ASK, "seed": 3})
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
    assert server.requests == [{**ASK, "seed": 3, "model": "gpt-small", "stream": True}]
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
        {"usage": None, "choices": {"a": 1}},
    ]
    chunks, stream = read(sse(*odd, STOP) + DONE)
    assert chunks == [*odd, STOP]
    assert stream.completion.text == ""


# --- malformed streams ------------------------------------------------------------------------------------------

PLAIN = sse(HELLO, STOP) + DONE


@pytest.mark.parametrize(
    "body",
    [
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r"),
        PLAIN.replace(b"data: ", b"data:"),
        b"\xef\xbb\xbf" + PLAIN,
        b": OPENROUTER PROCESSING\n\n" + PLAIN,
        b"\n\n" + PLAIN,
        b'event: ping\ndata: {"type": "ping"}\n\n' + PLAIN,
        b"data:\n\ndata: null\n\ndata: 7\n\ndata: []\n\ndata: {}\n\n" + PLAIN,
        b"id: 1\nretry: 5\n" + PLAIN,
        json.dumps(HELLO, indent=1).join(["data: ", ""]).replace("\n", "\ndata: ").encode() + b"\n\n" + sse(STOP),
        sse(HELLO, STOP),
        sse(HELLO, STOP).rstrip(),
        sse(HELLO, STOP) + b"data: [DO",
        sse(HELLO, STOP) + b"data:  [DONE] \n\n" + sse(HELLO),
    ],
)
def test_a_malformed_stream_is_read_as_it_was_meant(body: bytes) -> None:
    if body.endswith(b"[DO"):
        with pytest.raises(ConnectionLost):
            read(body)
        return
    chunks, stream = read(body)
    assert chunks == [HELLO, STOP]
    assert (stream.completion.text, stream.completion.finish_reason) == ("Hello", "stop")


DOG = sse(json.dumps(chunk(content="caf\xe9 \U0001f415"), ensure_ascii=False), STOP) + DONE


@given(st.lists(st.integers(0, len(DOG)), max_size=20))
def test_a_stream_may_be_split_anywhere(places: list[int]) -> None:
    ends = sorted(set(places))
    pieces = [DOG[start:end] for start, end in zip([0, *ends], [*ends, len(DOG)], strict=True)]
    chunks, stream = read(iter(pieces))
    assert len(chunks) == 2
    assert stream.completion.text == "caf\xe9 \U0001f415"


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_bytes_raise_anything_of_another_kind(body: bytes) -> None:
    for content in (body, sse(HELLO) + body, b"data: " + body + b"\n\n"):
        problem = problem_with(content)
        assert not problem or problem.startswith("openai at llm.test")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "message", "content", "index", "finish_reason", "usage", "error", "model"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4))
def test_no_objects_raise_anything_of_another_kind(objects: Sequence[object]) -> None:
    for content in (sse(*objects), sse(HELLO, *objects), json.dumps(objects[0] if objects else {}).encode()):
        problem = problem_with(content)
        assert not problem or problem.startswith("openai at llm.test")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", ServerFault, "no JSON object: nothing"),
        (b"\n\n", ServerFault, "no JSON object: nothing"),
        (b"<!doctype html><title>Sign in</title>", ServerFault, r"an HTML page \(Sign in\)"),
        (b"Internal error", ServerFault, "a stream with nothing in it"),
        (DONE, ServerFault, "a stream with nothing in it"),
        (b": hm\n\n", ServerFault, "a stream with nothing in it"),
        (b'{"error": {"message": "slow down", "code": 429}}', RateLimited, "slow down"),
        (b'[{"error": {"message": "bad key", "code": 401}}]', AccessDenied, "bad key"),
        (sse({"error": {"message": "slow down", "code": 429}}), RateLimited, "slow down"),
        (sse({"error": {"message": "no such model", "code": "model_not_found"}}), NotFound, "no such model"),
        (sse("broken", kind="error"), ServerFault, "broken"),
        (sse({"message": "broken"}, kind="error"), ServerFault, "broken"),
        (sse({"choices": [{"index": 0, "error": {"code": 502, "message": "upstream"}}]}), ServerFault, "upstream"),
        (sse("not json"), ServerFault, "not json"),
        (b'{"choices": [', ServerFault, "no JSON object"),
    ],
)
def test_what_is_wrong_at_once_is_refused_before_anything_is_handed_on(
    body: bytes, kind: type[LLMError], words: str
) -> None:
    with scripted_llm(*[httpx.Response(200, content=body)] * 2), pytest.raises(kind, match=words):
        llm.relay_stream(ASK)


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", ConnectionLost, "before the answer was whole"),
        (b'data: {"choices": [{"del', ConnectionLost, "before the answer was whole"),
        (sse({"error": {"message": "upstream died", "code": 502}}), ServerFault, "upstream died"),
        (sse({"error": "overloaded"}) + DONE, ServerFault, "overloaded"),
        (sse("overloaded", kind="error"), ServerFault, "overloaded"),
        (sse("garbage"), ServerFault, "garbage"),
        (b"<html><title>502</title>\n\n", ConnectionLost, "before the answer was whole"),
    ],
)
def test_an_end_in_mid_stream_is_an_error_and_what_came_is_known(body: bytes, kind: type[LLMError], words: str) -> None:
    with scripted_llm(httpx.Response(200, content=sse(HELLO) + body)):
        stream = llm.relay_stream(ASK)
        chunks = iter(stream)
        assert next(chunks) == HELLO
        with pytest.raises(kind, match=words):
            next(chunks)
    assert stream.completion == Completion("Hello", "gpt-small", "openai", "", None, None)
    stream.close()


def test_a_key_in_mid_stream_is_masked() -> None:
    answer = httpx.Response(200, content=sse(HELLO, {"error": {"message": f"bad key {KEY}"}}))
    keyed = OpenAISettings(base_url="http://llm.test/v1", api_key=KEY)
    with scripted_llm(answer, openai=keyed), pytest.raises(LLMError) as raised:
        list(llm.relay_stream(ASK))
    assert "bad key" in str(raised.value)
    assert KEY not in str(raised.value)


def test_an_endless_line_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"data: x" * 100_000

    with pytest.raises(ServerFault, match="more than 16 MiB in one line"):
        read(endless())


def test_an_endless_page_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"<p>" * 100_000

    with pytest.raises(ServerFault, match="more than 16 MiB"):
        read(endless())


def test_a_long_run_of_blanks_before_the_stream_is_passed_over() -> None:
    chunks, _ = read(b"\n" * 200_000 + PLAIN)
    assert chunks == [HELLO, STOP]


def test_a_compressed_stream_is_read() -> None:
    body = gzip.compress(PLAIN)
    chunks, _ = read(
        iter([body[place : place + 7] for place in range(0, len(body), 7)]), **{"content-encoding": "gzip"}
    )
    assert chunks == [HELLO, STOP]


def test_a_stream_that_does_not_decompress_is_refused() -> None:
    with pytest.raises(ServerFault, match="does not decompress"):
        read(b"PK no gzip", **{"content-encoding": "gzip"})


# --- a whole answer in place of a stream ------------------------------------------------------------------------


def test_a_whole_answer_is_handed_on_as_chunks() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]
    answer = completion("Hello to you.", tool_calls=calls)
    asked = {**ASK, "stream_options": {"include_usage": True}}
    with scripted_llm(*[httpx.Response(200, json=answer)] * 2):
        (first, last), stream = list(found := llm.relay_stream(asked)), found
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


# --- the wire ---------------------------------------------------------------------------------------------------


def test_a_server_that_breaks_off_is_lost() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        assert next(chunks) == HELLO
        server.send(b"")
        with pytest.raises(ConnectionLost):
            next(chunks)


def test_a_silent_server_has_its_first_byte_to_give_in_time() -> None:
    with upstream(first_byte_seconds=0.2) as server, pytest.raises(TooSlow, match=r"nothing for 0\.2 .*FIRST_BYTE"):
        llm.relay_stream(ASK)
    assert server.is_left()


def test_a_silence_in_mid_stream_is_bounded() -> None:
    with upstream(first_byte_seconds=0.2) as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        next(chunks)
        with pytest.raises(TooSlow, match=r"nothing for 0\.2 seconds"):
            next(chunks)
        assert server.is_left()


def test_a_whole_stream_is_bounded_also_where_the_server_is_silent() -> None:
    with upstream(stream_seconds=0.3) as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        next(chunks)
        with pytest.raises(TooSlow, match=r"not done within 0\.3 seconds.*STREAM_SECONDS"):
            next(chunks)
        assert server.is_left()


def test_comments_alone_do_not_keep_a_stream_open_for_ever() -> None:
    with upstream(stream_seconds=0.3) as server:
        stop = threading.Event()

        def drip() -> None:
            while not stop.wait(0.02):
                server.send(b": still here\n\n")

        dripping = wait_for(drip)
        try:
            with pytest.raises(TooSlow, match="STREAM_SECONDS"):
                llm.relay_stream(ASK)
        finally:
            stop.set()
            dripping.join()


def test_a_page_and_a_refusal_are_no_streams() -> None:
    with model_server("<html><title>Sign in</title>", "<html><title>Sign in</title>") as server, openai_at(server.url):
        with pytest.raises(ServerFault, match="Sign in"):
            llm.relay_stream(ASK)
        with pytest.raises(ServerFault, match="Sign in"):
            llm.relay(ASK)
    refusal = Refusal(302, "", {"Location": "/v1/v1"})
    with model_server(refusal, refusal) as server, openai_at(server.url):
        for ask in (llm.relay, llm.relay_stream):
            with pytest.raises(NotFound, match="a redirect to /v1/v1"):
                ask(ASK)


# --- hanging up -------------------------------------------------------------------------------------------------


def test_closing_a_stream_ends_the_servers_connection() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        stream = llm.relay_stream(ASK)
        assert next(iter(stream)) == HELLO
        stream.close()
        assert server.is_left()
        stream.close()
        with pytest.raises(ConnectionLost):
            next(iter(stream))
    assert stream.completion.text == "Hello"


def test_closing_from_another_thread_wakes_a_reader_of_a_silent_server() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        stream = llm.relay_stream(ASK)
        chunks, problems = iter(stream), list[LLMError]()
        next(chunks)

        def read_on() -> None:
            try:
                next(chunks)
            except LLMError as error:
                problems.append(error)

        reader = wait_for(read_on)
        stream.close()
        reader.join(10)
        assert not reader.is_alive()
        assert server.is_left()
    assert [type(problem) for problem in problems] == [ConnectionLost]


def test_a_reader_that_stops_in_mid_stream_ends_the_servers_connection() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        next(chunks)
        chunks.close()  # type: ignore[attr-defined]
        assert server.is_left()


def test_closing_an_exhausted_stream_leaves_its_connection_to_the_next() -> None:
    with upstream() as server:
        server.send(sse(HELLO, STOP), DONE)
        server.end()
        first = llm.relay_stream(ASK)
        list(first)
        server.send(sse(HELLO))
        second = llm.relay_stream(ASK)
        first.close()
        server.send(sse(STOP), DONE)
        server.end()
        assert list(second) == [HELLO, STOP]
        assert len(server.connections) == 1


def test_a_refused_opening_leaves_no_connection_behind() -> None:
    with upstream(status=400) as server:
        server.send(b'{"error": {"message": "No."}}')
        server.end()
        with pytest.raises(RequestRefused, match="No."):
            llm.relay_stream(ASK)
    with upstream() as server:
        server.send(sse({"error": {"message": "No.", "code": 400}}))
        with pytest.raises(RequestRefused):
            llm.relay_stream(ASK)
        assert server.is_left()
