"""Calls and tokens of 30 days on the page of models."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.language_models.usage_chart import HEIGHT, read_usage
from memory.models import ModelUsage
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


def test_it_is_one_query_however_much_there_is(now: datetime) -> None:
    for back in range(60):
        for task in ("chat", "memory_extract"):
            ModelUsage.objects.add_one(task, now=now - timedelta(days=back), input_tokens=1, output_tokens=1)
    with CaptureQueriesContext(connection) as queries:
        read_usage(now)
    assert len(queries) == 1
