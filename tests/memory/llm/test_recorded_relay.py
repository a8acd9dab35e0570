"""Answers in the shapes real models give, relayed: whole ones, and streams as they come over the wire, by provider.

The providers' own libraries say here that what was recorded, and what is given back, has the right shape.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from anthropic.types import RawMessageStreamEvent
from ollama import ChatResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import TypeAdapter

from caesar.conf import AnthropicSettings, OllamaSettings
from memory import llm
from memory.llm import ConnectionLost, LLMError, ServerFault
from memory.llm.http.event_stream import events, lines
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.test_recorded import FOLDER, PROVIDERS, recorded

STREAMS = FOLDER / "streams"
ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "A walk with Beans?"}]}
WITH_USAGE = {**ASK, "stream_options": {"include_usage": True}}

TEXT = "The river path is quiet before nine, and there is shade for Beans."
HALF = "The river path is quiet"
THOUGHT = "They ask for a walk. Before nine is best."
WALK = ("walk_times", {"place": "river path", "before": "09:00"})
WEATHER = ("weather", dict[str, str]())
REFUSAL = "I'm sorry, but I can't help with that."


@dataclass(frozen=True, kw_only=True)
class Right:
    """What is right for one shape of a stream, whoever gave it."""

    text: str = TEXT
    finish_reason: str = "stop"
    calls: tuple[tuple[str, Mapping[str, str]], ...] = ()
    thought: str = ""
    problem: type[LLMError] | None = None


RIGHT: Mapping[str, Right] = {
    "plain": Right(),
    "pings": Right(),
    "reasoning": Right(thought=THOUGHT),
    "tool_call": Right(calls=(WALK,), finish_reason="tool_calls"),
    "two_tools": Right(text="", calls=(WALK, WEATHER), finish_reason="tool_calls"),
    "cut": Right(text=HALF, finish_reason="length"),
    "refusing": Right(text=REFUSAL),
    "filtered": Right(text=HALF, finish_reason="content_filter"),
    "empty": Right(text=""),
    "error": Right(text=HALF, finish_reason="", problem=ServerFault),
    "died": Right(text=HALF, finish_reason="", problem=ConnectionLost),
}
# What a provider has no shape of its own for.
MISSING = {"anthropic": {"refusing"}, "ollama": {"refusing", "filtered"}, "openai": set[str]()}


def streams() -> list[tuple[str, str]]:
    """Provider and shape of every recorded stream."""
    return [(path.parent.name, path.stem) for path in sorted(STREAMS.glob("*/*.txt"))]


def body(provider: str, shape: str) -> bytes:
    return (STREAMS / provider / f"{shape}.txt").read_bytes()


def relayed_stream(provider: str, content: bytes, asked: dict[str, Any] = ASK) -> llm.RelayedStream:
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    with scripted_llm(httpx.Response(200, content=iter([content])), provider=provider, **keys):
        return llm.relay_stream(asked)


def read(stream: llm.RelayedStream) -> tuple[list[dict[str, Any]], LLMError | None]:
    """Every chunk that came, and the error in which the stream ended."""
    chunks: list[dict[str, Any]] = []
    try:
        for chunk in stream:
            chunks.append(chunk)
    except LLMError as error:
        return chunks, error
    return chunks, None


def deltas(chunks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for chunk in chunks:
        yield from (choice["delta"] for choice in chunk["choices"])


def joined(chunks: list[dict[str, Any]], name: str) -> str:
    return "".join(delta.get(name) or "" for delta in deltas(chunks))


def calls_in(chunks: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    """The tools that the chunks call, put together as clients do."""
    names: dict[int, str] = {}
    arguments: dict[int, str] = {}
    for delta in deltas(chunks):
        for call in delta.get("tool_calls") or []:
            place, function = call["index"], call["function"]
            names.setdefault(place, function.get("name"))
            arguments[place] = arguments.get(place, "") + function.get("arguments", "")
    return [(names[place], json.loads(arguments[place])) for place in sorted(names)]


# --- streams ----------------------------------------------------------------------------------------------------


def test_every_provider_has_every_shape() -> None:
    assert set(streams()) == {(name, shape) for name in PROVIDERS for shape in RIGHT if shape not in MISSING[name]}


@pytest.mark.parametrize(("provider", "shape"), streams())
def test_a_stream_says_what_its_model_said(provider: str, shape: str) -> None:
    right, stream = RIGHT[shape], relayed_stream(provider, body(provider, shape))
    chunks, problem = read(stream)
    assert type(problem) is (right.problem or type(None))
    assert (joined(chunks, "content") or joined(chunks, "refusal")) == right.text
    assert joined(chunks, "reasoning_content") == right.thought
    assert calls_in(chunks) == list(right.calls)
    completion = stream.completion
    assert (completion.text, completion.finish_reason) == (right.text, right.finish_reason)
    assert stream.calls_tool == bool(right.calls)
    assert completion.provider == provider
    assert completion.model.split("-")[1].startswith("small")
    if problem is None:
        assert (completion.input_tokens, completion.output_tokens) == (431, 61)


@pytest.mark.parametrize(("provider", "shape"), streams())
def test_a_stream_has_openais_shape(provider: str, shape: str) -> None:
    """The first chunk names the role, the last the reason to stop, and nothing about the answer changes between."""
    chunks, problem = read(relayed_stream(provider, body(provider, shape)))
    told = [chunk for chunk in chunks if chunk["choices"]]
    assert told[0]["choices"][0]["delta"]["role"] == "assistant"
    if provider != "openai":
        for chunk in chunks:
            ChatCompletionChunk.model_validate(chunk, strict=True)
        assert all("usage" not in chunk for chunk in chunks)
    assert len({(chunk["id"], chunk["created"], chunk["model"]) for chunk in told}) == 1
    reasons = [choice["finish_reason"] for chunk in told for choice in chunk["choices"]]
    assert not any(reasons[:-1])
    assert bool(reasons[-1]) == (problem is None)
    calls = [call for delta in deltas(chunks) for call in delta.get("tool_calls") or [] if "id" in call]
    assert len({call["id"] for call in calls if call["id"]}) == len(calls) == len(RIGHT[shape].calls)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_token_counts_come_where_they_are_asked_for(provider: str) -> None:
    chunks, _ = read(relayed_stream(provider, body(provider, "plain"), WITH_USAGE))
    assert [bool(chunk["usage"]) for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1]["choices"] == []
    usage = chunks[-1]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (431, 61, 492)
    assert len({chunk["id"] for chunk in chunks}) == 1


@pytest.mark.parametrize(("provider", "shape"), [one for one in streams() if one[0] == "openai"])
def test_openais_chunks_are_handed_on_with_nothing_changed(provider: str, shape: str) -> None:
    chunks, problem = read(relayed_stream(provider, body(provider, shape), WITH_USAGE))
    sent = [event.data for event in events([body(provider, shape)]) if "choices" in event.data]
    assert chunks == [json.loads(data) for data in sent]
    assert (problem is None) == (shape not in ("error", "died"))


@pytest.mark.parametrize(("provider", "shape"), streams())
@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_stream_says_the_same_in_pieces_of_any_size(provider: str, shape: str, size: int) -> None:
    whole = body(provider, shape).replace(b"\n", b"\r\n")
    pieces = iter([whole[place : place + size] for place in range(0, len(whole), size)])
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    with scripted_llm(httpx.Response(200, content=pieces), provider=provider, **keys):
        stream = llm.relay_stream(ASK)
        _, problem = read(stream)
    assert type(problem) is (RIGHT[shape].problem or type(None))
    assert stream.completion.text == RIGHT[shape].text


@pytest.mark.parametrize("place", range(40, 900, 43))
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_that_breaks_off_anywhere_is_never_whole(provider: str, place: int) -> None:
    content = body(provider, "plain")[:place]
    try:
        _, problem = read(relayed_stream(provider, content))
    except LLMError as error:
        problem = error
    assert isinstance(problem, ConnectionLost | ServerFault)


# --- whole answers ----------------------------------------------------------------------------------------------

# Of the shapes that test_recorded.py reads for the tasks: text, reason to stop and whether a tool is called.
WHOLE: Mapping[str, tuple[str, str, bool]] = {
    "plain": ("The river path...", "stop", False),
    "reasoning": ("The river path...", "stop", False),
    "think_tags": ("<think...", "stop", False),
    "fenced": ("Put this into...", "stop", False),
    "chatty": ("The river path...", "stop", False),
    "looping": ("The operator planned...", "length", False),
    "repeating": ("The operator planned...", "stop", False),
    "cut": ("The river path...", "length", False),
    "refusing": (REFUSAL, "stop", False),
    "filtered": ("...", "content_filter", False),
    "tool_call_only": ("", "tool_calls", True),
    "empty": ("", "stop", False),
    "only_thought": ("", "...", False),
}


def relayed(provider: str, shape: str) -> tuple[dict[str, Any], llm.Relayed]:
    """The recorded answer to a chat, and what relaying makes of it."""
    given = json.loads((FOLDER / provider / f"{shape}.json").read_text(encoding="utf-8"))["chat"]
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    with scripted_llm(httpx.Response(200, json=given), provider=provider, **keys):
        return given, llm.relay(ASK)


@pytest.mark.parametrize(("provider", "shape"), recorded())
def test_a_whole_answer_says_what_its_model_said(provider: str, shape: str) -> None:
    given, found = relayed(provider, shape)
    text, finish_reason, calls_tool = WHOLE[shape]
    completion = found.completion
    assert completion.text.startswith(text.removesuffix("..."))
    assert text.endswith("...") or completion.text == text
    assert finish_reason in ("...", completion.finish_reason)
    assert found.calls_tool == calls_tool
    if provider == "openai":
        assert found.answer == given
    else:
        ChatCompletion.model_validate(found.answer, strict=True)
        assert completion.input_tokens
        message = ChatCompletion.model_validate(found.answer).choices[0].message
        assert bool(message.tool_calls) == calls_tool
        assert set(message.model_extra or {}) <= {"reasoning_content"}


@pytest.mark.parametrize(("provider", "shape"), recorded())
def test_a_whole_answer_in_place_of_a_stream_says_the_same(provider: str, shape: str) -> None:
    given, found = relayed(provider, shape)
    for asked in (ASK, WITH_USAGE):
        stream = relayed_stream(provider, json.dumps(given).encode(), asked)
        chunks, problem = read(stream)
        assert problem is None
        assert stream.completion == found.completion
        assert stream.calls_tool == found.calls_tool
    assert chunks[-1]["usage"]["prompt_tokens"] == found.completion.input_tokens


# --- the recordings themselves ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("provider", "shape"), [one for one in streams() if one[1] != "died"])
def test_a_recording_has_the_shape_of_its_providers_library(provider: str, shape: str) -> None:
    content = body(provider, shape)
    if provider == "ollama":
        for line in filter(str.strip, lines([content])):
            if "error" not in json.loads(line):
                ChatResponse.model_validate_json(line)
        return
    known: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent if provider == "anthropic" else ChatCompletionChunk)
    strange = ('"error":', "prompt_filter_results", "a_new_event", '"ping"', "[DONE]")
    for event in events([content]):
        if not any(words in event.data for words in strange):
            known.validate_json(event.data)
