"""Django's admin: the same verbs as everywhere, one audit row for each change; the log and the workers only shown."""

import html
import re
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from memory import events, learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import ApiKey, AuditRow, ExtractCursor, PersonalFact, SummariseCursor, WorkerHeartbeat
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

FACTS = "/admin/memory/personalfact/"
LOG = "/admin/memory/auditrow/"
CURSOR = "/admin/memory/extractcursor/"
KEYS = "/admin/memory/apikey/"


@pytest.fixture
def fact(now: datetime) -> PersonalFact:
    return PersonalFact.objects.add("dog.name", "Beans", now=now)


def rows(kind: type[events.Event]) -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().of_type(kind))


def text_of(response: HttpResponse) -> str:
    """What the page says, without markup."""
    return words_in(response.content.decode())


def words_in(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def action(operator: Client, page: str, name: str, *pks: object) -> str:
    response = operator.post(page, {"action": name, "_selected_action": [str(pk) for pk in pks]}, follow=True)
    assert response.status_code == 200
    return text_of(response)


@pytest.mark.parametrize(
    "page",
    [
        "personalfact/",
        "personalfact/add/",
        "auditrow/",
        "extractcursor/",
        "summarisecursor/",
        "workerheartbeat/",
        "apikey/",
        "apikey/add/",
    ],
)
def test_it_works(operator: Client, fact: PersonalFact, now: datetime, page: str) -> None:
    ExtractCursor.current(), SummariseCursor.current()
    WorkerHeartbeat.beat("memory.extract", now=now)
    ApiKey.objects.issue("kitchen tablet")
    response = operator.get(f"/admin/memory/{page}")
    assert response.status_code == 200
    assert "CAESAR memory" in text_of(response)


@pytest.mark.parametrize("page", [FACTS, f"{FACTS}add/", LOG, CURSOR, KEYS, f"{KEYS}add/"])
def test_no_page_has_anything_inline(operator: Client, fact: PersonalFact, page: str) -> None:
    page = operator.get(page).content.decode()
    assert not re.search(r"\son\w+=|\sstyle=|<style", page)
    assert not re.search(r"<script(?![^>]*\b(?:src|type=\"application/json\"))[^>]*>", page)


def test_the_queues_own_pages_stay(operator: Client) -> None:
    assert operator.get("/admin/django_q/schedule/").status_code == 200


# --- facts --------------------------------------------------------------------------------------------------------


def save(operator: Client, fact: PersonalFact, value: str, *, seen: str) -> HttpResponse:
    response: HttpResponse = operator.post(f"{FACTS}{fact.pk}/change/", {"value": value, "seen": seen}, follow=True)
    return response


def test_adding_a_fact_writes_one_audit_row(operator: Client) -> None:
    response = operator.post(f"{FACTS}add/", {"key": "Dog Name", "value": " Beans "}, follow=True)
    assert "was added successfully" in text_of(response)
    added = PersonalFact.objects.get()
    assert (added.key, added.value, added.confidence) == ("dog_name", "Beans", 1.0)
    assert [row.fact_key for row in rows(events.FactUserAdded)] == ["dog_name"]
    assert AuditRow.objects.count() == 1


def test_editing_a_fact_writes_one_audit_row(operator: Client, fact: PersonalFact) -> None:
    save(operator, fact, "Rex", seen="Beans")
    assert PersonalFact.objects.get().value == "Rex"
    assert [row.payload["new_value"] for row in rows(events.FactUserEdited)] == ["Rex"]


@pytest.mark.parametrize("value", ["Beans", "  Beans  "])
def test_saving_the_same_value_writes_nothing(operator: Client, fact: PersonalFact, value: str) -> None:
    before = AuditRow.objects.count()
    save(operator, fact, value, seen="Beans")
    assert AuditRow.objects.count() == before


def test_the_form_carries_the_value_it_was_opened_with(operator: Client, fact: PersonalFact) -> None:
    page = operator.get(f"{FACTS}{fact.pk}/change/").content.decode()
    assert re.search(r'<input type="hidden" name="seen" value="Beans"', page)
    assert "Your dog&#x27;s name is Beans." in page


def test_only_the_value_can_be_changed(operator: Client, fact: PersonalFact) -> None:
    page = operator.get(f"{FACTS}{fact.pk}/change/").content.decode()
    named = set(re.findall(r'<input type="(?:text|hidden)" name="([a-z_]+)"', page))
    assert named - {"csrfmiddlewaretoken", "_continue"} == {"value", "seen"}


@pytest.mark.parametrize(("value", "said"), [("", "required"), (" \u200b ", "is empty"), ("x" * 501, "501 characters")])
def test_a_refused_value_is_an_error_in_the_form(operator: Client, fact: PersonalFact, value: str, said: str) -> None:
    response = save(operator, fact, value, seen="Beans")
    assert response.status_code == 200
    assert said in text_of(response)
    assert PersonalFact.objects.get().value == "Beans"


def test_a_taken_key_is_an_error_in_the_form(operator: Client, fact: PersonalFact) -> None:
    response = operator.post(f"{FACTS}add/", {"key": "DOG.name", "value": "Rex"})
    assert response.status_code == 200
    assert "already exists" in text_of(response)
    assert PersonalFact.objects.get().value == "Beans"


def test_a_change_in_between_is_shown_and_a_second_save_keeps_mine(
    operator: Client, fact: PersonalFact, now: datetime
) -> None:
    fact.edit("Rex", now=now)
    response = save(operator, fact, "Max", seen="Beans")
    assert "It changed meanwhile to “Rex”. Save again to make it “Max”." in text_of(response)
    page = response.content.decode()
    assert 'name="value" value="Max"' in page
    assert 'name="seen" value="Rex"' in page
    assert len(rows(events.FactUserEdited)) == 1
    save(operator, fact, "Max", seen="Rex")
    assert PersonalFact.objects.get().value == "Max"
    assert len(rows(events.FactUserEdited)) == 2


def test_a_change_between_look_and_write_is_a_message(operator: Client, fact: PersonalFact) -> None:
    def rival(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT") and '"personal_facts"."key" = ' in sql:  # the look at the row inside the edit
            with connection.cursor() as cursor:
                cursor.execute("UPDATE personal_facts SET value = 'Rex'")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(rival):
        response = save(operator, fact, "Max", seen="Beans")
    assert "Not saved: dog.name changed meanwhile to “Rex”. Save again to make it “Max”." in text_of(response)
    assert rows(events.FactUserEdited) == []


def test_a_fact_that_vanished_is_a_message(operator: Client, fact: PersonalFact, now: datetime) -> None:
    fact.forget(now=now)
    response = save(operator, fact, "Rex", seen="Beans")
    assert response.status_code == 200
    assert "Perhaps it was deleted?" in text_of(response)


def test_deleting_a_fact_writes_one_audit_row(operator: Client, fact: PersonalFact) -> None:
    operator.post(f"{FACTS}{fact.pk}/delete/", {"post": "yes"})
    assert not PersonalFact.objects.exists()
    assert [row.fact_key for row in rows(events.FactUserDeleted)] == ["dog.name"]


def test_deleting_many_writes_one_audit_row_each(operator: Client, fact: PersonalFact, now: datetime) -> None:
    other = PersonalFact.objects.add("home.city", "Portland", now=now)
    chosen = {"action": "delete_selected", "_selected_action": [fact.pk, other.pk], "post": "yes"}
    operator.post(FACTS, chosen)
    assert not PersonalFact.objects.exists()
    assert {row.fact_key for row in rows(events.FactUserDeleted)} == {"dog.name", "home.city"}


def test_markup_in_a_fact_is_text(operator: Client, now: datetime) -> None:
    fact = PersonalFact.objects.add("note", "<script>alert(1)</script>", now=now)
    for page in (FACTS, f"{FACTS}{fact.pk}/change/", LOG, f"{LOG}{AuditRow.objects.get().pk}/change/"):
        assert b"<script>alert" not in operator.get(page).content


def test_who_may_only_look_changes_nothing(fact: PersonalFact) -> None:
    user = get_user_model().objects.create_user("guest", password="x", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__startswith="view_"))
    client = Client()
    client.force_login(user)
    assert client.get(f"{FACTS}{fact.pk}/change/").status_code == 200
    assert save(client, fact, "Rex", seen="Beans").status_code == 403
    ExtractCursor.current()
    assert "retry_next" not in client.get(CURSOR).content.decode()
    assert "revoke" not in client.get(KEYS).content.decode()
    assert client.get(f"{KEYS}add/").status_code == 403


# --- the log ------------------------------------------------------------------------------------------------------


def test_the_log_cannot_be_changed(operator: Client, fact: PersonalFact) -> None:
    row = AuditRow.objects.get()
    assert operator.get(f"{LOG}add/").status_code == 403
    assert operator.get(f"{LOG}{row.pk}/change/").status_code == 200
    assert operator.post(f"{LOG}{row.pk}/change/", {"event_type": "x"}).status_code == 403
    assert operator.post(f"{LOG}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in operator.get(LOG).content.decode()


def listed(operator: Client, query: str) -> list[int]:
    response = operator.get(f"{LOG}?{query}")
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def test_a_row_is_found_by_key_decision_and_chat(operator: Client, fact: PersonalFact, now: datetime) -> None:
    told = record_turn([Message(role="user", content="Hi")], "ok", now=now)
    about_fact, about_chat = rows(events.FactUserAdded)[0].pk, told.audit_log_id
    assert listed(operator, "q=dog.name") == listed(operator, "q=%20Dog.Name") == [about_fact]
    assert listed(operator, f"q={told.decision_id}") == [about_chat]
    assert listed(operator, f"q=%23{about_chat}") == [about_chat]
    assert listed(operator, "q=nothing") == listed(operator, f"q={10**30}") == []
    assert listed(operator, "q=") == listed(operator, "") == [about_chat, about_fact]


def test_rows_are_filtered_by_event(operator: Client, fact: PersonalFact, now: datetime) -> None:
    fact.edit("Rex", now=now)
    assert listed(operator, "event=memory.fact.user_edited") == [rows(events.FactUserEdited)[0].pk]


def dates_offered(operator: Client, query: str = "") -> list[str]:
    page = operator.get(f"{LOG}?{query}").content.decode()
    calendar = re.search(r'<nav class="toplinks">(.*?)</nav>', page, re.DOTALL)
    assert calendar
    return [words_in(link) for link in calendar[1].split("</a>") if words_in(link)]


def test_the_calendar_offers_only_what_has_rows(operator: Client) -> None:
    written = [
        datetime(2025, 12, 31, 23, 59),
        datetime(2026, 2, 28, 12),
        datetime(2026, 5, 1, 0, 0),
        datetime(2026, 5, 20, 9),
    ]
    for at in written:
        AuditRow.objects.record(events.ExtractRecovered(), now=timezone.make_aware(at))
    assert dates_offered(operator) == ["2025", "2026"]
    assert dates_offered(operator, "ts__year=2026") == ["‹ All dates", "February 2026", "May 2026"]
    assert dates_offered(operator, "ts__year=2026&ts__month=5") == ["‹ 2026", "May 1", "May 20"]
    assert len(listed(operator, "ts__year=2026&ts__month=5&ts__day=20")) == 1
    assert len(listed(operator, "ts__year=2026")) == 3


def test_an_empty_log_has_a_page(operator: Client) -> None:
    assert listed(operator, "") == []


# --- workers ------------------------------------------------------------------------------------------------------


TOLD = ("My dog's name is Beans.", "My cat's name is Tofu.")


def _said(words: str) -> list[Message]:
    return [Message(role="user", content=words)]


@pytest.fixture
def stuck(now: datetime) -> int:
    """A chat the worker is stuck at, one more waiting behind it."""
    first, _ = [record_turn(_said(words), "ok", now=now).audit_log_id for words in TOLD]
    with scripted_llm(httpx.Response(401, text="no")):
        learning.run(EXTRACTION, clock=lambda: now)
    OrmQ.objects.all().delete()
    return first


def test_a_stuck_worker_shows_where_and_why(operator: Client, stuck: int) -> None:
    page = text_of(operator.get(CURSOR))
    assert f"#{stuck}" in page
    assert re.search(rf"at #0 #{stuck} 2 1 .* Check the API key", page)
    detail = text_of(operator.get(f"{CURSOR}1/change/"))
    assert ExtractCursor.current().last_error in detail


def test_retry_ends_the_pause_and_wakes_the_worker(operator: Client, stuck: int, now: datetime) -> None:
    ExtractCursor.objects.update(nudged=False)
    with time_machine.travel(now + timedelta(seconds=1), tick=False):
        assert f"Chat #{stuck} is tried again now." in action(operator, CURSOR, "retry_next", 1)
    cursor = ExtractCursor.current()
    assert (cursor.attempts, cursor.next_try_at, cursor.nudged) == (0, None, True)


@pytest.mark.django_db(transaction=True)
def test_a_woken_worker_is_in_the_queue_once(operator: Client, stuck: int) -> None:
    ExtractCursor.objects.update(nudged=False)
    action(operator, CURSOR, "retry_next", 1)
    action(operator, CURSOR, "retry_next", 1)
    assert OrmQ.objects.count() == 1


def test_skip_gives_the_chat_up_with_one_audit_row(operator: Client, stuck: int) -> None:
    assert f"Chat #{stuck} is given up." in action(operator, CURSOR, "skip_next", 1)
    assert [row.chat_id for row in rows(events.ExtractAbandoned)] == [stuck]
    assert ExtractCursor.current().last_audit_id == stuck


def test_given_up_chats_are_asked_for_again(operator: Client, stuck: int) -> None:
    action(operator, CURSOR, "skip_next", 1)
    assert "1 given-up chats will be read again." in action(operator, CURSOR, "retry_given_up", 1)


def test_with_nothing_waiting_the_buttons_say_so(operator: Client) -> None:
    ExtractCursor.current()
    for name in ("retry_next", "skip_next"):
        assert "No chat is waiting." in action(operator, CURSOR, name, 1)


def test_a_cursor_is_not_edited_by_hand(operator: Client) -> None:
    ExtractCursor.current()
    assert operator.post(f"{CURSOR}1/change/", {"last_audit_id": 99}).status_code == 403
    assert operator.get(f"{CURSOR}add/").status_code == 403
    assert operator.post(f"{CURSOR}1/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("cursor", ["extractcursor", "summarisecursor"])
def test_each_worker_has_its_buttons(operator: Client, cursor: str) -> None:
    assert "retry_next" in operator.get(f"/admin/memory/{cursor}/").content.decode()


# --- keys ---------------------------------------------------------------------------------------------------------


def test_a_new_key_is_shown_once(operator: Client) -> None:
    page = text_of(operator.post(f"{KEYS}add/", {"label": "kitchen tablet"}, follow=True))
    found = re.search(r"The key of kitchen tablet, shown this once: (caesar_\S+)", page)
    assert found
    assert ApiKey.objects.verify(found[1], now=timezone.now()) == ApiKey.objects.get(label="kitchen tablet")
    assert found[1] not in operator.get(KEYS).content.decode()


def test_a_key_without_a_label_is_refused_in_the_form(operator: Client) -> None:
    response = operator.post(f"{KEYS}add/", {"label": "  "})
    assert "This field is required." in text_of(response)
    assert not ApiKey.objects.exists()


def test_a_key_is_revoked_and_never_deleted(operator: Client) -> None:
    issued = ApiKey.objects.issue("kitchen tablet")
    assert "Revoked." in action(operator, KEYS, "revoke", issued.row.pk)
    assert ApiKey.objects.verify(issued.secret, now=timezone.now()) is None
    assert operator.post(f"{KEYS}{issued.row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert operator.post(f"{KEYS}{issued.row.pk}/change/", {"label": "x"}).status_code == 403
