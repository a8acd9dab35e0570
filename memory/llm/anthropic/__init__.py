"""The provider `anthropic`: Anthropic's messages API and the servers that copy it."""

from memory.llm.anthropic.completion import AnthropicCompletion
from memory.llm.anthropic.relay import AnthropicRelay
from memory.llm.anthropic.server import AnthropicServer


class Anthropic(AnthropicServer, AnthropicCompletion, AnthropicRelay):
    """The provider: its server, its completions and its relay."""
