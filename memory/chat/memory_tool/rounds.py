"""The requests that one turn takes, one after the other: the model asks memory, and goes on with what it is told."""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from memory import llm
from memory.chat.memory_tool.calls import JsonObject, ToolCalls, message_of, without_ours
from memory.chat.memory_tool.tool import TOOL, MemoryTool

logger = logging.getLogger(__name__)

MAX_ROUNDS = 3
_IS_ABOUT_TOOLS = re.compile(r"\btools?\b|\bfunctions?\b", re.IGNORECASE)

Tokens = tuple[int | None, int | None]
_Answer = TypeVar("_Answer")

_refusing: set[str] = set()
"""The models whose server refused tools, as long as the process lives."""


def relay(body: JsonObject, tool: MemoryTool | None) -> llm.Relayed:
    """The model's answer, after what it asked of memory. Raises `LLMError`."""
    rounds = Rounds(body, tool)
    while True:
        relayed = rounds.ask(llm.relay)
        rounds.add(relayed.completion)
        message = message_of(relayed.answer)
        calls = ToolCalls.of(message.get("tool_calls"))
        if rounds.is_over(calls):
            return rounds.whole(relayed)
        rounds.answer(calls, content=message.get("content"))


class Rounds:
    """The requests of one turn, one after the other, and the tokens of all of them."""

    def __init__(self, body: JsonObject, tool: MemoryTool | None) -> None:
        self.tool = tool
        self._body = body
        self._messages = list(body["messages"]) if isinstance(body["messages"], list) else []
        self.done = 0
        self._refuses_tools = tool is None or _place(body) in _refusing
        self.tokens: Tokens = (None, None)

    @property
    def is_offered(self) -> bool:
        """Whether the model may call the tool in this round."""
        return not self._refuses_tools and self.done < MAX_ROUNDS

    def ask(self, send: Callable[[JsonObject], _Answer]) -> _Answer:
        """What the model says in this round. A server that refuses tools is asked without ours, and not again."""
        try:
            return send(self._request())
        except llm.RequestRefused as refusal:
            if not self.is_offered or self.done or not _IS_ABOUT_TOOLS.search(str(refusal)):
                raise
        answer = send(self._body)
        self._refuses_tools = True
        _refusing.add(_place(self._body))
        logger.warning("The model %s takes no tools: it is not offered the search of memory.", _place(self._body))
        return answer

    def _request(self) -> JsonObject:
        body: JsonObject = {**self._body, "messages": list(self._messages)}
        own = body.get("tools")
        tools: list[JsonValue] = [*(own if isinstance(own, list) else []), TOOL]
        if self.is_offered:
            return {**body, "tools": tools}
        # Anthropic's API reads no earlier calls of a tool that it is not told of.
        if self.done and not own and llm.route_for("chat", model=_place(body) or None).provider == "anthropic":
            return {**body, "tools": tools, "tool_choice": "none"}
        return body

    def add(self, completion: llm.Completion) -> None:
        """Count the tokens of a round."""
        self.tokens = self.with_tokens_of(completion)

    def with_tokens_of(self, completion: llm.Completion) -> Tokens:
        """The tokens so far with those of a round that is not over."""
        return _sum(self.tokens[0], completion.input_tokens), _sum(self.tokens[1], completion.output_tokens)

    def is_over(self, calls: ToolCalls) -> bool:
        """Whether this answer is the client's: the memory tool was not called, not alone, or may be no more."""
        return self.tool is None or not calls.ours or bool(calls.others) or not self.is_offered

    def answer(self, calls: ToolCalls, *, content: JsonValue) -> None:
        """Answer the calls of the memory tool, for the next round."""
        given: list[JsonValue] = [call.given for call in calls.ours]
        self._messages.append({"role": "assistant", "content": content, "tool_calls": given})
        self._messages.extend(self.tool.answer(call) for call in calls.ours if self.tool is not None)
        self.done += 1

    def whole(self, last: llm.Relayed) -> llm.Relayed:
        """The last answer without calls of our tool, with the tokens of all rounds."""
        if self.tool is None:
            return last
        completion = replace(last.completion, input_tokens=self.tokens[0], output_tokens=self.tokens[1])
        return replace(last, answer=with_usage(without_ours(last.answer), self.tokens), completion=completion)


def with_usage(answer: JsonObject, tokens: Tokens) -> JsonObject:
    """An answer, or a chunk of one, that says the tokens of all rounds, where it says any."""
    given = answer.get("usage")
    if not isinstance(given, Mapping):
        return answer
    names = ("prompt_tokens", "completion_tokens")
    counts: JsonObject = {name: count for name, count in zip(names, tokens, strict=True) if count is not None}
    if len(counts) == len(names):
        counts["total_tokens"] = (tokens[0] or 0) + (tokens[1] or 0)
    return answer | {"usage": {**given, **counts}}


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first + (second or 0)


def _place(body: JsonObject) -> str:
    """The model that a request goes to; "" for the configured one."""
    return str(body.get("model") or "")
