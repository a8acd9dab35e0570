"""What a key may do, until when and how often: asked for on every route (decision 30)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from pydantic import JsonValue

from memory.api import api as ninja_api
from memory.api.auth import BearerKey
from memory.models import SCOPES, ApiKey, AuditRow, KeyLimits, PersonalFact, Scope
from tests.conftest import ApiClient

pytestmark = pytest.mark.django_db

NEEDED: dict[str, Scope] = {
    "POST /v1/chat": "record",
    "POST /v1/memory/context": "record",
    "POST /v1/memory/chats": "record",
    "POST /v1/chat/completions": "record",
    "POST /v1/messages": "record",
    "POST /v1/messages/count_tokens": "record",
    "POST /v1/responses": "record",
    "POST /v1/embeddings": "record",
    "GET /v1/models": "record",
    "GET /v1/models/{path:name}": "record",
    "GET /v1/memory/facts": "read",
    "GET /v1/memory/facts/{path:key}": "read",
    "GET /v1/memory/waiting-facts": "read",
    "GET /v1/memory/episodes": "read",
    "GET /v1/memory/search": "read",
    "GET /v1/audit": "read",
    "PUT /v1/memory/facts/{path:key}": "manage",
    "DELETE /v1/memory/facts/{path:key}": "manage",
    "POST /v1/memory/confirmed-facts/{path:key}": "manage",
    "PUT /v1/memory/kept-facts/{path:key}": "manage",
    "DELETE /v1/memory/kept-facts/{path:key}": "manage",
    "POST /v1/audit/{audit_log_id}/undo": "manage",
    "POST /v1/memory/waiting-facts/{waiting_id}/accept": "manage",
    "POST /v1/memory/waiting-facts/{waiting_id}/drop": "manage",
    "DELETE /v1/memory/episodes/{audit_log_id}": "manage",
    "POST /v1/memory/episodes/{audit_log_id}/restore": "manage",
}
BODIES: dict[str, JsonValue] = {
    "POST /v1/chat": {"messages": [{"role": "user", "content": "hi"}]},
    "POST /v1/memory/context": {"message": "hi"},
    "POST /v1/memory/chats": {"messages": [{"role": "user", "content": "hi"}], "reply": "hello"},
    "POST /v1/chat/completions": {"messages": [{"role": "user", "content": "hi"}]},
    "POST /v1/messages": {"messages": [{"role": "user", "content": "hi"}]},
    "POST /v1/messages/count_tokens": {"messages": [{"role": "user", "content": "hi"}]},
    "POST /v1/responses": {"input": "hi"},
    "POST /v1/embeddings": {"input": "hi"},
    "PUT /v1/memory/facts/{path:key}": {"value": "Beans"},
    "POST /v1/memory/waiting-facts/{waiting_id}/accept": {},
}


def routes() -> Iterator[tuple[str, BearerKey]]:
    """Every route of the API with what it authenticates by."""
    for router in ninja_api._get_bound_routers():
        for path, view in router.path_operations.items():
            for operation in view.operations:
                for method in operation.methods:
                    (auth,) = operation.auth_callbacks
                    assert isinstance(auth, BearerKey)
                    yield f"{method} /v1{path}", auth


def client(*scopes: Scope) -> ApiClient:
    return ApiClient(ApiKey.objects.issue("kitchen tablet", scopes=scopes).secret)


def call(key: ApiClient, route: str) -> int:
    method, path = route.split(" ", 1)
    path = path.replace("{path:name}", "caesar").replace("{path:key}", "dog.name").replace("{audit_log_id}", "1")
    path = path.replace("{waiting_id}", "1")
    return key._send(method.lower(), path, BODIES.get(route), {}).status_code


def test_it_works() -> None:
    assert client("record").post("/v1/memory/context", json={"message": "hi"}).status_code == 200
    refused = client("record").get("/v1/memory/facts")
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "insufficient_scope"
    assert 'scope="read"' in refused.headers["WWW-Authenticate"]


def test_every_route_names_its_scope() -> None:
    assert {route: auth.scope for route, auth in routes()} == NEEDED


@pytest.mark.parametrize("route", NEEDED)
def test_a_key_without_the_scope_is_refused_and_one_with_it_alone_is_not(route: str) -> None:
    others = [scope for scope in SCOPES if scope != NEEDED[route]]
    assert call(client(*others), route) == 403
    assert call(client(NEEDED[route]), route) != 403


def test_a_refused_call_changes_nothing() -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=timezone.now())
    key = client("record", "read")
    rows = AuditRow.objects.count()
    assert key.put("/v1/memory/facts/dog.name", json={"value": "Rex"}).status_code == 403
    assert key.delete("/v1/memory/facts/dog.name").status_code == 403
    assert PersonalFact.objects.get().value == "Beans"
    assert AuditRow.objects.count() == rows


def test_a_new_key_may_record_and_no_more() -> None:
    assert ApiKey.objects.issue("new").row.limits.scopes == ["record"]


def test_an_expired_key_is_refused() -> None:
    with time_machine.travel("2026-05-20T09:00:00Z", tick=False) as clock:
        key = ApiKey.objects.issue("guest", scopes=SCOPES, expires_at=timezone.now() + timedelta(days=1))
        api = ApiClient(key.secret)
        assert api.get("/v1/memory/facts").status_code == 200
        clock.shift(timedelta(days=1))
        refused = api.get("/v1/memory/facts")
    assert refused.status_code == 401
    assert "expired" in refused.json()["error"]["message"]


def test_a_key_makes_as_many_requests_a_minute_as_it_may() -> None:
    with time_machine.travel("2026-05-20T09:00:10Z", tick=False) as clock:
        api = ApiClient(ApiKey.objects.issue("busy", scopes=SCOPES, requests_per_minute=2).secret)
        assert [api.get("/v1/memory/facts").status_code for _ in range(3)] == [200, 200, 429]
        refused = api.get("/v1/memory/facts")
        assert refused.headers["Retry-After"] == "50"
        assert refused.json()["error"]["code"] == "rate_limit_exceeded"
        clock.shift(timedelta(seconds=50))
        assert api.get("/v1/memory/facts").status_code == 200


@pytest.mark.parametrize(
    "limits",
    [
        KeyLimits([]),
        KeyLimits(["everything"]),  # type: ignore[list-item]
        KeyLimits(["read"], requests_per_minute=0),
        KeyLimits(["read"], tokens_per_day=0),
        KeyLimits(["read"], expires_at=timezone.now() - timedelta(days=1)),
    ],
)
def test_limits_that_no_key_can_have_are_refused_with_the_cure(limits: KeyLimits) -> None:
    key = ApiKey.objects.issue("x").row
    with pytest.raises(ValueError, match="Choose"):
        key.change(limits, now=timezone.now())
    assert ApiKey.objects.get().limits.scopes == ["record"]


def test_a_change_of_a_key_is_one_row_and_holds_from_then_on() -> None:
    issued = ApiKey.objects.issue("phone")
    assert issued.row.change(KeyLimits(["read"]), now=timezone.now())
    assert not issued.row.change(KeyLimits(["read"]), now=timezone.now())
    row = AuditRow.objects.get(event_type="access.key_changed")
    assert (row.payload["old_scopes"], row.payload["scopes"]) == (["record"], ["read"])
    assert ApiClient(issued.secret).get("/v1/memory/facts").status_code == 200


def test_rows_say_which_key_left_them() -> None:
    issued = ApiKey.objects.issue("kitchen tablet", scopes=SCOPES)
    api = ApiClient(issued.secret)
    api.put("/v1/memory/facts/dog.name", json={"value": "Beans"})
    api.post("/v1/memory/chats", json=BODIES["POST /v1/memory/chats"])
    rows = AuditRow.objects.filter(event_type__in=["memory.fact.user_added", "chat.completed"])
    assert {(row.actor, row.api_key_id) for row in rows} == {("key kitchen tablet", issued.row.pk)}
    assert api.get("/v1/audit?type=memory.fact.user_added").json()["data"][0]["actor"] == "key kitchen tablet"


def test_rows_of_a_page_say_which_account_left_them(operator: object) -> None:
    operator.post("/dashboard/facts/add", {"key": "dog.name", "value": "Beans"})  # type: ignore[attr-defined]
    assert AuditRow.objects.get(event_type="memory.fact.user_added").actor == "account operator"


def test_rows_of_workers_are_nobodys(now: object) -> None:
    issued = ApiKey.objects.issue("made at the command line")
    assert AuditRow.objects.get(event_type="access.key_created").actor is None
    assert issued.row.pk
