"""One refusal of each status, all in one shape, with the request's id and a cure."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection

from memory.models import SCOPES, ApiKey, AuditRow, PersonalFact
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import scripted_llm

HELLO = {"messages": [{"role": "user", "content": "Hi"}]}
KEY = {"Idempotency-Key": "k"}


def provider_says(failure: httpx.Response | Exception) -> Callable[[ApiClient], Any]:
    def ask(api: ApiClient) -> Any:
        with scripted_llm(failure, failure):
            return api.post("/v1/chat", json=HELLO)

    return ask


def raw(body: bytes, content_type: str = "application/json") -> Callable[[ApiClient], Any]:
    return lambda api: api.client.post("/v1/chat", body, content_type=content_type, headers=api.headers)


def under_way(api: ApiClient) -> Any:
    meanwhile: list[Any] = []

    def answer(_: Any) -> str:
        meanwhile.append(api.post("/v1/chat", json=HELLO, headers=KEY))
        return "Hello."

    with scripted_llm(answer):
        api.post("/v1/chat", json=HELLO, headers=KEY)
    return meanwhile[0]


REFUSALS: dict[str, tuple[int, str | None, Callable[[ApiClient], Any]]] = {
    "no JSON": (400, "invalid_json", raw(b"{")),
    "not a number": (400, "invalid_json", raw(b'{"max_tokens": NaN}')),
    "no body": (400, "empty_body", raw(b"")),
    "refused by the provider": (400, "provider_refused_request", provider_says(httpx.Response(400, json={}))),
    "no key": (401, "invalid_api_key", lambda api: ApiClient("").post("/v1/chat", json=HELLO)),
    "revoked key": (401, "invalid_api_key", lambda api: ApiClient("caesar_gone").get("/v1/audit")),
    "no such call": (404, "not_found", lambda api: api.get("/v1/nothing")),
    "no such fact": (404, "not_found", lambda api: api.get("/v1/memory/facts/cat.name")),
    "no such episode": (404, "not_found", lambda api: api.delete("/v1/memory/episodes/9")),
    "no deleted episode": (404, "not_found", lambda api: api.post("/v1/memory/episodes/9/restore")),
    "wrong method": (405, "method_not_allowed", lambda api: api.get("/v1/chat")),
    "changed meanwhile": (
        409,
        "conflict",
        lambda api: api.put("/v1/memory/facts/dog.name", json={"value": "Rex", "expected": "Max"}),
    ),
    "under way": (409, "idempotency_key_in_use", under_way),
    "too large": (413, "body_too_large", raw(json.dumps(HELLO | {"x": "a" * 20_000}).encode())),
    "form": (415, "unsupported_media_type", raw(b"a=1", "application/x-www-form-urlencoded")),
    "missing": (422, "missing", lambda api: api.post("/v1/chat", json={})),
    "wrong type": (422, "invalid_value", lambda api: api.post("/v1/chat", json={"messages": "Hi"})),
    "in a query": (422, "invalid_value", lambda api: api.get("/v1/audit?limit=many")),
    "in an address": (422, "invalid_value", lambda api: api.delete("/v1/memory/episodes/nine")),
    "rate limit": (502, "provider_rate_limited", provider_says(httpx.Response(429, json={}))),
    "provider down": (502, "provider_unavailable", provider_says(httpx.ConnectError("no route"))),
    "provider slow": (504, "provider_timeout", provider_says(httpx.ReadTimeout("slow"))),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_has_the_one_shape(api: ApiClient, now: datetime, settings: LazySettings, name: str) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    status, code, ask = REFUSALS[name]
    api.headers["X-Request-Id"] = "turn-7"
    check(ask(api), status, code)


def check(response: Any, status: int, code: str | None) -> None:
    assert response.status_code == status
    assert response["Content-Type"].startswith("application/json")
    assert response["X-Request-Id"]
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["code"] == code
    assert error["message"].endswith(".") or error["message"].endswith("LABEL")
    assert "Traceback" not in response.text
    assert "caesar_" not in response.text


def test_not_set_up_is_503(api: ApiClient, configure: Configure) -> None:
    configure(llm__provider="anthropic")
    check(api.post("/v1/chat", json=HELLO), 503, "provider_not_configured")


class Broken:
    """The database, from the n-th statement on."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, *_: Any) -> Any:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (OperationalError("database is locked"), 503, "database_unavailable"),
        (OperationalError("database or disk is full"), 507, "storage_full"),
        (RuntimeError("secret inner workings"), 500, "internal_error"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_a_broken_database_is_in_the_shape_too(error: Exception, status: int, code: str) -> None:
    api = ApiClient(ApiKey.objects.issue("test", scopes=SCOPES).secret)
    for method, path, body in (
        ("post", "/v1/chat", HELLO),
        ("post", "/v1/memory/context", HELLO),
        ("post", "/v1/memory/chats", HELLO | {"reply": "Hi"}),
        ("get", "/v1/memory/facts", None),
        ("get", "/v1/audit", None),
    ):
        with connection.execute_wrapper(Broken(error)):
            response = getattr(api, method)(path, **({} if body is None else {"json": body}))
        check(response, status, code)
        assert "secret" not in response.text
    assert not AuditRow.objects.filter(event_type="chat.completed").exists()
