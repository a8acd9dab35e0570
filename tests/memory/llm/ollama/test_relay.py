import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama._types import ChatRequest
from openai.types.chat import ChatCompletion

from caesar.conf import OllamaSettings
from memory import llm
from memory.llm import BadAnswer, ConnectionLost, LLMError, NotFound, RequestRefused, ServerFault
from tests.memory.llm.scripted import ScriptedLLM, llm_settings, scripted_llm
from tests.memory.llm.servers.model_server import stream_server
from tests.memory.llm.servers.stream_pieces import lines

ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
ANSWER: dict[str, Any] = {
    "model": "llama-small",
    "message": {"role": "assistant", "content": "Hello to you."},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 11,
    "eval_count": 7,
}
SERVER = OllamaSettings(base_url="http://llm.test")
PNG = "iVBORw0KGgo="
WALK = {"type": "function", "function": {"name": "walk", "parameters": {"type": "object"}}, "extra": 1}


def relay(body: dict[str, Any], *answers: object, **settings: Any) -> tuple[llm.Relayed, ScriptedLLM]:
    """What relaying a request makes of these answers, and the server that gave them."""
    given = [one if isinstance(one, httpx.Response) else httpx.Response(200, json=one) for one in answers or [ANSWER]]
    with scripted_llm(*given, provider="ollama", ollama=SERVER, **settings) as server:
        return llm.relay(body), server


def sent(**body: Any) -> dict[str, Any]:
    """What goes out for a request, which Ollama's own library takes."""
    _, server = relay({**ASK, **body})
    ChatRequest.model_validate(server.requests[0])
    return server.requests[0]


def streamed(content: bytes, **body: Any) -> tuple[list[Any], llm.RelayedStream]:
    with scripted_llm(httpx.Response(200, content=iter([content])), provider="ollama", ollama=SERVER):
        stream = llm.relay_stream({**ASK, **body})
        return list(stream), stream


def test_it_works() -> None:
    relayed, server = relay({**ASK, "model": "llama-large", "temperature": 0.5})
    assert server.requests == [
        {
            "model": "llama-large",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": False,
            "options": {"temperature": 0.5, "num_ctx": 8192},
        }
    ]
    assert str(server.sent[0].url) == "http://llm.test/api/chat"
    answer = ChatCompletion.model_validate(relayed.answer, strict=True)
    assert answer.choices[0].message.content == "Hello to you."
    assert relayed.completion == llm.Completion("Hello to you.", "llama-small", "ollama", "stop", 11, 7)


# --- the request ------------------------------------------------------------------------------------------------


def test_options_go_out_under_its_names() -> None:
    numbers = {"temperature": 0, "top_p": 0.9, "top_k": 5, "seed": 7, "presence_penalty": 0.1, "frequency_penalty": 0.2}
    body = sent(**numbers, stop=["END", ""], max_completion_tokens=50, max_tokens=40, logprobs=True, user="u", n=1)
    assert body["options"] == {**numbers, "stop": ["END"], "num_predict": 50, "num_ctx": 8192}
    assert set(body) == {"model", "messages", "stream", "options"}
    assert sent(stop="\n")["options"]["stop"] == ["\n"]
    assert sent(temperature=None, seed=True)["options"] == {"num_ctx": 8192}


def test_an_answer_is_as_long_as_the_server_likes_unless_the_client_says() -> None:
    assert "num_predict" not in sent()["options"]
    assert sent(max_tokens=9)["options"]["num_predict"] == 9


def test_the_context_has_room_for_messages_tools_and_the_answer() -> None:
    long = {"role": "user", "content": "x" * 30_000}
    assert sent(messages=[long])["options"]["num_ctx"] == 16_384
    assert sent(max_tokens=8_192)["options"]["num_ctx"] == 16_384
    wide = {"type": "function", "function": {"name": "f", "description": "x" * 30_000}}
    assert sent(tools=[wide])["options"]["num_ctx"] == 16_384
    _, server = relay(ASK, max_tokens=9_000)
    assert server.requests[0]["options"]["num_ctx"] == 16_384


@pytest.mark.parametrize(
    ("wanted", "format"),
    [
        ({"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}, {"type": "object"}),
        ({"type": "json_schema"}, "json"),
        ({"type": "json_object"}, "json"),
        ({"type": "text"}, None),
        (None, None),
        ("json", None),
    ],
)
def test_a_response_format_is_its_format(wanted: object, format: object) -> None:
    assert sent(response_format=wanted).get("format") == format


def test_messages_go_out_as_it_takes_them() -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    far = {"type": "image_url", "image_url": {"url": "https://pictures.test/dog.jpg"}}
    body = sent(
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": "Be kind."},
            {"role": "user", "content": [{"type": "text", "text": "This?"}, picture, far]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "walk", "arguments": '{"a": 1}'}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "42"},
            {"role": "tool", "tool_call_id": "c9", "content": [{"type": "text", "text": "43"}]},
            {"role": "function", "name": "f", "content": "44"},
        ]
    )
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "This?\n[image_url left out]", "images": [PNG]},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c1", "function": {"name": "walk", "arguments": {"a": 1}}}],
        },
        {"role": "tool", "content": "42", "tool_name": "walk", "tool_call_id": "c1"},
        {"role": "tool", "content": "43"},
        {"role": "user", "content": "44"},
    ]


def test_tools_go_out_as_they_came() -> None:
    assert sent(tools=[WALK])["tools"] == [WALK]
    assert sent(tools=[WALK], tool_choice="auto", parallel_tool_calls=True)["tools"] == [WALK]
    assert "tools" not in sent(tools=[WALK], tool_choice="none")
    assert "tools" not in sent(tools=[], tool_choice="required")


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "walk"}}])
def test_it_cannot_be_made_to_call_a_tool(choice: object) -> None:
    with pytest.raises(RequestRefused, match=r"^tool_choice must be auto or none.*CAESAR_LLM__PROVIDER=openai"):
        sent(tools=[WALK], tool_choice=choice)


def test_a_tool_of_another_kind_is_refused() -> None:
    with pytest.raises(RequestRefused, match=r"^tools\[0\]"):
        sent(tools=[{"type": "custom", "custom": {"name": "x"}}])


# --- the answer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stop", "reason"), [("stop", "stop"), ("length", "length"), ("load", "stop"), (None, "stop"), (7, "stop")]
)
def test_each_stop_has_openais_word(stop: object, reason: str) -> None:
    relayed, _ = relay(ASK, {**ANSWER, "done_reason": stop})
    assert relayed.completion.finish_reason == reason


def test_a_tool_it_calls_comes_back_in_openais_shape() -> None:
    calls = [{"function": {"name": "walk", "arguments": {"place": "\xe5"}}}, {"function": {"name": "sit"}}, {"odd": 1}]
    message = {"role": "assistant", "content": "", "thinking": "A walk.", "tool_calls": calls}
    relayed, _ = relay({**ASK, "tools": [WALK]}, {**ANSWER, "message": message})
    answer: Any = relayed.answer
    (choice,) = answer["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert choice["message"]["reasoning_content"] == "A walk."
    made = choice["message"]["tool_calls"]
    assert [one["function"] for one in made] == [
        {"name": "walk", "arguments": '{"place": "\xe5"}'},
        {"name": "sit", "arguments": "{}"},
    ]
    assert len({one["id"] for one in made}) == 2
    assert all(one["id"].startswith("call_") for one in made)
    assert relayed.calls_tool


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": "out of memory"}, ServerFault),
        ({"message": None}, BadAnswer),
        ({"models": []}, BadAnswer),
        ([], ServerFault),
    ],
)
def test_a_strange_200_is_an_error(body: object, kind: type[LLMError]) -> None:
    for ask in (llm.relay, llm.relay_stream):
        with scripted_llm(*[httpx.Response(200, json=body)] * 2, provider="ollama", ollama=SERVER), pytest.raises(kind):
            ask(ASK)


def test_a_piece_of_a_stream_is_no_whole_answer() -> None:
    piece = httpx.Response(200, json=line("Hello "))
    with scripted_llm(piece, provider="ollama", ollama=SERVER), pytest.raises(BadAnswer, match="a piece of a stream"):
        llm.relay(ASK)


@pytest.mark.parametrize("ask", [llm.relay, llm.relay_stream])
def test_a_missing_model_is_named_with_the_cure(ask: Any) -> None:
    missing = httpx.Response(404, json={"error": "model 'scripted' not found"})
    with scripted_llm(missing, provider="ollama", ollama=SERVER), pytest.raises(NotFound, match="ollama pull scripted"):
        ask(ASK)


# --- streams ----------------------------------------------------------------------------------------------------


def line(text: str = "", **fields: Any) -> dict[str, Any]:
    return {"model": "llama-small", "message": {"role": "assistant", "content": text}, "done": False, **fields}


LAST = line(done=True, done_reason="stop", prompt_eval_count=5, eval_count=9)


def test_pieces_are_handed_on_as_they_come() -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    with (
        stream_server(headers=headers) as server,
        llm_settings(provider="ollama", model="m", ollama=OllamaSettings(base_url=server.url)),
    ):
        server.send(lines(line("Hi")))
        stream = llm.relay_stream({**ASK, "stream_options": {"include_usage": True}})
        chunks: Iterator[Any] = iter(stream)
        assert next(chunks)["choices"][0]["delta"] == {"role": "assistant", "content": ""}
        assert next(chunks)["choices"][0]["delta"] == {"content": "Hi"}
        server.send(lines(line(" you"))[:20])
        server.send(lines(line(" you"))[20:])
        assert next(chunks)["choices"][0]["delta"] == {"content": " you"}
        assert stream.completion == llm.Completion("Hi you", "llama-small", "ollama", "", None, None)
        server.send(lines(LAST))
        assert len(list(chunks)) == 2
        assert stream.completion == llm.Completion("Hi you", "llama-small", "ollama", "stop", 5, 9)
        assert server.requests[0]["stream"] is True


def test_calls_in_several_lines_are_counted_on() -> None:
    def calls(*names: str) -> dict[str, Any]:
        made = [{"function": {"name": name, "arguments": {}}} for name in names]
        return {"message": {"role": "assistant", "content": "", "tool_calls": made}}

    chunks, stream = streamed(lines(line() | calls("a", "b"), line() | calls("c"), LAST))
    made = [call for chunk in chunks for call in chunk["choices"][0]["delta"].get("tool_calls", [])]
    assert [(call["index"], call["function"]["name"]) for call in made] == [(0, "a"), (1, "b"), (2, "c")]
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert stream.calls_tool


def test_a_text_in_the_last_line_counts() -> None:
    _, stream = streamed(lines(line("Hi"), LAST | {"message": {"content": " you"}}))
    assert stream.completion.text == "Hi you"


def test_what_comes_behind_the_last_line_is_not_read() -> None:
    _, stream = streamed(lines(line("Hi"), LAST, line(" more")) + b"broken {")
    assert stream.completion.text == "Hi"


@pytest.mark.parametrize(
    ("behind", "kind"),
    [
        (b"", ConnectionLost),
        (b'{"message"', ConnectionLost),
        (b"not json\n", ConnectionLost),
        (b'{"error": "unexpected EOF"}\n', ServerFault),
        (b'{"message": null}\n', BadAnswer),
    ],
)
def test_an_end_in_mid_stream_is_an_error(behind: bytes, kind: type[LLMError]) -> None:
    answer = httpx.Response(200, content=iter([lines(line("Hi")) + behind]))
    with scripted_llm(answer, provider="ollama", ollama=SERVER):
        stream = llm.relay_stream(ASK)
        with pytest.raises(kind):
            list(stream)
    assert (stream.completion.text, stream.completion.finish_reason) == ("Hi", "")


@pytest.mark.parametrize("body", [b"", b"\n", b"<html><title>Sign in</title>", b"[]", b"hello"])
def test_what_is_no_stream_is_refused_at_once(body: bytes) -> None:
    answers = [httpx.Response(200, content=body)] * 2
    with scripted_llm(*answers, provider="ollama", ollama=SERVER), pytest.raises(ServerFault, match="no JSON object"):
        llm.relay_stream(ASK)


def test_an_endless_line_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b'{"message": ' + b"x" * 100_000

    answer, words = httpx.Response(200, content=endless()), "more than 16 MiB in one line"
    with scripted_llm(answer, provider="ollama", ollama=SERVER), pytest.raises(ServerFault, match=words):
        llm.relay_stream(ASK)


LINES: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "model": st.sampled_from([None, 7, "m"]),
            "message": st.sampled_from(
                [
                    None,
                    {},
                    "x",
                    {"content": 7},
                    {"content": "x", "tool_calls": [None, {"function": {"arguments": [1]}}]},
                ]
                + [{"thinking": ["x"], "tool_calls": {}}, {"content": None, "tool_calls": [{"id": 7, "function": {}}]}]
            ),
            "done": st.sampled_from([None, True, False, "yes"]),
            "done_reason": st.sampled_from([None, 7, "length"]),
            "eval_count": st.sampled_from([None, -1, "x", 3]),
            "error": st.sampled_from([None, "", "x", {"message": ["x"]}]),
        },
    ),
    max_size=5,
)


@given(LINES)
def test_no_lines_raise_anything_of_another_kind(found: list[dict[str, Any]]) -> None:
    try:
        chunks, _ = streamed(lines(line("Hi"), *found))
    except LLMError:
        return
    assert all(chunk["object"] == "chat.completion.chunk" for chunk in json.loads(json.dumps(chunks)))
