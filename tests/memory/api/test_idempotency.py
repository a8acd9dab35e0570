"""Idempotency-Key: a request that is repeated is done once, and answered as it was the first time."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import httpx
import pytest
import time_machine
from django.core.management import call_command
from django.db import connection, connections
from pydantic import JsonValue

from memory import retention
from memory.models import SCOPES, ApiKey, AuditRow, HeardMessage, IdempotencyKey
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import completion, scripted_llm

pytestmark = pytest.mark.usefixtures("frozen_clock")

HELLO: JsonValue = [{"role": "user", "content": "My dog's name is Beans."}]
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
DAY = timedelta(days=1)

CALLS: dict[str, dict[str, JsonValue]] = {
    "/v1/chat": {"messages": HELLO},
    "/v1/memory/context": {"messages": HELLO},
    "/v1/memory/chats": {"messages": HELLO, "reply": "Nice name."},
}
every_call = pytest.mark.parametrize("path", CALLS)


def send(api: ApiClient, path: str, headers: dict[str, str] = KEY) -> Any:
    return api.post(path, json=CALLS[path], headers=headers)


def code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


@every_call
def test_it_works(api: ApiClient, path: str) -> None:
    first = send(api, path)
    rows = AuditRow.objects.count()
    again = send(api, path)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again["Content-Type"] == first["Content-Type"]
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert AuditRow.objects.count() == rows > 0


def test_the_model_is_asked_once(api: ApiClient) -> None:
    words = "Nice \ud83c name, caf\u00e9."
    with scripted_llm(httpx.Response(200, content=json.dumps(completion(words)))) as llm:
        first, again = send(api, "/v1/chat"), send(api, "/v1/chat")
    assert len(llm.requests) == 1
    assert first.content == again.content
    assert first.json()["message"]["content"].endswith("name, caf\u00e9.")


@every_call
def test_without_a_key_each_request_is_its_own(api: ApiClient, path: str) -> None:
    one, other = (send(api, path, headers={}).json()["decision_id"] for _ in range(2))
    assert one != other
    assert not IdempotencyKey.objects.exists()


def test_each_api_key_has_keys_of_its_own(api: ApiClient) -> None:
    other = ApiClient(ApiKey.objects.issue("other", scopes=SCOPES).secret)
    assert send(api, "/v1/memory/chats").content != send(other, "/v1/memory/chats").content


# --- the same request -----------------------------------------------------------------------------------------------


@every_call
def test_another_body_under_the_same_key_is_422(api: ApiClient, path: str) -> None:
    send(api, path)
    before = AuditRow.objects.count()
    other = api.post(path, json=CALLS[path] | {"model": "x", "system": "y"}, headers=KEY)
    assert code(other) == (422, "idempotency_key_reused")
    assert other.json()["error"]["param"] == "Idempotency-Key"
    assert "new one" in other.json()["error"]["message"]
    assert AuditRow.objects.count() == before


def test_another_call_under_the_same_key_is_422(api: ApiClient) -> None:
    send(api, "/v1/chat")
    assert code(send(api, "/v1/memory/context")) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("header", [{"X-Memory": "off"}, {"X-Conversation-Id": "kitchen"}])
def test_a_header_that_changes_what_is_done_makes_another_request(api: ApiClient, header: dict[str, str]) -> None:
    send(api, "/v1/memory/chats")
    assert code(send(api, "/v1/memory/chats", KEY | header)) == (422, "idempotency_key_reused")


def test_the_same_json_written_otherwise_is_the_same_request(api: ApiClient) -> None:
    bodies = (
        '{"reply": "Hi", "messages": [{"role": "user", "content": "caf\\u00e9"}]}',
        '{"messages":[{"content":"caf\u00e9","role":"user"}],"reply":"Hi"}',
    )
    sent = [
        api.client.post("/v1/memory/chats", body, content_type="application/json", headers=api.headers | KEY)
        for body in bodies
    ]
    assert [response.status_code for response in sent] == [201, 201]
    assert sent[0].content == sent[1].content


# --- the key's form -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "caf\u00e9", "a\tb", "a\x7f", "a\nb"])
@every_call
def test_a_malformed_key_is_422(api: ApiClient, path: str, key: str) -> None:
    response = send(api, path, {"Idempotency-Key": key})
    assert code(response) == (422, "invalid_value")
    assert response.json()["error"]["param"] == "Idempotency-Key"
    assert "255" in response.json()["error"]["message"]
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("key", ["a", '"8e03978e"', "x" * 255, "two words", "~!@#$%^&*()"])
def test_any_visible_key_is_taken(api: ApiClient, key: str) -> None:
    first, again = (send(api, "/v1/memory/chats", {"Idempotency-Key": key}) for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)


def test_other_calls_take_no_notice_of_it(api: ApiClient) -> None:
    assert api.put("/v1/memory/facts/a", json={"value": "1"}, headers=KEY).status_code == 201
    assert api.put("/v1/memory/facts/a", json={"value": "1"}, headers=KEY).status_code == 200
    assert not IdempotencyKey.objects.exists()


# --- what is not kept -----------------------------------------------------------------------------------------------


def test_a_preview_keeps_nothing(api: ApiClient) -> None:
    body: JsonValue = {"messages": HELLO, "preview": True}
    assert [api.post("/v1/memory/context", json=body, headers=KEY).status_code for _ in range(2)] == [200, 200]
    assert not IdempotencyKey.objects.exists()
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (httpx.Response(401, json={}), 502),
        (httpx.ReadTimeout("slow"), 504),
        (httpx.Response(400, json={"error": {"message": "too long"}}), 400),
        (RuntimeError("unforeseen"), 500),
    ],
)
def test_a_failed_answer_is_not_kept(api: ApiClient, failure: Exception | httpx.Response, status: int) -> None:
    with scripted_llm(failure, "Nice name."):
        assert send(api, "/v1/chat").status_code == status
        assert not IdempotencyKey.objects.exists()
        assert send(api, "/v1/chat").json()["message"]["content"] == "Nice name."


def test_a_refused_request_leaves_its_key_free(api: ApiClient) -> None:
    ahead = CALLS["/v1/memory/chats"] | {"occurred_at": "2999-01-01T00:00:00Z"}
    for wrong in (ahead, {"messages": HELLO}):
        assert api.post("/v1/memory/chats", json=wrong, headers=KEY).status_code == 422
    assert send(api, "/v1/memory/chats").status_code == 201


# --- a day ----------------------------------------------------------------------------------------------------------


@every_call
def test_a_key_is_kept_for_a_day(api: ApiClient, now: datetime, path: str) -> None:
    first = send(api, path)
    with time_machine.travel(now + DAY - timedelta(seconds=1), tick=False):
        assert send(api, path).content == first.content
    with time_machine.travel(now + DAY, tick=False):
        anew = send(api, path)
        assert anew.content != first.content
        assert send(api, path).content == anew.content
    assert IdempotencyKey.objects.count() == 1


def test_a_clock_that_is_set_back_keeps_it(api: ApiClient, now: datetime) -> None:
    first = send(api, "/v1/memory/chats")
    with time_machine.travel(now - timedelta(hours=1), tick=False):
        assert send(api, "/v1/memory/chats").content == first.content


@pytest.mark.parametrize("days", [0, 90])
def test_the_sweep_deletes_old_keys_whatever_the_retention(
    api: ApiClient, now: datetime, configure: Configure, days: int
) -> None:
    configure(memory__retention_days=days)
    send(api, "/v1/memory/chats")
    retention.sweep(now=now + DAY - timedelta(seconds=1))
    retention.sweep(now=now + DAY, dry_run=True)
    assert IdempotencyKey.objects.count() == 1
    retention.sweep(now=now + DAY)
    assert not IdempotencyKey.objects.exists()
    assert AuditRow.objects.filter(event_type="chat.completed").exists()


def test_the_sweep_is_on_the_timetable_though_retention_is_off(db: None, configure: Configure, capsys: Any) -> None:
    configure(memory__retention_days=0)
    call_command("sync_schedules")
    assert "memory.sweep: every 24 hours" in capsys.readouterr().out


# --- two at the same time -------------------------------------------------------------------------------------------


def test_while_a_model_is_asked_the_second_is_told_to_come_back(api: ApiClient) -> None:
    meanwhile: list[Any] = []

    def answer(_: dict[str, Any]) -> str:
        meanwhile.append(send(api, "/v1/chat"))
        meanwhile.append(api.post("/v1/chat", json={"messages": HELLO, "model": "other"}, headers=KEY))
        return "Nice name."

    with scripted_llm(answer) as llm:
        first = send(api, "/v1/chat")
        again = send(api, "/v1/chat")
    assert len(llm.requests) == 1
    assert [code(response) for response in meanwhile] == [
        (409, "idempotency_key_in_use"),
        (422, "idempotency_key_reused"),
    ]
    assert meanwhile[0]["Retry-After"] == "2"
    assert (first.status_code, again.content) == (200, first.content)


def test_a_request_that_was_killed_under_way_may_be_sent_again_later(
    api: ApiClient, now: datetime, configure: Configure
) -> None:
    configure(llm__timeout_seconds=30.0)
    send(api, "/v1/chat")
    IdempotencyKey.objects.update(status=0, body="")  # what a kill leaves: claimed, never answered
    with time_machine.travel(now + timedelta(seconds=119), tick=False):
        assert code(send(api, "/v1/chat")) == (409, "idempotency_key_in_use")
    with time_machine.travel(now + timedelta(seconds=120), tick=False):
        anew = send(api, "/v1/chat")
        assert anew.status_code == 200
        assert send(api, "/v1/chat").content == anew.content


def test_one_that_was_given_up_but_lives_gives_the_answer_of_the_other(api: ApiClient, now: datetime) -> None:
    others: list[Any] = []

    def slow(_: dict[str, Any]) -> str:
        with time_machine.travel(now + timedelta(hours=1), tick=False):
            others.append(send(api, "/v1/chat"))
        return "The slow one's."

    with scripted_llm(slow, "The other's."):
        first = send(api, "/v1/chat")
    assert others[0].json()["message"]["content"] == "The other's."
    assert first.content == others[0].content
    assert AuditRow.objects.get_queryset().chats().count() == 1


@pytest.mark.django_db(transaction=True)
@every_call
def test_many_at_once_leave_one_row(path: str) -> None:
    api = ApiClient(ApiKey.objects.issue("test", scopes=SCOPES).secret)
    ready = Barrier(6)

    def at_once(_: int) -> Any:
        ready.wait()
        try:
            return send(ApiClient(api.headers["Authorization"].removeprefix("Bearer ")), path)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(at_once, range(6)))
    good = [answer for answer in answers if answer.status_code < 300]
    waiting = [answer for answer in answers if answer not in good]
    assert len({answer.content for answer in good}) == 1
    assert [code(answer) for answer in waiting] == [(409, "idempotency_key_in_use")] * len(waiting)
    assert path == "/v1/chat" or not waiting
    turns = AuditRow.objects.filter(decision_id__isnull=False).values_list("decision_id", flat=True)
    assert set(turns) == {good[0].json()["decision_id"]}
    assert IdempotencyKey.objects.count() == 1


# --- a kill ---------------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


class KilledAt:
    """Ends the process at the database's n-th statement."""

    def __init__(self, statement: int) -> None:
        self.left = statement

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise Killed(sql)
        return execute(sql, *rest)


@pytest.mark.django_db(transaction=True)
@every_call
def test_a_kill_at_any_statement_leaves_both_or_none(path: str) -> None:
    api = ApiClient(ApiKey.objects.issue("test", scopes=SCOPES).secret)
    kills, answered = 0, 0
    while not answered:
        try:
            with connection.execute_wrapper(KilledAt(kills + 1)):
                send(api, path)
        except Killed:
            kills += 1
        turns = AuditRow.objects.filter(decision_id__isnull=False).values("decision_id").distinct().count()
        answered = IdempotencyKey.objects.exclude(status=0).count()
        assert (turns, bool(HeardMessage.objects.count())) in ((0, False), (1, path != "/v1/memory/context"))
        assert answered == turns
    assert kills > 5
    assert send(api, path)["Idempotency-Replayed"] == "true"
