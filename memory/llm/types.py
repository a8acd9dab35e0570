"""What the gateway and its providers hand each other: where to ask, one request, one completion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from caesar.conf import Task
from memory.events import Message

__all__ = ["Completion", "JsonSchema", "Provider", "Request", "Route", "Task"]

JsonSchema = Mapping[str, JsonValue]


@dataclass(frozen=True, kw_only=True)
class Route:
    """Where one call goes. `base_url` has no slash at its end; offline, model and address are "".

    `model_section` and `server_section` are the settings that decide here, for error texts: the model is
    `<model_section>__MODEL`, address and key are `<server_section>__BASE_URL` and `__API_KEY`.

    An answer has `timeout_seconds` as a whole, a stream `first_byte_seconds` to each of its bytes and `stream_seconds`
    as a whole; the connection is a part of both, and has `connect_seconds`.
    """

    provider: str
    model: str
    base_url: str
    api_key: str | None = field(repr=False)
    timeout_seconds: float
    model_section: str
    server_section: str
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

    `text` is empty for one reason only: the task was `memory_summarise` and the model stopped normally without a
    word, which means that the chat was trivial (ADR-0034 §2). Of a relayed answer it is also empty where the model
    only calls tools, or says nothing: that is the client's to judge.
    """

    text: str
    model: str
    provider: str
    finish_reason: str
    input_tokens: int | None
    output_tokens: int | None


class Provider(Protocol):
    """One kind of model server."""

    def complete(self, request: Request) -> Completion:
        """The answer to one request, asked once. Raises `LLMError`."""
        ...

    def models(self, route: Route) -> list[str]:
        """The names of the models that the route's server offers; its own model is not looked at. Raises `LLMError`."""
        ...

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where this route lacks what the provider needs. Asks nobody."""
        ...
