"""Requests that no client sends: each is refused in the protocol's shape, and none is a fault of the server."""

import json
from typing import Any

import pytest

from memory.models import PersonalFact
from tests.conftest import ApiClient
from tests.memory.mcp.speaking import Speaker

pytestmark = pytest.mark.django_db

CALL = {"name": "get_memories", "arguments": {}}
DEEP = json.loads("[" * 60 + "]" * 60)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"id": None}, -32600),
        ({"id": 1.5}, -32600),
        ({"id": True}, -32600),
        ({"id": []}, -32600),
        ({"id": {}}, -32600),
        ({"jsonrpc": "1.0"}, -32600),
        ({"jsonrpc": 2.0}, -32600),
        ({"method": 7}, -32600),
        ({"method": None}, -32600),
        ({"method": ["tools/list"]}, -32600),
        ({"params": []}, -32602),
        ({"params": "x"}, -32602),
        ({"params": None}, -32602),
    ],
)
@pytest.mark.parametrize("version", ["2026-07-28", "2025-06-18"])
def test_a_crooked_envelope(api: ApiClient, version: str, change: dict[str, Any], code: int) -> None:
    client = Speaker(api, version)
    body = client.request("tools/list")
    response = api.post("/mcp", json=body | change, headers=client.headers(body))
    assert (response.status_code, response.json()["error"]["code"]) == (400, code)


@pytest.mark.parametrize("id_", [0, -1, "", "x" * 5_000, "\u202e", "💥", 10**300])
def test_an_odd_id_comes_back_as_it_was(speaker: Speaker, id_: int | str) -> None:
    body = speaker.request("tools/list", id_=id_)
    assert speaker.api.post("/mcp", json=body, headers=speaker.headers(body)).json()["id"] == id_


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, -32602),
        ({"name": 7}, -32602),
        ({"name": None}, -32602),
        ({"name": ["get_memories"]}, -32602),
        ({"name": ""}, -32602),
        ({"name": "x" * 100_000}, -32602),
        ({"name": "__class__"}, -32602),
        ({**CALL, "arguments": []}, -32602),
        ({**CALL, "arguments": "{}"}, -32602),
        ({**CALL, "arguments": 7}, -32602),
    ],
)
def test_a_crooked_call(api: ApiClient, params: dict[str, Any], code: int) -> None:
    assert Speaker(api, "2025-06-18").error("tools/call", params)["code"] == code


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": DEEP},
        {"id": {"a": DEEP}},
        {"id": "x" * 1_000_000},
        {"id": 10**300},
        {"id": None},
        {"id": True},
        {"id": ["fact:dog.name"]},
        {"id": "chat:" + "9" * 200},
        {"id": "fact:\u202e\u0000\ud800"},
        {f"argument {number}": "x" for number in range(5_000)},
        {"x" * 100_000: 1},
        {"id": "fact:dog.name", "__proto__": {}},
        {"id": "'; DROP TABLE personal_facts; --"},
        {"id": "%25%00../../etc/passwd"},
    ],
    ids=lambda arguments: str(arguments)[:24],
)
def test_hostile_arguments_are_told_to_the_model(client: Speaker, arguments: dict[str, Any]) -> None:
    assert len(client.refusal("get_memory", **arguments)) < 1_000


def test_too_deep_is_no_json(api: ApiClient) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    response = api.client.post("/mcp", body, content_type="application/json", headers=api.headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32700)


def test_of_a_key_that_comes_twice_the_last_counts_for_all(client: Speaker) -> None:
    body = json.dumps(client.request("tools/call", CALL))
    twice = body.replace('"name": "get_memories"', '"name": "delete_memory", "name": "get_memories"', 1)
    assert twice != body
    sent = client.headers(client.request("tools/call", CALL)) | client.api.headers
    response = client.api.client.post("/mcp", twice, content_type="application/json", headers=sent)
    assert response.json()["result"]["isError"] is False
    refused = client.api.client.post(
        "/mcp", twice, content_type="application/json", headers=sent | {"Mcp-Name": "delete_memory"}
    )
    assert refused.json()["error"]["code"] == -32020


def test_words_in_any_script_are_taken(client: Speaker) -> None:
    for value in ("Käse 💥", "散歩", "مرحبا", "a\u0000b"):
        client.call("add_memory", key="thing", value=value)
    assert not PersonalFact.objects.exists()


def test_a_header_that_comes_twice_says_nothing(client: Speaker) -> None:
    body = client.request("tools/list")
    doubled = client.headers(body) | {"Mcp-Method": "tools/list,tools/list"}  # as servers join them
    assert client.api.post("/mcp", json=body, headers=doubled).json()["error"]["code"] == -32020


def test_a_notification_is_taken_whatever_it_says(speaker: Speaker) -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/anything", "params": {"requestId": DEEP}}
    response = speaker.api.post("/mcp", json=told, headers={"MCP-Protocol-Version": speaker.version})
    assert (response.status_code, response.content) == (202, b"")
