"""Tools that look for what answers a question, in facts, past conversations and the words of chats."""

from datetime import date
from typing import Annotated, Literal

from django.conf import settings
from pydantic import BaseModel, Field, WithJsonSchema

from caesar.processor_time import places
from memory.api.capacity import turn_limiter
from memory.api.responses import Timestamp
from memory.mcp.calls import Call
from memory.mcp.memories import Id
from memory.mcp.tools.tool import Arguments, Tool, ToolRefused
from memory.recall import explicit
from memory.recall.explicit import KINDS, Found, SearchResults
from memory.text.lines import encodable, one_line

_RESEARCH_LIMIT = 20

Day = Annotated[date | None, WithJsonSchema({"type": "string", "format": "date"})]
Query = Annotated[str, Field(min_length=1, max_length=explicit.MAX_QUESTION_CHARS)]


class SearchMemories(Arguments):
    """A question, and what its answer is bound to."""

    query: Query
    """What you want to know, in the user's language. Dates in words count: last May, two weeks ago."""
    kinds: list[Literal["fact", "conversation", "message"]] = Field(default=list(KINDS), min_length=1, max_length=3)
    """What to look for: facts, past conversations, or the words of chats. All, unless you say otherwise."""
    since: Day = None
    """The first day that counts, such as 2026-05-01."""
    until: Day = None
    """The last day that counts."""
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    """How many results."""


class SearchHit(BaseModel):
    """One thing that was found. `why` is the reason, `when` a fact was last said or a conversation took place."""

    id: str
    kind: Literal["fact", "conversation", "message"]
    title: str
    text: str
    when: Timestamp
    score: float
    why: str
    url: str

    @classmethod
    def of(cls, call: Call, found: Found) -> "SearchHit":
        """The hit as a client sees it."""
        return cls(
            id=found.id,
            kind=found.kind,
            title=found.title,
            text=found.text,
            when=found.when,
            score=found.score,
            why=found.why,
            url=_page_of(call, found),
        )


class SearchAnswer(BaseModel):
    """What was found, the best first. `read_dates`: the days that the question was read as asking for. `mode`: by what
    conversations were looked for. `notes`: what had to do without."""

    results: list[SearchHit]
    read_dates: str
    mode: str
    notes: list[str]


def _search_memories(call: Call, asked: SearchMemories) -> SearchAnswer:
    results = _searched(call, asked)
    return SearchAnswer(
        results=[SearchHit.of(call, found) for found in results.found],
        read_dates=results.read_dates,
        mode=results.mode,
        notes=list(results.notes),
    )


def _searched(call: Call, asked: SearchMemories) -> SearchResults:
    """What answers the question, and the row that says who asked it. Counts as no recall."""
    words = encodable(asked.query)
    if not one_line(words):
        raise ToolRefused("query holds no words. Say what you want to know about the user.")
    if asked.since and asked.until and asked.since > asked.until:
        raise ToolRefused("until must not be before since: exchange the two.")
    with turn_limiter.slot(), places.taken(call.now):
        question = explicit.ask(words, since=asked.since, until=asked.until, now=call.now, zone=settings.CAESAR.zone)
        results = explicit.answer(question, kinds=asked.kinds, limit=asked.limit)
    if not call.leaves_no_words:
        explicit.note(question, results, door="mcp", kinds=asked.kinds, client=call.client_name, now=call.now)
    return results


def _page_of(call: Call, found: Found) -> str:
    """The page on which the user sees it."""
    if found.kind == "fact":
        return call.page("fact", key=found.key)
    chat = found.chat_id or Id.of(found.id).number
    return call.page("event", chat) if chat else call.page("episodes")


SEARCH_MEMORIES = Tool(
    name="search_memories",
    title="Search memory",
    description=(
        "Finds what is remembered about the user that answers a question: facts, past conversations and the words of "
        "chats, each with its date, its score and why it was found. Use it whenever the user refers to something said "
        "before, and before you say that you do not know something about them."
    ),
    scopes=("read",),
    takes=SearchMemories,
    gives=SearchAnswer,
    run=_search_memories,
    leaves_own_row=True,
)


class Search(Arguments):
    """What to look for."""

    query: Query
    """What you want to know about the user."""


class SearchResult(BaseModel):
    """One result: fetch brings the whole of it by its id."""

    id: str
    title: str
    url: str


class SearchList(BaseModel):
    """What was found, the best first."""

    results: list[SearchResult]


def _search(call: Call, asked: Search) -> SearchList:
    results = _searched(call, SearchMemories(query=asked.query, limit=_RESEARCH_LIMIT))
    listed = [SearchResult(id=one.id, title=one.title, url=_page_of(call, one)) for one in results.found]
    return SearchList(results=listed)


SEARCH = Tool(
    name="search",
    title="Search memory for documents",
    description=(
        "Searches what is remembered about the user and lists ids, titles and addresses. For clients that research by "
        "search and fetch; search_memories gives more at once."
    ),
    scopes=("read",),
    takes=Search,
    gives=SearchList,
    run=_search,
    leaves_own_row=True,
)
