"""The embedder `openai`: OpenAI's embeddings API and every server that speaks it."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from memory.llm.answers import validation
from memory.llm.answers.json_fields import objects_in
from memory.llm.embedders import server
from memory.llm.embedders.types import Defaults, Rows
from memory.llm.http.client import JsonObject
from memory.llm.types import Route

PATH = "/embeddings"


class OpenAIEmbedder(server.ServerEmbedder):
    """The embedder: `{"data": [{"index": 0, "embedding": [...]}, ...]}`."""

    defaults = Defaults(model="text-embedding-3-small", base_url="https://api.openai.com/v1", max_chars=8_000)

    def needs_key(self, route: Route) -> bool:
        """Whether the route's server needs a key: only OpenAI's own does."""
        return urlsplit(route.base_url).hostname == "api.openai.com"

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where a key is missing, or where the address holds the path, too."""
        if self.needs_key(route) and not route.api_key:
            raise server.missing_key(route)
        if route.base_url.endswith(PATH):
            raise server.not_configured(route, f"{route.server_section}__BASE_URL must end before {PATH}.")

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The rows of the answer, sorted by `index` where they have one."""
        entries = objects_in(server.post(PATH, texts, route).get("data"))
        if not entries:
            raise validation.bad_answer(route, "without any embedding in it")
        return [entry.get("embedding") for entry in _in_order(entries, route)]


def _in_order(entries: Sequence[JsonObject], route: Route) -> Sequence[JsonObject]:
    """The entries sorted by index, or unchanged where none has one.

    Raises `BadAnswer` for indices that are incomplete or repeated: a vector must not be taken for another text's.
    """
    indices = [entry.get("index") for entry in entries]
    if not any(index is not None for index in indices):
        return entries
    by_index = {index: entry for index, entry in zip(indices, entries, strict=True) if type(index) is int}
    if set(by_index) != set(range(len(entries))):
        raise validation.bad_answer(route, f"whose indices are not 0 to {len(entries) - 1}, each of them once")
    return [by_index[place] for place in range(len(entries))]
