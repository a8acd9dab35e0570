"""A paid answer is never lost: it goes out, its turn waits beside the database, and is recorded once, as it was."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections
from django.utils import timezone

from caesar.sqlite3.base import DatabaseWrapper
from caesar.web import record_waiting_turns
from memory import chat, events, tasks
from memory.chat import spool
from memory.chat.finishing import finish
from memory.conversation import Conversation
from memory.events import Message
from memory.models import ApiKey, AuditRow, EpisodeSummary, HeardMessage, IdempotencyKey, MemoryRevision
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream
from tests.memory.llm.scripted import completion, scripted_llm
from tests.memory.recall import reference_recall as plain
from tests.turns import record_turn, user

pytestmark = pytest.mark.django_db(transaction=True)

only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="how SQLite refuses")

HELLO: dict[str, Any] = {"messages": [{"role": "user", "content": "My dog's name is Beans."}]}
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
COMPLETIONS = "/v1/chat/completions"
WORDS = "A fine name \ud83c, caf\u00e9."


@contextmanager
def refusing(error: Exception | None = None, *, when: Callable[[str], bool] | None = None) -> Iterator[None]:
    """While open, the database takes no row of the log (or no statement that `when` is true of)."""

    def refuse(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if (when or (lambda sql: sql.startswith("INSERT INTO audit_log") or 'INTO "audit_log"' in sql))(sql):
            raise error or OperationalError("database is locked")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


@pytest.fixture
def api() -> ApiClient:
    MemoryRevision.current()  # the migration's row, which tests with real transactions lose
    return ApiClient(ApiKey.objects.issue("a chat client").secret)


@pytest.fixture
def fills(api: ApiClient) -> Iterator[None]:
    """The database may not grow while this is in use; it closes the connection."""
    wrapper = connections["default"]
    with wrapper.cursor() as cursor:
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    yield
    wrapper.close()


def say(api: ApiClient, path: str = "/v1/chat", *, headers: Mapping[str, str] | None = None, **body: Any) -> Any:
    answer = event_stream(chunk(WORDS), chunk(finish_reason="stop")) if body.get("stream") else None
    with scripted_llm(answer or httpx.Response(200, content=json.dumps(completion(WORDS)))):
        response = api.post(path, json={**HELLO, **body}, headers=headers or {})
        if response.streaming:
            response.told = b"".join(response.streaming_content).decode()
            response.close()
        return response


def chats() -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().chats().order_by("id"))


# --- the answer goes out --------------------------------------------------------------------------------------------


def test_it_works(api: ApiClient) -> None:
    with refusing():
        response = say(api)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert response.json()["audit_log_id"] is None
    assert response.json()["message"]["content"].startswith("A fine name")
    assert (chats(), spool.waiting()) == ([], 1)
    assert chat.record_waiting() == 1
    (row,) = chats()
    assert row.decision_id == response.json()["decision_id"]
    assert row.completed.messages == [user("My dog's name is Beans.")]
    assert (row.completed.new_messages, row.completed.usage.output_tokens) == ([0], 7)
    assert spool.waiting() == 0


def test_a_turn_that_is_recorded_says_nothing_of_it(api: ApiClient) -> None:
    response = say(api)
    assert "X-Memory-Recorded" not in response
    assert response.json()["audit_log_id"] == chats()[0].pk


def test_a_chat_client_gets_its_answer_too(api: ApiClient) -> None:
    with refusing():
        response = say(api, COMPLETIONS)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert response.json()["choices"][0]["message"]["content"] == WORDS
    assert chat.record_waiting() == 1
    assert chats()[0].decision_id == response["X-Decision-Id"]


def test_a_stream_ends_as_ever_and_says_so_in_a_comment(api: ApiClient) -> None:
    with refusing():
        response = say(api, COMPLETIONS, stream=True)
    assert response.told.endswith(": X-Memory-Recorded: later\n\ndata: [DONE]\n\n")
    assert "error" not in response.told
    assert chat.record_waiting() == 1
    assert chats()[0].completed.finish_reason == "stop"


def test_a_stream_that_is_recorded_holds_no_comment(api: ApiClient) -> None:
    assert "\n: " not in say(api, COMPLETIONS, stream=True).told


def test_what_had_come_when_a_client_hung_up_is_kept_too(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("half "), chunk("more"), chunk(finish_reason="stop"))):
        response = api.post(COMPLETIONS, json={**HELLO, "stream": True})
        next(iter(response.streaming_content))
        with refusing():
            response.close()
    assert (chats(), spool.waiting()) == ([], 1)
    chat.record_waiting()
    assert (chats()[0].completed.reply, chats()[0].completed.cut_off) == ("half ", True)


@pytest.mark.parametrize("stream", [False, True])
def test_a_call_that_memory_kept_out_of_leaves_no_words_in_its_file(api: ApiClient, stream: bool) -> None:
    with refusing():
        say(api, COMPLETIONS, headers={"X-Memory": "off"}, stream=stream)
    (file,) = spool.files()
    assert "Beans" not in file.read_text()
    assert "fine name" not in file.read_text()
    assert chat.record_waiting() == 1
    assert [row.event_type for row in AuditRow.objects.exclude(event_type="memory.key_created")][-1] == (
        events.ChatPassedThrough.name
    )


def test_without_a_paid_answer_a_refused_write_is_an_error_as_ever(api: ApiClient) -> None:
    with refusing():
        for path, body in (("/v1/memory/context", HELLO), ("/v1/memory/chats", {**HELLO, "reply": "ok"})):
            assert api.post(path, json=body).status_code == 503
    assert spool.waiting() == 0


# --- how SQLite refuses ---------------------------------------------------------------------------------------------


@only_sqlite
@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_a_locked_database(api: ApiClient, path: str) -> None:
    wrapper = connections["default"]
    assert isinstance(wrapper, DatabaseWrapper)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with wrapper.patience(0.05):
            response = say(api, path)
        other.execute("ROLLBACK")
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert say(api, path).status_code == 200
    assert (len(chats()), spool.waiting()) == (2, 0)


@only_sqlite
@pytest.mark.usefixtures("fills")
@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_a_database_that_may_not_grow(api: ApiClient, path: str) -> None:
    long = "Remember this: " + "words and words " * 20_000
    response = say(api, path, messages=[{"role": "user", "content": long}])
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    connection.close()  # with it goes the limit
    assert chat.record_waiting() == 1
    assert len(chats()) == 1


@only_sqlite
@pytest.mark.usefixtures("fills")
def test_a_full_database_is_named_where_nothing_was_paid_for(api: ApiClient) -> None:
    refused = api.post("/v1/memory/chats", json={**HELLO, "reply": "words and words " * 20_000})
    assert (refused.status_code, refused.json()["error"]["code"]) == (507, "storage_full")
    assert refused.json()["error"]["type"] == "server_error"
    assert "Retry-After" not in refused


# --- a file that cannot be written ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_where_not_even_the_file_can_be_written_the_answer_still_goes_out(
    api: ApiClient, path: str, configure: Configure, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    configure(db__spool_path=tmp_path / "file" / "turns")
    with refusing(), caplog.at_level(logging.ERROR):
        response = say(api, path)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "no")
    assert "A paid turn" in caplog.text
    assert say(api, path).status_code == 200, "and the next turn is none the worse for it"


def test_the_file_is_private_and_whole(api: ApiClient) -> None:
    with refusing():
        say(api)
    (file,) = spool.files()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no draft is left"


def test_the_folder_lies_beside_the_database_unless_it_is_set(configure: Configure, tmp_path: Path) -> None:
    configure(db__spool_path=tmp_path)
    assert spool.folder() == tmp_path
    configure(db__spool_path=None)
    own = Path(f"{connection.settings_dict['NAME']}-turns")
    assert spool.folder() == (own if connection.vendor == "sqlite" else settings.VAR_DIR / "turns")


# --- recorded later, as it was --------------------------------------------------------------------------------------


def served(*, now: datetime) -> chat.Context:
    """A turn that was given an episode and a fact."""
    episode = EpisodeSummary.objects.get(pk=plain.add([1.0, 0.0]))
    shown = events.ServedEpisode(
        audit_log_id=episode.audit_log_id,
        summary="s",
        when="today",
        cosine=1.0,
        freshness=1.0,
        recall_weight=1.0,
        score=1.0,
    )
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


def test_a_file_that_can_never_be_recorded_stands_in_nobodys_way(api: ApiClient) -> None:
    with refusing():
        say(api)
    broken = spool.folder() / "20000101T000000000000-broken-0.json"
    broken.write_text("{")
    assert chat.record_waiting() == 1
    assert spool.waiting() == 0
    assert broken.with_suffix(".refused").read_text() == "{"


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
