"""Optional request parameters that some servers or models do not support, and the fallback to do without them."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from memory.llm.errors import LLMError, RequestRefused
from memory.llm.types import Route

_Answer = TypeVar("_Answer")
_ABOUT_THE_FORM = re.compile(
    r"un(?:recogni[sz]ed|known|supported|expected)|extra (?:inputs?|fields?|propert)|additional propert|not permitted"
    r"|bad request|invalid (?:request|param|field|body|payload|json)|validation|schema|no reason given",
    re.IGNORECASE,
)


class CapabilityFallback:
    """Sends a request again without the parameter that the server refused.

    `parameters` maps each optional parameter to the pattern of the refusals that are about it. What a server and model
    do not support is remembered as long as the process lives. A refused request costs nothing. `suspects` are those
    that are also left out, once, where a server refuses without a word about why.
    """

    def __init__(
        self, parameters: Mapping[str, re.Pattern[str]], *, statuses: Collection[int], suspects: Collection[str] = ()
    ) -> None:
        self._patterns = parameters
        self._statuses = frozenset(statuses)
        self._suspects = frozenset(suspects)
        self._unsupported: dict[tuple[str, str], frozenset[str]] = {}
        self._proven: set[tuple[str, str]] = set()

    def call(self, send: Callable[[frozenset[str]], _Answer], *, route: Route, parameters: Collection[str]) -> _Answer:
        """The result of `send`, which gets the names of the parameters to leave out. Raises `LLMError`.

        `parameters` are those that the request would hold. Where a refusal is about one of them, `send` is called again
        without it.
        """
        place = (route.base_url, route.model)
        unsupported = self._unsupported.get(place, frozenset())
        asked = set(parameters) - unsupported
        try:
            answer = send(unsupported)
        except LLMError as error:
            refusal = error
        else:
            self._proven.add(place)
            return answer
        refused = self._refused_parameter(refusal, asked)
        if refused is None:
            return self._without_suspects(send, refusal, place, asked)
        self._unsupported[place] = unsupported | {refused}
        return self.call(send, route=route, parameters=parameters)

    def _without_suspects(
        self, send: Callable[[frozenset[str]], _Answer], refusal: LLMError, place: tuple[str, str], asked: set[str]
    ) -> _Answer:
        """The result without the suspects, where nothing was ever answered with them and the refusal names no reason.

        Raises `refusal` where that is no help either.
        """
        suspects = self._suspects & asked
        if not suspects or place in self._proven or not self._is_unexplained(refusal):
            raise refusal
        left_out = self._unsupported.get(place, frozenset()) | suspects
        try:
            answer = send(left_out)
        except LLMError:
            raise refusal from None
        self._unsupported[place] = left_out
        return answer

    def _is_unexplained(self, refusal: LLMError) -> bool:
        """Whether a request was refused for its form, without a word about which part of it."""
        text = str(refusal)
        is_named = any(pattern.search(text) for pattern in self._patterns.values())
        return isinstance(refusal, RequestRefused) and not is_named and bool(_ABOUT_THE_FORM.search(text))

    def _refused_parameter(self, refusal: LLMError, parameters: Collection[str]) -> str | None:
        if refusal.status not in self._statuses:
            return None
        return next((name for name in sorted(parameters) if self._patterns[name].search(str(refusal))), None)
