"""Events of clients that use memory as tools, by the Model Context Protocol."""

from typing import Literal

from pydantic import Field, JsonValue

from memory.events.base import Event

McpKind = Literal["connection", "tool", "resource", "prompt"]
McpOutcome = Literal["done", "refused"]


class McpCalled(Event):
    """A client with its own model asked memory for something, or introduced itself (`connection`).

    `what`: the tool, resource or prompt. `arguments`: what it was asked with, long ones cut and values of facts by
    their length alone. `client`: what the client calls itself; in an older version of the protocol, what it called
    itself when it connected. `problem`: why it was refused.
    """

    name = "mcp.called"
    label = "Asked by MCP"
    holds_speech = True

    kind: McpKind
    what: str = ""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    client: str = ""
    client_version: str = ""
    protocol: str = ""
    outcome: McpOutcome = "done"
    problem: str = ""
