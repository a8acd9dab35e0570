"""OpenAI's server, or one that speaks its API: where it is, which models it lists, and what its 404 usually means."""

from urllib.parse import urlsplit

from caesar.conf import LLMSettings
from memory.llm.answers import validation
from memory.llm.errors import LLMError, NotFound
from memory.llm.http import client, requirements
from memory.llm.types import Route, ServerSettings

PATH = "/chat/completions"

HOST_WITH_KEY = "api.openai.com"


class OpenAIServer:
    """What the provider `openai` knows about its server."""

    def server_settings(self, llm: LLMSettings) -> ServerSettings:
        """The address and key in its section."""
        return ServerSettings(llm.openai.base_url, llm.openai.api_key)

    def check(self, route: Route) -> None:
        """Raises `NotConfigured` where model or key is missing. Only OpenAI's own server needs a key."""
        requirements.check_model(route)
        _check_address(route)

    def models(self, route: Route) -> list[str]:
        """The models the server lists: `{"data": [{"id": "gpt-x"}]}`, or the list alone. Raises `LLMError`."""
        _check_address(route)
        try:
            listed = client.get(route, "/models", headers=client.bearer_headers(route))
        except NotFound as error:
            raise with_hint(error, route) from None
        entries = listed.get("data") if isinstance(listed, dict) else listed
        return validation.model_names(entries, field="id", route=route)


def _check_address(route: Route) -> None:
    requirements.check_key(route, required_by=HOST_WITH_KEY)
    if route.base_url.endswith(PATH):
        raise requirements.base_url_has_path(route, end_before=PATH)


def with_hint(error: NotFound, route: Route) -> LLMError:
    """A 404 with its usual reason, where the address suggests that reason."""
    path = urlsplit(route.base_url).path.strip("/")
    if path and "v1/v1" not in path:
        return error
    hint = f"{route.server_section}__BASE_URL names /v1 twice."
    if not path:
        hint = f"Most servers want {route.server_section}__BASE_URL to end in /v1."
    return error.with_message(f"{error} {hint}")
