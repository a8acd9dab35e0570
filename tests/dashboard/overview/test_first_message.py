"""A message typed into the overview, and the first steps of a new installation."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from dashboard.overview.summary import read_summary
from memory import learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow, LearningSwitch, WorkerHeartbeat
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, newest_row_id, record_chat, visible_text
from tests.dashboard.overview.states import HTMX, OVERVIEW, mark_all_read
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


def test_an_empty_installation_shows_three_steps_and_a_box(operator: Client, now: datetime) -> None:
    response = get_page(operator, OVERVIEW)
    assert read_summary(now).is_new
    assert len(find_elements(response, "h1")) == 1
    assert "Nothing is remembered yet." in visible_text(response)
    assert visible_text(response).count("Make a key") == 1
    assert find_elements(response, "textarea", name="message", id="message")
    assert find_elements(response, "label", for_="message")
    assert not find_elements(response, "table")


def test_a_first_message_is_a_chat_without_a_reply(operator: Client, now: datetime) -> None:
    answer = operator.post("/dashboard/say", {"message": "By the way, my dog's name is Beans."})
    row = AuditRow.objects.get()
    assert answer["Location"] == f"/dashboard/?said={row.pk}"
    assert row.completed.reply == ""
    assert row.completed.model == ""
    assert row.completed.learn
    assert row.completed.new_messages == [0]
    response = get_page(operator, answer["Location"])
    assert "Being read" in visible_text(response)
    assert "my dog's name is Beans" in visible_text(response)
    asking = find_elements(response, "section", id="said")[0]
    assert asking["hx-get"] == f"/dashboard/said/{row.pk}"
    assert find_elements(response, "a", href=answer["Location"]), "without script the page can be asked for again"


def test_it_asks_again_until_it_was_read(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "By the way, my dog's name is Beans."})
    chat_id = newest_row_id()
    address = f"/dashboard/said/{chat_id}"
    assert find_elements(operator.get(address, headers=HTMX), "section", id="said", hx_get=address)
    with scripted_llm('[{"key": "dog.name", "value": "Beans", "confidence": 0.9}]'):
        learning.run(EXTRACTION, clock=lambda: now)
    response = operator.get(address, headers=HTMX)
    assert "Remembered" in visible_text(response)
    assert "Your dog's name is Beans. dog.name" in visible_text(response)
    assert "hx-get" not in find_elements(response, "section", id="said")[0].attributes
    assert find_elements(response, "a", href="/dashboard/facts")
    assert operator.get(address)["Location"] == f"/dashboard/?said={chat_id}"


def test_where_nothing_was_learned_it_says_so_and_lets_you_try_again(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "What is the time?"})
    chat_id = newest_row_id()
    with scripted_llm("[]"):
        learning.run(EXTRACTION, clock=lambda: now)
    response = get_page(operator, f"/dashboard/?said={chat_id}")
    assert "Nothing in it was worth keeping" in visible_text(response)
    assert find_elements(response, "textarea", name="message")
    operator.post("/dashboard/say", {"message": "What is the time?"})
    learning.run(EXTRACTION, clock=lambda: now)
    assert "You said exactly that before" in visible_text(get_page(operator, f"/dashboard/?said={newest_row_id()}"))


def test_it_says_why_a_message_is_not_read_soon(operator: Client, now: datetime, configure: Configure) -> None:
    mark_all_read()
    operator.post("/dashboard/say", {"message": "I like figs."})
    address = f"/dashboard/?said={newest_row_id()}"
    WorkerHeartbeat._default_manager.update(at=now - timedelta(hours=1))
    assert "No worker is running to read it." in visible_text(get_page(operator, address))
    LearningSwitch.pause(now=now)
    assert "it is read once you resume" in visible_text(get_page(operator, address))
    configure(memory__facts_extract__enabled=False, memory__episodes_summarise__enabled=False)
    assert "Learning is off in the settings, so nobody reads it." in visible_text(get_page(operator, address))


@pytest.mark.parametrize("message", ["", "   \n ", "\0"])
def test_nothing_is_refused_at_the_field(operator: Client, message: str) -> None:
    response = operator.post("/dashboard/say", {"message": message})
    assert response.status_code == 422
    field = find_elements(response, "textarea", name="message")[0]
    assert field["aria-invalid"] == "true"
    assert "message-error" in field["aria-describedby"].split()
    assert "Write a sentence" in visible_text(response)
    assert not AuditRow.objects.exists()


def test_nothing_said_where_memory_is_not_empty_is_refused_at_the_field_too(operator: Client, now: datetime) -> None:
    record_chat("hello", now=now)
    response = operator.post("/dashboard/say", {"message": ""})
    assert response.status_code == 422
    assert find_elements(response, "textarea", aria_invalid="true")


@pytest.mark.parametrize("said", ["0", "-1", "x", "999", "9" * 30])
def test_what_was_not_said_shows_nothing(operator: Client, now: datetime, said: str) -> None:
    record_chat("hello", now=now)
    assert not find_elements(get_page(operator, f"/dashboard/?said={said}"), id="said")


def test_markup_in_a_message_is_text(operator: Client, now: datetime) -> None:
    operator.post("/dashboard/say", {"message": "I am <img src=x onerror=alert(1)> and \u202eold"})
    response = get_page(operator, f"/dashboard/?said={newest_row_id()}")
    assert not find_elements(response, "img")
    assert "<img src=x onerror=alert(1)>" in visible_text(response)
    assert "\u202e" not in visible_text(response)


def test_a_message_of_the_api_can_be_looked_at_the_same_way(operator: Client, now: datetime) -> None:
    recorded = record_turn([Message(role="user", content="hi")], "hello", now=now)
    assert "hi" in visible_text(get_page(operator, f"/dashboard/?said={recorded.audit_log_id}"))
