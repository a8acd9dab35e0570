"""Optional request parameters that some servers or models do not support, and the fallback to do without them."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from memory.llm.errors import LLMError
from memory.llm.types import Route

_Answer = TypeVar("_Answer")


class CapabilityFallback:
    """Sends a request again without the parameter that the server refused.

    `parameters` maps each optional parameter to the pattern of the refusals that are about it. What a server and model
    do not support is remembered as long as the process lives. A refused request costs nothing.
    """

    def __init__(self, parameters: Mapping[str, re.Pattern[str]], *, statuses: Collection[int]) -> None:
        self._patterns = parameters
        self._statuses = frozenset(statuses)
        self._unsupported: dict[tuple[str, str], frozenset[str]] = {}

    def call(self, send: Callable[[frozenset[str]], _Answer], *, route: Route, parameters: Collection[str]) -> _Answer:
        """The result of `send`, which gets the names of the parameters to leave out. Raises `LLMError`.

        `parameters` are those that the request would hold. Where a refusal is about one of them, `send` is called again
        without it.
        """
        place = (route.base_url, route.model)
        unsupported = self._unsupported.get(place, frozenset())
        try:
            return send(unsupported)
        except LLMError as refusal:
            refused = self._refused_parameter(refusal, set(parameters) - unsupported)
            if refused is None:
                raise
        self._unsupported[place] = unsupported | {refused}
        return self.call(send, route=route, parameters=parameters)

    def _refused_parameter(self, refusal: LLMError, parameters: Collection[str]) -> str | None:
        if refusal.status not in self._statuses:
            return None
        return next((name for name in sorted(parameters) if self._patterns[name].search(str(refusal))), None)
