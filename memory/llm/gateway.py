"""The one way to a language model: which provider and model a task goes to, and when a failed call is retried.

`complete(...)` is what the rest of the program calls; it is synchronous and must be called outside of a transaction.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlsplit

from django.conf import settings

from caesar import metrics
from caesar.conf import LLMSettings
from memory.events import Message
from memory.llm.answers import validation
from memory.llm.errors import (
    LLMError,
    NotConfigured,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    Truncated,
    Unreachable,
)
from memory.llm.http import client
from memory.llm.providers import PROVIDERS
from memory.llm.types import Completion, JsonSchema, Request, Route, ServerSettings, Task

_Answer = TypeVar("_Answer")

LISTING_SECONDS = 5.0
TRYING_SECONDS = 30.0
_TRIED_WITH = Message(role="user", content="Answer with the single word: ready")
_RETRY_PAUSE_SECONDS = 0.5
_LONGEST_RETRY_PAUSE_SECONDS = 5.0
_TOO_MUCH_ASKED = re.compile(r"max_(?:completion_)?tokens|context (?:length|window|size)|token limit", re.IGNORECASE)
_RETRIED_STATUSES = (None, 502, 503, 504, 529)


_STAGES: Mapping[Task, metrics.Stage] = {"chat": "model", "memory_extract": "extract", "memory_summarise": "summarise"}


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

    A failed call is retried once where no connection was made, after 502, 503, 504 or 529, and after a 429 that names
    a wait. The pause is what the server names, or half a second; a server that names more than five seconds is not
    asked again. There is no retry after a timeout or a connection lost while waiting: that answer may have been paid
    for.
    """
    route = route_for(task, model=model)
    request = Request(
        messages=tuple(messages),
        task=task,
        route=route,
        max_tokens=max_tokens or settings.CAESAR.llm.max_tokens_for(task),
        json_schema=json_schema,
    )
    with metrics.timed(_STAGES[task]):
        return with_one_retry(lambda: PROVIDERS[route.provider].complete(request))


def with_more_room(ask: Callable[[int], _Answer], *, task: Task) -> _Answer:
    """The result of `ask(max_tokens)`; where its answer was cut, of asking once more with twice the room.

    Raises `Truncated` where it is cut again, or where the server refuses that request or takes too long. Where the
    server has no room for the task's own budget, the one of a chat is tried.
    """
    budget, smaller = settings.CAESAR.llm.max_tokens_for(task), settings.CAESAR.llm.max_tokens
    try:
        return ask(budget)
    except Truncated as error:
        if not error.needs_room:
            raise
        cut = error
    except RequestRefused as refusal:
        if smaller >= budget or not _TOO_MUCH_ASKED.search(str(refusal)):
            raise
        return ask(smaller)
    try:
        return ask(2 * budget)
    except (RequestRefused, TooSlow):
        raise cut from None


def with_one_retry(call: Callable[[], _Answer]) -> _Answer:
    """The result of `call`, called again after a pause where its failure may be retried. Raises `LLMError`."""
    try:
        return call()
    except LLMError as error:
        pause_seconds = retry_pause_seconds(error)
        if pause_seconds is None:
            raise
    client.pause(pause_seconds)
    return call()


def retry_pause_seconds(error: LLMError) -> float | None:
    """How long to wait before a retry, in seconds; None where the failure must not be retried."""
    named = error.retry_after_seconds
    if isinstance(error, RateLimited):
        may_retry = named is not None
    else:
        may_retry = isinstance(error, Unreachable | ServerFault) and error.status in _RETRIED_STATUSES
    seconds = _RETRY_PAUSE_SECONDS if named is None else named
    return seconds if may_retry and seconds <= _LONGEST_RETRY_PAUSE_SECONDS else None


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
    """The names of the models that a task's server offers, in order; an empty list where the task is done offline.

    Works before a model is set, so that one can be chosen from the list. Asks once, for five seconds at most. Raises
    `LLMError`.
    """
    route = chosen_route(task)
    route = replace(route, timeout_seconds=min(LISTING_SECONDS, route.timeout_seconds))
    try:
        return PROVIDERS[route.provider].models(route)
    except TooSlow as error:
        if error.status is not None:
            raise
        raise TooSlow(
            f"{validation.server_of(route)} gave no list of its models within {route.timeout_seconds:g} seconds. Try "
            "again later, or type the model's name.",
            provider=route.provider,
        ) from None


def try_out(task: Task) -> Completion:
    """The answer of a task's model to one short question, to see that it gives one. Raises `LLMError`.

    Asked once, for half a minute at most; the task's own budget of tokens, since some models think first.
    """
    route = route_for(task)
    route = replace(route, timeout_seconds=min(TRYING_SECONDS, route.timeout_seconds))
    budget = settings.CAESAR.llm.max_tokens_for(task)
    request = Request(messages=(_TRIED_WITH,), task=task, route=route, max_tokens=budget)
    try:
        return PROVIDERS[route.provider].complete(request)
    except TooSlow as error:
        if error.status is not None:
            raise
        raise TooSlow(
            f"{validation.server_of(route)} gave no answer within {route.timeout_seconds:g} seconds. A local model may "
            "still be loading: try again in a minute.",
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
    """Where a task goes by the settings now, even if something it needs is missing."""
    llm = settings.CAESAR.llm
    name = llm.route(task).provider or llm.provider
    shared = PROVIDERS[name].server_settings(llm)
    return _serverless_route(llm, name) if shared is None else _server_route(llm, task, name, shared)


def _serverless_route(llm: LLMSettings, name: str) -> Route:
    return Route(
        provider=name,
        model="",
        base_url="",
        api_key=None,
        timeout_seconds=llm.timeout_seconds,
        model_section="CAESAR_LLM",
        server_section="CAESAR_LLM",
    )


def _server_route(llm: LLMSettings, task: Task, name: str, shared: ServerSettings) -> Route:
    """The task's own settings; where they leave something unset, the provider's section (`shared`) fills it in.

    `CAESAR_LLM__MODEL` is not used for another provider than the one it was set for, and a key is sent only to the
    address it was set for.
    """
    own = llm.route(task)
    own_section = f"CAESAR_LLM__TASK_ROUTING__{task.upper()}"
    shares_model = own.model is None and own.provider in (None, llm.provider)
    shares_key = own.api_key is None and _origin(own.base_url or shared.base_url) == _origin(shared.base_url)
    key = shared.api_key if shares_key else own.api_key
    return Route(
        provider=name,
        model=(llm.model if shares_model else own.model) or "",
        base_url=own.base_url or shared.base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=llm.timeout_for(task),
        timeout_setting=f"CAESAR_LLM__{'' if task == 'chat' else 'TASK_'}TIMEOUT_SECONDS",
        model_section="CAESAR_LLM" if shares_model else own_section,
        server_section=f"CAESAR_LLM__{name.upper()}" if shares_key and not own.base_url else own_section,
        connect_seconds=llm.connect_seconds,
        first_byte_seconds=llm.first_byte_seconds,
        stream_seconds=llm.stream_seconds,
    )


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
