"""The `CAESAR_*` settings: one frozen tree, read from the environment, independent of Django.

A setting's variable is its path: `memory.facts.max_chars` is `CAESAR_MEMORY__FACTS__MAX_CHARS`. The tree is
`settings.CAESAR` in Django's settings; code reads it there at call time.
"""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from caesar.environment import ConfigurationError, EnvironmentSource, is_testing, load_env_file, problems
from caesar.setting_types import (
    ApiKey,
    BaseUrl,
    BatchSize,
    CallSeconds,
    DatabaseUrl,
    Days,
    HostName,
    MailUrl,
    ModelPrice,
    Network,
    Origin,
    Seconds,
    SecretUrl,
    TimeZone,
    Weight,
    lower,
    model_prices,
    one_star,
    person_ids,
    split,
    upper,
)

__all__ = ["ConfigurationError", "Settings", "load_settings"]

Task = Literal["chat", "memory_extract", "memory_summarise"]
LLMProvider = Literal["anthropic", "openai", "ollama", "offline"]
OFFLINE: LLMProvider = "offline"
"""The provider without a model: rules, and a fixed reply."""
RecallMode = Literal["record", "hybrid"]
MemoryTool = Literal["off", "on"]
EmbedderProvider = Literal["embedded", "voyage", "openai", "ollama"]
LogFormat = Literal["text", "json"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


class Section(BaseModel):
    """A part of the tree. The docstring below a field is its description in docs/settings.md."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, use_attribute_docstrings=True)


class DatabaseSettings(Section):
    """Where the rows are."""

    url: DatabaseUrl = SecretStr("sqlite:///var/caesar.sqlite3")
    """Database: `sqlite:///file` (a relative file lies in the project) or `postgresql://user:password@host/name`."""
    spool_path: Path | None = None
    """Folder for answered turns that the database could not take; unset, beside the SQLite file, else `var/turns`."""


class ServerSettings(Section):
    """Where the web process listens."""

    host: str = "127.0.0.1"
    """Address the server listens on; `0.0.0.0` for all."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 8000
    """Port the server listens on."""
    threads: Annotated[int, Field(ge=2, le=1_000)] = 64
    """Requests that each of the two web processes answers at once; all but eight of them may wait for a model."""
    https: bool = False
    """A TLS proxy stands in front and sets X-Forwarded-Proto: secure cookies, redirect to https, HSTS."""
    trusted_proxies: Annotated[tuple[Network, ...], BeforeValidator(split)] = ()
    """Addresses or networks of proxies, with commas between them, whose X-Forwarded-For names the client."""
    connections_per_address: Annotated[int, Field(ge=1, le=1_000_000)] = 256
    """Connections that one address may hold open at each web process; trusted proxies have no limit."""
    receive_silence_seconds: CallSeconds = 10.0
    """Longest silence of a client that is sending a request."""
    receive_seconds: CallSeconds = 60.0
    """How long a whole request may take to arrive."""
    max_form_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] = 1024 * 1024
    """Largest body that a page takes; the API has its own limit."""


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


class FactsSettings(Section):
    """Facts in the prompt (ADR-0033 §3)."""

    enabled: bool | None = None
    """Put facts into the prompt; unset, only if CAESAR_PROACTIVE__TRIGGERS_PATH is set."""
    max_injected: Annotated[int, Field(ge=0, le=10_000)] = 30
    """Most facts in one prompt."""
    max_chars: Annotated[int, Field(ge=0, le=1_000_000)] = 2048
    """Most characters of the facts block."""
    selection: Annotated[Literal["importance", "mixed"], BeforeValidator(lower)] = "importance"
    """`importance`: the most important facts; `mixed`: the 10 most important, then up to 20 that fit the message."""


class FactsExtractSettings(Section):
    """The worker that learns facts from chats (ADR-0033 §2)."""

    enabled: bool = False
    """Learn facts from chats: one LLM call for each."""
    interval_seconds: Seconds = 60.0
    """How often to look for new chats; rounded up to whole minutes, a finished chat starts the worker at once."""
    batch_size: BatchSize = 8
    """Most chats in one run."""
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 5
    """Tries for a chat whose answers are bad, before it is given up."""
    max_chars: Annotated[int, Field(ge=1_000, le=10_000_000)] = 48_000
    """Most characters of a chat sent to the extractor; a longer one is cut, and the cut is marked."""
    max_facts: Annotated[int, Field(ge=1, le=100)] = 24
    """Most facts that one chat may teach; of more, those the model was surest of."""


class FactsImportanceSettings(Section):
    """How facts are ranked (ADR-0034 §4)."""

    halflife_days: Days = 60.0
    """Freshness is exp(-age / this): 0.37 at this age, not 0.5. Lower makes age count more."""
    edit_weight_scale: Weight = 0.5
    """How much each edit by the operator raises a fact."""


class EpisodesSummariseSettings(Section):
    """The worker that sums up chats (ADR-0034 §2)."""

    enabled: bool = False
    """Sum up chats as episodes: one LLM call and one embedding for each. Needs CAESAR_SEMANTIC__ENABLED."""
    interval_seconds: Seconds = 60.0
    """How often to look for new chats; rounded up to whole minutes, a finished chat starts the worker at once."""
    batch_size: BatchSize = 4
    """Most chats in one run."""


class EpisodesRecallSettings(Section):
    """Episodes in the prompt (ADR-0034 §3 and §4)."""

    enabled: bool = True
    """Put past conversations that fit the message into the prompt."""
    mode: Annotated[RecallMode, BeforeValidator(lower)] = "record"
    """`record`: by summaries, as ADR-0034 says; `hybrid`: by what was said, in meaning, words and dates."""
    gate: Annotated[float, Field(ge=-2, le=2, allow_inf_nan=False)] | None = None
    """What the best conversation must reach in `hybrid`; unset, 0.09 to 0.22 by their number; -2: no gate."""
    top_k: Annotated[int, Field(ge=0, le=1_000)] = 3
    """Most episodes in one prompt."""
    similarity_threshold: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    """Lowest cosine that counts as similar; unset, the embedder's own: 0.45, embedded 0.25 to 0.29."""
    max_age_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    """Oldest episode to recall."""
    halflife_days: Days = 30.0
    """Freshness is exp(-age / this): 0.37 at this age, not 0.5. Lower makes age count more."""
    recall_weight_scale: Weight = 0.25
    """How much earlier recalls raise an episode."""


class InjectionSettings(Section):
    """Where memory stands in the prompt."""

    position: Annotated[Literal["top", "after_prompt"], BeforeValidator(lower)] = "top"
    """`top`: before the operator prompt; `after_prompt`: behind it, for providers that cache how prompts begin."""


class MemorySettings(Section):
    """What is remembered, how it is ranked and how long it is kept."""

    facts: FactsSettings = FactsSettings()
    facts_extract: FactsExtractSettings = FactsExtractSettings()
    facts_importance: FactsImportanceSettings = FactsImportanceSettings()
    episodes_summarise: EpisodesSummariseSettings = EpisodesSummariseSettings()
    episodes_recall: EpisodesRecallSettings = EpisodesRecallSettings()
    injection: InjectionSettings = InjectionSettings()
    retention_days: Annotated[int, Field(ge=0, le=36_500)] = 90
    """Age at which audit rows, chats among them, are deleted; 0 keeps them for ever."""
    keep_secrets: bool = False
    """Keep passwords, card numbers and keys in chats as they were said; else a mask stands in their place."""
    audit_max_string_chars: Annotated[int, Field(ge=64, le=100_000_000)] = 16_384
    """Longest string in an audit row; longer ones are cut and marked."""
    chat_max_chars: Annotated[int, Field(ge=64, le=100_000_000)] = 262_144
    """Longest message or reply kept of a chat; longer ones are cut and marked."""


class ApiSettings(Section):
    """The HTTP API."""

    max_body_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] = 16 * 1024 * 1024
    """Largest request body; a larger one is answered with 413."""
    max_messages: Annotated[int, Field(ge=1, le=30_000)] = 4_000
    """Most messages of one chat; a longer one is answered with 422."""
    cors_origins: Annotated[tuple[Origin, ...], BeforeValidator(split), AfterValidator(one_star)] = ()
    """Origins of web pages whose scripts may call the API with a key, with commas between; `*` for all; unset, none."""


class MetricsSettings(Section):
    """What Prometheus reads at `/metrics`."""

    token: SecretStr | None = None
    """What a caller has to send as `Authorization: Bearer ...`; unset, only this machine may ask."""


class OperatorSettings(Section):
    """Who is remembered, where several people use one key."""

    ids: Annotated[tuple[str, ...], BeforeValidator(person_ids)] = ()
    """The operator's ids or mail addresses in chat clients, with commas between; unset, the first person seen."""


class ProxySettings(Section):
    """Chat clients that speak OpenAI's API."""

    task_beginnings: str = ""
    """How further errands of clients begin, with `;` between: passed through, beside those that are recognised."""

    @property
    def beginnings(self) -> tuple[str, ...]:
        """Each of them; none where there is nothing but a `;`."""
        return tuple(part.strip() for part in self.task_beginnings.split(";") if part.strip())


class BackupSettings(Section):
    """Copies of all of memory, made each night."""

    enabled: bool = True
    """Make a backup each night, and try the newest once a week; the worker does it."""
    path: Path | None = None
    """Folder of the backups; unset, `var/backups`."""
    keep: Annotated[int, Field(ge=1, le=10_000)] = 14
    """How many backups are kept; older ones are deleted after a new one is complete."""
    least_free_megabytes: Annotated[int, Field(ge=0, le=100_000_000)] = 1024
    """Space that a backup leaves free on its disk; where it would not, none is made, and the overview says so."""


class AlertsSettings(Section):
    """Messages about what needs somebody: once when it begins, once when it is over."""

    webhook_url: SecretUrl | None = None
    """Address that is sent a POST of JSON (`kind`, `state`, `text`, `since`); it may hold a secret."""
    mail_to: Annotated[tuple[str, ...], BeforeValidator(split)] = ()
    """Mail addresses, with commas between them."""
    mail_from: str = "caesar@localhost"
    """Sender of the mails."""
    mail_url: MailUrl = SecretStr("smtp://localhost")
    """Mail server: `smtp://user:password@host:587` (with STARTTLS where a user is named), or `smtps://...`."""
    least_free_megabytes: Annotated[int, Field(ge=0, le=100_000_000)] = 1024
    """Free space on the disk of `var/` below which somebody is told."""

    @property
    def is_wanted(self) -> bool:
        """Whether a way is set."""
        return self.webhook_url is not None or bool(self.mail_to)


class ChatSettings(Section):
    """What turns of chat clients may do."""

    memory_tool: Annotated[MemoryTool, BeforeValidator(lower)] = "off"
    """`on`: the model is offered a tool, `search_memory`, to ask memory itself, three times in a turn at most."""


class ProactiveSettings(Section):
    """Prompts that run by the clock."""

    triggers_path: Path | None = None
    """YAML file of prompts that run by the clock; where it is set, CAESAR_MEMORY__FACTS__ENABLED is true if unset."""


class Settings(BaseSettings):
    """The whole tree."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, use_attribute_docstrings=True
    )

    secret_key: SecretStr | None = None
    """Django's signing key; unset, one is made on first start and kept in `var/secret_key`."""
    debug: bool = False
    """Error pages with details. Never on a server that others can reach."""
    allowed_hosts: Annotated[tuple[HostName, ...], BeforeValidator(split), Field(min_length=1)] = (
        "localhost",
        "127.0.0.1",
        "[::1]",
    )
    """Host names this server answers to, with commas between them."""
    time_zone: TimeZone = "UTC"
    """Time zone of the operator: times on pages, and where a day ends in "yesterday"."""
    log_level: Annotated[LogLevel, BeforeValidator(upper)] = "INFO"
    """Least severe log lines to write: `DEBUG`, `INFO`, `WARNING` or `ERROR`."""
    log_format: Annotated[LogFormat, BeforeValidator(lower)] = "text"
    """How log lines are written: `text`, or `json` with the ids of request and turn."""
    server: ServerSettings = ServerSettings()
    db: DatabaseSettings = DatabaseSettings()
    llm: LLMSettings = LLMSettings()
    semantic: SemanticSettings = SemanticSettings()
    memory: MemorySettings = MemorySettings()
    api: ApiSettings = ApiSettings()
    metrics: MetricsSettings = MetricsSettings()
    operator: OperatorSettings = OperatorSettings()
    proxy: ProxySettings = ProxySettings()
    chat: ChatSettings = ChatSettings()
    proactive: ProactiveSettings = ProactiveSettings()
    backup: BackupSettings = BackupSettings()
    alerts: AlertsSettings = AlertsSettings()

    @property
    def facts_injection_enabled(self) -> bool:
        """Whether facts go into prompts: as set, else whether there are proactive runs (ADR-0033 §3)."""
        enabled = self.memory.facts.enabled
        return self.proactive.triggers_path is not None if enabled is None else enabled

    @property
    def provider_keys(self) -> tuple[str, ...]:
        """The key of every provider that has one, which no log line may hold."""
        keys = [self.llm.anthropic.api_key, self.llm.openai.api_key, self.semantic.api_key]
        keys += [route.api_key for route in self.llm.task_routing.values()]
        return tuple(key.get_secret_value() for key in keys if key)

    @property
    def zone(self) -> ZoneInfo:
        """The operator's time zone."""
        return ZoneInfo(self.time_zone)

    def day_of(self, moment: datetime) -> date:
        """The day of a moment in the operator's time zone."""
        return moment.astimezone(self.zone).date()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Our own reading of the environment in place of the library's."""
        return init_settings, EnvironmentSource(settings_cls)


def load_settings() -> Settings:
    """The settings this process runs with; tests read no `.env`. Raises `ConfigurationError` with every mistake."""
    if not is_testing():
        load_env_file()
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigurationError(problems(error, Settings)) from None
