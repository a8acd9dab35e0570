"""OpenAI's chat completions, as OpenAI and every compatible server speak them."""

import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlsplit

from memory.llm.answers import validation
from memory.llm.answers.validation import Said, plain
from memory.llm.errors import LLMError, NotFound
from memory.llm.http import client, error_mapping, requirements
from memory.llm.http.client import JsonObject
from memory.llm.http.fallbacks import Quirks
from memory.llm.types import Completion, Request, Route

PATH = "/chat/completions"
_KEY_REQUIRED_BY = "api.openai.com"

# What some servers or models do not take, by how they say so.
_QUIRKS: Mapping[str, re.Pattern[str]] = {
    "response_format": re.compile(r"response_format|json_schema|structured[ _]outputs?|guided_", re.IGNORECASE),
    "max_tokens": re.compile(r"max_completion_tokens"),
}
_QUIRK_STATUSES = frozenset({400, 404, 422})


class OpenAI:
    """The provider `openai`."""

    def __init__(self) -> None:
        self._quirks = Quirks(_QUIRKS, statuses=_QUIRK_STATUSES)

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where model or key is missing. Only OpenAI's own server needs a key."""
        requirements.check_model(route)
        _check_server(route)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        A request that is refused for naming `response_format` or `max_tokens` is sent once more without it; a refusal
        costs nothing, and the server is not asked that way again.
        """
        sent = {"max_tokens", *(["response_format"] if request.json_schema else [])}
        try:
            return self._quirks.asked(partial(_asked, request), route=request.route, sent=sent)
        except NotFound as error:
            raise with_hint(error, request.route) from None

    def models(self, route: Route) -> list[str]:
        """The models the server lists: `{"data": [{"id": "gpt-x"}]}`, or the list alone. Raises `LLMError`."""
        _check_server(route)
        try:
            listed = client.look(route, "/models", headers=headers(route))
        except NotFound as error:
            raise with_hint(error, route) from None
        entries = listed.get("data") if isinstance(listed, dict) else listed
        return validation.model_names(entries, field="id", route=route)


def _check_server(route: Route) -> None:
    requirements.check_key(route, required_by=_KEY_REQUIRED_BY)
    if route.base_url.endswith(PATH):
        raise requirements.address_says_too_much(route, end_before=PATH)


def with_hint(error: NotFound, route: Route) -> LLMError:
    """A 404 with the usual reason for it, where the address looks like it."""
    path = urlsplit(route.base_url).path.strip("/")
    if path and "v1/v1" not in path:
        return error
    hint = f"{route.server_section}__BASE_URL names /v1 twice."
    if not path:
        hint = f"Most servers want {route.server_section}__BASE_URL to end in /v1."
    return NotFound(f"{error} {hint}", provider=error.provider, status=error.status)


def _asked(request: Request, quirks: frozenset[str]) -> Completion:
    """The server's answer to a request without the parts that it refuses."""
    route = request.route
    answer = client.ask(route, PATH, headers=headers(route), body=_body(request, quirks))
    return validation.completion_from(_said(answer, request), request)


def headers(route: Route) -> Mapping[str, str]:
    """What a request carries beside its body: the key, where there is one."""
    return {"Authorization": f"Bearer {route.api_key}"} if route.api_key else {}


def _body(request: Request, quirks: frozenset[str]) -> JsonObject:
    """The request as JSON: messages as the client sent them, with the fields that are none of our business."""
    body: JsonObject = {
        "model": request.route.model,
        "messages": [message.as_sent() for message in request.messages],
        "stream": False,
        "max_completion_tokens" if "max_tokens" in quirks else "max_tokens": request.max_tokens,
    }
    if request.json_schema and "response_format" not in quirks:
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


# --- the answer -------------------------------------------------------------------------------------------------


def _said(answer: JsonObject, request: Request) -> Said:
    """What the model said in an answer, which may be of any shape. Reasoning beside the text is left where it is."""
    choice, message = message_in(answer, request.route)
    usage = answer.get("usage")
    thought = any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    return Said(
        text=validation.text_of(message.get("content")),
        model=plain(answer.get("model")),
        stop=plain(choice.get("finish_reason")),
        stop_name="finish_reason",
        input_tokens=validation.count(usage, "prompt_tokens"),
        output_tokens=validation.count(usage, "completion_tokens"),
        refusal=validation.text_of(message.get("refusal")),
        calls_tool=bool(message.get("tool_calls") or message.get("function_call")),
        thought_in="reasoning" if thought else "",
    )


def message_in(answer: JsonObject, route: Route) -> tuple[JsonObject, JsonObject]:
    """The first choice and its message. Raises what the choice's own error stands for (aggregators put it there)."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise validation.bad_answer(route, "without any choice in it")
    if error_mapping.complaint_in(choice):
        raise error_mapping.refusal(validation.server(route), status=200, headers={}, payload=choice, text="")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise validation.bad_answer(route, "without a message in it")
    return choice, message
