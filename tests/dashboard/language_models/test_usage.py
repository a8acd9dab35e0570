"""Calls and tokens of 30 days on the page of models."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from caesar.setting_types import ModelPrice
from dashboard.language_models.usage_chart import HEIGHT, read_usage
from memory import events
from memory.models import AuditRow, ModelUsage
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db

MODELS = "/dashboard/models"


def test_it_works(operator: Client, now: datetime) -> None:
    ModelUsage.objects.add("chat", now=now, calls=3, unreported=1, input_tokens=1200, output_tokens=300)
    ModelUsage.objects.add("memory_extract", now=now, calls=1, unreported=0, input_tokens=7, output_tokens=1)
    page = get_page(operator, MODELS)
    text = visible_text(page)
    assert "3 calls" in text
    assert "1,200 tokens in, 300 out ; 1 call without a count" in text.replace("out;", "out ;")
    drawings = [one["aria-label"] for one in find_elements(page, "svg", role="img")]
    assert drawings == [f"{task}, {what} a day" for task in ("Chat", "Learning facts") for what in ("calls", "tokens")]


def test_the_highest_day_fills_the_height_and_the_lowest_is_seen(now: datetime) -> None:
    for back, calls in ((0, 1000), (1, 500), (29, 1)):
        day = now - timedelta(days=back)
        ModelUsage.objects.add("chat", now=day, calls=calls, unreported=0, input_tokens=0, output_tokens=0)
    (chat,) = read_usage(now).tasks
    assert [bar.height for bar in chat.calls if bar.count] == [2.0, HEIGHT / 2, HEIGHT]
    assert (chat.calls[0].x, len(chat.calls)) == (0, 30)
    assert chat.calls[-1].x + chat.calls[-1].width <= 100


def test_nothing_yet_is_said(operator: Client) -> None:
    assert "No model has answered yet" in visible_text(get_page(operator, MODELS))


def test_it_is_two_queries_however_much_there_is(now: datetime) -> None:
    for back in range(60):
        for task in ("chat", "memory_extract"):
            ModelUsage.objects.add_one(task, now=now - timedelta(days=back), input_tokens=1, output_tokens=1)
    with CaptureQueriesContext(connection) as queries:
        read_usage(now)
    assert len(queries) == 2


def chat_of(model: str, now: datetime, *, provider: str = "openai") -> None:
    said = [events.Message(role="user", content="hello")]
    used = events.Usage(input_tokens=2_000_000, output_tokens=100_000)
    chat = events.ChatCompleted(messages=said, reply="hi", model=model, provider=provider, usage=used)
    AuditRow.objects.record(chat, now=now)
    ModelUsage.objects.add_one("chat", now=now, input_tokens=2_000_000, output_tokens=100_000)


def test_this_month_says_which_model_took_how_much(operator: Client) -> None:
    chat_of("gpt-4o-mini-2024-07-18", timezone.now())
    text = visible_text(get_page(operator, MODELS))
    assert "gpt-4o-mini-2024-07-18 Chat 1 2,000,000 100,000" in text
    assert "CAESAR_LLM__PRICES=gpt-4o-mini-2024-07-18=0.15/0.60" in text
    assert "last answered" in text
    assert "by gpt-4o-mini-2024-07-18" in text


def test_with_prices_the_month_and_the_bars_say_what_it_cost(operator: Client, configure: Configure) -> None:
    configure(llm__prices=[ModelPrice("gpt-4o-mini", 0.15, 0.6), ModelPrice("other", 1, 2)])
    chat_of("gpt-4o-mini-2024-07-18", timezone.now())
    text = visible_text(get_page(operator, MODELS))
    assert "This month: 0.36" in text
    assert "2,000,000 tokens in, 100,000 out, 0.36" in text
    assert "CAESAR_LLM__PRICES" not in text


def test_the_month_begins_on_its_first_day_and_a_chat_of_another_server_is_none_of_ours(now: datetime) -> None:
    chat_of("gpt-a", now.replace(day=1))
    chat_of("gpt-a", now.replace(day=1) - timedelta(days=1))
    chat_of("theirs", now, provider="")
    (month,) = read_usage(now).month.models
    assert (month.model, month.calls, month.cost) == ("gpt-a", 2, None)
