"""GET /v1/audit: the timeline as JSON."""

from datetime import datetime
from urllib.parse import quote

import pytest

from memory import events
from memory.models import SCOPES, ApiKey, AuditRow, PersonalFact
from tests.conftest import ApiClient


def ids(api: ApiClient, query: str) -> list[int]:
    return [row["id"] for row in api.get(f"/v1/audit?{query}").json()["data"]]


@pytest.fixture
def rows(now: datetime, db: None) -> list[AuditRow]:
    chat = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now, decision_id="turn-1")
    served = AuditRow.objects.record(events.ContextServed(), now=now, decision_id="turn-1")
    learned = AuditRow.objects.record(
        events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now), now=now, chat=chat
    )
    PersonalFact.objects.add("50%/day", "walk", now=now)
    return [chat, served, learned, AuditRow.objects.get(fact_key="50%/day")]


def test_it_works(api: ApiClient, rows: list[AuditRow]) -> None:
    page = api.get("/v1/audit").json()
    assert [row["id"] for row in page["data"]] == [row.pk for row in reversed(rows)]
    assert page["next"] is None
    assert page["data"][1] == {
        "id": rows[2].pk,
        "ts": "2026-05-20T09:00:00Z",
        "event_type": "memory.fact.added",
        "decision_id": None,
        "fact_key": "dog.name",
        "chat_id": rows[0].pk,
        "conversation_id": None,
        "actor": None,
        "client": None,
        "payload": {"key": "dog.name", "value": "Beans", "confidence": 1.0, "said_at": "2026-05-20T09:00:00Z"},
    }


def test_each_condition_narrows_it(api: ApiClient, rows: list[AuditRow]) -> None:
    chat, served, learned, added = (row.pk for row in rows)
    assert ids(api, "type=chat.completed") == [chat]
    assert ids(api, "fact=dog.name") == [learned]
    assert ids(api, "fact=Dog.Name") == [learned]
    assert ids(api, f"fact={quote('50%/day')}") == [added]
    assert ids(api, f"chat={chat}") == [learned]
    assert ids(api, "decision=turn-1") == [served, chat]
    assert ids(api, f"before={served}") == [chat]
    assert ids(api, "decision=turn-1&type=chat.completed") == [chat]
    assert ids(api, "type=no.such.event") == []
    assert ids(api, "type=%00&fact=%00&decision=%00&conversation=%00") == []


def test_pages_follow_each_other_to_the_end(api: ApiClient, rows: list[AuditRow]) -> None:
    first = api.get("/v1/audit?limit=3").json()
    assert isinstance(first["next"], str)
    rest = api.get(f"/v1/audit?limit=3&before={first['next']}").json()
    assert [row["id"] for row in [*first["data"], *rest["data"]]] == [row.pk for row in reversed(rows)]
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("before=x", "before"),
        ("before=0", "before"),
        ("before=" + "9" * 30, "before"),
        ("chat=-1", "chat"),
        ("chat=1.5", "chat"),
        ("chat=" + "9" * 20, "chat"),
    ],
)
def test_a_wrong_query_is_422(api: ApiClient, query: str, param: str) -> None:
    response = api.get(f"/v1/audit?{query}")
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)


def test_a_row_of_an_event_nobody_knows_is_shown(api: ApiClient, now: datetime) -> None:
    AuditRow.objects.bulk_create([AuditRow(event_type="old.event", ts=now, payload=["as", "it", "was"])])
    assert api.get("/v1/audit").json()["data"][0]["payload"] == ["as", "it", "was"]


def test_the_log_cannot_be_altered(api: ApiClient, rows: list[AuditRow]) -> None:
    for method in (api.post, api.put, api.delete):
        assert method("/v1/audit").status_code == 405


def test_a_row_names_its_client_and_is_found_by_it(now: datetime, db: None) -> None:
    tablet = ApiClient(ApiKey.objects.issue("kitchen tablet", scopes=SCOPES).secret)
    desk = ApiClient(ApiKey.objects.issue("desk", scopes=SCOPES).secret)
    said = {"messages": [{"role": "user", "content": "My dog is called Beans."}], "reply": "A good name."}
    chat = AuditRow.objects.get(pk=tablet.post("/v1/memory/chats", json=said).json()["audit_log_id"])
    added = events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now)
    learned = AuditRow.objects.record(added, now=now, chat=chat)
    desk.put("/v1/memory/facts/dog.name", json={"value": "Bowser"})
    rows = desk.get("/v1/audit?client=kitchen+tablet").json()["data"]
    assert [(row["id"], row["client"], row["actor"]) for row in rows] == [
        (learned.pk, "kitchen tablet", None),
        (chat.pk, "kitchen tablet", "key kitchen tablet"),
    ]
    assert ids(desk, "client=kitchen+tablet&type=chat.completed") == [chat.pk]
    assert ids(desk, "client=kitchen+tablet&q=beans") == [learned.pk, chat.pk]
    assert {row["client"] for row in desk.get("/v1/audit?client=desk").json()["data"]} == {"desk"}
    assert ids(desk, "client=nobody") == []
    assert ids(desk, "client=nobody&q=beans") == ids(desk, "client=%00") == []
