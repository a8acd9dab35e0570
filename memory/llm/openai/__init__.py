"""The provider `openai`: OpenAI and every server that speaks its chat completions."""

from memory.llm.openai.completion import OpenAICompletion
from memory.llm.openai.relay import OpenAIRelay
from memory.llm.openai.server import OpenAIServer


class OpenAI(OpenAIServer, OpenAICompletion, OpenAIRelay):
    """The provider: its server, its completions and its relay."""
