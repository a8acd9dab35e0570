"""An answer in the shape of OpenAI's Responses: the object around it, and the items it is made of."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from memory.api.openai_responses.request import ResponsesRequest
from memory.api.requests import JsonObject
from memory.llm.answers.json_fields import content_text, objects_in, token_count

REASONING_FIELDS = ("reasoning_content", "reasoning")
"""Where servers of chat completions put what their model thought."""


def new_id(kind: str) -> str:
    """A new id, such as `msg_...`."""
    return f"{kind}_{uuid.uuid4().hex}"


# --- items ----------------------------------------------------------------------------------------------------------


def message_item(item_id: str, parts: Sequence[JsonObject], *, status: str) -> JsonObject:
    """The model's message."""
    return {"id": item_id, "type": "message", "status": status, "role": "assistant", "content": list(parts)}


def text_part(text: str) -> JsonObject:
    """A part of a message with what the model says."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def refusal_part(refusal: str) -> JsonObject:
    """A part of a message with why the model says nothing."""
    return {"type": "refusal", "refusal": refusal}


def call_item(item_id: str, call: JsonObject, *, status: str) -> JsonObject:
    """A function that the model calls: `call` has its `call_id`, `name` and `arguments`."""
    return {"id": item_id, "type": "function_call", "status": status, **call}


def reasoning_item(item_id: str, texts: Sequence[str], *, status: str) -> JsonObject:
    """What the model thought, as its provider tells it."""
    summary: list[JsonValue] = [{"type": "summary_text", "text": text} for text in texts]
    return {"id": item_id, "type": "reasoning", "status": status, "summary": summary, "encrypted_content": None}


# --- the object around them -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Envelope:
    """What is the same in every form of one answer: its id, and what was asked for."""

    asked: ResponsesRequest
    id: str = field(default_factory=lambda: new_id("resp"))
    created_at: int = field(default_factory=lambda: int(time.time()))

    def response(
        self,
        output: Sequence[JsonObject],
        *,
        status: str,
        model: JsonValue,
        reason: str = "",
        usage: JsonValue = None,
        error: JsonObject | None = None,
    ) -> JsonObject:
        """The `response` object. `reason`: why it is incomplete. `usage`: as chat completions count it."""
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created_at,
            "completed_at": int(time.time()) if status in ("completed", "incomplete") else None,
            "status": status,
            "error": error,
            "incomplete_details": {"reason": reason} if reason else None,
            "model": model if isinstance(model, str) and model else self.asked.model or "caesar",
            "output": list(output),
            "usage": _usage(usage),
            **self._echo(),
        }

    def _echo(self) -> JsonObject:
        """What was asked for, with OpenAI's defaults for what was not."""
        asked = self.asked
        form: JsonValue = asked.form.model_dump(by_alias=True, exclude_none=True)
        tools: list[JsonValue] = [tool.model_dump() for tool in asked.tools or []]
        return {
            "background": False,
            "instructions": asked.instructions,
            "max_output_tokens": asked.max_output_tokens,
            "metadata": asked.metadata if isinstance(asked.metadata, dict) else {},
            "parallel_tool_calls": asked.parallel_tool_calls is not False,
            "previous_response_id": None,
            "prompt_cache_key": asked.prompt_cache_key,
            "reasoning": {"effort": asked.effort, "summary": None},
            "safety_identifier": asked.safety_identifier,
            "service_tier": asked.service_tier or "default",
            "store": False,
            "temperature": asked.temperature,
            "text": {"format": form, "verbosity": asked.verbosity or "medium"},
            "tool_choice": asked.tool_choice or "auto",
            "tools": tools,
            "top_logprobs": 0,
            "top_p": asked.top_p,
            "truncation": asked.truncation or "disabled",
            "user": asked.user,
        }


def ending(finish_reason: JsonValue) -> tuple[str, str]:
    """The status of an answer that ended like this in chat completions, and why it is incomplete."""
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(str(finish_reason), "")
    return ("incomplete" if reason else "completed"), reason


def _usage(given: JsonValue) -> JsonObject | None:
    """Token counts; None where the provider gave none."""
    if not isinstance(given, dict):
        return None
    read, written = token_count(given, "prompt_tokens") or 0, token_count(given, "completion_tokens") or 0
    cached = token_count(given.get("prompt_tokens_details"), "cached_tokens") or 0
    thought = token_count(given.get("completion_tokens_details"), "reasoning_tokens") or 0
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": read + written,
    }


# --- a whole answer -------------------------------------------------------------------------------------------------


def whole(answer: JsonObject, asked: ResponsesRequest) -> JsonObject:
    """The `response` object for a `chat.completion`, of which the first choice counts."""
    choice = next(iter(objects_in(answer.get("choices"))), JsonObject())
    given = choice.get("message")
    message = given if isinstance(given, dict) else JsonObject()
    status, reason = ending(choice.get("finish_reason"))
    output = [*_thoughts(message), *_said(message, status), *_calls(message)]
    return Envelope(asked).response(
        output, status=status, reason=reason, model=answer.get("model"), usage=answer.get("usage")
    )


def reasoning_in(message: JsonObject) -> str:
    """What the model thought, in a message or a piece of one; "" where its provider does not tell."""
    return next((text for name in REASONING_FIELDS if isinstance(text := message.get(name), str) and text), "")


def function_in(call: JsonObject) -> tuple[str, str]:
    """Name and arguments of the function in a call, or of a piece of it."""
    given = call.get("function")
    function = given if isinstance(given, dict) else JsonObject()
    name, arguments = function.get("name"), function.get("arguments")
    return (name if isinstance(name, str) else ""), (arguments if isinstance(arguments, str) else "")


def _thoughts(message: JsonObject) -> list[JsonObject]:
    text = reasoning_in(message)
    return [reasoning_item(new_id("rs"), [text], status="completed")] if text else []


def _said(message: JsonObject, status: str) -> list[JsonObject]:
    """The message; one without words where the model does nothing else either."""
    text, refusal = content_text(message.get("content")), content_text(message.get("refusal"))
    if not text and not refusal and message.get("tool_calls"):
        return []
    parts = [refusal_part(refusal)] if refusal and not text else [text_part(text)]
    return [message_item(new_id("msg"), parts, status=status)]


def _calls(message: JsonObject) -> list[JsonObject]:
    calls = objects_in(message.get("tool_calls"))
    return [call_item(new_id("fc"), _call(call), status="completed") for call in calls]


def _call(call: JsonObject) -> JsonObject:
    name, arguments = function_in(call)
    given = call.get("id")
    call_id = given if isinstance(given, str) and given else new_id("call")
    return {"call_id": call_id, "name": name, "arguments": arguments}
