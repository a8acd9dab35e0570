"""The settings by which an installation sends its chats to the upstream, as each kind of provider."""

from dataclasses import dataclass

from tests.clients.upstream import Upstream
from tests.servers import Installation

OFFLINE_MEMORY = {
    f"CAESAR_LLM__TASK_ROUTING__{task}__PROVIDER": "offline" for task in ("MEMORY_EXTRACT", "MEMORY_SUMMARISE")
}
PROVIDERS = ("openai", "anthropic", "ollama", "offline")


@dataclass(frozen=True)
class Behind:
    """An installation, and the upstream behind it."""

    server: Installation
    model: Upstream
    provider: str

    @property
    def key(self) -> str:
        return str(self.server.api.headers["Authorization"]).removeprefix("Bearer ")


def provider(name: str, url: str) -> dict[str, str]:
    """Settings that route chats to the upstream as this provider; memory's own work goes on without a model."""
    if name == "offline":
        return {}
    address = {
        "openai": {"CAESAR_LLM__OPENAI__BASE_URL": f"{url}/v1"},
        "ollama": {"CAESAR_LLM__OLLAMA__BASE_URL": url},
        "anthropic": {"CAESAR_LLM__TASK_ROUTING__CHAT__BASE_URL": url},
    }[name]
    return {"CAESAR_LLM__PROVIDER": name, "CAESAR_LLM__MODEL": "large", **address, **OFFLINE_MEMORY}
