"""The embedder `voyage`: Voyage's embeddings API, which is OpenAI's with a key that is always needed."""

from memory.llm.embedders.openai import OpenAIEmbedder
from memory.llm.embedders.types import Defaults
from memory.llm.types import Route


class VoyageEmbedder(OpenAIEmbedder):
    """The embedder.

    Requests do not say whether a text is a query or a document (`input_type`). Messages and summaries are compared with
    each other, and all vectors stay comparable.
    """

    defaults = Defaults(model="voyage-4", base_url="https://api.voyageai.com/v1", max_chars=8_000)

    def needs_key(self, route: Route) -> bool:
        """True for every address."""
        return True
