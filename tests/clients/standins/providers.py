"""The settings by which a server sends its chats to the upstream, as each kind of provider."""

from dataclasses import dataclass

from caesar.conf import LLMSettings
from tests.clients.standins.upstream import Upstream

MEMORYS_TASKS = ("memory_extract", "memory_summarise")
OFFLINE_MEMORY = {f"CAESAR_LLM__TASK_ROUTING__{task.upper()}__PROVIDER": "offline" for task in MEMORYS_TASKS}
PROVIDERS = ("openai", "anthropic", "ollama", "offline")


@dataclass(frozen=True)
class Behind:
    """A server by its address and a key, and the upstream behind it."""

    url: str
    key: str
    model: Upstream
    provider: str


def provider(name: str, url: str) -> dict[str, str]:
    """Environment that routes chats to the upstream as this provider; memory's own work goes on without a model."""
    address = {
        "openai": {"CAESAR_LLM__OPENAI__BASE_URL": f"{url}/v1"},
        "ollama": {"CAESAR_LLM__OLLAMA__BASE_URL": url},
        "anthropic": {"CAESAR_LLM__TASK_ROUTING__CHAT__BASE_URL": url},
    }[name]
    return {"CAESAR_LLM__PROVIDER": name, "CAESAR_LLM__MODEL": "large", **address, **OFFLINE_MEMORY}


def llm_settings(name: str, url: str) -> LLMSettings:
    """The same as settings of a server in this process."""
    routes = {task: {"provider": "offline"} for task in MEMORYS_TASKS}
    if name != "offline":
        routes["chat"] = {"base_url": f"{url}/v1" if name == "openai" else url}
    return LLMSettings.model_validate({"provider": name, "model": "large", "task_routing": routes})
