"""Routes to a server of a test's own."""

from typing import Any

from memory.llm.types import Route


def route_to(base_url: str = "http://llm.test/v1", *, provider: str = "openai", **changes: Any) -> Route:
    """A route whose address and key come from the provider's own section; `changes` are fields of it."""
    fields: dict[str, Any] = {
        "provider": provider,
        "model": "m",
        "base_url": base_url,
        "api_key": None,
        "timeout_seconds": 5.0,
        "model_section": "CAESAR_LLM",
        "server_section": f"CAESAR_LLM__{provider.upper()}",
        **changes,
    }
    return Route(**fields)
