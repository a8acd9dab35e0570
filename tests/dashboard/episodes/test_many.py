"""With many episodes the page reads what it shows, by an index: no vector, no chat, and no more queries."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.episodes import rows
from dashboard.episodes.calendar import read_calendar
from dashboard.episodes.query_parameters import EpisodesQuery, Order
from dashboard.episodes.sparklines import read_sparklines
from memory import events
from memory.models import AuditRow, EpisodeSummary
from tests.conftest import Configure
from tests.dashboard.episodes.episode_rows import EPISODES, quoted, recall, told
from tests.dashboard.helpers import HEAD_QUERIES, get_page
from tests.plans import QueryPlan, query_plan

pytestmark = pytest.mark.django_db

OFTEN, CREATED, SPACE = (f"idx_episode_summaries_{name}" for name in ("often", "created", "space"))
MODES = ("record", "hybrid")


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest, configure: Configure) -> str:
    configure(memory__episodes_recall__mode=request.param)
    return str(request.param)


def fill(count: int, now: datetime) -> None:
    """Episodes, a quarter of an hour apart, every third recalled, every tenth without a summary."""
    for number in range(count):
        at = now - number * timedelta(minutes=15)
        if number % 10 == 9:
            quoted(f"My sledge {number} is red.", at)
        else:
            told(f"Number {number} about the boat.", at, recalls=[now] * (number % 3 == 0))


def read(operator: Client, query: str = "") -> list[str]:
    """The SQL that the page runs."""
    with CaptureQueriesContext(connection) as queries:
        get_page(operator, f"{EPISODES}?{query}")
    return [one["sql"] for one in queries]


@pytest.mark.parametrize("query", ["", "order=most", "order=never", "q=boat", "day=2026-05-20", "order=quoted"])
def test_more_episodes_take_no_more_queries(operator: Client, now: datetime, mode: str, query: str) -> None:
    fill(52, now)
    few = read(operator, query)
    fill(40, now - timedelta(days=3))
    assert len(read(operator, query)) <= len(few)
    assert len(few) <= 15 + HEAD_QUERIES


def test_no_vector_is_read_and_no_chat_that_has_a_summary(operator: Client, now: datetime, mode: str) -> None:
    fill(60, now)
    for query in ("", "order=most", "q=boat"):
        asked = read(operator, query)
        assert not [sql for sql in asked if '"embedding"' in sql or '"vectors"' in sql]
        payloads = [sql for sql in asked if '"audit_log"."payload"' in sql.partition(" FROM ")[0]]
        payloads = [sql for sql in payloads if "memory.fact.updated" not in sql]  # of the head: replaced edits
        assert len(payloads) == (mode == "hybrid" and not query.startswith("q"))
        assert not payloads or payloads[0].count(",") < 60, "only the few chats on the page that have no summary"


def plan(query: EpisodesQuery) -> QueryPlan:
    return query_plan(*rows.matching(query)[: rows.PAGE_SIZE + 1].query.sql_with_params())


@pytest.mark.parametrize(("order", "index"), [("newest", {CREATED}), ("most", {OFTEN}), ("never", {OFTEN, CREATED})])
def test_a_page_is_found_by_an_index_in_its_order(mode: str, order: Order, index: set[str]) -> None:
    found = plan(EpisodesQuery(order=order))
    assert found.indexes & index, found
    assert not found.scanned, found
    assert not found.sorts, found


@pytest.mark.parametrize("order", ["newest", "most", "never"])
def test_a_later_page_begins_at_its_place(now: datetime, mode: str, order: Order) -> None:
    place = told("One.", now)
    later = rows.matching(EpisodesQuery(order=order)).filter(rows.comes_after(place, by_recalls=order == "most"))
    found = query_plan(*later[:51].query.sql_with_params())
    assert found.sought & {OFTEN, CREATED}, found
    assert not found.sorts, found


def test_the_counts_read_an_index_alone(now: datetime, mode: str) -> None:
    fill(20, now)
    with CaptureQueriesContext(connection) as queries:
        counts = rows.read_counts()
    assert (counts.total, counts.recalls, counts.never) == ((20, 6, 14) if mode == "hybrid" else (18, 6, 12))
    found = query_plan(queries[0]["sql"].replace("%", "%%"), [])
    assert OFTEN in found.alone, found


def test_the_calendar_asks_once_and_reads_indexes(now: datetime, mode: str) -> None:
    fill(20, now)
    with CaptureQueriesContext(connection) as queries:
        read_calendar(EpisodesQuery(), now=now)
    assert len(queries) == 1
    if connection.vendor == "sqlite":  # PostgreSQL's own words name the index of each subquery, too deep to compare
        found = query_plan(queries[0]["sql"], None)
        assert SPACE in found.sought, found
        assert SPACE in found.alone, found
        assert not found.scanned & {"e", "episode_summaries", "audit_log"}, found


def test_a_search_looks_at_the_newest_five_hundred_rows_without_their_words(now: datetime) -> None:
    episode = told("About the boat.", now)
    with CaptureQueriesContext(connection) as queries:
        assert rows.chats_with("boat", (events.EpisodeSummarised,)) == {episode.audit_log_id}
    (asked,) = [one["sql"] for one in queries]
    assert asked.endswith("LIMIT 501")
    assert '"payload"' not in asked.partition(" FROM ")[0]


def test_recalls_are_looked_for_by_the_chats_of_the_page(now: datetime) -> None:
    for number in range(40):
        told(f"Number {number}.", now, recalls=[now])
    page = list(EpisodeSummary.objects.all())
    with CaptureQueriesContext(connection) as queries:
        read_sparklines(page, now=now)
    (asked,) = [one["sql"] for one in queries]
    found = query_plan(asked, None)
    assert any("chat_id" in index for index in found.sought), found
    assert '"payload"' not in asked


def test_recalls_are_counted_by_the_database(operator: Client, now: datetime) -> None:
    episode = told("One.", now - timedelta(days=9))
    few = read(operator)
    for number in range(40):
        recall(episode, now - timedelta(hours=number))
    many = read(operator)
    assert len(many) == len(few) + 1
    assert AuditRow.objects.filter(event_type="memory.episode.recalled").count() == 40
    assert EpisodeSummary.objects.get().recall_count == 40
