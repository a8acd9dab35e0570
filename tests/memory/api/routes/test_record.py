"""POST /v1/memory/chats: a finished turn is written down."""

from datetime import datetime, timedelta

import pytest
from pydantic import JsonValue

from memory.models import AuditRow
from tests.conftest import ApiClient

pytestmark = pytest.mark.usefixtures("frozen_clock")

MESSAGES: JsonValue = [{"role": "user", "content": "My dog's name is Beans."}]


def test_it_works(api: ApiClient, now: datetime) -> None:
    body: JsonValue = {"messages": MESSAGES, "reply": "Nice name.", "model": "gpt-x"}
    response = api.post("/v1/memory/chats", json=body)
    assert response.status_code == 201
    row = AuditRow.objects.get()
    assert response.json() == {"audit_log_id": row.pk, "decision_id": row.decision_id}
    assert (row.event_type, row.ts) == ("chat.completed", now)
    assert (row.payload["messages"], row.payload["reply"], row.payload["model"]) == (MESSAGES, "Nice name.", "gpt-x")


def test_the_decision_of_its_context_ties_it_to_the_receipt(api: ApiClient) -> None:
    decision_id = api.post("/v1/memory/context", json={"messages": MESSAGES}).json()["decision_id"]
    body: JsonValue = {"messages": MESSAGES, "reply": "Nice.", "decision_id": decision_id}
    assert api.post("/v1/memory/chats", json=body).json()["decision_id"] == decision_id
    types = {row["event_type"] for row in api.get(f"/v1/audit?decision={decision_id}").json()["data"]}
    assert types == {"memory.context.served", "chat.completed"}


@pytest.mark.parametrize(
    "occurred_at", ["2024-02-29T23:00:00+02:00", "2026-05-20T09:05:00Z", "2026-05-20t09:04:59.123456z"]
)
def test_a_time_of_its_own_is_kept_and_ts_is_now(api: ApiClient, now: datetime, occurred_at: str) -> None:
    body: JsonValue = {"messages": MESSAGES, "reply": "Nice.", "occurred_at": occurred_at}
    assert api.post("/v1/memory/chats", json=body).status_code == 201
    row = AuditRow.objects.get()
    assert row.ts == now
    assert row.said_at == datetime.fromisoformat(occurred_at.upper())


@pytest.mark.parametrize(
    "occurred_at",
    [
        "2026-05-20T09:00:00",  # no offset
        "2026-05-20",
        "20260520T090000Z",
        "2026-05-20T09:00Z",
        "2026-02-30T09:00:00Z",
        "2026-05-20T09:00:00+25:00",
        "2026-05-20T24:30:00Z",
        "0001-01-01T00:00:00+05:00",
        "1969-12-31T23:59:59Z",
        "yesterday",
        "",
        1_779_267_600,
        True,
        [],
    ],
)
def test_a_time_that_is_none_is_422(api: ApiClient, occurred_at: JsonValue) -> None:
    body: JsonValue = {"messages": MESSAGES, "reply": "Nice.", "occurred_at": occurred_at}
    response = api.post("/v1/memory/chats", json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (422, "occurred_at")
    assert not AuditRow.objects.exists()


def test_a_time_more_than_five_minutes_ahead_is_422(api: ApiClient, now: datetime) -> None:
    ahead = (now + timedelta(minutes=5, seconds=1)).isoformat()
    response = api.post("/v1/memory/chats", json={"messages": MESSAGES, "reply": "Nice.", "occurred_at": ahead})
    assert (response.status_code, response.json()["error"]["param"]) == (422, "occurred_at")
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("decision_id", ["", "x" * 65, "a b", "a/b", "é", "a\n", 7])
def test_a_decision_id_of_another_shape_is_422(api: ApiClient, decision_id: JsonValue) -> None:
    response = api.post("/v1/memory/chats", json={"messages": MESSAGES, "reply": "Hi", "decision_id": decision_id})
    assert (response.status_code, response.json()["error"]["param"]) == (422, "decision_id")


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"messages": MESSAGES}, "reply"),
        ({"messages": MESSAGES, "reply": None}, "reply"),
        ({"messages": MESSAGES, "reply": {"content": "Hi"}}, "reply"),
        ({"messages": [], "reply": "Hi"}, "messages"),
        ({"reply": "Hi"}, "messages"),
    ],
)
def test_a_wrong_shape_is_422_with_its_place(api: ApiClient, body: JsonValue, param: str) -> None:
    response = api.post("/v1/memory/chats", json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)


def test_a_chat_the_assistant_began_is_recorded_too(api: ApiClient) -> None:
    greeting: JsonValue = [{"role": "system", "content": "Greet."}]
    assert api.post("/v1/memory/chats", json={"messages": greeting, "reply": "Good morning."}).status_code == 201


@pytest.mark.parametrize(("options", "headers"), [({"learn": False}, {}), (None, {"X-Memory": "off"})])
def test_learning_can_be_left_out(api: ApiClient, options: JsonValue, headers: dict[str, str]) -> None:
    body: JsonValue = {"messages": MESSAGES, "reply": "Nice.", "memory": options}
    api.post("/v1/memory/chats", json=body, headers=headers)
    assert AuditRow.objects.get().payload["learn"] is False
