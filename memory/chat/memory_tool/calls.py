"""The calls of tools in a model's answer. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]

NAME = "search_memory"


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, with its arguments as the model wrote them. `given`: as it came."""

    id: str
    name: str
    arguments: str
    given: JsonObject


@dataclass(frozen=True)
class ToolCalls:
    """The calls of one answer: those of the memory tool, and the client's."""

    ours: Sequence[ToolCall] = ()
    others: Sequence[ToolCall] = ()

    @classmethod
    def of(cls, given: JsonValue) -> "ToolCalls":
        """The calls of a message."""
        calls = [_call(one) for one in given if isinstance(one, dict)] if isinstance(given, list) else []
        return cls([one for one in calls if one.name == NAME], [one for one in calls if one.name != NAME])


def _call(given: JsonObject) -> ToolCall:
    function = given.get("function")
    parts = function if isinstance(function, dict) else {}
    return ToolCall(str(given.get("id") or ""), str(parts.get("name")), str(parts.get("arguments") or ""), given)


def message_of(answer: JsonObject) -> JsonObject:
    """The message of the first choice; {} where there is none."""
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return message if isinstance(message, dict) else {}


def without_ours(answer: JsonObject) -> JsonObject:
    """A whole answer without calls of the memory tool."""
    choices, message = answer.get("choices"), message_of(answer)
    given = message.get("tool_calls")
    if not isinstance(choices, list) or not isinstance(choices[0], dict) or not isinstance(given, list):
        return answer
    kept = [one for one in given if not (isinstance(one, dict) and _call(one).name == NAME)]
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    shown: JsonObject = rest | ({"tool_calls": kept} if kept else {})
    first = choices[0] | {"message": shown} | ({} if kept else {"finish_reason": "stop"})
    return answer | {"choices": [first, *choices[1:]]}
