"""Tools that read one memory, or go through the facts."""

from typing import Annotated

from pydantic import BaseModel, Field

from memory.api.responses import Timestamp
from memory.mcp.calls import Call
from memory.mcp.memories import Id, Memory, find_memory
from memory.mcp.paging import BadCursor, facts_page
from memory.mcp.tools.tool import Arguments, Tool, ToolRefused
from memory.models import RankedFact
from memory.text.lines import encodable


class GetMemories(Arguments):
    """A stretch of the facts."""

    prefix: Annotated[str, Field(max_length=128)] = ""
    """Only facts whose key begins with this, such as dog or food."""
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """How many."""
    cursor: Annotated[str, Field(max_length=200)] = ""
    """The next_cursor of the answer before, to go on."""
    ended: bool = False
    """Instead, the facts that are no longer true."""


class ListedFact(BaseModel):
    """One fact. importance = freshness * confidence * weight of the operator's edits."""

    id: str
    key: str
    value: str
    sentence: str
    confidence: float
    importance: float
    first_seen_at: Timestamp
    last_confirmed_at: Timestamp
    valid_until: str | None
    ended_at: Timestamp | None
    kept: bool

    @classmethod
    def of(cls, ranked: RankedFact) -> "ListedFact":
        """The fact as a client sees it."""
        fact = ranked.fact
        return cls(
            id=str(Id("fact", fact.key)),
            key=fact.key,
            value=fact.value,
            sentence=fact.sentence,
            confidence=fact.confidence,
            importance=ranked.importance.value,
            first_seen_at=fact.first_seen_at,
            last_confirmed_at=fact.last_confirmed_at,
            valid_until=str(fact.valid_until) if fact.valid_until else None,
            ended_at=fact.retired_at,
            kept=fact.kept_at is not None,
        )


class Memories(BaseModel):
    """Facts, the most important first. `next_cursor` is empty on the last page."""

    facts: list[ListedFact]
    next_cursor: str


def _get_memories(call: Call, asked: GetMemories) -> Memories:
    prefix = encodable(asked.prefix).strip().lower()
    try:
        page = facts_page(prefix=prefix, cursor=asked.cursor, limit=asked.limit, ended=asked.ended, now=call.now)
    except BadCursor as bad:
        raise ToolRefused(str(bad)) from None
    return Memories(facts=[ListedFact.of(ranked) for ranked in page.ranked], next_cursor=page.next)


GET_MEMORIES = Tool(
    name="get_memories",
    title="List remembered facts",
    description=(
        "Lists the facts remembered about the user, the most important first, with how sure and how recent each is. "
        "Use it to see what is known about a subject (prefix) or all of it (cursor). To look for something, "
        "search_memories is better."
    ),
    scopes=("read",),
    takes=GetMemories,
    gives=Memories,
    run=_get_memories,
)


class GetMemory(Arguments):
    """Which memory."""

    id: Annotated[str, Field(min_length=1, max_length=300)]
    """Its id as other tools give it: fact:dog.name, episode:12 or chat:34. A fact's key will do, too."""


def wanted_memory(call: Call, id_: str) -> Memory:
    """The memory with this id. Raises `ToolRefused` where there is none."""
    found = find_memory(call, Id.of(encodable(id_)))
    if found is None:
        raise ToolRefused(
            f"There is no memory {encodable(id_)[:100]}. Use an id that search_memories or get_memories gave; it may "
            "have been deleted since."
        )
    return found


GET_MEMORY = Tool(
    name="get_memory",
    title="Read one memory",
    description=(
        "Reads one memory whole: a fact with its history (when it was learned, confirmed and changed), an episode "
        "(what one conversation was about), or a chat with its messages. Use it before you rely on a search result."
    ),
    scopes=("read",),
    takes=GetMemory,
    gives=Memory,
    run=lambda call, asked: wanted_memory(call, asked.id),
)


class Fetched(BaseModel):
    """A memory as a document. `url` is its page for the user, to be cited."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


def _fetch(call: Call, asked: GetMemory) -> Fetched:
    found = wanted_memory(call, asked.id)
    metadata = {"kind": found.kind, "when": found.when.isoformat()}
    return Fetched(id=found.id, title=found.title, text=found.text, url=found.url, metadata=metadata)


FETCH = Tool(
    name="fetch",
    title="Fetch one memory",
    description="Fetches the whole text of a result of search, by its id, with the address of its page to cite.",
    scopes=("read",),
    takes=GetMemory,
    gives=Fetched,
    run=_fetch,
)
