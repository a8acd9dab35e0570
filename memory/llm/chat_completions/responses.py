"""What a relayed request gives back: one answer in OpenAI's shape, or its chunks as they come, and what is recorded.

Also that shape itself, for servers that speak another.
"""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.validation import plain
from memory.llm.errors import ConnectionLost
from memory.llm.http.client import MAX_ANSWER_BYTES, JsonObject
from memory.llm.types import Completion, Route


class Relay(Protocol):
    """One kind of model server, asked in OpenAI's shape."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> "Relayed":
        """The server's whole answer; `max_tokens` is for servers that must be told. Raises `LLMError`."""
        ...

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> "RelayedStream":
        """The server's answer by chunks, from the first one on. Raises `LLMError`."""
        ...


class Closeable(Protocol):
    """What a stream is read from."""

    def close(self) -> None:
        """End it, from any thread."""
        ...


# --- what is recorded -------------------------------------------------------------------------------------------


class Heard:
    """What an answer in OpenAI's shape said so far: put together from its chunks, or from a whole one at once."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._model = self._finish_reason = ""
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._chars = 0
        self._tokens: tuple[int | None, int | None] = (None, None)
        self._finished: dict[int, bool] = {}
        self.calls_tool = False

    @property
    def has_begun(self) -> bool:
        """Whether there is any choice in it so far."""
        return bool(self._finished)

    @property
    def is_finished(self) -> bool:
        """Whether every choice that began has given its reason to stop."""
        return bool(self._finished) and all(self._finished.values())

    @property
    def completion(self) -> Completion:
        """What is recorded of it: the first choice's text, or its refusal; "" where it only calls tools."""
        text = "".join(self._texts) or "".join(self._refusals)
        return Completion(
            text=plain(text),
            model=self._model or self._route.model,
            provider=self._route.provider,
            finish_reason=validation.finish_reason(self._finish_reason),
            input_tokens=self._tokens[0],
            output_tokens=self._tokens[1],
        )

    def count_tokens(self, given: JsonValue) -> None:
        """Take in token counts in OpenAI's shape, if they are some."""
        if isinstance(given, dict):
            self._tokens = validation.count(given, "prompt_tokens"), validation.count(given, "completion_tokens")

    def noted(self, chunks: Iterator[JsonObject]) -> Iterator[JsonObject]:
        """The chunks, each taken in before it is given on."""
        for chunk in chunks:
            self.note(chunk)
            yield chunk

    def note(self, answer: JsonObject) -> None:
        """Take in a chunk, or a whole answer."""
        self._model = plain(answer.get("model")) or self._model
        self.count_tokens(answer.get("usage"))
        for choice in validation.objects(answer.get("choices")):
            index = validation.count(choice, "index") or 0
            reason = plain(choice.get("finish_reason"))
            self._finished[index] = self._finished.get(index, False) or bool(reason)
            if index == 0:
                self._finish_reason = reason or self._finish_reason
                self._note_said(choice.get("delta") or choice.get("message"))

    def _note_said(self, said: JsonValue) -> None:
        """Take in what choice 0 said, as it came: the other half of a surrogate pair may be in the next chunk."""
        if not isinstance(said, dict):
            return
        for name, kept in (("content", self._texts), ("refusal", self._refusals)):
            content = said.get(name)
            text = content if isinstance(content, str) else validation.text_of(content)
            if text and self._chars <= MAX_ANSWER_BYTES:
                kept.append(text)
                self._chars += len(text)
        self.calls_tool = self.calls_tool or bool(said.get("tool_calls") or said.get("function_call"))


# --- what is given back -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relayed:
    """A whole answer: `answer` is OpenAI's `chat.completion`, `completion` what is recorded of it."""

    answer: JsonObject
    completion: Completion
    calls_tool: bool = False


def relayed(answer: JsonObject, route: Route) -> Relayed:
    """An answer in OpenAI's shape with what is recorded of it."""
    heard = Heard(route)
    heard.note(answer)
    return Relayed(answer, heard.completion, heard.calls_tool)


class RelayedStream:
    """An answer as OpenAI's `chat.completion.chunk` objects, each handed on as soon as it came. Iterable once.

    `chunks` note in `heard` what they give. The first one is fetched here. Raises `LLMError` then.
    """

    def __init__(self, chunks: Iterator[JsonObject], heard: Heard, source: Closeable | None = None) -> None:
        self._heard = heard
        self._source = source
        self._is_closed = False
        try:
            first = next(chunks, None)
        except BaseException:
            self.close()
            raise
        self._chunks = self._read(first, chunks)

    def __iter__(self) -> Iterator[JsonObject]:
        """The chunks. Raises `LLMError` where the server ends in mid-stream, and where this stream was closed."""
        return self._chunks

    def _read(self, first: JsonObject | None, rest: Iterator[JsonObject]) -> Iterator[JsonObject]:
        try:
            if first is not None:
                yield first
            for chunk in rest:
                if self._is_closed:
                    raise ConnectionLost(
                        "The stream was closed here before its end.", provider=self.completion.provider
                    )
                yield chunk
        finally:
            self.close()

    @property
    def completion(self) -> Completion:
        """What has come so far; its finish_reason is "" while the answer is not whole."""
        return self._heard.completion

    @property
    def calls_tool(self) -> bool:
        """Whether the first choice has called a tool so far."""
        return self._heard.calls_tool

    def close(self) -> None:
        """End the server's connection, from any thread and in any state."""
        self._is_closed = True
        if self._source is not None:
            self._source.close()


# --- OpenAI's shape ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Envelope:
    """What stands around a message of a server that speaks another shape: the same in each chunk of a stream."""

    model: str
    has_usage: bool = False
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def answer(self, message: JsonObject, *, finish_reason: str, usage: JsonObject | None) -> JsonObject:
        """A whole answer with one choice."""
        choice: JsonObject = {
            "index": 0,
            "message": {"role": "assistant", **message},
            "logprobs": None,
            "finish_reason": finish_reason,
        }
        return {**self._head("chat.completion"), "choices": [choice], **({"usage": usage} if usage else {})}

    def chunk(self, delta: JsonObject, *, finish_reason: str | None = None) -> JsonObject:
        """A piece of an answer."""
        choice: JsonObject = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return {**self._chunk_head(), "choices": [choice]}

    def usage_chunks(self, usage: JsonObject | None) -> Iterator[JsonObject]:
        """The chunk with the token counts, where they were asked for and given."""
        if self.has_usage and usage:
            yield {**self._chunk_head(), "choices": [], "usage": usage}

    def _head(self, kind: str) -> JsonObject:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}

    def _chunk_head(self) -> JsonObject:
        return {**self._head("chat.completion.chunk"), **({"usage": None} if self.has_usage else {})}


def usage(input_tokens: int | None, output_tokens: int | None) -> JsonObject | None:
    """Token counts in OpenAI's shape; None where a server gave none."""
    if input_tokens is None and output_tokens is None:
        return None
    asked, answered = input_tokens or 0, output_tokens or 0
    return {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}


def tool_call(id: str, name: str, arguments: JsonValue) -> JsonObject:
    """A tool that a model calls; its arguments are a JSON text there."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return {"id": id or f"call_{uuid.uuid4().hex}", "type": "function", "function": {"name": name, "arguments": text}}


def wants_usage(body: JsonObject) -> bool:
    """Whether a request asks for a chunk with token counts at the end of its stream."""
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def chunks_of(answer: JsonObject, *, has_usage: bool) -> Iterator[JsonObject]:
    """A whole answer as a stream would have brought it: one chunk with everything, and one with the token counts."""
    head: JsonObject = {name: value for name, value in answer.items() if name not in ("choices", "usage")}
    head["object"] = "chat.completion.chunk"
    choices: list[JsonValue] = [_as_delta(choice) for choice in validation.objects(answer.get("choices"))]
    yield {**head, "choices": choices}
    if has_usage and answer.get("usage"):
        yield {**head, "choices": [], "usage": answer["usage"]}


def _as_delta(choice: Mapping[str, JsonValue]) -> JsonObject:
    message = choice.get("message")
    delta: JsonObject = dict(message) if isinstance(message, dict) else {}
    calls = validation.objects(delta.get("tool_calls"))
    if calls:
        delta["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    return {**{name: value for name, value in choice.items() if name != "message"}, "delta": delta}
