"""/dashboard/audit/download: what the timeline shows, as JSON lines and as CSV."""

import csv
import io
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.timeline import rows as timeline_rows
from memory import events
from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, record_chat

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
DOWNLOAD = "/dashboard/audit/download"


def content(response: Any) -> str:
    assert response.status_code == 200
    assert response.streaming
    text: str = b"".join(response.streaming_content).decode()
    return text


def json_rows(client: Client, query: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in content(client.get(f"{DOWNLOAD}?format=jsonl&{query}")).splitlines()]


def csv_rows(client: Client, query: str = "") -> list[dict[str, str]]:
    text = content(client.get(f"{DOWNLOAD}?format=csv&{query}"))
    assert text.startswith("\ufeff"), "spreadsheets take it for UTF-8"
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_it_works(operator: Client, now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")
    key = ApiKey.objects.issue("kitchen tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        chat = record_chat("Ich mag Käse, 犬も好き。", now=now)
    (line,) = json_rows(operator, "family=chats")
    assert line == {
        "id": chat.pk,
        "time": "2026-05-20T11:00:00+02:00",
        "event": "chat.completed",
        "label": "Chat",
        "client": "kitchen tablet",
        "actor": "key kitchen tablet",
        "fact": None,
        "chat": None,
        "decision": chat.decision_id,
        "conversation": None,
        "payload": chat.payload,
    }
    (row,) = csv_rows(operator, "family=chats")
    assert (row["id"], row["time"], row["client"], row["fact"]) == (str(chat.pk), line["time"], "kitchen tablet", "")
    assert json.loads(row["payload"]) == chat.payload
    assert "犬も好き" in row["payload"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "family=facts",
        "q=beans",
        "type=memory.fact.user_edited",
        "fact=dog.name",
        "day=2026-05-19",
        "client=nobody",
        "from=2026-05-19&to=2026-05-20&family=facts",
        "q=beans&family=facts&from=2026-05-20",
    ],
)
def test_it_has_what_the_timeline_shows(operator: Client, now: datetime, query: str) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - timedelta(days=1)).edit("Bowser", now=now)
    record_chat("Where is Beans?", now=now)
    AuditRow.objects.record(events.RetentionSweep(older_than=now, rows=0, episodes=0), now=now)
    shown = [
        int(item["id"].removeprefix("event-"))
        for item in find_elements(get_page(operator, f"{TIMELINE}?{query}"), "li")
    ]
    assert [row["id"] for row in json_rows(operator, query)] == sorted(shown, reverse=True)


def test_every_page_is_in_it_a_batch_in_memory_at_a_time(
    operator: Client, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline_rows, "ROWS_AT_A_TIME", 20)
    payload = {"error": "x", "kind": "x"}
    AuditRow.objects.bulk_create(AuditRow(ts=now, event_type="chat.failed", payload=payload) for _ in range(90))
    response = operator.get(f"{DOWNLOAD}?format=jsonl")
    with CaptureQueriesContext(connection) as queries:
        read = iter(response)
        for _ in range(20):
            next(read)
        assert len(queries) == 1, "what was not asked for is not read"
        assert len(list(read)) == 70
    assert len(queries) == 5


def test_links_lead_to_both_formats_with_the_filters(operator: Client, now: datetime) -> None:
    record_chat("Beans", now=now)
    links = find_elements(get_page(operator, f"{TIMELINE}?family=chats&q=beans"), "a", download="")
    assert [link["href"] for link in links] == [
        f"{DOWNLOAD}?family=chats&q=beans&format=jsonl",
        f"{DOWNLOAD}?family=chats&q=beans&format=csv",
    ]
    response = operator.get(links[1]["href"])
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="timeline-2026-05-20.csv"'
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "\0="])
def test_no_cell_is_a_formula(operator: Client, now: datetime, begins: str) -> None:
    key = ApiKey.objects.create(label=f"{begins}1+2".replace("\0", ""), key_hash="x", prefix="x")
    AuditRow.objects.create(
        ts=now,
        event_type="chat.failed",
        payload={"error": "=1+2", "kind": "x"},
        api_key=key,
        actor=f"key {key.label}",
        decision_id=f"{begins}cmd".replace("\0", ""),
    )
    (row,) = csv_rows(operator, "family=chats")
    for name, cell in row.items():
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝")), name
    assert row["client"].startswith("'")
    assert row["client"].replace("'", "") == key.label
    assert row["payload"].startswith("{")


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", '"=', '""=', "＝"])
def test_no_cell_is_a_formula_whatever_separates_cells(operator: Client, now: datetime, begins: str) -> None:
    inside = [f"x{before}{begins}1+2" for before in (";", ";;", "\t", "\n", "\r\n")]
    payloads = [{"error": text, f"key{text}": "x", "kind": "x"} for text in inside]
    for text, payload in zip(inside, payloads, strict=True):
        AuditRow.objects.create(ts=now, event_type="chat.failed", payload=payload, conversation_id=text, actor=text)
    file = content(operator.get(f"{DOWNLOAD}?format=csv")).removeprefix("\ufeff")
    for separator in (";", "\t"):
        lines = csv.reader(io.StringIO(file, newline=""), delimiter=separator)
        cells = [cell.lstrip('"') for line in lines for cell in line]
        assert len(cells) > len(inside)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))]
    assert [json.loads(row["payload"]) for row in csv_rows(operator)] == payloads[::-1]


def test_rows_that_cannot_be_read_or_encoded_break_no_file(operator: Client, now: datetime) -> None:
    rows: list[tuple[str, Any]] = [("something.else", {"a": "whole"}), ("chat.failed", ["list"])]
    if connection.vendor == "sqlite":  # PostgreSQL takes no half pairs
        rows.append(("chat.failed", {"error": "half \ud800", "kind": "x"}))
    for event_type, payload in rows:
        AuditRow.objects.create(ts=now, event_type=event_type, payload=payload)
    assert len(json_rows(operator)) == len(csv_rows(operator)) == len(rows)


def test_another_format_is_refused_and_strangers_get_none(operator: Client, now: datetime) -> None:
    assert operator.get(f"{DOWNLOAD}?format=xlsx").status_code == 422
    assert Client().get(DOWNLOAD).status_code == 302
    assert operator.post(DOWNLOAD).status_code == 405
