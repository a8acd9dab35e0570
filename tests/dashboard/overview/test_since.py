"""What has changed since the operator looked last."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from dashboard.overview.since import read_since
from memory.models import LastLook, PersonalFact
from tests.dashboard.helpers import find_elements, get_page, learn_fact, record_chat, visible_text
from tests.dashboard.overview.states import OVERVIEW, mark_all_read

pytestmark = pytest.mark.django_db


def test_it_works(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(hours=2))
    mark_all_read()
    text = visible_text(get_page(operator, OVERVIEW))
    assert "In the last day Learned 1." in text
    assert "Learned Your dog's name is Beans." in text


def test_only_what_came_after_the_last_look(now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(hours=5))
    learn_fact("home.city", "Oslo", now=now - timedelta(hours=1))
    learn_fact("home.city", "Rome", now=now - timedelta(minutes=30))
    since = read_since(now - timedelta(hours=3), now)
    assert since.totals == "Learned 1, changed 1."
    assert [change.entry.row.fact_key for change in since.changes] == ["home.city", "home.city"]
    assert [change.fact is not None for change in since.changes] == [True, False], "a fact is edited at one place"
    assert read_since(now, now).changes == ()


def test_more_than_is_shown_is_counted(now: datetime) -> None:
    for number in range(11):
        learn_fact(f"note.{number}", f"thing {number}", now=now - timedelta(hours=1))
    since = read_since(None, now)
    assert (len(since.changes), since.more) == (8, 3)


def test_a_look_is_half_an_hour_long_and_the_next_one_begins_where_it_ended(now: datetime) -> None:
    account = get_user_model()._default_manager.create_user("anna")
    minutes = [0, 20, 40, 200, 210]
    seen = [LastLook.look(account.pk, now=now + timedelta(minutes=at)) for at in minutes]
    ended = now + timedelta(minutes=40)
    assert seen == [None, None, None, ended, ended]


def test_each_account_has_its_own(now: datetime) -> None:
    anna, bob = (get_user_model()._default_manager.create_user(name) for name in ("anna", "bob"))
    LastLook.look(anna.pk, now=now - timedelta(days=1))
    assert LastLook.look(bob.pk, now=now) is None
    assert LastLook.look(anna.pk, now=now) == now - timedelta(days=1)


def test_edit_and_delete_in_place(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator, OVERVIEW)
    actions = [form["action"] for form in find_elements(response, "form")]
    edit = next(action for action in actions if action.startswith("/dashboard/facts/edit"))
    answer = operator.post(edit, {"value": "Bowser", "seen": "Beans", "next": OVERVIEW})
    assert answer["Location"] == OVERVIEW
    assert PersonalFact.objects.get(key="dog.name").value == "Bowser"
    delete = next(action for action in actions if action.startswith("/dashboard/facts/delete?"))
    assert operator.post(delete, {"next": OVERVIEW})["Location"] == OVERVIEW
    assert not PersonalFact.objects.exists()


def test_what_the_operator_did_can_be_undone_there(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=5)).edit("Bowser", now=now)
    response = get_page(operator, OVERVIEW)
    undo = [form["action"] for form in find_elements(response, "form") if form["action"].endswith("/undo")]
    assert operator.post(undo[0], {"next": OVERVIEW})["Location"] == OVERVIEW
    assert PersonalFact.objects.get(key="dog.name").value == "Beans"


def test_a_chat_alone_changes_nothing(operator: Client, now: datetime) -> None:
    record_chat("How are you?", now=now)
    mark_all_read()
    assert "Nothing was learned or changed." in visible_text(get_page(operator, OVERVIEW))
