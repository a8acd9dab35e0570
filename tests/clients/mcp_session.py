"""What a program does that uses memory by an official MCP client: run as a script, with either generation of it.

`mcp_session.py URL KEY MODE` prints what it saw as JSON. MODE: `legacy`, `auto` or a version, for the client's second
generation; `first` for the first one, whose modules have other names.
"""

import importlib
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import anyio

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_memories", {"query": "What is my dog called?", "kinds": ["fact"]}),
    ("get_memories", {"prefix": "dog", "limit": 5}),
    ("get_memory", {"id": "fact:dog.name"}),
    ("add_memory", {"key": "bird.name", "value": "Kiwi"}),
    ("update_memory", {"id": "dog.age", "value": "5", "expected": "4"}),
    ("update_memory", {"id": "dog.age", "value": "6", "expected": "4"}),
    ("delete_memory", {"id": "dog.age"}),
    ("search", {"query": "dog"}),
    ("fetch", {"id": "fact:dog.name"}),
]


@asynccontextmanager
async def second_generation(url: str, key: str, mode: str) -> AsyncIterator[Any]:
    """A connected client of the second generation."""
    client, transport = importlib.import_module("mcp"), importlib.import_module("mcp.client.streamable_http")
    httpx2 = importlib.import_module("httpx2")
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http,
        client.Client(transport.streamable_http_client(url, http_client=http), mode=mode) as connected,
    ):
        yield connected


@asynccontextmanager
async def first_generation(url: str, key: str) -> AsyncIterator[Any]:
    """A connected session of the first generation."""
    mcp, transport = importlib.import_module("mcp"), importlib.import_module("mcp.client.streamable_http")
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        transport.streamablehttp_client(url, headers=headers, timeout=timedelta(seconds=30)) as streams,
        mcp.ClientSession(streams[0], streams[1]) as session,
    ):
        session.version_seen = (await session.initialize()).protocolVersion
        yield session


def plain(answer: Any) -> Any:
    """An answer as the protocol writes it."""
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


async def seen(client: Any) -> dict[str, Any]:
    """Everything that there is, used once."""
    found: dict[str, Any] = {"version": getattr(client, "version_seen", None) or client.protocol_version}
    found["tools"] = [plain(tool) for tool in (await client.list_tools()).tools]
    found["calls"] = [plain(await client.call_tool(name, arguments)) for name, arguments in CALLS]
    found["resources"] = [plain(one) for one in (await client.list_resources()).resources]
    found["templates"] = plain(await client.list_resource_templates())["resourceTemplates"]
    found["read"] = plain(await client.read_resource("caesar://facts/dog.name"))
    found["prompts"] = [plain(one) for one in (await client.list_prompts()).prompts]
    found["prompt"] = plain(await client.get_prompt("memory", {"message": "my dog"}))
    for name, broken in (
        ("no_tool", client.call_tool("read_mind", {})),
        ("no_resource", client.read_resource("caesar://facts/x")),
    ):
        try:
            await broken
        except Exception as error:  # each generation has its own class for it
            found[name] = str(error)
    return found


async def main(url: str, key: str, mode: str) -> None:
    """Print what was seen."""
    connected = first_generation(url, key) if mode == "first" else second_generation(url, key, mode)
    async with connected as client:
        print(json.dumps(await seen(client)))


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
