"""Relaying: a client's own chat-completions request, to whatever provider the task `chat` is routed to."""

from collections.abc import Mapping

from django.conf import settings

from memory.llm.answers.validation import plain
from memory.llm.anthropic.relay import AnthropicRelay
from memory.llm.chat_completions.responses import Relay, Relayed, RelayedStream
from memory.llm.gateway import asked_twice, route_for
from memory.llm.http.client import JsonObject
from memory.llm.offline.relay import OfflineRelay
from memory.llm.ollama.relay import OllamaRelay
from memory.llm.openai.relay import OpenAIRelay
from memory.llm.types import Route

RELAYS: Mapping[str, Relay] = {
    "anthropic": AnthropicRelay(),
    "openai": OpenAIRelay(),
    "ollama": OllamaRelay(),
    "offline": OfflineRelay(),
}


def relay(body: JsonObject) -> Relayed:
    """The provider's answer to a chat-completions request of a client's, in OpenAI's shape. Raises `LLMError`.

    `model` is the client's wish; without one it is the route's. The rule for asking twice is that of `complete`.
    """
    route, max_tokens = _route(body), settings.CAESAR.llm.max_tokens
    return asked_twice(lambda: RELAYS[route.provider].relay(body, route, max_tokens=max_tokens))


def relay_stream(body: JsonObject) -> RelayedStream:
    """The same, chunk by chunk. Raises `LLMError`.

    Comes back when the first chunk is there, so that what a server refuses is refused here, not in mid-stream.
    """
    route, max_tokens = _route(body), settings.CAESAR.llm.max_tokens
    return asked_twice(lambda: RELAYS[route.provider].relay_stream(body, route, max_tokens=max_tokens))


def _route(body: JsonObject) -> Route:
    return route_for("chat", model=plain(body.get("model")).strip() or None)
