"""The one way to a language model: which provider and model a task goes to, and the one rule for asking twice.

`complete(...)` is what the rest of the program calls; it is synchronous and must be called outside of a transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from django.conf import settings

from caesar.conf import LLMSettings
from memory.events import Message
from memory.llm import wire
from memory.llm.errors import LLMError, NotConfigured, RateLimited, ServerFault, Unreachable
from memory.llm.offline import Offline
from memory.llm.openai import OpenAI
from memory.llm.provider import Completion, JsonSchema, Provider, Request, Route, Task

PROVIDERS: Mapping[str, Provider] = {"openai": OpenAI(), "offline": Offline()}

_NOT_HERE = {
    "anthropic": "This version has no anthropic provider; set CAESAR_LLM__PROVIDER=openai or offline.",
    "ollama": "This version has no ollama provider, but Ollama speaks OpenAI's API: set CAESAR_LLM__PROVIDER=openai "
    "and CAESAR_LLM__OPENAI__BASE_URL=http://<ollama host>:11434/v1 (no key needed).",
}
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0


def complete(
    messages: Sequence[Message],
    *,
    task: Task,
    model: str | None = None,
    max_tokens: int | None = None,
    json_schema: JsonSchema | None = None,
) -> Completion:
    """A model's answer to `messages`, as the settings route `task`. Raises `LLMError`.

    `model` counts for the task `chat` only. For the memory's tasks a cut, filtered or unusable answer raises; for
    `chat` one with text is returned, since its reader wants to see it.

    Asked at most twice. Again only where no connection was made, after 502, 503 or 504, and after a 429 that names
    a wait of five seconds or less; the pause is what the server names, else half a second, and a server that names
    more than five seconds is not asked again. Never after a timeout or a lost connection while waiting for the
    answer: that one may have been paid for.
    """
    route = route_for(task, model=model)
    request = Request(
        messages=tuple(messages),
        task=task,
        route=route,
        max_tokens=max_tokens or settings.CAESAR.llm.max_tokens,
        json_schema=json_schema,
    )
    provider = PROVIDERS[route.provider]
    try:
        return provider.complete(request)
    except LLMError as error:
        pause_seconds = pause_before_repeat(error)
        if pause_seconds is None:
            raise
    wire.pause(pause_seconds)
    return provider.complete(request)


def pause_before_repeat(error: LLMError) -> float | None:
    """How long to wait before asking again, in seconds; None where asking again is not allowed."""
    named = error.retry_after_seconds
    if isinstance(error, RateLimited):
        may_repeat = named is not None
    else:
        may_repeat = isinstance(error, Unreachable | ServerFault) and error.status in (None, 502, 503, 504)
    seconds = _PAUSE_SECONDS if named is None else named
    return seconds if may_repeat and seconds <= _LONGEST_PAUSE_SECONDS else None


def describe(task: Task) -> str:
    """Where a task goes, for start-up lines and pages: "openai gpt-x at host", never the key. Does not raise."""
    try:
        route = route_for(task)
    except NotConfigured as error:
        return f"not ready: {error}"
    if not route.base_url:
        return f"{route.provider} (no language model)"
    return f"{route.provider} {route.model} at {urlsplit(route.base_url).netloc}"


def route_for(task: Task, *, model: str | None = None) -> Route:
    """Where a task goes by the settings now. Raises `NotConfigured` where what that takes is not set."""
    llm = settings.CAESAR.llm
    name = llm.route(task).provider or llm.provider
    if name not in PROVIDERS:
        raise NotConfigured(_NOT_HERE[name], provider=name)
    route = _openai_route(llm, task) if name == "openai" else _offline_route(llm)
    if task == "chat" and model and route.base_url:
        route = replace(route, model=model)
    PROVIDERS[name].check(route)
    return route


def _offline_route(llm: LLMSettings) -> Route:
    return Route(
        provider="offline",
        model="",
        base_url="",
        api_key=None,
        timeout_seconds=llm.timeout_seconds,
        model_section="CAESAR_LLM",
        server_section="CAESAR_LLM",
    )


def _openai_route(llm: LLMSettings, task: Task) -> Route:
    """The task's own settings, and for what is unset there the section of the provider.

    The model of another provider is not asked for here, and a key goes only to the address it was set for.
    """
    own, shared = llm.route(task), llm.openai
    own_section = f"CAESAR_LLM__TASK_ROUTING__{task.upper()}"
    shares_model = own.model is None and own.provider in (None, llm.provider)
    shares_key = own.api_key is None and _origin(own.base_url or shared.base_url) == _origin(shared.base_url)
    key = shared.api_key if shares_key else own.api_key
    return Route(
        provider="openai",
        model=(llm.model if shares_model else own.model) or "",
        base_url=own.base_url or shared.base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=llm.timeout_seconds,
        model_section="CAESAR_LLM" if shares_model else own_section,
        server_section="CAESAR_LLM__OPENAI" if shares_key and not own.base_url else own_section,
    )


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
