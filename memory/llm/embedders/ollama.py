"""The embedder `ollama`: Ollama's own embeddings API."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from memory.llm.answers import validation
from memory.llm.embedders import server
from memory.llm.embedders.types import Defaults, Rows
from memory.llm.types import Route

PATH = "/api/embed"


class OllamaEmbedder(server.ServerEmbedder):
    """The embedder: `{"embeddings": [[...], ...]}`, in the order of the texts."""

    # Since 0.13.5 Ollama refuses texts that are too long instead of cutting them. Its default model reads 2,048 tokens,
    # and no token is shorter than a character.
    defaults = Defaults(model="nomic-embed-text", base_url="http://127.0.0.1:11434", max_chars=2_000)

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where the address belongs to another API of Ollama's."""
        if urlsplit(route.base_url).path.endswith(("/v1", "/api", PATH)):
            example = self.defaults.base_url
            raise server.not_configured(
                route, f"{route.server_section}__BASE_URL must end before /v1 or {PATH}: {example}, for example."
            )

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The rows of the answer."""
        rows = server.post(PATH, texts, route).get("embeddings")
        if not isinstance(rows, list):
            raise validation.bad_answer(route, "without any embedding in it")
        return rows
