"""A turn of several rows on the pages, and what in a chat counted as new (decisions 25, 26)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import AuditRow
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

QUESTION = "Which colour for the narrow hall?"


def page(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_turn_stands_on_the_timeline_once_with_its_steps(operator: Client, now: datetime) -> None:
    first = record_turn([user(QUESTION)], "Orange.", now=now).audit_log_id
    second = record_turn([user(QUESTION)], "Sage green.", now=now + timedelta(minutes=1)).audit_log_id
    timeline = page(operator, "audit")
    assert f'href="{reverse("event", args=[first])}"' in timeline
    assert f'href="{reverse("event", args=[second])}"' not in timeline
    assert "and 1 more step" in timeline
    assert f"chat&nbsp;{second}" in page(operator, "audit", q="sage green")


def test_its_page_says_which_answer_counts(operator: Client, now: datetime) -> None:
    first = record_turn([user(QUESTION)], "Orange.", now=now).audit_log_id
    for minute, reply in enumerate(["Grey.", "Sage green."], 1):
        record_turn([user(QUESTION)], reply, now=now + timedelta(minutes=minute))
    shown = page(operator, "event", first)
    assert '<span class="tag">the answer that counts</span> “Sage green.”' in shown
    assert shown.count("the answer that counts") == 1
    step = page(operator, "event", AuditRow.objects.get_queryset().chats().latest("id").pk)
    assert f'goes on with the turn of <a href="{reverse("event", args=[first])}">chat {first}</a>' in step
    assert f"word for word, in chat {first}" in step


def test_what_counted_as_new_can_be_seen(operator: Client, now: datetime) -> None:
    first = record_turn([user("I live in Portland.")], "Nice.", now=now).audit_log_id
    merged = "I live in Portland.\n\nMy cat is Zoé."
    row = record_turn([user(merged)], "ok", now=now + timedelta(hours=6)).audit_log_id
    shown = page(operator, "event", row)
    heard = f'first in</span> <a href="{reverse("event", args=[first])}">chat&nbsp;{first}</a>'
    assert f'“I live in Portland.” <span class="muted">heard before, {heard}' in shown
    assert '“My cat is Zoé.” <span class="tag">new words</span>' in shown
    assert "What counted as new" not in page(operator, "event", first)


def test_words_of_an_unknown_time_say_so(operator: Client, now: datetime) -> None:
    history = [user("I live in Portland."), assistant("Nice."), user(QUESTION)]
    shown = page(operator, "event", record_turn(history, "ok", now=now).audit_log_id)
    assert "said before this turn; nobody knows when" in shown
