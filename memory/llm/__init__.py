"""Language models: `complete(...)` asks one; whatever goes wrong is an `LLMError`."""

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
    "complete",
    "describe",
    "route_for",
]
