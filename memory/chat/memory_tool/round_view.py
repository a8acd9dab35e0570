"""One round of a streamed answer: which of its chunks the client sees. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from memory.chat.memory_tool.calls import NAME, JsonObject, ToolCall


@dataclass
class _Call:
    """A call of the memory tool, as its pieces come."""

    id: str = ""
    arguments: list[str] = field(default_factory=list)

    def whole(self) -> ToolCall:
        arguments = "".join(self.arguments)
        given: JsonObject = {
            "id": self.id,
            "type": "function",
            "function": {"name": NAME, "arguments": arguments},
        }
        return ToolCall(self.id, NAME, arguments, given)


class RoundView:
    """What a client sees of one round. The chunk that ends the answer, and that with its tokens, wait until it is sure
    that no other round follows. `between`: what stands between what was said in earlier rounds and this one."""

    def __init__(self, between: str = "") -> None:
        self._between = between
        self._ours: dict[int, _Call] = {}
        self._shown: dict[int, int] = {}
        self._held: list[JsonObject] = []

    @property
    def ours(self) -> list[ToolCall]:
        """The calls of the memory tool."""
        return [call.whole() for call in self._ours.values()]

    @property
    def has_others(self) -> bool:
        """Whether the client's own tools are called."""
        return bool(self._shown)

    def shown(self, chunk: JsonObject) -> Iterator[JsonObject]:
        """What of a chunk the client sees now."""
        choices = chunk.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, dict) or not isinstance(choices, list):
            self._held.append(chunk)
            return
        given = first.get("delta")
        delta = self._delta(given) if isinstance(given, dict) else {}
        is_end = first.get("finish_reason") is not None
        if is_end:
            ends: JsonObject = {**first, "delta": {}}
            self._held.append(chunk | {"choices": [ends, *choices[1:]]})
        if delta:
            goes_on: JsonObject = {**first, "delta": delta, "finish_reason": None}
            shown = chunk | {"choices": [goes_on, *([] if is_end else choices[1:])]}
            yield {name: value for name, value in shown.items() if name != "usage" or not is_end}

    def end(self) -> list[JsonObject]:
        """The chunks that waited. Where all that was called is not shown, the answer has just ended."""
        return [self._ended(chunk) for chunk in self._held]

    def _ended(self, chunk: JsonObject) -> JsonObject:
        choices = chunk.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, dict) or not isinstance(choices, list):
            return chunk
        is_ours = first.get("finish_reason") == "tool_calls" and self._ours and not self._shown
        return chunk | {"choices": [first | ({"finish_reason": "stop"} if is_ours else {}), *choices[1:]]}

    def _delta(self, given: JsonObject) -> JsonObject:
        """A delta without the memory tool's calls; the others are counted anew."""
        delta = {name: value for name, value in given.items() if name != "tool_calls"}
        if self._between and isinstance(content := delta.get("content"), str) and content:
            delta["content"], self._between = self._between + content, ""
        given_calls = given.get("tool_calls")
        calls = given_calls if isinstance(given_calls, list) else []
        kept: list[JsonValue] = [shown for one in calls if isinstance(one, dict) and (shown := self._call(one))]
        return delta | ({"tool_calls": kept} if kept else {})

    def _call(self, call: JsonObject) -> JsonObject | None:
        index = call.get("index")
        place = index if isinstance(index, int) else len(self._ours) + len(self._shown)
        function = call.get("function")
        parts = function if isinstance(function, dict) else {}
        if parts.get("name") == NAME and place not in self._shown:
            self._ours.setdefault(place, _Call())
        if place in self._ours:
            own = self._ours[place]
            own.id = own.id or str(call.get("id") or "")
            own.arguments.append(str(parts.get("arguments") or ""))
            return None
        number = self._shown.setdefault(place, len(self._shown))
        return {**call, "index": number}
