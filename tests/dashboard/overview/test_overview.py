"""The overview: whether memory is well, its numbers, what to do about a stuck worker, the switch, a first message."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from dashboard.overview.activity_chart import read_strip
from dashboard.overview.totals import read_board
from dashboard.shared.health import read_health
from memory import events, learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import (
    AskAgain,
    AuditRow,
    ExtractCursor,
    LearningSwitch,
    PersonalFact,
    SummariseCursor,
    WorkerHeartbeat,
)
from tests.conftest import Configure
from tests.dashboard.page import elements, heard, know, newest, page, words
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

OVERVIEW = "/dashboard/"
HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/dashboard/"}


@pytest.fixture(autouse=True)
def workers_on(configure: Configure, now: datetime) -> None:
    """Both workers switched on, and both ran a moment ago."""
    configure(memory__episodes_summarise__enabled=True)
    for job in (EXTRACTION, SUMMARY):
        WorkerHeartbeat.beat(job.task, now=now - timedelta(seconds=20))


def settle() -> None:
    """Both workers have looked at every chat there is."""
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
        cursor._default_manager.update(last_audit_id=newest())


def stick(chat_id: int, now: datetime, *, tries: int = 3, error: str = "The model is out. Start it.") -> None:
    """The extractor is stuck at this chat, which is the next one."""
    before = chat_id - 1
    ExtractCursor.current()
    ExtractCursor._default_manager.update(
        last_audit_id=before, attempts=tries, outages=tries, last_error=error, next_try_at=now + timedelta(minutes=4)
    )


def header(response: Any) -> tuple[str, str]:
    """Class and words of the health in the head of a page."""
    link = elements(response, "a", id="health")[0]
    text = re.search(r'id="health"[^>]*>([^<]*)<', response.content.decode())
    assert text
    return link["class"].split()[1], text[1]


def forms(response: Any) -> list[str]:
    return [form["action"] for form in elements(response, "form")]


def test_it_works(operator: Client, now: datetime) -> None:
    know("dog.name", "Beans", now=now)
    settle()
    response = page(operator, OVERVIEW)
    text = words(response)
    assert header(response) == ("is-well", "Learning, all caught up")
    assert "Memory is well. Every chat has been read." in text
    assert "fact known 1 1 fits the prompt (30 facts or 2,048 characters)" in text
    assert "chat today 1 since midnight, UTC" in text
    assert "Learns facts memory.extract On 0 chats 20 seconds ago" in text
    assert "Sums up chats memory.summarise On 0 chats 20 seconds ago" in text
    assert elements(response, "a", aria_current="page")[0]["href"] == OVERVIEW
    assert len(elements(response, "h1")) == 1


# --- the head of every page ---------------------------------------------------------------------------------------


def test_chats_that_wait_are_counted_once_however_many_workers_want_them(operator: Client, now: datetime) -> None:
    settle()
    heard("I like figs.", now=now)
    heard("I like plums.", now=now)
    for address in (OVERVIEW, "/dashboard/facts", "/dashboard/audit", "/dashboard/connect", "/dashboard/nowhere"):
        assert header(operator.get(address)) == ("is-busy", "Learning, 2 chats waiting"), address
    heard("I like pears.", now=now)
    SummariseCursor._default_manager.update(last_audit_id=newest())
    assert read_health(now).words == "Learning, 3 chats waiting"


def test_a_worker_past_the_end_of_the_log_is_named(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    settle()
    ExtractCursor._default_manager.update(last_audit_id=newest() + 5)
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-stuck", "Stuck past the end of the log")
    assert f"It stands at #{newest() + 5}, but the log ends at #{newest()}:" in words(response)


def test_one_chat_is_one_chat(now: datetime) -> None:
    settle()
    heard("I like figs.", now=now)
    assert read_health(now).words == "Learning, 1 chat waiting"


def test_what_the_operator_paused_comes_before_what_failed(operator: Client, now: datetime) -> None:
    chat = heard("I like figs.", now=now)
    stick(chat.pk, now)
    assert header(page(operator, OVERVIEW)) == ("is-stuck", f"Stuck at chat {chat.pk}")
    LearningSwitch.pause(now=now)
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-paused", "Paused")
    assert "what is known already still goes into prompts" in words(response)


def test_chats_that_wait_for_nobody_are_not_called_learning(operator: Client, now: datetime) -> None:
    settle()
    heard("I like figs.", now=now)
    WorkerHeartbeat._default_manager.update(at=now - timedelta(minutes=5))
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-late", "1 chat waiting, no worker running")
    assert "manage.py up" in words(response)
    assert "Not running" in words(response)


def test_a_worker_that_stopped_shows_also_when_nothing_waits(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    WorkerHeartbeat._default_manager.update(at=now - timedelta(minutes=5))
    settle()
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-well", "Learning, all caught up")
    assert "All chats are read, but no worker is running now." in words(response)
    assert "memory.extract Not running 0 chats 5 minutes ago" in words(response)


def test_a_worker_that_never_ran_is_late_only_for_a_chat_that_waits_for_long(operator: Client, now: datetime) -> None:
    WorkerHeartbeat._default_manager.all().delete()
    heard("I like figs.", now=now - timedelta(minutes=2))
    assert "memory.extract Has not run yet 1 chat never" in words(page(operator, OVERVIEW))
    assert read_health(now).state == "busy"
    assert read_health(now + timedelta(minutes=2)).state == "late"


def test_a_worker_that_is_switched_off_is_not_waited_for(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=False)
    settle()
    heard("I like figs.", now=now)
    ExtractCursor._default_manager.update(last_audit_id=newest())
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-well", "Learning, all caught up")
    assert "memory.summarise Off not counted" in words(response)
    assert "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED=true turns it on" in words(response)


def test_with_both_switched_off_there_is_nothing_to_pause(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(memory__episodes_summarise__enabled=False, memory__facts_extract__enabled=False)
    heard("I like figs.", now=now)
    response = page(operator, OVERVIEW)
    assert header(response) == ("is-off", "Learning is off")
    assert "/dashboard/learning/pause" not in forms(response)


def test_strangers_see_no_health(client: Client, db: None) -> None:
    assert not elements(page(client, "/login"), "a", id="health")


def test_the_head_asks_again_only_while_chats_wait(operator: Client, now: datetime) -> None:
    settle()
    assert "hx-get" not in elements(page(operator, "/dashboard/facts"), "a", id="health")[0].attributes
    heard("I like figs.", now=now)
    asking = elements(page(operator, "/dashboard/facts"), "a", id="health")[0]
    assert asking["hx-get"] == "/dashboard/health"
    again = operator.get("/dashboard/health", headers=HTMX)
    assert len(elements(again)) == 1
    assert header(again) == ("is-busy", "Learning, 1 chat waiting")
    settle()
    assert "hx-get" not in elements(operator.get("/dashboard/health", headers=HTMX), "a", id="health")[0].attributes


def test_a_clock_sends_nobody_to_the_login(client: Client, operator: Client, db: None) -> None:
    answer = client.get("/dashboard/health", headers=HTMX)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "HX-Redirect" not in answer
    assert operator.get("/dashboard/health")["Location"] == OVERVIEW, "in a tab of its own it leads to the page"
    assert operator.post("/dashboard/health").status_code == 405


def test_the_head_of_a_page_costs_one_query(now: datetime) -> None:
    for number in range(5):
        heard(f"I like figs {number}.", now=now)
    with CaptureQueriesContext(connection) as queries:
        read_health(now)
    assert len(queries) == 1


# --- numbers --------------------------------------------------------------------------------------------------------


def test_facts_and_how_many_of_them_fit(operator: Client, now: datetime, configure: Configure) -> None:
    for number in range(5):
        PersonalFact.objects.add(f"fact.{number}", "x", now=now)
    configure(memory__facts__max_injected=2)
    assert "facts known 5 2 fit the prompt (2 facts or 2,048 characters)" in words(page(operator, OVERVIEW))
    configure(memory__facts__enabled=False)
    assert "facts known 5 none put into prompts" in words(page(operator, OVERVIEW))


def test_a_day_begins_at_the_operators_midnight(operator: Client, now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")  # two hours ahead: there 20 May began at 22:00 of the 19th
    heard("before", now=datetime(2026, 5, 19, 21, 59, tzinfo=UTC))
    heard("after", now=datetime(2026, 5, 19, 22, 1, tzinfo=UTC))
    assert "chat today 1 since midnight, Europe/Rome" in words(page(operator, OVERVIEW))


def test_ten_queries_are_enough(operator: Client, now: datetime) -> None:
    for number in range(30):
        know(f"fact.{number}", "x", now=now)
    chats = list(AuditRow.objects.get_queryset().chats()[:4])
    for row in chats:
        AuditRow.objects.record(SUMMARY.failed(row, "x", kind="x"), now=now, chat=row)
        AuditRow.objects.record(EXTRACTION.abandoned(row, "x", attempts=5, reason="bad_answer"), now=now, chat=row)
    for address in (OVERVIEW, "/dashboard/board"):
        with CaptureQueriesContext(connection) as queries:
            assert operator.get(address, headers=HTMX if address != OVERVIEW else {}).status_code == 200
        assert len(queries) <= 10, address


# --- the last 30 days -----------------------------------------------------------------------------------------------


def days_of(label: str, now: datetime) -> dict[str, int]:
    """{day: count} of one line, where there is something."""
    line = next(line for line in read_strip(now).lines if line.label == label)
    return {bar.day.isoformat(): bar.count for bar in line.bars if bar.count}


def test_each_day_counts_what_happened_on_it(now: datetime) -> None:
    long_ago, first, last = now - timedelta(days=30), now - timedelta(days=29), now
    for moment in (long_ago, first, first, last):
        heard(f"at {moment} {newest()}", now=moment)
    know("dog.name", "Beans", now=last)
    AuditRow.objects.record(events.ChatFailed(error="x", kind="x"), now=last)
    assert days_of("Chats", now) == {"2026-04-21": 2, "2026-05-20": 2}
    assert days_of("Learned", now) == {"2026-05-20": 1}
    assert days_of("Recalled", now) == {}
    assert days_of("Failures", now) == {"2026-05-20": 1}


def test_days_end_where_the_clocks_change(now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")  # on 29 March 2026 the day has 23 hours there
    for day, hour in ((28, 22), (28, 23), (29, 21), (29, 22)):
        heard(f"{day} {hour}", now=datetime(2026, 3, day, hour, 30, tzinfo=UTC))
    counts = days_of("Chats", datetime(2026, 4, 2, tzinfo=UTC))
    assert counts == {"2026-03-28": 1, "2026-03-29": 2, "2026-03-30": 1}


def test_the_strip_is_one_query_over_indexes(now: datetime) -> None:
    heard("hello", now=now)
    with CaptureQueriesContext(connection) as queries:
        strip = read_strip(now)
    assert len(queries) == 1
    assert (len(strip.days), strip.days[-1], strip.chats_today) == (30, now.date(), 1)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
            plan = " ".join(str(row[-1]) for row in cursor.fetchall())
        assert "COVERING INDEX idx_audit_type" in plan
        assert "SCAN audit_log" not in plan


def test_the_drawing_and_the_table_say_the_same(operator: Client, now: datetime) -> None:
    for number in range(10):
        heard(f"hello {number}", now=now - timedelta(days=1))
    heard("hello", now=now)
    response = page(operator, OVERVIEW)
    drawing = elements(response, "svg", role="img")
    assert [svg["aria-label"].split(":")[0] for svg in drawing] == ["Chats", "Learned", "Recalled", "Failures"]
    assert drawing[0]["aria-label"] == "Chats: 11 in 30 days, 10 on the fullest day"
    heights = [float(rect["height"]) for rect in elements(response, "rect", class_="fill")]
    assert heights == [28.0, 2.8]
    assert "Wed 20 May 1 0 0 0 Tue 19 May 10 0 0 0" in words(response)


# --- what the operator does about it ----------------------------------------------------------------------------------


def test_a_stuck_chat_shows_its_error_and_two_buttons(operator: Client, now: datetime) -> None:
    chat = heard("I like figs.", now=now)
    heard("I like plums.", now=now)
    stick(chat.pk, now, error="No answer from <b>openai</b>\nwithin 60 s")
    response = page(operator, OVERVIEW)
    text = words(response)
    assert f"Stuck at chat {chat.pk} 2 chats" in text
    assert "No answer from <b>openai</b> within 60 s" in text
    assert "Tried 3 times so far. The next try is in 4 minutes ." in text
    assert f"/dashboard/workers/extract/retry/{chat.pk}" in forms(response)
    assert f"/dashboard/workers/extract/skip/{chat.pk}" in forms(response)
    labels = {button.attributes.get("aria-label") for button in elements(response, "button")}
    assert {f"Try chat {chat.pk} again now", f"Skip chat {chat.pk}"} <= labels


def test_a_chat_that_killed_its_worker_is_stuck_without_an_error(operator: Client, now: datetime) -> None:
    chat = heard("I like figs.", now=now)
    stick(chat.pk, now, tries=2, error="")
    ExtractCursor._default_manager.update(next_try_at=None)
    response = page(operator, OVERVIEW)
    assert "did not come back" in words(response)
    ExtractCursor._default_manager.update(claimed_until=now + timedelta(minutes=1))
    assert "At work" in words(page(operator, OVERVIEW)), "while it is being read again it is not stuck"


def test_retry_forgets_the_pause_and_wakes_the_worker(operator: Client, now: datetime) -> None:
    chat = heard("I like figs.", now=now)
    stick(chat.pk, now)
    ExtractCursor._default_manager.update(nudged=False)
    OrmQ.objects.all().delete()
    before = newest()
    answer = operator.post(f"/dashboard/workers/extract/retry/{chat.pk}")
    assert answer["Location"] == OVERVIEW
    cursor = ExtractCursor.current()
    assert (cursor.attempts, cursor.next_try_at, cursor.nudged) == (0, None, True)
    rows = AuditRow.objects.filter(id__gt=before)
    assert [(row.event_type, row.chat_id) for row in rows] == [("memory.fact.extract_asked", chat.pk)]
    assert f"Chat {chat.pk} is tried again now." in words(page(operator, OVERVIEW))


def test_skip_gives_the_chat_up_with_one_row(operator: Client, now: datetime) -> None:
    chat = heard("I like figs.", now=now)
    stick(chat.pk, now)
    before = newest()
    operator.post(f"/dashboard/workers/extract/skip/{chat.pk}")
    rows = AuditRow.objects.filter(id__gt=before)
    assert [(row.event_type, row.chat_id) for row in rows] == [("memory.fact.extract_abandoned", chat.pk)]
    assert ExtractCursor.current().last_audit_id == chat.pk


@pytest.mark.parametrize("verb", ["retry", "skip"])
def test_what_is_not_stuck_any_more_is_said_and_left_alone(operator: Client, now: datetime, verb: str) -> None:
    chat = heard("I like figs.", now=now)
    settle()
    before = newest()
    response = operator.post(f"/dashboard/workers/extract/{verb}/{chat.pk}", follow=True)
    assert "Nothing was changed." in words(response)
    assert newest() == before


def test_what_was_given_up_can_be_asked_for_again_once(operator: Client, now: datetime) -> None:
    chats = [heard(f"I like figs {number}.", now=now) for number in range(3)]
    settle()
    for row in chats:
        AuditRow.objects.record(SUMMARY.failed(row, "x", kind="x"), now=now, chat=row)
    AuditRow.objects.record(
        EXTRACTION.abandoned(chats[0], "x", attempts=5, reason="bad_answer"), now=now, chat=chats[0]
    )
    response = page(operator, OVERVIEW)
    assert f"3 summaries failed, the last one for chat {chats[2].pk} ." in words(response)
    assert f"1 chat was given up: chat {chats[0].pk} ." in words(response)
    assert "No chat is waiting. 4 could not be read or summed up, see below; nothing else is amiss." in words(response)
    operator.post("/dashboard/workers/summarise/ask-again")
    assert AskAgain.objects.filter(job="memory.summarise").count() == 3
    response = page(operator, OVERVIEW)
    assert "/dashboard/workers/summarise/ask-again" not in forms(response)
    assert "/dashboard/workers/extract/ask-again" in forms(response)
    assert "To be read again." in words(response)
    operator.post("/dashboard/workers/extract/ask-again")
    with scripted_llm('[{"key": "fruit", "value": "figs", "confidence": 0.9}]'):
        learning.run(EXTRACTION, clock=lambda: now)
    assert "/dashboard/audit?family=failures" in [link["href"] for link in elements(page(operator, OVERVIEW), "a")]
    assert "1 chat was given up" not in words(page(operator, OVERVIEW))


def test_there_are_two_workers(operator: Client) -> None:
    for address in ("ask-again", "retry/1", "skip/1"):
        response = operator.post(f"/dashboard/workers/nobody/{address}")
        assert response.status_code == 404
        assert "There is no worker nobody." in words(response)


def test_the_switch_writes_one_row_each_time(operator: Client, now: datetime) -> None:
    heard("I like figs.", now=now)
    before = newest()
    for address in ("pause", "pause", "resume", "resume"):
        assert operator.post(f"/dashboard/learning/{address}")["Location"] == OVERVIEW
    kinds = list(AuditRow.objects.filter(id__gt=before).order_by("id").values_list("event_type", flat=True))
    assert kinds == ["memory.learning.paused", "memory.learning.resumed"]


def test_resuming_wakes_both_workers(
    operator: Client, now: datetime, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    LearningSwitch.pause(now=now)
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
    with django_capture_on_commit_callbacks(execute=True):
        operator.post("/dashboard/learning/resume")
    assert {task.task["func"] for task in OrmQ.objects.all()} == {"memory.tasks.extract", "memory.tasks.summarise"}


def test_with_script_the_board_is_swapped_and_the_head_with_it(operator: Client, now: datetime) -> None:
    heard("I like figs.", now=now)
    response = operator.post("/dashboard/learning/pause", headers=HTMX)
    assert not elements(response, "html")
    assert len(elements(response, "section", id="board")) == 1
    assert header(response) == ("is-paused", "Paused")
    assert elements(response, "a", id="health", hx_swap_oob="true")
    assert "Learning is paused. Chats are kept and wait." in words(response)


def test_the_board_asks_again_while_chats_wait_and_leaves_messages_alone(operator: Client, now: datetime) -> None:
    settle()
    heard("I like figs.", now=now)
    assert elements(page(operator, OVERVIEW), "section", id="board", hx_get="/dashboard/board")
    response = operator.get("/dashboard/board", headers=HTMX)
    assert elements(response, "section", id="board", hx_get="/dashboard/board")
    assert not elements(response, id="status")
    assert not elements(response, id="strip")
    settle()
    response = operator.get("/dashboard/board", headers=HTMX)
    assert not elements(response, "section", id="board", hx_get="/dashboard/board")
    assert elements(response, "section", id="strip", hx_swap_oob="true"), "at the end the strip comes up to date"
    assert operator.get("/dashboard/board")["Location"] == OVERVIEW


@pytest.mark.parametrize(
    "address", ["learning/pause", "learning/resume", "workers/extract/retry/1", "workers/extract/skip/1", "say"]
)
def test_changes_are_posts_of_the_operator(operator: Client, client: Client, db: None, address: str) -> None:
    assert operator.get(f"/dashboard/{address}").status_code == 405
    assert Client().post(f"/dashboard/{address}")["Location"].startswith("/login")
    assert not AuditRow.objects.exists()


# --- a new installation -----------------------------------------------------------------------------------------------


def test_an_empty_installation_shows_three_steps_and_a_box(operator: Client, now: datetime) -> None:
    response = page(operator, OVERVIEW)
    assert read_board(now).is_new
    assert len(elements(response, "h1")) == 1
    assert "Nothing is remembered yet." in words(response)
    assert words(response).count("Make a key") == 1
    assert elements(response, "textarea", name="message", id="message")
    assert elements(response, "label", for_="message")
    assert not elements(response, "table")


def test_a_first_message_is_a_chat_without_a_reply(operator: Client, now: datetime) -> None:
    answer = operator.post("/dashboard/say", {"message": "By the way, my dog's name is Beans."})
    row = AuditRow.objects.get()
    assert answer["Location"] == f"/dashboard/?said={row.pk}"
    assert row.completed.reply == ""
    assert row.completed.model == ""
    assert row.completed.learn
    assert row.completed.new_messages == [0]
    response = page(operator, answer["Location"])
    assert "Being read" in words(response)
    assert "my dog's name is Beans" in words(response)
    asking = elements(response, "section", id="said")[0]
    assert asking["hx-get"] == f"/dashboard/said/{row.pk}"
    assert elements(response, "a", href=answer["Location"]), "without script the page can be asked for again"


def test_it_asks_again_until_it_was_read(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "By the way, my dog's name is Beans."})
    chat_id = newest()
    address = f"/dashboard/said/{chat_id}"
    assert elements(operator.get(address, headers=HTMX), "section", id="said", hx_get=address)
    with scripted_llm('[{"key": "dog.name", "value": "Beans", "confidence": 0.9}]'):
        learning.run(EXTRACTION, clock=lambda: now)
    response = operator.get(address, headers=HTMX)
    assert "Remembered" in words(response)
    assert "Your dog's name is Beans. dog.name" in words(response)
    assert "hx-get" not in elements(response, "section", id="said")[0].attributes
    assert elements(response, "a", href="/dashboard/facts")
    assert operator.get(address)["Location"] == f"/dashboard/?said={chat_id}"


def test_where_nothing_was_learned_it_says_so_and_lets_you_try_again(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "What is the time?"})
    chat_id = newest()
    with scripted_llm("[]"):
        learning.run(EXTRACTION, clock=lambda: now)
    response = page(operator, f"/dashboard/?said={chat_id}")
    assert "Nothing in it was worth keeping" in words(response)
    assert elements(response, "textarea", name="message")
    operator.post("/dashboard/say", {"message": "What is the time?"})
    learning.run(EXTRACTION, clock=lambda: now)
    assert "You said exactly that before" in words(page(operator, f"/dashboard/?said={newest()}"))


def test_it_says_why_a_message_is_not_read_soon(operator: Client, now: datetime, configure: Configure) -> None:
    settle()
    operator.post("/dashboard/say", {"message": "I like figs."})
    address = f"/dashboard/?said={newest()}"
    WorkerHeartbeat._default_manager.update(at=now - timedelta(hours=1))
    assert "No worker is running to read it." in words(page(operator, address))
    LearningSwitch.pause(now=now)
    assert "it is read once you resume" in words(page(operator, address))
    configure(memory__facts_extract__enabled=False, memory__episodes_summarise__enabled=False)
    assert "Learning is off in the settings, so nobody reads it." in words(page(operator, address))


@pytest.mark.parametrize("message", ["", "   \n ", "\0"])
def test_nothing_is_refused_at_the_field(operator: Client, message: str) -> None:
    response = operator.post("/dashboard/say", {"message": message})
    assert response.status_code == 422
    field = elements(response, "textarea", name="message")[0]
    assert field["aria-invalid"] == "true"
    assert "message-error" in field["aria-describedby"].split()
    assert "Write a sentence" in words(response)
    assert not AuditRow.objects.exists()


def test_nothing_said_where_memory_is_not_empty_is_refused_at_the_field_too(operator: Client, now: datetime) -> None:
    heard("hello", now=now)
    response = operator.post("/dashboard/say", {"message": ""})
    assert response.status_code == 422
    assert elements(response, "textarea", aria_invalid="true")


@pytest.mark.parametrize("said", ["0", "-1", "x", "999", "9" * 30])
def test_what_was_not_said_shows_nothing(operator: Client, now: datetime, said: str) -> None:
    heard("hello", now=now)
    assert not elements(page(operator, f"/dashboard/?said={said}"), id="said")


def test_markup_in_a_message_is_text(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "I am <img src=x onerror=alert(1)> and \u202eold"})
    response = page(operator, f"/dashboard/?said={newest()}")
    assert not elements(response, "img")
    assert "<img src=x onerror=alert(1)>" in words(response)
    assert "\u202e" not in words(response)


def test_a_message_of_the_api_can_be_looked_at_the_same_way(operator: Client, now: datetime) -> None:
    recorded = record_turn([Message(role="user", content="hi")], "hello", now=now)
    assert "hi" in words(page(operator, f"/dashboard/?said={recorded.audit_log_id}"))
