"""What the gateway and its providers hand each other: where to ask, one request, one completion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue, SecretStr

from caesar.conf import Task
from memory.events import Message

__all__ = ["Completion", "JsonSchema", "Request", "Route", "ServerSettings", "Task"]

JsonSchema = Mapping[str, JsonValue]


@dataclass(frozen=True)
class ServerSettings:
    """The address of a provider's server, without a slash at its end, and the key that was set for it."""

    base_url: str
    api_key: SecretStr | None = None


@dataclass(frozen=True, kw_only=True)
class Route:
    """Where one call goes. `base_url` has no slash at its end; offline, `model` and `base_url` are "".

    `model_section` and `server_section` name the settings that were used, for error texts: the model is
    `<model_section>__MODEL`, address and key are `<server_section>__BASE_URL` and `<server_section>__API_KEY`.

    A whole answer may take `timeout_seconds`; `timeout_setting` is the variable that says so. A stream may take
    `stream_seconds`, with at most `first_byte_seconds` before its first byte and between any two. Connecting may take
    `connect_seconds`, which count towards both.
    """

    provider: str
    model: str
    base_url: str
    api_key: str | None = field(repr=False)
    timeout_seconds: float
    model_section: str
    server_section: str
    timeout_setting: str = "CAESAR_LLM__TIMEOUT_SECONDS"
    connect_seconds: float = 10.0
    first_byte_seconds: float = 60.0
    stream_seconds: float = 600.0


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question to a model. `json_schema` asks for an answer of that shape where the provider can."""

    messages: Sequence[Message]
    task: Task
    route: Route
    max_tokens: int
    json_schema: JsonSchema | None = None


@dataclass(frozen=True)
class Completion:
    """A model's answer. `model` is the one that answered; token counts are None where the provider gave none.

    `text` is empty in one case only: the task was `memory_summarise` and the model stopped normally without a word,
    which means that the chat was trivial (ADR-0034 §2). The text of a relayed answer may also be empty because the
    model only calls tools or says nothing; the client decides what to make of that.
    """

    text: str
    model: str
    provider: str
    finish_reason: str
    input_tokens: int | None
    output_tokens: int | None
