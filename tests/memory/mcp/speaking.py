"""A client of the Model Context Protocol by raw HTTP, in each of its versions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from pydantic import JsonValue

from memory.models import SCOPES, ApiKey, Scope
from tests.conftest import ApiClient

STATELESS = "2026-07-28"
HANDSHAKES = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
VERSIONS = (STATELESS, *HANDSHAKES)
META = "io.modelcontextprotocol/"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

Object = dict[str, Any]


class Speaker:
    """Sends requests as a client of one version does."""

    def __init__(self, api: ApiClient, version: str = STATELESS, *, name: str = "probe") -> None:
        self.api, self.version, self.name = api, version, name
        self.is_stateless = version == STATELESS

    def request(self, method: str, params: Mapping[str, JsonValue] | None = None, *, id_: JsonValue = 7) -> Object:
        """The body of one request."""
        sent: Object = dict(params or {})
        if self.is_stateless:
            info = {"name": self.name, "version": "1.30"}
            names = {"protocolVersion": self.version, "clientInfo": info, "clientCapabilities": {}}
            sent["_meta"] = {META + name: value for name, value in names.items()}
        return {"jsonrpc": "2.0", "id": id_, "method": method, "params": sent}

    def headers(self, body: Mapping[str, Any]) -> dict[str, str]:
        """The headers that go with it."""
        headers = {"MCP-Protocol-Version": self.version, "Accept": "application/json, text/event-stream"}
        if self.is_stateless:
            headers["Mcp-Method"] = body["method"]
            name = body["params"].get(NAMED_BY.get(body["method"], ""))
            if name is not None:
                headers["Mcp-Name"] = name
        return headers

    def send(self, method: str, params: Mapping[str, JsonValue] | None = None) -> HttpResponse:
        """The answer to one request."""
        body = self.request(method, params)
        return self.api.post("/mcp", json=body, headers=self.headers(body))

    def result(self, method: str, params: Mapping[str, JsonValue] | None = None) -> Object:
        """Its result."""
        response = self.send(method, params)
        answer: Object = response.json()
        assert (response.status_code, answer.get("error")) == (200, None)
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
        found: Object = answer["result"]
        return found

    def error(self, method: str, params: Mapping[str, JsonValue] | None = None) -> Object:
        """Its error."""
        answer: Object = self.send(method, params).json()
        found: Object = answer["error"]
        return found

    def call(self, tool: str, **arguments: JsonValue) -> Object:
        """What a tool gives."""
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert not result["isError"], result
        found: Object = result["structuredContent"]
        return found

    def refusal(self, tool: str, **arguments: JsonValue) -> str:
        """What a tool tells the model that it did wrong."""
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert result["isError"]
        text: str = result["content"][0]["text"]
        return text


def with_scopes(*scopes: Scope) -> Speaker:
    """A client whose key may do this."""
    return Speaker(ApiClient(ApiKey.objects.issue("tablet", scopes=scopes or SCOPES).secret))


def names(listed: Sequence[Object]) -> list[str]:
    """The names of what was listed, in order."""
    return [item["name"] for item in listed]
