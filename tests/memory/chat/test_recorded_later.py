"""A turn that waited in its file is recorded once, as it was, with the answer under its key (decision 32)."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from caesar.web import record_waiting_turns
from memory import chat, events, tasks
from memory.chat import spool
from memory.chat.finishing import finish
from memory.conversation import Conversation
from memory.events import Message
from memory.models import ApiKey, AuditRow, EpisodeSummary, HeardMessage, IdempotencyKey
from tests.conftest import ApiClient, Configure
from tests.memory.chat.spool_helpers import COMPLETIONS, HELLO, KEY, chats, refusing, say
from tests.memory.llm.scripted import scripted_llm
from tests.memory.recall import reference_recall as plain
from tests.turns import record_turn, served_episode, user

pytestmark = pytest.mark.django_db(transaction=True)


# --- recorded later, as it was --------------------------------------------------------------------------------------


def served(*, now: datetime) -> chat.Context:
    """A turn that was given an episode and a fact."""
    episode = EpisodeSummary.objects.get(pk=plain.add([1.0, 0.0]))
    shown = served_episode(episode.audit_log_id)
    turn = chat.Turn(conversation=Conversation([user("what about Beans?")], "kitchen"), now=now)
    return chat.Context(turn, events.ContextServed(block="the block", episodes=[shown]), "", [episode.pk])


def test_it_has_its_own_time_its_receipt_and_its_bumps() -> None:
    then = datetime(2026, 5, 20, 9, tzinfo=UTC)
    context = served(now=then)
    with refusing():
        finished = finish(context.turn, chat.Reply("ok"), context=context)
    assert finished.when == "later"
    chat.record_waiting()
    rows = AuditRow.objects.filter(decision_id=context.turn.decision_id).order_by("id")
    assert [row.event_type for row in rows] == ["memory.episode.recalled", "memory.context.served", "chat.completed"]
    assert {row.ts for row in rows} == {then}
    assert {row.conversation_id for row in rows} == {"kitchen"}
    assert rows[1].payload["block"] == "the block"
    assert EpisodeSummary.objects.values_list("recall_count", "last_recalled_at").get() == (1, then)
    assert HeardMessage.objects.get().first_chat_id == rows[2].pk


def test_by_the_next_turn_that_commits(api: ApiClient) -> None:
    with refusing():
        first = say(api)
    second = say(api, messages=[{"role": "user", "content": "Good evening."}])
    assert {row.decision_id for row in chats()} == {one.json()["decision_id"] for one in (first, second)}
    assert spool.waiting() == 0


@pytest.mark.parametrize("task", [tasks.extract, tasks.summarise])
def test_by_the_workers_task(api: ApiClient, configure: Configure, task: Callable[[], str]) -> None:
    configure(memory__facts_extract__enabled=False)
    with refusing():
        say(api)
    task()
    assert (len(chats()), spool.waiting()) == (1, 0)


def test_at_the_start_of_the_web_server(api: ApiClient) -> None:
    with refusing():
        say(api)
    record_waiting_turns()
    assert (len(chats()), spool.waiting()) == (1, 0)


def test_oldest_first(api: ApiClient) -> None:
    with refusing():
        told = [say(api, messages=[user(f"number {number}").as_sent()]).json()["decision_id"] for number in range(3)]
    chat.record_waiting()
    assert [row.decision_id for row in chats()] == told


def test_a_database_that_is_not_well_yet_leaves_it_waiting(api: ApiClient, caplog: pytest.LogCaptureFixture) -> None:
    with refusing():
        say(api)
        assert chat.record_waiting() == 0
    assert "1 turns still wait" in caplog.text
    assert spool.waiting() == 1


# --- exactly once ---------------------------------------------------------------------------------------------------


def test_a_process_that_died_before_it_deleted_the_file_records_nothing_twice(api: ApiClient) -> None:
    with refusing():
        say(api, headers=KEY)
    (file,) = spool.files()
    text = file.read_text()
    assert chat.record_waiting() == 1
    file.write_text(text)
    before = AuditRow.objects.count()
    assert chat.record_waiting() == 0
    assert (AuditRow.objects.count(), spool.waiting()) == (before, 0)


def test_a_commit_that_was_done_although_it_failed_is_no_second_chat(api: ApiClient) -> None:
    """As where the connection breaks just then: nobody can tell whether it was done."""
    with refusing():
        response = say(api)
    record_turn([user("My dog's name is Beans.")], "ok", now=timezone.now(), decision_id=response.json()["decision_id"])
    assert chat.record_waiting() == 0
    assert (len(chats()), spool.waiting()) == (1, 0)


def test_many_who_read_the_files_at_once_record_each_turn_once(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with refusing():
        for number in range(5):
            say(api, messages=[user(f"number {number}").as_sent()])

    @contextmanager
    def never_alone() -> Iterator[bool]:
        yield True

    monkeypatch.setattr(spool, "alone", never_alone)

    def record() -> int:
        try:
            return chat.record_waiting()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        done = [threads.submit(record) for _ in range(4)]
        assert sum(one.result() for one in done) == 5
    assert (len(chats()), spool.waiting()) == (5, 0)


BROKEN: list[Callable[[str], str]] = [
    lambda good: "{",
    lambda good: "[" * 200_000,
    lambda good: json.dumps(json.loads(good) | {"now": "0001-01-01T00:00:00+14:00"}),
    lambda good: json.dumps(json.loads(good) | {"decision_id": None}),
]


@pytest.mark.parametrize("broken", BROKEN, ids=["cut", "deep", "before time", "no identity"])
def test_a_file_that_can_never_be_recorded_stands_in_nobodys_way(api: ApiClient, broken: Callable[[str], str]) -> None:
    with refusing():
        say(api)
    text = broken(spool.files()[0].read_text())
    odd = spool.folder() / "20000101T000000000000-broken-0.json"
    odd.write_text(text)
    assert say(api).status_code == 200, "a turn does not pay for what lies beside it"
    chat.record_waiting()
    assert (len(chats()), spool.waiting()) == (2, 0)
    assert odd.with_suffix(".refused").read_text() == text


def test_what_is_no_file_or_cannot_be_read_holds_nobody_up(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with refusing():
        say(api)
        say(api)
    (spool.folder() / "20000101T000000000000-folder-0.json").mkdir()
    first, read = spool.files()[0], spool.read

    def reading(file: Path) -> spool.SpooledTurn:
        if file == first:
            raise PermissionError("not yours")
        return read(file)

    monkeypatch.setattr(spool, "read", reading)
    assert chat.record_waiting() == 1
    assert spool.files() == [first]


def test_a_turn_whose_key_is_gone_keeps_its_name(api: ApiClient) -> None:
    with refusing():
        say(api)
    ApiKey.objects.all().delete()
    assert chat.record_waiting() == 1
    (row,) = chats()
    assert (row.actor, row.api_key_id) == ("key a chat client", None)


# --- the answer under its key ---------------------------------------------------------------------------------------


def test_a_retry_is_answered_from_the_file_and_not_paid_for_again(api: ApiClient) -> None:
    with refusing():
        first = say(api, headers=KEY)
        with scripted_llm():
            again = api.post("/v1/chat", json=HELLO, headers=KEY)
    assert again.content == first.content
    assert (again.status_code, again["Idempotency-Replayed"], again["X-Memory-Recorded"]) == (200, "true", "later")
    assert spool.waiting() == 1


def test_and_from_the_database_when_it_is_recorded(api: ApiClient) -> None:
    with refusing():
        first = say(api, headers=KEY)
    chat.record_waiting()
    with scripted_llm():
        again = api.post("/v1/chat", json=HELLO, headers=KEY)
    assert again.content == first.content
    assert again["Idempotency-Replayed"] == "true"
    assert "X-Memory-Recorded" not in again
    assert not IdempotencyKey.objects.get().is_under_way


def test_also_where_the_claim_has_run_out_and_is_gone(api: ApiClient) -> None:
    with refusing():
        first = say(api, headers=KEY)
    IdempotencyKey.objects.all().delete()
    chat.record_waiting()
    with scripted_llm():
        assert api.post("/v1/chat", json=HELLO, headers=KEY).content == first.content


def test_another_request_under_the_same_key_is_refused_from_the_file_too(api: ApiClient) -> None:
    with refusing():
        say(api, headers=KEY)
    other = api.post("/v1/chat", json={**HELLO, "max_tokens": 3}, headers=KEY)
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")


def test_another_clients_key_of_the_same_name_is_another(api: ApiClient) -> None:
    other = ApiClient(ApiKey.objects.issue("another").secret)
    with refusing():
        first = say(api, headers=KEY)
    assert say(other, headers=KEY).json()["decision_id"] != first.json()["decision_id"]


# --- what is in a turn ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {
            "role": "user",
            "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "x"}}],
        },
        {"role": "user", "content": "named", "name": "me", "x": {"y": [1, None]}},
        {"role": "user", "content": "a\u0000b caf\u00e9 \U0001f436"},
    ],
)
@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_every_message_is_recorded_as_it_would_have_been(api: ApiClient, path: str, message: dict[str, Any]) -> None:
    with refusing():
        say(api, path, messages=[message])
    chat.record_waiting()
    say(api, path, messages=[message])
    later, at_once = chats()
    assert later.completed.messages == at_once.completed.messages
    assert later.fingerprint == at_once.fingerprint
    assert later.completed.new_messages == [0]
    assert at_once.completed.replay is True


def test_a_proactive_turn_stays_one() -> None:
    now = timezone.now() - timedelta(minutes=1)
    asked = chat.Turn(conversation=Conversation([Message(role="user", content="news?")]), now=now, proactive="morning")
    with scripted_llm("None."), refusing():
        answered = chat.answer(asked)
    assert answered.recorded.when == "later"
    chat.record_waiting()
    assert (chats()[0].completed.proactive, chats()[0].completed.learn) == ("morning", False)
    assert not HeardMessage.objects.exists()
