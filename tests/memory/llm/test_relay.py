"""Relaying whoever answers: routes, keys, bounds, the case files, and the provider that is none."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from caesar.conf import AnthropicSettings, OllamaSettings, OpenAISettings, RouteSettings
from memory import llm
from memory.llm.errors import LLMError
from memory.llm.http import client
from tests import cases
from tests.memory.llm.scripted import llm_settings, scripted_llm
from tests.memory.llm.servers.model_server import Refusal, model_server, stream_server
from tests.memory.llm.servers.stream_pieces import lines, named, sse

NAMES = ("anthropic", "ollama", "openai")
KEY = "plain-words-of-a-key"
ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
ASKS = [llm.relay, llm.relay_stream]

Ask = Callable[[dict[str, Any]], llm.Relayed | llm.RelayedStream]


@contextmanager
def routed(name: str, url: str, **fields: Any) -> Iterator[None]:
    """The task `chat` routed to a provider at an address of its own, with a key of its own."""
    route = RouteSettings(provider=name, base_url=f"{url}/v1" if name == "openai" else url, api_key=KEY, model="m")
    with llm_settings(task_routing={"chat": route}, **fields):
        yield


# --- routes and keys --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", NAMES)
def test_a_route_of_the_tasks_own_is_taken_and_its_key_is_shown_nowhere(
    name: str, ask: Ask, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"{KEY} is no key; you sent x-api-key: {KEY}, Authorization: Bearer {KEY}"
    refusal = Refusal(401, {"error": {"type": "authentication_error", "message": words}})
    caplog.set_level(logging.DEBUG)
    with model_server(refusal) as server, routed(name, server.url), pytest.raises(llm.AccessDenied) as raised:
        ask(ASK)
    assert KEY in json.dumps(server.asked[0].headers)
    assert server.requests[0]["model"] == "m"
    assert "[removed]" in str(raised.value)
    assert not [place for place in (repr(raised.value), caplog.text, *capsys.readouterr()) if KEY in place]


MID_STREAM = {
    "anthropic": named({"type": "message_start"}, {"type": "error", "error": {"message": f"bad {KEY}"}}),
    "ollama": lines({"message": {"content": "Hi"}}, {"error": f"bad {KEY}"}),
    "openai": sse({"choices": []}, {"error": f"bad {KEY}"}),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_key_in_mid_stream_is_shown_nowhere(name: str) -> None:
    with stream_server() as server, routed(name, server.url):
        server.send(MID_STREAM[name])
        with pytest.raises(LLMError, match=r"bad \[removed\]") as raised:
            list(llm.relay_stream(ASK))
        assert server.is_left()
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_set_is_named(name: str, ask: Ask) -> None:
    with llm_settings(provider=name), pytest.raises(llm.NotConfigured, match="CAESAR_LLM__MODEL"):
        ask(ASK)


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_is_not_there_is_unreachable(name: str, ask: Ask) -> None:
    with model_server() as server:
        pass
    with client.transport(httpx.HTTPTransport()), routed(name, server.url), pytest.raises(llm.Unreachable):
        ask(ASK)


@pytest.mark.parametrize(
    ("path", "hint"), [("", "end in /v1"), ("/v1/v1", "names /v1 twice"), ("/v1", "name of the model.")]
)
def test_an_address_that_is_wrong_has_its_hint(path: str, hint: str) -> None:
    for ask in ASKS:
        server = OpenAISettings(base_url=f"http://llm.test{path}")
        with (
            scripted_llm(httpx.Response(404, text="Not Found"), openai=server),
            pytest.raises(llm.NotFound, match=hint),
        ):
            ask(ASK)


# --- bounds -----------------------------------------------------------------------------------------------------


def timeouts_of(ask: Ask, name: str, **fields: float) -> dict[str, float]:
    """The bounds that a call goes out with: for the connection, and for each read and write."""
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    refusal = httpx.Response(400, json={"error": "no"})
    with scripted_llm(refusal, provider=name, **keys, **fields) as server, pytest.raises(llm.RequestRefused):
        ask(ASK)
    return dict(server.sent[0].extensions["timeout"])


@pytest.mark.parametrize("name", NAMES)
def test_each_call_has_the_bounds_of_the_settings(name: str) -> None:
    whole = timeouts_of(llm.relay, name)
    assert (whole["connect"], whole["read"]) == (10.0, 60.0)
    stream = timeouts_of(llm.relay_stream, name)
    assert (stream["connect"], stream["read"]) == (10.0, 60.0)
    fields = {"timeout_seconds": 30.0, "connect_seconds": 3.0, "first_byte_seconds": 20.0, "stream_seconds": 90.0}
    whole = timeouts_of(llm.relay, name, **fields)
    assert (whole["connect"], whole["read"]) == (3.0, 30.0)
    stream = timeouts_of(llm.relay_stream, name, **fields)
    assert (stream["connect"], stream["read"]) == (3.0, 20.0)
    short = timeouts_of(llm.relay_stream, name, stream_seconds=2.0)
    assert (short["connect"], short["read"]) == (2.0, 2.0)


@pytest.mark.parametrize("name", NAMES)
def test_every_other_call_has_the_bound_of_the_connection_too(name: str) -> None:
    def complete(body: dict[str, Any]) -> Any:
        return llm.complete([], task="chat")

    def listing(body: dict[str, Any]) -> Any:
        return llm.list_models("chat")

    for ask in (complete, listing):
        assert timeouts_of(ask, name, connect_seconds=3.0)["connect"] == 3.0


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_is_not_streamed_is_bounded_as_a_whole(name: str) -> None:
    with stream_server() as server, routed(name, server.url, timeout_seconds=0.2):
        server.send(b" ")
        with pytest.raises(llm.TooSlow, match=r"within 0\.2 seconds.*CAESAR_LLM__TIMEOUT_SECONDS"):
            llm.relay(ASK)
        assert server.is_left()


# --- the case files ---------------------------------------------------------------------------------------------


@cases.of_kind("api_provider_response")
def test_an_answer_that_broke_others(case: cases.Case) -> None:
    """An error inside is one; a thought is no text, with whatever words it is thought."""
    http, name = case.given["http"], case.given["provider"]
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    if "audit_before" not in case.given:
        return  # a whole answer, with the providers' other cases
    for ask in ASKS:
        answer = httpx.Response(http["status"], headers=http["headers"], text=http["body"])
        with scripted_llm(answer, provider=name, **keys):
            if "error_text_contains" in case.expect:
                with pytest.raises(LLMError, match=case.expect["error_text_contains"][0]):
                    ask(ASK)
                continue
            found: Any = ask(ASK)
            chunks = [found.answer] if isinstance(found, llm.Relayed) else list(found)
        assert found.completion.text in ("", '[{"key":"bike.type","value":"blue tandem","confidence":0.9}]')
        assert bool(found.completion.text) == (name == "anthropic")
        assert found.completion.finish_reason == "stop"
        assert "reasoning_content" in json.dumps(chunks)


# --- offline ----------------------------------------------------------------------------------------------------


def test_offline_gives_its_fixed_reply() -> None:
    system: dict[str, Any] = {
        "role": "system",
        "content": "What you've told me:\n  - Your dog's name is Beans.\n\nYou are CAESAR.",
    }
    with llm_settings():
        relayed = llm.relay({**ASK, "model": "gpt-4o", "messages": [system, *ASK["messages"]]})
    answer = ChatCompletion.model_validate(relayed.answer, strict=True)
    text = answer.choices[0].message.content or ""
    assert text.startswith("No language model is connected")
    assert "held 1 remembered line." in text
    assert relayed.completion == llm.Completion(text, "offline", "offline", "stop", 0, 0)
    assert answer.usage  # clients read it without asking whether it is there
    assert answer.usage.total_tokens == 0


def test_offline_streams_its_reply_in_a_few_chunks() -> None:
    with llm_settings():
        stream = llm.relay_stream({**ASK, "stream_options": {"include_usage": True}})
        chunks = [ChatCompletionChunk.model_validate(chunk, strict=True) for chunk in stream]
        whole = llm.relay(ASK)
    assert 4 <= len(chunks) <= 13
    counts = chunks.pop()
    assert (counts.choices, counts.usage and counts.usage.total_tokens) == ([], 0)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks] == [None] * (len(chunks) - 1) + ["stop"]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole.completion.text
    assert stream.completion == whole.completion
    assert len({(chunk.id, chunk.created) for chunk in chunks}) == 1


def test_an_offline_stream_can_be_closed() -> None:
    with llm_settings():
        stream = llm.relay_stream(ASK)
        chunks = iter(stream)
        next(chunks)
        stream.close()
        stream.close()
        with pytest.raises(llm.ConnectionLost):
            next(chunks)
    assert stream.completion.finish_reason == ""
