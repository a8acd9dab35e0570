"""Memories as resources, for clients that let the user attach them: facts in a list, episodes and chats by address."""

from typing import Final
from urllib.parse import quote, unquote

from memory.mcp.calls import Call
from memory.mcp.jsonrpc import INVALID_PARAMS, RESOURCE_NOT_FOUND, JsonObject, RpcError
from memory.mcp.memories import Id, Kind, find_memory
from memory.mcp.paging import BadCursor, facts_page
from memory.mcp.versions import is_stateless
from memory.models import RankedFact
from memory.text.lines import encodable

_SCHEME: Final = "caesar://"
_FOLDERS: Final[dict[str, Kind]] = {"facts": "fact", "episodes": "episode", "chats": "chat"}
_PAGE: Final = 100
_TEXT: Final = "text/plain"

TEMPLATES: Final[list[JsonObject]] = [
    {
        "uriTemplate": f"{_SCHEME}facts/{{key}}",
        "name": "fact",
        "title": "A fact",
        "description": "One remembered fact and its history. Keys are such as dog.name.",
        "mimeType": _TEXT,
    },
    {
        "uriTemplate": f"{_SCHEME}episodes/{{id}}",
        "name": "episode",
        "title": "An episode",
        "description": "What one past conversation was about.",
        "mimeType": _TEXT,
    },
    {
        "uriTemplate": f"{_SCHEME}chats/{{id}}",
        "name": "chat",
        "title": "A chat",
        "description": "One past conversation, message by message.",
        "mimeType": _TEXT,
    },
]


def list_facts(call: Call, cursor: str) -> JsonObject:
    """One page of the facts that hold, the most important first. Raises `RpcError` for a bad cursor."""
    try:
        page = facts_page(prefix="", cursor=cursor, limit=_PAGE, ended=False, now=call.now)
    except BadCursor as bad:
        raise RpcError(INVALID_PARAMS, str(bad)) from None
    listed: JsonObject = {"resources": [_listed(ranked) for ranked in page.ranked]}
    return listed | ({"nextCursor": page.next} if page.next else {})


def _listed(ranked: RankedFact) -> JsonObject:
    fact = ranked.fact
    return {
        "uri": f"{_SCHEME}facts/{quote(fact.key, safe='')}",
        "name": fact.key,
        "title": fact.sentence,
        "mimeType": _TEXT,
        "annotations": {"lastModified": fact.last_confirmed_at.isoformat(), "priority": _priority(ranked)},
    }


def _priority(ranked: RankedFact) -> float:
    """0 to 1, as the protocol has it; the importance of an edited fact may be more."""
    return round(min(max(ranked.importance.value, 0.0), 1.0), 3)


def read_resource(call: Call, uri: str) -> JsonObject:
    """The text behind an address. Raises `RpcError` where there is none."""
    wanted = _id_at(uri)
    found = find_memory(call, wanted) if wanted else None
    if found is None:
        code = INVALID_PARAMS if is_stateless(call.version) else RESOURCE_NOT_FOUND
        known = ", ".join(str(template["uriTemplate"]) for template in TEMPLATES)
        raise RpcError(code, f"There is no such resource. Addresses are {known}.", data={"uri": uri[:300]})
    return {"contents": [{"uri": uri, "mimeType": _TEXT, "text": found.text}]}


def _id_at(uri: str) -> Id | None:
    if not uri.startswith(_SCHEME):
        return None
    folder, _, name = uri.removeprefix(_SCHEME).partition("/")
    kind = _FOLDERS.get(folder)
    return Id(kind, encodable(unquote(name))) if kind and name else None
