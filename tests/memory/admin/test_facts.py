"""Facts in Django's admin: the same verbs as everywhere, one audit row for each change."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from memory import events
from memory.models import AuditRow, ExtractCursor, PersonalFact
from tests.memory.admin.admin_helpers import CURSOR, FACTS, KEYS, LOG, rows, text_of

pytestmark = pytest.mark.django_db


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


def test_who_may_only_look_changes_nothing(viewer: Client, fact: PersonalFact) -> None:
    assert viewer.get(f"{FACTS}{fact.pk}/change/").status_code == 200
    assert save(viewer, fact, "Rex", seen="Beans").status_code == 403
    ExtractCursor.current()
    assert "retry_next" not in viewer.get(CURSOR).content.decode()
    assert "revoke" not in viewer.get(KEYS).content.decode()
    assert viewer.get(f"{KEYS}add/").status_code == 403


@pytest.mark.parametrize(
    ("action", "event", "said"),
    [
        ("confirm", events.FactUserConfirmed, "1 confirmed."),
        ("keep", events.FactUserKept, "1 kept."),
        ("unkeep", events.FactUserUnkept, "1 kept no longer."),
    ],
)
def test_it_is_confirmed_and_kept_by_the_same_verbs(
    operator: Client, fact: PersonalFact, now: datetime, action: str, event: type[events.Event], said: str
) -> None:
    if action == "unkeep":
        fact.keep(now=now)
    response = operator.post(FACTS, {"action": action, "_selected_action": [fact.pk]}, follow=True)
    assert said in text_of(response)
    assert len(rows(event)) == 1


def test_changes_are_undone_in_the_log(operator: Client, fact: PersonalFact, now: datetime) -> None:
    first, second = fact.edit("Rex", now=now), fact.edit("Max", now=now)
    assert first is not None
    assert second is not None
    chosen = {"action": "undo", "_selected_action": [first.pk, second.pk]}
    assert "2 undone." in text_of(operator.post(LOG, chosen, follow=True))
    assert PersonalFact.objects.get().value == "Beans"
    assert "0 undone." in text_of(operator.post(LOG, chosen, follow=True))
