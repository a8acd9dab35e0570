"""Both eras of the protocol at one address: how a client is received, and what is said of each version."""

import json

import pytest

from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.mcp.speaking import HANDSHAKES, META, STATELESS, VERSIONS, Speaker

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_client_introduces_itself_and_gets_its_own_version(api: ApiClient, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "probe", "version": "1.30"}}
    body = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    response = api.post("/mcp", json=body)
    result = response.json()["result"]
    assert (response.json()["id"], result["protocolVersion"]) == (0, version)
    assert set(result["capabilities"]) == {"tools", "resources", "prompts"}
    assert result["serverInfo"]["name"] == "caesar-memory"
    assert "Mcp-Session-Id" not in response.headers
    done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    received = api.post("/mcp", json=done, headers={"MCP-Protocol-Version": version})
    assert (received.status_code, received.content) == (202, b"")


@pytest.mark.parametrize("wanted", [STATELESS, "1999-01-01", 7, None])
def test_who_wants_another_version_is_offered_the_newest_with_a_handshake(api: ApiClient, wanted: object) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": wanted}}
    assert api.post("/mcp", json=json.loads(json.dumps(body))).json()["result"]["protocolVersion"] == HANDSHAKES[0]


@pytest.mark.parametrize("version", HANDSHAKES)
def test_ping_is_answered_empty(api: ApiClient, version: str) -> None:
    assert Speaker(api, version).result("ping") == {}


def test_the_stateless_version_is_discovered(client: Speaker) -> None:
    result = client.result("server/discover")
    assert result["supportedVersions"] == list(VERSIONS)
    assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
    assert result["ttlMs"] > 0
    assert result["_meta"][META + "serverInfo"]["name"] == "caesar-memory"


def test_every_result_of_the_stateless_version_is_complete_and_says_how_long_it_is_fresh(client: Speaker) -> None:
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        result = client.result(method)
        assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
        assert isinstance(result["ttlMs"], int)
    called = client.result("tools/call", {"name": "get_memories"})
    assert called["resultType"] == "complete"
    assert "ttlMs" not in called


@pytest.mark.parametrize("version", HANDSHAKES)
def test_older_clients_get_nothing_they_do_not_know(api: ApiClient, version: str) -> None:
    assert set(Speaker(api, version).result("tools/list")) == {"tools"}


def test_an_unknown_method_is_404_where_the_protocol_says_so_and_an_answer_where_it_does_not(speaker: Speaker) -> None:
    response = speaker.send("memory/dream")
    assert response.status_code == (404 if speaker.is_stateless else 200)
    assert (response.json()["error"]["code"], response.json()["id"]) == (-32601, 7)


@pytest.mark.parametrize("method", ["initialize", "ping"])
def test_what_the_stateless_version_dropped_is_unknown_there(client: Speaker, method: str) -> None:
    assert client.error(method)["code"] == -32601


def test_an_unknown_version_is_told_which_there_are(api: ApiClient) -> None:
    for version in ("2099-01-01", "nonsense"):
        response = Speaker(api, version).send("tools/list")
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (400, -32022)
        assert error["data"] == {"supported": list(VERSIONS), "requested": version}


def envelope_without(client: Speaker, *keys: str) -> tuple[int, int]:
    body = client.request("tools/list")
    for key in keys:
        del body["params"]["_meta"][META + key]
    response = client.api.post("/mcp", json=body, headers=client.headers(body))
    return response.status_code, response.json().get("error", {}).get("code")


def test_a_stateless_request_says_its_version_and_what_its_client_can(client: Speaker) -> None:
    assert envelope_without(client, "clientInfo") == (200, None)
    assert envelope_without(client, "protocolVersion") == (400, -32602)
    assert envelope_without(client, "clientCapabilities") == (400, -32602)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("MCP-Protocol-Version", "2025-11-25"),
        ("MCP-Protocol-Version", None),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", None),
        ("Mcp-Name", "delete_memory"),
        ("Mcp-Name", None),
        ("Mcp-Name", "=?base64?###?="),
    ],
)
def test_headers_say_what_the_body_says(client: Speaker, header: str, value: str | None) -> None:
    body = client.request("tools/call", {"name": "get_memories"})
    headers = {name: text for name, text in client.headers(body).items() if name != header}
    response = client.api.post("/mcp", json=body, headers=headers | ({header: value} if value else {}))
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)
    assert header in response.json()["error"]["message"]
    assert not AuditRow.objects.exists()


def test_a_name_that_no_header_can_hold_comes_encoded(client: Speaker) -> None:
    body = client.request("resources/read", {"uri": "caesar://facts/käse"})
    headers = client.headers(body) | {"Mcp-Name": "=?base64?Y2Flc2FyOi8vZmFjdHMva8Okc2U=?="}
    error = client.api.post("/mcp", json=body, headers=headers).json()["error"]
    assert error["code"] == -32602, "there is no such fact"
    assert error["data"]["uri"] == "caesar://facts/käse"
