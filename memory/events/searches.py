"""Events of searches: somebody asked memory a question."""

from datetime import date
from typing import Literal

from pydantic import Field

from memory.events.base import Event

SearchDoor = Literal["api", "mcp", "model", "command"]
"""Who asked: a client by the API or by MCP, a model with the memory tool, the operator on the command line."""

MAX_QUERY_CHARS = 500


class MemorySearched(Event):
    """Somebody searched memory. It is no recall: nothing was counted. The operator's search on the page writes none.

    `query`: what was asked, cut; `since`, `until`: the days it was bound to; `read_dates`: those that the question was
    read as asking for. `ids`: what was found, by its addresses ("fact:...", "episode:...", "chat:...").
    """

    name = "memory.searched"
    label = "Memory searched"
    holds_speech = True

    door: SearchDoor
    query: str
    kinds: list[str] = Field(default_factory=list)
    since: date | None = None
    until: date | None = None
    read_dates: str = ""
    found: int = 0
    ids: list[str] = Field(default_factory=list)
