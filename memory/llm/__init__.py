"""Language models: `complete(...)` asks one, `embed(...)` an embedder; whatever goes wrong is an `LLMError`."""

from memory.llm.embedding import (
    Vectors,
    default_threshold,
    embed,
    embedder_model,
    embedder_route,
    json_vector,
    vector_from_json,
    warm,
)
from memory.llm.errors import (
    AccessDenied,
    BadAnswer,
    ConnectionLost,
    LLMError,
    NotConfigured,
    NotFound,
    Outage,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    Truncated,
    Unreachable,
)
from memory.llm.gateway import complete, describe, route_for
from memory.llm.provider import Completion, JsonSchema, Task

__all__ = [
    "AccessDenied",
    "BadAnswer",
    "Completion",
    "ConnectionLost",
    "JsonSchema",
    "LLMError",
    "NotConfigured",
    "NotFound",
    "Outage",
    "RateLimited",
    "RequestRefused",
    "ServerFault",
    "Task",
    "TooSlow",
    "Truncated",
    "Unreachable",
    "Vectors",
    "complete",
    "default_threshold",
    "describe",
    "embed",
    "embedder_model",
    "embedder_route",
    "json_vector",
    "route_for",
    "vector_from_json",
    "warm",
]
