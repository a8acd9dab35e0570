"""The chart of the last 30 days."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.overview.activity_chart import read_activity_chart
from memory import events
from memory.models import AuditRow
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, learn_fact, newest_row_id, record_chat, visible_text
from tests.dashboard.overview.states import OVERVIEW
from tests.plans import query_plan

pytestmark = pytest.mark.django_db


def days_of(label: str, now: datetime) -> dict[str, int]:
    """{day: count} of one line, where there is something."""
    line = next(line for line in read_activity_chart(now).lines if line.label == label)
    return {bar.day.isoformat(): bar.count for bar in line.bars if bar.count}


def test_a_day_begins_at_the_operators_midnight(operator: Client, now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")  # two hours ahead: there 20 May began at 22:00 of the 19th
    record_chat("before", now=datetime(2026, 5, 19, 21, 59, tzinfo=UTC))
    record_chat("after", now=datetime(2026, 5, 19, 22, 1, tzinfo=UTC))
    assert "1 chat today since midnight, Europe/Rome" in visible_text(get_page(operator, OVERVIEW))


def test_each_day_counts_what_happened_on_it(now: datetime) -> None:
    long_ago, first, last = now - timedelta(days=30), now - timedelta(days=29), now
    for moment in (long_ago, first, first, last):
        record_chat(f"at {moment} {newest_row_id()}", now=moment)
    learn_fact("dog.name", "Beans", now=last)
    AuditRow.objects.record(events.ChatFailed(error="x", kind="x"), now=last)
    assert days_of("Chats", now) == {"2026-04-21": 2, "2026-05-20": 2}
    assert days_of("Learned", now) == {"2026-05-20": 1}
    assert days_of("Recalled", now) == {}
    assert days_of("Failed tries", now) == {"2026-05-20": 1}


def test_days_end_where_the_clocks_change(now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")  # on 29 March 2026 the day has 23 hours there
    for day, hour in ((28, 22), (28, 23), (29, 21), (29, 22)):
        record_chat(f"{day} {hour}", now=datetime(2026, 3, day, hour, 30, tzinfo=UTC))
    counts = days_of("Chats", datetime(2026, 4, 2, tzinfo=UTC))
    assert counts == {"2026-03-28": 1, "2026-03-29": 2, "2026-03-30": 1}


def test_the_strip_is_one_query_over_indexes(now: datetime) -> None:
    record_chat("hello", now=now)
    with CaptureQueriesContext(connection) as queries:
        strip = read_activity_chart(now)
    assert len(queries) == 1
    assert (len(strip.days), strip.days[-1], strip.chats_today) == (30, now.date(), 1)
    plan = query_plan(queries[0]["sql"])
    assert "audit_log" not in plan.scanned, plan
    if connection.vendor == "sqlite":  # with no rows, PostgreSQL takes any of three indexes that begin with the type
        assert "idx_audit_type" in plan.alone, plan


def test_the_drawing_and_the_table_say_the_same(operator: Client, now: datetime) -> None:
    for number in range(10):
        record_chat(f"hello {number}", now=now - timedelta(days=1))
    record_chat("hello", now=now)
    response = get_page(operator, OVERVIEW)
    drawing = find_elements(response, "svg", role="group")
    assert [svg["aria-label"].split(":")[0] for svg in drawing] == ["Chats", "Learned", "Recalled", "Failed tries"]
    assert drawing[0]["aria-label"] == "Chats: 11 in 30 days, 10 on the fullest day"
    heights = [float(rect["height"]) for rect in find_elements(response, "rect", class_="fill")]
    assert heights == [60.0, 19.0], "the height grows with the square root: 60 x sqrt(1/10)"
    assert "Wed 20 May 1 0 0 0 Tue 19 May 10 0 0 0" in visible_text(response)
