"""The door at `/mcp`: which requests come in, and how each other is refused."""

import gzip
import json

import pytest
from django.test import Client

from memory.models import ApiKey
from tests.conftest import ApiClient, Configure
from tests.memory.mcp.speaking import Speaker, with_scopes

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("method", ["get", "delete", "put", "options"])
def test_only_post_is_taken(api: ApiClient, method: str, path: str) -> None:
    response = getattr(api.client, method)(path, headers=api.headers)
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")


def test_a_slash_behind_it_is_no_other_place(client: Speaker) -> None:
    body = client.request("tools/list")
    assert client.api.post("/mcp/", json=body, headers=client.headers(body)).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://testserver", 200),
        ("https://testserver", 200),
        ("http://testserver:81", 403),
        ("https://evil.example", 403),
        ("http://testserver.evil.example", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
def test_pages_of_other_sites_are_kept_out(client: Speaker, origin: str | None, status: int) -> None:
    body = client.request("tools/list")
    sent = client.headers(body) | ({} if origin is None else {"Origin": origin})
    response = client.api.post("/mcp", json=body, headers=sent)
    assert response.status_code == status
    if status == 403:
        assert response.json()["error"]["data"] == {"code": "origin_not_allowed"}


@pytest.mark.parametrize("authorization", [None, "Bearer caesar_wrong", "Basic eDp5"])
def test_without_a_good_key_it_asks_for_one(authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    response = Client().post("/mcp", {}, content_type="application/json", headers=headers)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert "Connect" in response.json()["error"]["message"]
    assert response.json()["jsonrpc"] == "2.0"


def test_a_key_makes_as_many_requests_as_it_may() -> None:
    client = Speaker(ApiClient(ApiKey.objects.issue("busy", scopes=["read"], requests_per_minute=1).secret))
    client.result("tools/list")
    response = client.send("tools/list")
    assert (response.status_code, "Retry-After" in response.headers) == (429, True)


def test_a_call_that_the_scopes_do_not_cover_is_refused_in_words() -> None:
    response = with_scopes("read").send("tools/call", {"name": "delete_memory", "arguments": {"id": "dog.name"}})
    assert response.status_code == 403
    assert 'scope="manage"' in response.headers["WWW-Authenticate"]
    assert "needs a key with the scope manage" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("sent", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, -32700),
        (b"", "application/json", 400, -32700),
        (b"\xff", "application/json", 400, -32700),
        (b"{}", "text/plain", 415, -32010),
        (b"{}", "application/json", 400, -32600),
        (b"null", "application/json", 400, -32600),
        (b"7", "application/json", 400, -32600),
    ],
)
def test_what_is_no_request_is_refused(api: ApiClient, sent: bytes, content_type: str, status: int, code: int) -> None:
    response = api.client.post("/mcp", sent, content_type=content_type, headers=api.headers)
    error = response.json()["error"]
    assert (response.status_code, error["code"], response.json()["id"]) == (status, code, None)
    assert error["message"]
    assert response.headers["X-Request-Id"]


def test_a_body_that_is_too_large_is_refused(client: Speaker, configure: Configure, settings: object) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000  # type: ignore[attr-defined]
    response = client.send("tools/call", {"name": "get_memories", "arguments": {"prefix": "x" * 3_000}})
    assert response.status_code == 413


def test_a_packed_body_is_read(client: Speaker) -> None:
    body = client.request("tools/list")
    packed, headers = gzip.compress(json.dumps(body).encode()), client.headers(body) | client.api.headers
    response = client.api.client.post(
        "/mcp", packed, content_type="application/json", headers={**headers, "Content-Encoding": "gzip"}
    )
    assert response.status_code == 200


def test_what_a_client_accepts_is_taken_lightly(client: Speaker) -> None:
    body = client.request("tools/list")
    for accepted in ("*/*", "text/event-stream", ""):
        response = client.api.post("/mcp", json=body, headers=client.headers(body) | {"Accept": accepted})
        assert response.headers["Content-Type"] == "application/json"


# --- several at once --------------------------------------------------------------------------------------------------


def test_older_clients_may_send_several_at_once(api: ApiClient) -> None:
    for version in ("2025-03-26", "2024-11-05"):
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        told = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
        headers = {"MCP-Protocol-Version": version}
        both = api.post(
            "/mcp", json=[ping, told, {**ping, "id": 2}, {**ping, "method": "x", "id": 3}, 7], headers=headers
        )
        assert [one["id"] for one in both.json()] == [1, 2, 3, None]
        assert [one.get("error", {}).get("code") for one in both.json()] == [None, None, -32601, -32600]
        assert api.post("/mcp", json=[told], headers=headers).status_code == 202
        first = {**ping, "method": "initialize"}
        assert api.post("/mcp", json=[first], headers=headers).json()[0]["error"]["code"] == -32600
        assert api.post("/mcp", json=[], headers=headers).status_code == 400
        assert api.post("/mcp", json=[ping] * 21, headers=headers).status_code == 400


def test_newer_clients_may_not(api: ApiClient) -> None:
    for version in ("2026-07-28", "2025-11-25", "2025-06-18"):
        sent = [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]
        response = api.post("/mcp", json=sent, headers={"MCP-Protocol-Version": version})
        assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)


def test_answers_to_questions_that_were_never_asked_are_taken_or_refused(api: ApiClient) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert api.post("/mcp", json=answer, headers={"MCP-Protocol-Version": "2025-06-18"}).status_code == 202
    assert api.post("/mcp", json=answer, headers={"MCP-Protocol-Version": "2026-07-28"}).status_code == 400
