"""The provider `ollama`: Ollama's own chat API."""

from memory.llm.ollama.completion import OllamaCompletion
from memory.llm.ollama.relay import OllamaRelay
from memory.llm.ollama.server import OllamaServer


class Ollama(OllamaServer, OllamaCompletion, OllamaRelay):
    """The provider: its server, its completions and its relay."""
