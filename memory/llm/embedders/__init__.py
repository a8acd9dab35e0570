"""The registry of embedders: one that runs in this process, and three kinds of servers.

An embedder is a file in this folder, a line in `EMBEDDERS`, and its name in `caesar/conf/models.py`. Each knows its
defaults, its needs and its wire format; the vectors it gives are validated in one place, `memory.llm.embedding`.
"""

from collections.abc import Mapping

from memory.llm.embedders.embedded import Embedded
from memory.llm.embedders.ollama import OllamaEmbedder
from memory.llm.embedders.openai import OpenAIEmbedder
from memory.llm.embedders.types import Embedder
from memory.llm.embedders.voyage import VoyageEmbedder

EMBEDDERS: Mapping[str, Embedder] = {
    "embedded": Embedded(),
    "voyage": VoyageEmbedder(),
    "openai": OpenAIEmbedder(),
    "ollama": OllamaEmbedder(),
}
