"""What needs the operator: facts about to leave the prompt, replaced edits, reviews, failed chats, paused learning."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from dashboard.shared.health import read_health
from dashboard.shared.needs.reading import Needs, read_needs
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, LearningSwitch, PersonalFact, WaitingFact
from memory.text import normalising
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, learn_fact, record_chat, visible_text
from tests.dashboard.overview.states import OVERVIEW, health_shown, mark_all_read

pytestmark = pytest.mark.django_db


def needs_at(now: datetime) -> Needs:
    return read_needs(now, read_health(now))


def full_prompt(now: datetime, configure: Configure, *, oldest: str = "health.allergy") -> None:
    """A prompt of five facts that is full; four of them were learned in the last 30 days."""
    configure(memory__facts__max_injected=5)
    learn_fact(oldest, "penicillin", now=now - timedelta(days=40))
    for number in range(4):
        learn_fact(f"note.{number}", f"thing {number}", now=now - timedelta(days=20 - number))


def waiting(key: str, value: str, now: datetime) -> None:
    chat = record_chat("Something.", now=now)
    WaitingFact.objects.wait([normalising.Claim(key, value, 0.9, quote="never said")], chat=chat, now=now)


def test_where_all_is_well_there_is_nothing(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    mark_all_read()
    response = get_page(operator, OVERVIEW)
    assert "Needs you" not in visible_text(response)
    assert health_shown(response) == ("is-well", "Learning, all caught up")


def test_a_fact_that_leaves_within_two_weeks(operator: Client, now: datetime, configure: Configure) -> None:
    full_prompt(now, configure)
    mark_all_read()
    first = needs_at(now).leaving_shown[0]
    # One newer fact is enough, and four others were learned in 30 days: in seven days and a half.
    assert (first.fact.key, first.newer_needed, first.leaves_at) == ("health.allergy", 1, now + timedelta(days=7.5))
    response = get_page(operator, OVERVIEW)
    assert "leaves the prompt about 27 May." in visible_text(response)
    assert health_shown(response)[0] == "is-needed"
    labels = [button["aria-label"] for button in find_elements(response, "button") if "aria-label" in button.attributes]
    mine = [label for label in labels if "health.allergy" in label]
    assert mine[:2] == ["Keep fact health.allergy in the prompt", "Still true: fact health.allergy"]


def test_a_prompt_with_room_loses_nothing(now: datetime) -> None:
    for number in range(5):
        learn_fact(f"note.{number}", f"thing {number}", now=now)
    assert needs_at(now).count == 0


@pytest.mark.parametrize("verb", ["keep", "confirm", "let-go"])
def test_each_answer_settles_it(operator: Client, now: datetime, configure: Configure, verb: str) -> None:
    full_prompt(now, configure)
    answer = operator.post(f"/dashboard/facts/{verb}", {"key": "health.allergy", "next": OVERVIEW})
    assert answer["Location"] == OVERVIEW
    leaving = [item.fact.key for item in needs_at(now).leaving]
    assert "health.allergy" not in leaving
    assert PersonalFact.objects.filter(key="health.allergy").exists()


def test_what_was_let_go_is_asked_about_again_once_it_was_confirmed(
    operator: Client, now: datetime, configure: Configure
) -> None:
    full_prompt(now, configure)
    operator.post("/dashboard/facts/let-go", {"key": "health.allergy"})
    row = AuditRow.objects.filter(event_type="memory.fact.user_let_go").get()
    operator.post(f"/dashboard/audit/{row.pk}/undo")
    assert "health.allergy" in [item.fact.key for item in needs_at(now).leaving]


def test_an_edit_that_newer_words_replaced(operator: Client, now: datetime) -> None:
    fact = learn_fact("preference.mornings", "at eight", now=now - timedelta(days=3))
    fact.edit("at seven", now=now - timedelta(days=2))
    assert not needs_at(now).replaced
    learn_fact("preference.mornings", "at six", now=now - timedelta(days=1))
    (replaced,) = needs_at(now).replaced
    assert (replaced.was, replaced.fact.value) == ("at seven", "at six")
    assert "preference.mornings : your “at seven” became “at six”." in visible_text(get_page(operator, OVERVIEW))
    operator.post(f"/dashboard/audit/{replaced.edit.pk}/back-to", {"seen": "at six", "next": OVERVIEW})
    assert PersonalFact.objects.get(key="preference.mornings").value == "at seven"
    assert not needs_at(now).replaced


def test_the_newer_one_may_be_right(operator: Client, now: datetime) -> None:
    learn_fact("preference.mornings", "at eight", now=now - timedelta(days=3)).edit(
        "at seven", now=now - timedelta(days=2)
    )
    learn_fact("preference.mornings", "at six", now=now - timedelta(days=1))
    operator.post("/dashboard/facts/confirm", {"key": "preference.mornings", "next": OVERVIEW})
    assert not needs_at(now).replaced
    assert PersonalFact.objects.get(key="preference.mornings").value == "at six"


def test_what_chats_say_of_what_chats_said_needs_nobody(now: datetime) -> None:
    learn_fact("home.city", "Rome", now=now - timedelta(days=2))
    learn_fact("home.city", "Oslo", now=now - timedelta(days=1))
    assert not needs_at(now).replaced


def test_everything_else_is_a_line_each(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    waiting("dog.weight", "14 kilos", now)
    waiting("dog.food", "dry", now)
    failed = record_chat("I like figs.", now=now)
    AuditRow.objects.record(SUMMARY.failed_event(failed, "x", kind="x"), now=now, chat=failed)
    mark_all_read()
    assert needs_at(now).count == 2
    response = get_page(operator, OVERVIEW)
    assert "2 facts wait for your review: “dog.weight: 14 kilos” and 1 more." in visible_text(response)
    assert "1 chat was not summed up" in visible_text(response)
    assert health_shown(response) == ("is-needed", "2 need you")
    assert health_shown(get_page(operator, "/dashboard/facts")) == ("is-needed", "2 need you")
    LearningSwitch.pause(now=now)
    assert needs_at(now).count == 3
    assert "You paused learning" in visible_text(get_page(operator, OVERVIEW))


def test_more_that_leave_are_a_list_of_their_own_the_next_first(
    operator: Client, now: datetime, configure: Configure
) -> None:
    full_prompt(now, configure)
    learn_fact("note.9", "thing 9", now=now - timedelta(days=9))
    for number in range(20):
        learn_fact(f"late.{number}", "x", now=now - timedelta(days=1)).forget(now=now)
    leaving = [item.fact.key for item in needs_at(now).leaving]
    assert len(leaving) > 3
    response = get_page(operator, OVERVIEW)
    more = next(link for link in find_elements(response, "a") if "only=leaving" in link["href"])
    page = get_page(operator, more["href"])
    labels = [link.attributes.get("aria-label", "") for link in find_elements(page, "a")]
    shown = [label.removeprefix("Edit fact ") for label in labels if label.startswith("Edit fact ")]
    assert shown == leaving
    text = visible_text(page)
    assert f"leaving soon {len(leaving)}" in text
    assert text.count("leaves about") == len(leaving)
