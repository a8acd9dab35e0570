"""What a provider needs before it can be asked, and the errors for what is missing. Asks nobody."""

from urllib.parse import urlsplit

from memory.llm.errors import NotConfigured
from memory.llm.types import Route


def check_model(route: Route) -> None:
    """Raises `NotConfigured` where no model is set."""
    if not route.model:
        raise not_configured(route, f"no model is set. Set {route.model_section}__MODEL.")


def check_key(route: Route, *, required_by: str) -> None:
    """Raises `NotConfigured` where there is no key for the host that requires one; other hosts may do without."""
    if not route.api_key and urlsplit(route.base_url).hostname == required_by:
        cure = f"Set {route.server_section}__API_KEY, or CAESAR_LLM__PROVIDER=offline."
        raise not_configured(route, f"it has no API key. {cure}")


def base_url_has_path(route: Route, *, end_before: str) -> NotConfigured:
    """The error for an address that ends in a path which every request adds to it."""
    return not_configured(
        route, f"the address says too much. {route.server_section}__BASE_URL must end before {end_before}."
    )


def not_configured(route: Route, problem: str) -> NotConfigured:
    """The error for a provider that lacks something."""
    return NotConfigured(f"The provider {route.provider} was chosen, but {problem}", provider=route.provider)
