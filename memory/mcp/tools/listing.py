"""Every tool, in the order in which clients see them: a list that changes its order costs them their prompt's cache."""

from collections.abc import Iterator
from typing import Any, Final

from memory.mcp.calls import Call
from memory.mcp.tools.changing import ADD_MEMORY, DELETE_MEMORY, UPDATE_MEMORY
from memory.mcp.tools.reading import FETCH, GET_MEMORIES, GET_MEMORY
from memory.mcp.tools.searching import SEARCH, SEARCH_MEMORIES
from memory.mcp.tools.tool import Tool

TOOLS: Final[tuple[Tool[Any], ...]] = (
    SEARCH_MEMORIES,
    GET_MEMORIES,
    GET_MEMORY,
    ADD_MEMORY,
    UPDATE_MEMORY,
    DELETE_MEMORY,
    SEARCH,
    FETCH,
)


def find_tool(name: str) -> Tool[Any] | None:
    """The tool of this name."""
    return next((tool for tool in TOOLS if tool.name == name), None)


def tools_for(call: Call) -> Iterator[Tool[Any]]:
    """Those that the key may call."""
    return (tool for tool in TOOLS if call.may(*tool.scopes))
