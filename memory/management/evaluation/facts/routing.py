"""Which model is tried: the configured one, or another, as settings of the task `memory_extract`."""

from collections.abc import Mapping, Sequence

from caesar.environment import PREFIX
from memory.management.evaluation.sandbox import without

SECTION = f"{PREFIX}LLM__TASK_ROUTING__MEMORY_EXTRACT__"
_FIELDS = ("provider", "model", "base_url", "api_key")
_GIVEN = (*_FIELDS[:3], "api_key_file")


class RoutingError(Exception):
    """The words do not name a model. The message names the cure."""


def parse(words: Sequence[str]) -> dict[str, str]:
    """`["provider=ollama", "model=qwen3:4b"]` as a dict. Raises `RoutingError`."""
    route: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.lower()
        if name == "api_key":
            raise RoutingError(
                "A key in a command is seen by everybody on this machine. Name its file: api_key_file=..."
            )
        if name not in _GIVEN or not equals or not value:
            raise RoutingError(f"{word!r} names no part of a route. Write NAME=VALUE, NAME one of {', '.join(_GIVEN)}.")
        route[name] = value
    return route


def routed(environ: Mapping[str, str], route: Mapping[str, str]) -> dict[str, str]:
    """The environment in which `memory_extract` goes where `route` says. Names of our settings are in upper case.

    A model alone changes the model of the configured route. Anything else begins a new route: what it leaves out comes
    from CAESAR_LLM__*, and the configured route's key is not sent there.
    """
    own = {name.upper() if name.upper().startswith(PREFIX) else name: value for name, value in environ.items()}
    replaced = ["model"] if set(route) == {"model"} else _FIELDS if route else []
    for field in replaced:
        own = without(own, SECTION + field.upper())
    return own | {SECTION + name.upper(): value for name, value in route.items()}
