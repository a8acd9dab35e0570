"""Asking a server that speaks OpenAI's chat completions once, for a whole answer."""

import re
from functools import partial
from urllib.parse import urlsplit

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, content_text, token_count
from memory.llm.answers.validation import ModelAnswer
from memory.llm.errors import NotFound
from memory.llm.http import client, error_mapping
from memory.llm.http.capability_fallback import CapabilityFallback
from memory.llm.http.client import JsonObject
from memory.llm.openai.server import HOST_WITH_KEY, PATH, with_hint
from memory.llm.openai.unasked_stream import put_together
from memory.llm.types import Completion, Request, Route

_OPTIONAL_PARAMETERS = {
    "response_format": re.compile(r"response_format|json_schema|structured[ _]outputs?|guided_", re.IGNORECASE),
    "max_tokens": re.compile(r"max_completion_tokens"),
    "reasoning_effort": re.compile(r"reasoning[._ ]?effort", re.IGNORECASE),
    "chat_template_kwargs": re.compile(r"chat[_ ]?template|enable[_ ]?thinking", re.IGNORECASE),
}
_SWITCHES = ("reasoning_effort", "chat_template_kwargs")
"""What keeps a model from thinking for long: OpenAI's own, and that of the servers that render Qwen's template."""
_FALLBACK_STATUSES = frozenset({400, 404, 422})


class OpenAICompletion:
    """How the provider `openai` completes."""

    def __init__(self) -> None:
        super().__init__()
        self._fallback = CapabilityFallback(_OPTIONAL_PARAMETERS, statuses=_FALLBACK_STATUSES, suspects=_SWITCHES)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        Where the server refuses `response_format`, the request is sent again without it; where it refuses `max_tokens`,
        with `max_completion_tokens` in its place. The memory's tasks ask for little thinking, or none, where the server
        takes that. Later requests begin that way.
        """
        parameters = {"max_tokens", *(["response_format"] if request.json_schema else []), *_switches(request)}
        try:
            return self._fallback.call(partial(_completion, request), route=request.route, parameters=parameters)
        except NotFound as error:
            raise with_hint(error, request.route) from None


def _completion(request: Request, unsupported: frozenset[str]) -> Completion:
    """The server's answer to a request without the parameters that it does not support."""
    route, body = request.route, _body(request, unsupported)
    answer = client.post(route, PATH, headers=client.bearer_headers(route), body=body, put_together=put_together)
    return validation.completion_from(_model_answer(answer, request), request)


def _body(request: Request, unsupported: frozenset[str]) -> JsonObject:
    """The request as JSON. Messages go out as the client sent them, fields that we do not know included."""
    body: JsonObject = {
        "model": request.route.model,
        "messages": [message.as_sent() for message in request.messages],
        "stream": False,
        "max_completion_tokens" if "max_tokens" in unsupported else "max_tokens": request.max_tokens,
    }
    body |= {name: value for name, value in _switches(request).items() if name not in unsupported}
    if request.json_schema and "response_format" not in unsupported:
        name = request.json_schema.get("title")
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": name if isinstance(name, str) else request.task,
                "schema": dict(request.json_schema),
                "strict": False,
            },
        }
    return body


def _switches(request: Request) -> JsonObject:
    """What keeps a model from thinking for long about one of the memory's tasks; nothing for a chat."""
    if request.task == "chat":
        return {}
    if urlsplit(request.route.base_url).hostname == HOST_WITH_KEY:
        return {"reasoning_effort": "low"}
    return {"reasoning_effort": "low", "chat_template_kwargs": {"enable_thinking": False}}


def _model_answer(answer: JsonObject, request: Request) -> ModelAnswer:
    """The model's answer without its reasoning. The JSON may have any shape."""
    choice, message = message_in(answer, request.route)
    usage = answer.get("usage")
    has_reasoning = any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    # Each provider has names of its own for these fields; only the shape is shared.
    return ModelAnswer(
        text=content_text(message.get("content")),
        model=clean_text(answer.get("model")),
        stop_reason=clean_text(choice.get("finish_reason")),
        stop_field="finish_reason",
        input_tokens=token_count(usage, "prompt_tokens"),
        output_tokens=token_count(usage, "completion_tokens"),
        refusal=content_text(message.get("refusal")),
        calls_tool=bool(message.get("tool_calls") or message.get("function_call")),
        reasoning_field="reasoning" if has_reasoning else "",
    )


def message_in(answer: JsonObject, route: Route) -> tuple[JsonObject, JsonObject]:
    """The first choice and its message. Raises `LLMError`, also for an error inside the choice (of an aggregator)."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise validation.bad_answer(route, "without any choice in it")
    if error_mapping.error_body_in(choice):
        raise error_mapping.error_for(validation.server_of(route), status=200, headers={}, payload=choice, text="")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise validation.bad_answer(route, "without a message in it")
    return choice, message
