"""What the embedders that are servers share: one request, and the errors for what is missing."""

from collections.abc import Sequence

from memory.llm.errors import NotConfigured
from memory.llm.http import client
from memory.llm.http.client import JsonObject
from memory.llm.types import Route


class ServerEmbedder:
    """An embedder that is a server."""

    def warm(self) -> None:
        """Does nothing: the server loads its own model."""


def post(path: str, texts: Sequence[str], route: Route) -> JsonObject:
    """The server's answer to a request for the texts' embeddings. Raises `LLMError`."""
    body: JsonObject = {"model": route.model, "input": list(texts)}
    return client.post(route, path, headers=client.bearer_headers(route), body=body)


def missing_key(route: Route) -> NotConfigured:
    """The error for a server that needs a key and has none."""
    cure = f"Set {route.server_section}__API_KEY, or {route.server_section}__PROVIDER=embedded."
    return not_configured(route, f"it has no API key. {cure}")


def not_configured(route: Route, problem: str) -> NotConfigured:
    """The error for an embedder that lacks something."""
    return NotConfigured(f"The embedder {route.provider} was chosen, but {problem}", provider=route.provider)
