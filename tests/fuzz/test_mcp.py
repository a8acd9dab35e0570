"""Whatever is sent to `/mcp`, the answer has the protocol's shape, and nothing is a fault of the server."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import ApiClient
from tests.memory.mcp.speaking import META, NAMED_BY, VERSIONS

pytestmark = pytest.mark.django_db

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
ANYTHING = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
METHODS = st.sampled_from(
    ["initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "resources/read"]
    + ["resources/templates/list", "prompts/list", "prompts/get", "notifications/initialized"]
)
NAMES = st.sampled_from(
    ["search_memories", "get_memories", "get_memory", "add_memory", "update_memory", "fetch", "memory"]
)
FIELDS = st.sampled_from(["query", "id", "key", "value", "prefix", "limit", "cursor", "kinds", "since", "message"])
WORDS = st.sampled_from(["fact:dog.name", "chat:1", "episode:-1", "last May", "2026-05-01", "caesar://facts/x"])
ARGUMENTS = st.dictionaries(FIELDS, WORDS | ANYTHING, max_size=4)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": NAMES | ANYTHING,
        "arguments": ARGUMENTS | ANYTHING,
        "uri": WORDS | ANYTHING,
        "cursor": ANYTHING,
        "protocolVersion": st.sampled_from(VERSIONS) | ANYTHING,
        "clientInfo": ANYTHING,
    },
)
BODIES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": METHODS | ANYTHING, "params": PARAMS | ANYTHING},
    optional={"id": st.integers() | ANYTHING},
)


def sent(api: ApiClient, version: str, body: Any) -> HttpResponse:
    """What comes back. Headers and `_meta` are those of a client that agrees with itself, as far as there can be."""
    headers = {"MCP-Protocol-Version": version}
    params, method = (body.get("params"), body.get("method")) if isinstance(body, dict) else (None, None)
    if version == VERSIONS[0] and isinstance(params, dict) and isinstance(method, str):
        params["_meta"] = {META + "protocolVersion": version, META + "clientCapabilities": {}}
        headers["Mcp-Method"] = method if method.isascii() and method.isprintable() else "x"
        name = params.get(NAMED_BY.get(method, ""))
        headers |= {"Mcp-Name": name} if isinstance(name, str) and name.isascii() and name.isprintable() else {}
    return api.post("/mcp", json=body, headers=headers)


def is_answer(value: Any) -> bool:
    return value["jsonrpc"] == "2.0" and ("result" in value) != ("error" in value) and "id" in value


@given(version=st.sampled_from(VERSIONS), body=BODIES | ANYTHING)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_answer_has_the_protocols_shape(api: ApiClient, version: str, body: Any) -> None:
    response = sent(api, version, body)
    assert response.status_code < 500, response.content
    if response.status_code == 202:
        assert response.content == b""
        return
    answer = json.loads(response.content)
    assert all(map(is_answer, answer if isinstance(answer, list) else [answer]))
