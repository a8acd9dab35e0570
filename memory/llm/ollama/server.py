"""Ollama's server: where it is, which models it has pulled, and what its refusals mean for the operator."""

import re
from urllib.parse import urlsplit

from caesar.conf import LLMSettings
from memory.llm.answers import validation
from memory.llm.errors import LLMError, NotFound, RequestRefused
from memory.llm.http import client, requirements
from memory.llm.ollama.messages import MAX_CONTEXT_TOKENS
from memory.llm.types import Route, ServerSettings

PATH = "/api/chat"

_TOO_LONG = re.compile(r"context (?:length|size|window)", re.IGNORECASE)
_NO_MODEL = re.compile(r"\bmodel\b.{0,300}\bnot found\b", re.IGNORECASE | re.DOTALL)


class OllamaServer:
    """What the provider `ollama` knows about its server.

    Ollama itself asks for no key; a proxy in front of it may, and so does ollama.com.
    """

    def server_settings(self, llm: LLMSettings) -> ServerSettings:
        """The address in its section, which holds no key."""
        return ServerSettings(llm.ollama.base_url)

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where no model is set, or the address belongs to another API of Ollama's."""
        requirements.check_model(route)
        _check_address(route)

    def models(self, route: Route) -> list[str]:
        """The models that were pulled: `{"models": [{"name": "llama3.1:8b"}]}`. Raises `LLMError`."""
        _check_address(route)
        listed = client.get(route, "/api/tags", headers=client.bearer_headers(route))
        entries = listed.get("models") if isinstance(listed, dict) else None
        return validation.model_names(entries, field="name", route=route)


def _check_address(route: Route) -> None:
    if urlsplit(route.base_url).path.endswith(("/v1", "/api", PATH)):
        raise requirements.base_url_has_path(route, end_before="/v1 or /api")


def with_hint(error: LLMError, route: Route, *, is_memory_task: bool) -> LLMError:
    """The error with the cure, where a model is missing or a text is too long; any other error as it is."""
    cure = ""
    if isinstance(error, NotFound) and _NO_MODEL.search(str(error)):
        cure = f"Get it with: ollama pull {route.model}"
    elif isinstance(error, RequestRefused) and _TOO_LONG.search(str(error)):
        cure = f"{MAX_CONTEXT_TOKENS:,} tokens are the most that are asked for. " + (
            "Lower CAESAR_MEMORY__FACTS_EXTRACT__MAX_CHARS." if is_memory_task else "Send a shorter chat."
        )
    if not cure:
        return error
    return error.with_message(f"{error} {cure}")
