"""The registry of providers: every kind of model server that a task can be routed to.

A provider is a folder beside this file, a line in `PROVIDERS`, and its name and settings section in
`caesar/conf/models.py`.
"""

from collections.abc import Mapping
from typing import Protocol

from caesar.conf import LLMSettings
from memory.llm.anthropic import Anthropic
from memory.llm.chat_completions.responses import Relayed, RelayedStream
from memory.llm.http.client import JsonObject
from memory.llm.offline import Offline
from memory.llm.ollama import Ollama
from memory.llm.openai import OpenAI
from memory.llm.types import Completion, Request, Route, ServerSettings


class Provider(Protocol):
    """One kind of model server. Every method but `server_settings` and `check` asks the server once."""

    def server_settings(self, llm: LLMSettings) -> ServerSettings | None:
        """The address and key that the provider's own section sets; None for a provider without a server."""
        ...

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where this route lacks what the provider needs."""
        ...

    def models(self, route: Route) -> list[str]:
        """The names of the models that the route's server offers; the route's own model is ignored.

        Raises `LLMError`.
        """
        ...

    def complete(self, request: Request) -> Completion:
        """The answer to one request. Raises `LLMError`."""
        ...

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The whole answer to a client's own chat-completions request, in OpenAI's shape. Raises `LLMError`.

        `max_tokens` is for servers that must be told a limit where the client names none.
        """
        ...

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The same answer in chunks. Returns when the first chunk is there. Raises `LLMError`."""
        ...


PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Anthropic(),
    "openai": OpenAI(),
    "ollama": Ollama(),
    "offline": Offline(),
}
