"""Relaying: a client's own chat-completions request, sent to whatever provider the task `chat` is routed to."""

from urllib.parse import urlsplit

from django.conf import settings

from caesar import metrics
from memory.llm.answers.json_fields import clean_text
from memory.llm.chat_completions.responses import Relayed, RelayedStream
from memory.llm.gateway import chosen_route, route_for, with_one_retry
from memory.llm.http.client import JsonObject
from memory.llm.openai.server import HOST_WITH_KEY
from memory.llm.providers import PROVIDERS
from memory.llm.types import Route

_AZURE = ".openai.azure.com"


def relay(body: JsonObject) -> Relayed:
    """The provider's answer to a client's chat-completions request, in OpenAI's shape. Raises `LLMError`.

    The client may name a `model`; without one the route's is used. A failure is retried by the rule of `complete`.
    """
    route, max_tokens = route_of(body), settings.CAESAR.llm.max_tokens
    with metrics.timed("model"):
        return with_one_retry(lambda: PROVIDERS[route.provider].relay(body, route, max_tokens=max_tokens))


def relay_stream(body: JsonObject) -> RelayedStream:
    """The same, chunk by chunk. Raises `LLMError`.

    Returns when the first chunk is there, so that a refusal of the server is raised here and not in mid-stream.
    """
    route, max_tokens = route_of(body), settings.CAESAR.llm.max_tokens
    with metrics.timed("first_chunk"):
        return with_one_retry(lambda: PROVIDERS[route.provider].relay_stream(body, route, max_tokens=max_tokens))


def route_of(body: JsonObject) -> Route:
    """Where a client's request goes: to the model that it names, else to the configured one. Raises `NotConfigured`."""
    return route_for("chat", model=clean_text(body.get("model")).strip() or None)


def limit_field() -> str:
    """The field of a chat-completions request that bounds the answer, as the server of chats knows it.

    OpenAI's own newer models take `max_completion_tokens` alone, most other servers know `max_tokens`.
    """
    host = urlsplit(chosen_route("chat").base_url).hostname or ""
    return "max_completion_tokens" if host == HOST_WITH_KEY or host.endswith(_AZURE) else "max_tokens"
