"""The `CAESAR_*` settings: one frozen tree, read from the environment, independent of Django.

A setting's variable is its path: `memory.facts.max_chars` is `CAESAR_MEMORY__FACTS__MAX_CHARS`. The tree is
`settings.CAESAR` in Django's settings; code reads it there at call time.
"""

from datetime import date, datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from caesar.conf.memory import (
    EpisodesRecallSettings,
    EpisodesSummariseSettings,
    FactsExtractSettings,
    FactsImportanceSettings,
    FactsSettings,
    MemorySettings,
    RecallMode,
)
from caesar.conf.models import (
    OFFLINE,
    AnthropicSettings,
    EmbedderProvider,
    LLMProvider,
    LLMSettings,
    OllamaSettings,
    OpenAISettings,
    RouteSettings,
    SemanticSettings,
    Task,
)
from caesar.conf.service import (
    AlertsSettings,
    ApiSettings,
    BackupSettings,
    ChatSettings,
    DatabaseSettings,
    MetricsSettings,
    OperatorSettings,
    ProactiveSettings,
    ProxySettings,
    ServerSettings,
)
from caesar.environment import ConfigurationError, EnvironmentSource, is_testing, load_env_file, problems
from caesar.setting_types import HostName, TimeZone, lower, split, upper

__all__ = [
    "OFFLINE",
    "AnthropicSettings",
    "ConfigurationError",
    "EmbedderProvider",
    "EpisodesRecallSettings",
    "EpisodesSummariseSettings",
    "FactsExtractSettings",
    "FactsImportanceSettings",
    "FactsSettings",
    "LLMProvider",
    "LLMSettings",
    "MemorySettings",
    "OllamaSettings",
    "OpenAISettings",
    "RecallMode",
    "RouteSettings",
    "SemanticSettings",
    "ServerSettings",
    "Settings",
    "Task",
    "load_settings",
]

LogFormat = Literal["text", "json"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


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
