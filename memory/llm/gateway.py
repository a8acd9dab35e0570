"""The one way to a language model: which provider and model a task goes to, and the one rule for asking twice.

`complete(...)` is what the rest of the program calls; it is synchronous and must be called outside of a transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from pydantic import SecretStr

from caesar.conf import LLMSettings
from memory.events import Message
from memory.llm.answers import validation
from memory.llm.anthropic import completion
from memory.llm.anthropic.completion import Anthropic
from memory.llm.errors import LLMError, NotConfigured, RateLimited, ServerFault, TooSlow, Unreachable
from memory.llm.http import client
from memory.llm.offline.completion import Offline
from memory.llm.ollama.completion import Ollama
from memory.llm.openai.completion import OpenAI
from memory.llm.types import Completion, JsonSchema, Provider, Request, Route, Task

PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Anthropic(),
    "openai": OpenAI(),
    "ollama": Ollama(),
    "offline": Offline(),
}

_Answer = TypeVar("_Answer")

LISTING_SECONDS = 5.0
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0
_PASSING_STATUSES = (None, 502, 503, 504, 529)


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

    Asked at most twice. Again only where no connection was made, after 502, 503, 504 or 529, and after a 429 that names
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
    return asked_twice(lambda: PROVIDERS[route.provider].complete(request))


def asked_twice(ask: Callable[[], _Answer]) -> _Answer:
    """What `ask` gives, asked once more where that is allowed, after a pause. Raises `LLMError`."""
    try:
        return ask()
    except LLMError as error:
        pause_seconds = pause_before_repeat(error)
        if pause_seconds is None:
            raise
    client.pause(pause_seconds)
    return ask()


def pause_before_repeat(error: LLMError) -> float | None:
    """How long to wait before asking again, in seconds; None where asking again is not allowed."""
    named = error.retry_after_seconds
    if isinstance(error, RateLimited):
        may_repeat = named is not None
    else:
        may_repeat = isinstance(error, Unreachable | ServerFault) and error.status in _PASSING_STATUSES
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


def list_models(task: Task) -> list[str]:
    """The names of the models that a task's server offers, in order; none where the task is done offline.

    For a page on which one is chosen: no model need be set. Asked once, five seconds at most. Raises `LLMError`.
    """
    route = chosen_route(task)
    route = replace(route, timeout_seconds=min(LISTING_SECONDS, route.timeout_seconds))
    try:
        return PROVIDERS[route.provider].models(route)
    except TooSlow as error:
        if error.status is not None:
            raise
        raise TooSlow(
            f"{validation.server(route)} gave no list of its models within {route.timeout_seconds:g} seconds. Try "
            "again later, or type the model's name.",
            provider=route.provider,
        ) from None


def route_for(task: Task, *, model: str | None = None) -> Route:
    """Where a task goes by the settings now. Raises `NotConfigured` where what that takes is not set."""
    route = chosen_route(task)
    if task == "chat" and model and route.base_url:
        route = replace(route, model=model)
    PROVIDERS[route.provider].check(route)
    return route


def chosen_route(task: Task) -> Route:
    """Where a task goes by the settings now, whether or not that is all it takes."""
    llm = settings.CAESAR.llm
    name = llm.route(task).provider or llm.provider
    return _offline_route(llm) if name == "offline" else _server_route(llm, task, name)


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


def _server_route(llm: LLMSettings, task: Task, name: str) -> Route:
    """The task's own settings, and for what is unset there the section of the provider.

    The model of another provider is not asked for here, and a key goes only to the address it was set for.
    """
    own = llm.route(task)
    shared_url, shared_key = _shared(llm, name)
    own_section = f"CAESAR_LLM__TASK_ROUTING__{task.upper()}"
    shares_model = own.model is None and own.provider in (None, llm.provider)
    shares_key = own.api_key is None and _origin(own.base_url or shared_url) == _origin(shared_url)
    key = shared_key if shares_key else own.api_key
    return Route(
        provider=name,
        model=(llm.model if shares_model else own.model) or "",
        base_url=own.base_url or shared_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=llm.timeout_seconds,
        model_section="CAESAR_LLM" if shares_model else own_section,
        server_section=f"CAESAR_LLM__{name.upper()}" if shares_key and not own.base_url else own_section,
        connect_seconds=llm.connect_seconds,
        first_byte_seconds=llm.first_byte_seconds,
        stream_seconds=llm.stream_seconds,
    )


def _shared(llm: LLMSettings, name: str) -> tuple[str, SecretStr | None]:
    """A provider's address and key as its own section has them."""
    sections: Mapping[str, tuple[str, SecretStr | None]] = {
        "anthropic": (completion.BASE_URL, llm.anthropic.api_key),
        "openai": (llm.openai.base_url, llm.openai.api_key),
        "ollama": (llm.ollama.base_url, None),
    }
    return sections[name]


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
