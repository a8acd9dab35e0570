"""Language models: `complete(...)` asks one, `relay(...)` hands a client's request on, `embed(...)` asks an embedder.

Whatever goes wrong is an `LLMError`.
"""

from memory.llm.chat_completions.responses import Relayed, RelayedStream
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
from memory.llm.gateway import complete, describe, list_models, route_for, try_out, with_more_room
from memory.llm.native import ClientHeaders, NativeMessages, provider_of_chats, speaks_messages
from memory.llm.relay import limit_field, relay, relay_stream
from memory.llm.types import Completion, JsonSchema, Task

__all__ = [
    "AccessDenied",
    "BadAnswer",
    "ClientHeaders",
    "Completion",
    "ConnectionLost",
    "JsonSchema",
    "LLMError",
    "NativeMessages",
    "NotConfigured",
    "NotFound",
    "Outage",
    "RateLimited",
    "Relayed",
    "RelayedStream",
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
    "limit_field",
    "list_models",
    "provider_of_chats",
    "relay",
    "relay_stream",
    "route_for",
    "speaks_messages",
    "try_out",
    "vector_from_json",
    "warm",
    "with_more_room",
]
