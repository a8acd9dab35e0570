"""The answer to a relayed request: whole or in chunks, in OpenAI's shape, with the completion to record.

Also the builder of that shape, for servers that speak another.
"""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, content_text, objects_in, token_count
from memory.llm.errors import ConnectionLost
from memory.llm.http.client import MAX_ANSWER_BYTES, JsonObject
from memory.llm.types import Completion, Route


class Closeable(Protocol):
    """The source that a stream is read from."""

    def close(self) -> None:
        """Close it, from any thread."""
        ...


class Accumulator(Protocol):
    """What has come of an answer so far."""

    @property
    def completion(self) -> Completion:
        """The completion so far; its finish_reason is "" until the answer is whole."""
        ...

    @property
    def calls_tool(self) -> bool:
        """Whether a tool of the client's was called so far."""
        ...


# --- the completion to record ------------------------------------------------------------------------------------


class AnswerAccumulator:
    """Adds up the chunks of an answer in OpenAI's shape, or takes a whole one, and gives the completion so far."""

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
    def has_choices(self) -> bool:
        """Whether any choice has come so far."""
        return bool(self._finished)

    @property
    def is_finished(self) -> bool:
        """Whether every choice that began has given its finish_reason."""
        return bool(self._finished) and all(self._finished.values())

    @property
    def completion(self) -> Completion:
        """The completion so far, with the text or the refusal of the first choice; "" where it only calls tools."""
        text = "".join(self._texts) or "".join(self._refusals)
        return Completion(
            text=clean_text(text),
            model=self._model or self._route.model,
            provider=self._route.provider,
            finish_reason=validation.finish_reason(self._finish_reason),
            input_tokens=self._tokens[0],
            output_tokens=self._tokens[1],
        )

    def set_usage(self, given: JsonValue) -> None:
        """Set the token counts, where `given` is an object in OpenAI's shape."""
        if isinstance(given, dict):
            self._tokens = token_count(given, "prompt_tokens"), token_count(given, "completion_tokens")

    def recording(self, chunks: Iterator[JsonObject]) -> Iterator[JsonObject]:
        """The same chunks, each added before it is handed on."""
        for chunk in chunks:
            self.add(chunk)
            yield chunk

    def add(self, answer: JsonObject) -> None:
        """Add a chunk or a whole answer."""
        self._model = clean_text(answer.get("model")) or self._model
        self.set_usage(answer.get("usage"))
        for choice in objects_in(answer.get("choices")):
            index = token_count(choice, "index") or 0
            reason = clean_text(choice.get("finish_reason"))
            self._finished[index] = self._finished.get(index, False) or bool(reason)
            if index == 0:
                self._finish_reason = reason or self._finish_reason
                self._add_message(choice.get("delta") or choice.get("message"))

    def _add_message(self, message: JsonValue) -> None:
        """Add text of choice 0, uncleaned: the other half of a surrogate pair may be in the next chunk."""
        if not isinstance(message, dict):
            return
        for name, kept in (("content", self._texts), ("refusal", self._refusals)):
            content = message.get(name)
            text = content if isinstance(content, str) else content_text(content)
            if text and self._chars <= MAX_ANSWER_BYTES:
                kept.append(text)
                self._chars += len(text)
        self.calls_tool = self.calls_tool or bool(message.get("tool_calls") or message.get("function_call"))


# --- the answer that is relayed ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relayed:
    """A whole answer: `answer` in the shape that was asked for, mostly OpenAI's `chat.completion`; `completion` is what
    is recorded."""

    answer: JsonObject
    completion: Completion
    calls_tool: bool = False


def relayed_answer(answer: JsonObject, route: Route) -> Relayed:
    """An answer in OpenAI's shape with the completion to record."""
    accumulator = AnswerAccumulator(route)
    accumulator.add(answer)
    return Relayed(answer, accumulator.completion, accumulator.calls_tool)


class RelayedStream:
    """An answer in chunks, mostly OpenAI's `chat.completion.chunk` objects, each handed on as soon as it comes.
    Iterable once.

    `chunks` must add themselves to `accumulator`. The constructor fetches the first one, and so may raise `LLMError`.
    """

    def __init__(self, chunks: Iterator[JsonObject], accumulator: Accumulator, source: Closeable | None = None) -> None:
        self._accumulator = accumulator
        self._source = source
        self._is_closed = False
        try:
            first = next(chunks, None)
        except BaseException:
            self.close()
            raise
        self._chunks = self._read(first, chunks)

    def __iter__(self) -> Iterator[JsonObject]:
        """The chunks. Raises `LLMError` where the server breaks off, and where this stream was closed."""
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
        """The completion so far; its finish_reason is "" until the answer is whole."""
        return self._accumulator.completion

    @property
    def calls_tool(self) -> bool:
        """Whether the first choice has called a tool so far."""
        return self._accumulator.calls_tool

    def close(self) -> None:
        """Close the connection to the server, from any thread and in any state."""
        self._is_closed = True
        if self._source is not None:
            self._source.close()


def relayed_stream(
    source: Closeable, route: Route, chunks_for: Callable[[AnswerAccumulator], Iterator[JsonObject]]
) -> RelayedStream:
    """The stream of the chunks that `chunks_for` makes of what comes from `source`. Raises `LLMError`.

    `chunks_for` gets the accumulator, so that it can tell what has come so far.
    """
    accumulator = AnswerAccumulator(route)
    return RelayedStream(accumulator.recording(chunks_for(accumulator)), accumulator, source)


# --- OpenAI's shape ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResponseBuilder:
    """Puts a message into OpenAI's shape. All chunks of a stream are built by one, so that they share id and model."""

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
        return {**self._fields("chat.completion"), "choices": [choice], **({"usage": usage} if usage else {})}

    def chunk(self, delta: JsonObject, *, finish_reason: str | None = None) -> JsonObject:
        """A piece of an answer."""
        choice: JsonObject = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return {**self._chunk_fields(), "choices": [choice]}

    def usage_chunks(self, usage: JsonObject | None) -> Iterator[JsonObject]:
        """The chunk with the token counts, where the client asked for it and the server gave them."""
        if self.has_usage and usage:
            yield {**self._chunk_fields(), "choices": [], "usage": usage}

    def _fields(self, kind: str) -> JsonObject:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}

    def _chunk_fields(self) -> JsonObject:
        return {**self._fields("chat.completion.chunk"), **({"usage": None} if self.has_usage else {})}


def usage(input_tokens: int | None, output_tokens: int | None) -> JsonObject | None:
    """Token counts in OpenAI's shape; None where a server gave none."""
    if input_tokens is None and output_tokens is None:
        return None
    prompt, answer = input_tokens or 0, output_tokens or 0
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def tool_call(id: str, name: str, arguments: JsonValue) -> JsonObject:
    """A tool call in OpenAI's shape, with its arguments as JSON text."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return {"id": id or f"call_{uuid.uuid4().hex}", "type": "function", "function": {"name": name, "arguments": text}}


def wants_usage(body: JsonObject) -> bool:
    """Whether a request asks for a chunk with token counts at the end of its stream."""
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def as_chunks(answer: JsonObject, *, has_usage: bool) -> Iterator[JsonObject]:
    """A whole answer as a stream: one chunk with everything, and one with the token counts."""
    head: JsonObject = {name: value for name, value in answer.items() if name not in ("choices", "usage")}
    head["object"] = "chat.completion.chunk"
    choices: list[JsonValue] = [_as_delta(choice) for choice in objects_in(answer.get("choices"))]
    yield {**head, "choices": choices}
    if has_usage and answer.get("usage"):
        yield {**head, "choices": [], "usage": answer["usage"]}


def _as_delta(choice: Mapping[str, JsonValue]) -> JsonObject:
    message = choice.get("message")
    delta: JsonObject = dict(message) if isinstance(message, dict) else {}
    calls = objects_in(delta.get("tool_calls"))
    if calls:
        delta["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    return {**{name: value for name, value in choice.items() if name != "message"}, "delta": delta}
