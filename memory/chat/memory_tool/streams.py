"""The rounds of a turn that is streamed: what the model says goes on at once, its calls of the memory tool do not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from pydantic import JsonValue

from memory import llm
from memory.chat.memory_tool.calls import JsonObject, ToolCalls
from memory.chat.memory_tool.round_view import RoundView
from memory.chat.memory_tool.rounds import Rounds, with_usage
from memory.chat.memory_tool.tool import MemoryTool

_BETWEEN = "\n\n"
"""Stands between what the model said before it asked memory, and after."""


class Upstream(Protocol):
    """An answer under way, as `llm.RelayedStream` is one."""

    def __iter__(self) -> Iterator[JsonObject]: ...

    @property
    def completion(self) -> llm.Completion: ...

    def close(self) -> None: ...


def relay_stream(body: JsonObject, tool: MemoryTool | None) -> Upstream:
    """The answer chunk by chunk, from the first one on, without what the model asks of memory. Raises `LLMError`."""
    rounds = Rounds(body, tool)
    first = rounds.ask(llm.relay_stream)
    return first if tool is None else ToolStream(rounds, first)


class ToolStream:
    """The chunks of all rounds as those of one answer. Iterable once; a round begins when the one before has ended."""

    def __init__(self, rounds: Rounds, first: llm.RelayedStream) -> None:
        self._rounds, self._upstream = rounds, first
        self._is_closed = False
        self._said: list[str] = []
        self._id: JsonValue = None

    def __iter__(self) -> Iterator[JsonObject]:
        """The chunks. Raises `LLMError` where a round has no answer, or breaks off."""
        while True:
            view = RoundView(_BETWEEN if self._said else "")
            for chunk in self._upstream:
                yield from map(self._as_one, view.shown(chunk))
            calls = ToolCalls(view.ours)
            if self._is_closed or view.has_others or self._rounds.is_over(calls):
                yield from map(self._as_one, view.end())
                return
            self._next(calls)

    def _next(self, calls: ToolCalls) -> None:
        """Answer the calls of the memory tool, and begin the next round."""
        done = self._upstream.completion
        self._rounds.add(done)
        self._said += [done.text] if done.text else []
        self._rounds.answer(calls, content=done.text or None)
        self._upstream = self._rounds.ask(llm.relay_stream)
        if self._is_closed:
            self._upstream.close()

    def _as_one(self, chunk: JsonObject) -> JsonObject:
        """A chunk as one of the same answer: its id, and the tokens of the rounds before it."""
        if not self._rounds.done:
            self._id = chunk.get("id")
            return chunk
        same: JsonObject = {"id": self._id} if self._id is not None else {}
        return with_usage({**chunk, **same}, self._tokens)

    @property
    def _tokens(self) -> tuple[int | None, int | None]:
        return self._rounds.with_tokens_of(self._upstream.completion)

    @property
    def completion(self) -> llm.Completion:
        """The completion so far: all that the client was told, and the tokens of all rounds."""
        last, tokens = self._upstream.completion, self._tokens
        text = _BETWEEN.join([*self._said, last.text] if last.text else self._said)
        return replace(last, text=text, input_tokens=tokens[0], output_tokens=tokens[1])

    def close(self) -> None:
        """Let go of the model's server, from any thread and in any state."""
        self._is_closed = True
        self._upstream.close()
