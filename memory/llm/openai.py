"""OpenAI's chat completions, as OpenAI and every compatible server speak them."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue

from memory.llm import failures, wire
from memory.llm.errors import BadAnswer, LLMError, NotConfigured, NotFound, Truncated
from memory.llm.provider import Completion, Request, Route
from memory.llm.wire import JsonObject

_PATH = "/chat/completions"
_KEY_REQUIRED_BY = "api.openai.com"

# What some servers or models do not take, by how they say so.
_QUIRKS: Mapping[str, re.Pattern[str]] = {
    "response_format": re.compile(r"response_format|json_schema|structured[ _]outputs?|guided_", re.IGNORECASE),
    "max_tokens": re.compile(r"max_completion_tokens"),
}
_QUIRK_STATUSES = frozenset({400, 404, 422})

_CUT = frozenset({"length", "max_tokens", "model_length"})
_FILTERED = frozenset({"content_filter", "safety"})
_NORMAL_STOPS = frozenset({"stop", "end_turn", "stop_sequence", "eos", "eos_token"})


class OpenAI:
    """The provider `openai`. Remembers, for as long as the process lives, what each server and model do not take."""

    def __init__(self) -> None:
        self._quirks: dict[tuple[str, str], frozenset[str]] = {}

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where model or key is missing. Only OpenAI's own server needs a key."""
        problem = None
        if not route.model:
            problem = f"no model is set. Set {route.model_section}__MODEL."
        elif not route.api_key and urlsplit(route.base_url).hostname == _KEY_REQUIRED_BY:
            problem = f"it has no API key. Set {route.server_section}__API_KEY, or CAESAR_LLM__PROVIDER=offline."
        elif route.base_url.endswith(_PATH):
            problem = f"the address says too much. {route.server_section}__BASE_URL must end before {_PATH}."
        if problem:
            raise NotConfigured(f"The provider openai was chosen, but {problem}", provider="openai")

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        A request that is refused for naming `response_format` or `max_tokens` is sent once more without it; a refusal
        costs nothing, and the server is not asked that way again.
        """
        place = (request.route.base_url, request.route.model)
        quirks = self._quirks.get(place, frozenset())
        try:
            return _read(_post(request, quirks), request)
        except LLMError as refusal:
            quirk = _quirk_behind(refusal, request, known=quirks)
            if quirk is None:
                raise _with_hint(refusal, request.route) from None
        self._quirks[place] = quirks | {quirk}
        return self.complete(request)


def _quirk_behind(refusal: LLMError, request: Request, *, known: frozenset[str]) -> str | None:
    """The part of the request a refusal is about, where it was sent and the request can do without."""
    sent = {"max_tokens", *(["response_format"] if request.json_schema else [])} - known
    if refusal.status not in _QUIRK_STATUSES:
        return None
    return next((quirk for quirk in sorted(sent) if _QUIRKS[quirk].search(str(refusal))), None)


def _with_hint(error: LLMError, route: Route) -> LLMError:
    """A 404 with the usual reason for it, where the address looks like it; any other error as it is."""
    if not isinstance(error, NotFound) or urlsplit(route.base_url).path.strip("/"):
        return error
    hint = f"Most servers want {route.server_section}__BASE_URL to end in /v1."
    return NotFound(f"{error} {hint}", provider=error.provider, status=error.status)


def _post(request: Request, quirks: frozenset[str]) -> JsonObject:
    route = request.route
    return wire.post_json(
        route.base_url + _PATH,
        headers={"Authorization": f"Bearer {route.api_key}"} if route.api_key else {},
        body=_body(request, quirks),
        timeout_seconds=route.timeout_seconds,
        provider=route.provider,
    )


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


def _read(answer: JsonObject, request: Request) -> Completion:
    """The completion in an answer, which may be of any shape. Raises `BadAnswer` where it holds none that can be used.

    Reasoning beside the text is left where it is: it is never the answer.
    """
    choice, message = _message_in(answer, request)
    text = _text(message.get("content"))
    finish_reason = _plain(choice.get("finish_reason"))
    completion = Completion(
        text=text or (_text(message.get("refusal")) if request.task == "chat" else ""),
        model=_plain(answer.get("model")) or request.route.model,
        provider=request.route.provider,
        finish_reason="length" if finish_reason.lower() in _CUT else finish_reason,
        input_tokens=_count(answer, "prompt_tokens"),
        output_tokens=_count(answer, "completion_tokens"),
    )
    _check(completion, message, request)
    return completion


def _message_in(answer: JsonObject, request: Request) -> tuple[JsonObject, JsonObject]:
    """The first choice and its message. Raises what the choice's own error stands for (aggregators put it there)."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise BadAnswer(_problem(request, "without any choice in it"), provider=request.route.provider)
    if failures.complaint_in(choice):
        raise failures.refusal(_server(request.route), status=200, headers={}, payload=choice, text="")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise BadAnswer(_problem(request, "without a message in it"), provider=request.route.provider)
    return choice, message


def _check(completion: Completion, message: JsonObject, request: Request) -> None:
    """Nothing, or the error for an answer that cannot be used."""
    is_shown = request.task == "chat" and bool(completion.text.strip())
    if completion.finish_reason == "length" and not is_shown:
        problem = "cut by the token limit (finish_reason length). Raise CAESAR_LLM__MAX_TOKENS."
        raise Truncated(_problem(request, problem), provider=completion.provider)
    problem = "" if is_shown else _unusable(completion, message, request)
    if problem:
        raise BadAnswer(_problem(request, problem), provider=completion.provider)


def _unusable(completion: Completion, message: JsonObject, request: Request) -> str:
    """What is wrong with an answer that nobody will read as it is; "" where nothing is."""
    reason = completion.finish_reason.lower()
    refused = _text(message.get("refusal"))
    if reason in _FILTERED:
        return f"stopped by the provider's content filter (finish_reason {completion.finish_reason})"
    if refused:
        return f"that refuses: {_server(request.route).scrubbed(refused)}"
    if completion.text.strip():
        return ""
    if message.get("tool_calls") or message.get("function_call"):
        return "that calls a tool and says nothing"
    if request.task == "memory_summarise" and reason in _NORMAL_STOPS:
        return ""
    thought = any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    return "that is empty" + (", though its reasoning is not" if thought else "")


def _problem(request: Request, what: str) -> str:
    return f"{_server(request.route)} ({request.route.model}) gave an answer {what.rstrip('.')}."


def _server(route: Route) -> failures.Server:
    return failures.Server(route.provider, urlsplit(route.base_url).netloc, frozenset({route.api_key or ""}))


def _text(content: JsonValue) -> str:
    """The text of a message's content: a string, or the text parts of a list, one after the other."""
    if isinstance(content, list):
        return "".join(map(_text_of_part, content))
    return _plain(content)


def _text_of_part(part: JsonValue) -> str:
    if isinstance(part, dict):
        return _plain(part.get("text")) if part.get("type", "text") in ("text", "output_text") else ""
    return _plain(part)


def _plain(value: JsonValue) -> str:
    """A string as every encoding and database takes it; "" for anything else."""
    return wire.encodable(value).replace("\0", "") if isinstance(value, str) else ""


def _count(answer: JsonObject, name: str) -> int | None:
    """A token count, or None where the server gives none."""
    usage = answer.get("usage")
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
