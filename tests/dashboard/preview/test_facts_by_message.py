"""The preview where messages bring facts in: which of them came by what, as a turn would have it."""

from datetime import datetime, timedelta
from itertools import count
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from dashboard.preview.comparison import compare_scenarios
from dashboard.preview.scenarios import Scenario
from memory import chat
from memory.events import Message
from tests.conftest import Configure
from tests.dashboard.helpers import create_facts, get_page, learn_fact, visible_text
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

MESSAGE = "What does Bowser eat?"
_models = count()


@pytest.fixture(autouse=True)
def mixed(configure: Configure, memory_on: None) -> None:
    configure(memory__facts__selection="mixed")


def asked(operator: Client, message: str = MESSAGE, **knobs: object) -> str:
    return visible_text(get_page(operator, f"/dashboard/preview?{urlencode({'message': message, **knobs})}"))


def know(now: datetime) -> None:
    create_facts(40, now=now)
    learn_fact("dog.name", "Bowser", now=now - timedelta(days=300))


def test_it_says_what_brought_each_fact_in(operator: Client, now: datetime) -> None:
    know(now)
    text = asked(operator)
    assert "11 Your dog's name is Bowser." in text
    assert "sure · by the message: 0.60 words" in text
    assert text.count("· by importance") == 37, "ten, the twenty behind the dog, and the next eight"
    assert "By the message's words alone: switched off: CAESAR_SEMANTIC__ENABLED." in text
    assert "Below this line nothing goes in: 30 facts are the most it takes" in text
    assert "3 more, less relevant." in text


def test_it_is_the_prompt_that_a_turn_gets(now: datetime) -> None:
    know(now)
    with scripted_embedder(model=f"preview-{next(_models)}") as embedder:
        current = Scenario(settings.CAESAR.memory, now)
        shown = compare_scenarios(MESSAGE, current, current)
        assert embedder.texts.count(MESSAGE) == 1, "for facts and past conversations in both scenarios"
        prompt = compose_turn([Message(role="user", content=MESSAGE)], use=chat.MemoryUse(), now=now).system_prompt
    assert shown.now.prompt == shown.tried.prompt == prompt
    assert shown.facts[10].relevance is not None
    assert shown.facts[10].relevance.cosine is not None


def test_other_settings_are_tried(operator: Client, now: datetime) -> None:
    know(now)
    text = asked(operator, max_facts=11)
    assert "Below this line nothing goes in: 11 facts are the most it takes" in text
    assert "19 lines removed" in text


def test_without_a_message_facts_go_by_importance(operator: Client, now: datetime) -> None:
    know(now)
    assert "by the message:" not in asked(operator, "")


def test_by_importance_nothing_is_said_of_it(operator: Client, now: datetime, configure: Configure) -> None:
    know(now)
    configure(memory__facts__selection="importance")
    text = asked(operator)
    assert "by importance" not in text
    assert "by the message" not in text.lower()
