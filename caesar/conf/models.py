"""The settings of language models and of the embedder."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from caesar.conf.section import Section
from caesar.setting_types import (
    ApiKey,
    BaseUrl,
    CallSeconds,
    ModelPrice,
    lower,
    model_prices,
)

Task = Literal["chat", "memory_extract", "memory_summarise"]
LLMProvider = Literal["anthropic", "openai", "ollama", "offline"]
OFFLINE: LLMProvider = "offline"
"""The provider without a model: rules, and a fixed reply."""
EmbedderProvider = Literal["embedded", "voyage", "openai", "ollama"]


class AnthropicSettings(Section):
    """The Anthropic API."""

    api_key: ApiKey | None = None
    """Anthropic key; an exported ANTHROPIC_API_KEY serves when Anthropic is chosen."""


class OpenAISettings(Section):
    """OpenAI, or any server that speaks its API."""

    api_key: ApiKey | None = None
    """Key of the OpenAI-compatible server; an exported OPENAI_API_KEY serves when openai is chosen."""
    base_url: BaseUrl = "https://api.openai.com/v1"
    """Address of the OpenAI-compatible server."""


class OllamaSettings(Section):
    """An Ollama server."""

    base_url: BaseUrl = "http://127.0.0.1:11434"
    """Address of Ollama; an exported OLLAMA_HOST serves when Ollama is chosen."""


class RouteSettings(Section):
    """Where one task goes; what is unset comes from the LLM section."""

    provider: Annotated[LLMProvider, BeforeValidator(lower)] | None = None
    """Provider for this task alone."""
    model: str | None = None
    """Model for this task alone."""
    base_url: BaseUrl | None = None
    """Address for this task alone."""
    api_key: ApiKey | None = None
    """Key for this task alone."""


class LLMSettings(Section):
    """Which language model answers, and which one does the memory's work."""

    provider: Annotated[LLMProvider, BeforeValidator(lower)] = "offline"
    """Who answers: `anthropic`, `openai` (any compatible server), `ollama` or `offline` (rules, no model)."""
    model: str | None = None
    """Model to ask. Every provider but `offline` needs one."""
    system_prompt: str = "You are CAESAR, a helpful personal assistant. Answer plainly and to the point."
    """Operator prompt that follows the memory blocks, unless the client sends its own system message."""
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 1024
    """Longest answer, in tokens, unless the request says otherwise."""
    task_max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 4096
    """Longest answer of the memory's tasks, in tokens, thinking counted; after a cut one, twice that once."""
    timeout_seconds: CallSeconds = 60.0
    """How long a provider may take for one whole answer that is not streamed."""
    task_timeout_seconds: CallSeconds = 180.0
    """The same for the memory's tasks, for which nobody waits."""
    connect_seconds: CallSeconds = 10.0
    """How long a connection to a provider may take."""
    first_byte_seconds: CallSeconds = 60.0
    """How long a stream may take to its first byte, and the longest silence within it."""
    stream_seconds: CallSeconds = 600.0
    """How long a whole stream may take."""
    prices: Annotated[tuple[ModelPrice, ...], BeforeValidator(model_prices)] = ()
    """What a million tokens cost, for the page of models: `gpt-4o-mini=0.15/0.60` (in/out), with commas between."""
    anthropic: AnthropicSettings = AnthropicSettings()
    openai: OpenAISettings = OpenAISettings()
    ollama: OllamaSettings = OllamaSettings()
    task_routing: dict[Task, RouteSettings] = {}
    """Other providers or models for single tasks: `chat`, `memory_extract`, `memory_summarise`."""

    def max_tokens_for(self, task: Task) -> int:
        """The longest answer of a task. Where nothing is set for the memory's own, they may take as much as a chat."""
        if task == "chat":
            return self.max_tokens
        is_set = "task_max_tokens" in self.model_fields_set
        return self.task_max_tokens if is_set else max(self.task_max_tokens, self.max_tokens)

    def timeout_for(self, task: Task) -> float:
        """How long one answer to a task may take, by the same rule."""
        if task == "chat":
            return self.timeout_seconds
        is_set = "task_timeout_seconds" in self.model_fields_set
        return self.task_timeout_seconds if is_set else max(self.task_timeout_seconds, self.timeout_seconds)

    @property
    def longest_question_seconds(self) -> float:
        """How long a worker may take for one chat: question, retry, one with more room, embedding, and slack."""
        return 3 * self.timeout_for("memory_extract") + self.timeout_seconds + 60

    def route(self, task: Task) -> RouteSettings:
        """What is set for this task alone; an empty route where nothing is."""
        return self.task_routing.get(task, RouteSettings())


class SemanticSettings(Section):
    """The embedder, which finds past conversations by meaning."""

    enabled: bool = True
    """Embed messages and episodes; without it there are neither summaries nor recall."""
    provider: Annotated[EmbedderProvider, BeforeValidator(lower)] = "embedded"
    """Embedder: `embedded` (runs here, no key), `voyage`, `openai` (any compatible server) or `ollama`."""
    model: str | None = None
    """Embedding model; unset, the embedder's own default. After a change run `manage.py reembed`."""
    api_key: ApiKey | None = None
    """Key of the embedder; an exported OPENAI_API_KEY serves when openai is chosen here."""
    base_url: BaseUrl | None = None
    """Address of the embedder; unset, the provider's own."""
    timeout_seconds: CallSeconds = 2.0
    """How long a turn waits for the embedder before it goes on without recall."""
