"""What some servers or models do not take: found out by their refusal, asked once more without it, and remembered."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from memory.llm.errors import LLMError
from memory.llm.types import Route

_Answer = TypeVar("_Answer")


class Quirks:
    """The parts of a request that one kind of server may refuse, by how it says so.

    Remembers for as long as the process lives what each server and model do not take. A refusal costs nothing.
    """

    def __init__(self, patterns: Mapping[str, re.Pattern[str]], *, statuses: Collection[int]) -> None:
        self._patterns = patterns
        self._statuses = frozenset(statuses)
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def asked(self, ask: Callable[[frozenset[str]], _Answer], *, route: Route, sent: Collection[str]) -> _Answer:
        """What `ask` gives without the parts known to be refused there. Raises `LLMError`.

        `sent` are the parts that the request holds; a refusal that is about one of them is asked once more without.
        """
        place = (route.base_url, route.model)
        known = self._known.get(place, frozenset())
        try:
            return ask(known)
        except LLMError as refusal:
            part = self._part_behind(refusal, set(sent) - known)
            if part is None:
                raise
        self._known[place] = known | {part}
        return self.asked(ask, route=route, sent=sent)

    def _part_behind(self, refusal: LLMError, parts: Collection[str]) -> str | None:
        if refusal.status not in self._statuses:
            return None
        return next((part for part in sorted(parts) if self._patterns[part].search(str(refusal))), None)
