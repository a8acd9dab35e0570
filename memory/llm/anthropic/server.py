"""Anthropic's server, or one that copies its API: where it is, which headers it wants, which models it lists."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from caesar.conf import LLMSettings
from memory.llm.answers import validation
from memory.llm.http import client, requirements
from memory.llm.types import Route, ServerSettings

BASE_URL = "https://api.anthropic.com"
PATH = "/v1/messages"
VERSION = "2023-06-01"
MAX_LISTED_MODELS = 1000

_HOST_WITH_KEY = "api.anthropic.com"


class AnthropicServer:
    """What the provider `anthropic` knows about its server."""

    def server_settings(self, llm: LLMSettings) -> ServerSettings:
        """Anthropic's own address: only a task's route can name another."""
        return ServerSettings(BASE_URL, llm.anthropic.api_key)

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where model or key is missing. Only Anthropic's own server needs a key."""
        requirements.check_model(route)
        _check_address(route)

    def models(self, route: Route) -> list[str]:
        """The models the server lists: `{"data": [{"id": "claude-x"}]}`. Raises `LLMError`."""
        _check_address(route)
        listed = client.get(route, f"/v1/models?limit={MAX_LISTED_MODELS}", headers=headers(route))
        entries = listed.get("data") if isinstance(listed, dict) else listed
        return validation.model_names(entries, field="id", route=route)


def _check_address(route: Route) -> None:
    requirements.check_key(route, required_by=_HOST_WITH_KEY)
    if urlsplit(route.base_url).path.endswith(("/v1", PATH)):
        raise requirements.base_url_has_path(route, end_before="/v1")


def headers(route: Route) -> Mapping[str, str]:
    """The version of the API, and the key where there is one."""
    key = {"x-api-key": route.api_key} if route.api_key else {}
    return {"anthropic-version": VERSION, **key}
