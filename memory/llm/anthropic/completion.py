"""Asking Anthropic's messages API once, for a whole answer."""

import json
import re
from functools import partial

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.answers.validation import ModelAnswer
from memory.llm.anthropic import messages
from memory.llm.anthropic.server import PATH, headers
from memory.llm.http import client
from memory.llm.http.capability_fallback import CapabilityFallback
from memory.llm.http.client import JsonObject
from memory.llm.types import Completion, JsonSchema, Request

# Models that always think refuse a forced tool call; some copies of the API have no tools at all.
_OPTIONAL_PARAMETERS = {"tool": re.compile(r"tool|input_schema", re.IGNORECASE)}
_FALLBACK_STATUSES = frozenset({400, 404, 422})


class AnthropicCompletion:
    """How the provider `anthropic` completes."""

    def __init__(self) -> None:
        super().__init__()
        self._tool_fallback = CapabilityFallback(_OPTIONAL_PARAMETERS, statuses=_FALLBACK_STATUSES)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        A schema is sent as the input of a tool that the model has to call. Where the server refuses the tool, the
        request is sent again without it, and later requests leave it out.
        """
        parameters = ["tool"] if request.json_schema else []
        return self._tool_fallback.call(partial(_completion, request), route=request.route, parameters=parameters)


def _completion(request: Request, unsupported: frozenset[str]) -> Completion:
    """The server's answer to a request without the parameters that it does not support."""
    route = request.route
    schema = None if "tool" in unsupported else request.json_schema
    answer = client.post(route, PATH, headers=headers(route), body=_body(request, schema))
    return validation.completion_from(_model_answer(answer, request, tool=_tool_name(request, schema)), request)


def _body(request: Request, schema: JsonSchema | None) -> JsonObject:
    """The request as JSON. A schema goes in as the input of a tool that must be called."""
    body: JsonObject = {
        "model": request.route.model,
        "max_tokens": request.max_tokens,
        "messages": messages.turns(request.messages),
        "stream": False,
    }
    if system := messages.system_prompt(request.messages):
        body["system"] = system
    if schema:
        name = _tool_name(request, schema)
        body["tools"] = [{"name": name, "description": "Gives the answer.", "input_schema": dict(schema)}]
        body["tool_choice"] = {"type": "tool", "name": name, "disable_parallel_tool_use": True}
    return body


def _tool_name(request: Request, schema: JsonSchema | None) -> str:
    """The name of the tool that takes the answer: the title of its schema, or the task; "" without a schema."""
    if not schema:
        return ""
    title = clean_text(schema.get("title"))
    return title if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", title) else request.task


def _model_answer(answer: JsonObject, request: Request, *, tool: str) -> ModelAnswer:
    """The model's answer: the input it gave to `tool`, or else its text blocks joined.

    Blocks of any other kind are ignored, wherever they stand: thinking, redacted thinking and other tools.
    """
    content, usage = answer.get("content"), answer.get("usage")
    if not isinstance(content, list | str):
        raise validation.bad_answer(request.route, "without any content in it")
    blocks = objects_in(content)
    kinds = [clean_text(one.get("type")) for one in blocks]
    inputs = [_input_text(one) for one in blocks if _calls(tool, one)]
    texts = [clean_text(one.get("text")) for one in blocks if one.get("type") == "text"]
    stop = clean_text(answer.get("stop_reason"))
    return ModelAnswer(
        text="\n".join(inputs) if inputs else clean_text(content) or "".join(texts),
        model=clean_text(answer.get("model")),
        stop_reason="end_turn" if inputs and stop == "tool_use" else stop,
        stop_field="stop_reason",
        input_tokens=token_count(usage, "input_tokens"),
        output_tokens=token_count(usage, "output_tokens"),
        calls_tool=any(kind.endswith("tool_use") for kind in kinds),
        reasoning_field="thinking" if any(kind in ("thinking", "redacted_thinking") for kind in kinds) else "",
    )


def _calls(tool: str, one: JsonObject) -> bool:
    """Whether a block calls `tool`. A call without any input broke off, so it does not count."""
    return one.get("type") == "tool_use" and one.get("name") == tool and bool(one.get("input"))


def _input_text(one: JsonObject) -> str:
    """A tool's input as JSON text; some copies of the API give it as text already."""
    given = one.get("input")
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
