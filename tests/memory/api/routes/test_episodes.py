"""/v1/memory/episodes: newest first by keyset, deleted by emptying (ADR-0034 §1; decisions 38, 37)."""

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.api.routes.episodes import Place, newest
from memory.models import AuditRow, DeletedEpisode, EpisodeSummary
from tests.conftest import ApiClient
from tests.memory.chat_helpers import past_chat, past_episode
from tests.plans import query_plan

pytestmark = pytest.mark.usefixtures("frozen_clock")

EPISODES = "/v1/memory/episodes"
SLEEP = "We discussed the operator's sleep trouble."


def episode(summary: str, at: datetime) -> int:
    """The `audit_log_id` of a new episode."""
    return past_episode(summary, at).audit_log_id


def skipped(at: datetime) -> int:
    row = past_chat(at)
    EpisodeSummary.objects.skip(row, reason="trivial", now=at)
    return row.pk


def listed(api: ApiClient, query: str = "") -> list[int]:
    return [item["audit_log_id"] for item in api.get(f"{EPISODES}?{query}").json()["data"]]


def test_it_works(api: ApiClient, now: datetime) -> None:
    first = episode(SLEEP, now - timedelta(days=3))
    EpisodeSummary.objects.bump([EpisodeSummary.objects.get().pk], now=now)
    assert api.get(EPISODES).json() == {
        "data": [
            {
                "audit_log_id": first,
                "summary": SLEEP,
                "model": "openai:m",
                "created_at": "2026-05-17T09:00:00Z",
                "last_recalled_at": "2026-05-20T09:00:00Z",
                "recall_count": 1,
            }
        ],
        "next": None,
    }


def test_newest_come_first_by_the_time_of_their_chats(api: ApiClient, now: datetime) -> None:
    days = {number: episode(f"Day {number}.", now - timedelta(days=number)) for number in (2, 0, 3, 1)}
    assert listed(api) == [days[number] for number in range(4)]


def test_chats_of_one_moment_come_newest_row_first(api: ApiClient, now: datetime) -> None:
    ids = [episode(f"Number {number}.", now) for number in range(3)]
    assert listed(api) == ids[::-1]


def test_empty_rows_are_left_out_unless_asked_for(api: ApiClient, now: datetime) -> None:
    told, trivial = episode(SLEEP, now), skipped(now)
    assert listed(api) == [told]
    assert listed(api, "empty=true") == [trivial, told]
    empty = api.get(f"{EPISODES}?empty=true").json()["data"][0]
    assert (empty["summary"], empty["model"], empty["recall_count"]) == ("", "", 0)


def test_no_vector_leaves_the_database(api: ApiClient, now: datetime) -> None:
    episode(SLEEP, now)
    with CaptureQueriesContext(connection) as queries:
        api.get(EPISODES)
    assert not [query["sql"] for query in queries if "embedding" in query["sql"]]


# --- pages ----------------------------------------------------------------------------------------------------------


def pages(api: ApiClient, limit: int) -> list[list[int]]:
    found, before = [], ""
    while True:
        page = api.get(f"{EPISODES}?limit={limit}{before}").json()
        found.append([item["audit_log_id"] for item in page["data"]])
        if page["next"] is None:
            return found
        before = f"&before={quote(page['next'])}"


def test_pages_follow_each_other_to_the_end(api: ApiClient, now: datetime) -> None:
    moments = [now, now, now, now - timedelta(microseconds=1), now - timedelta(days=1)]
    ids = [episode(f"Number {number}.", moment) for number, moment in enumerate(moments)]
    for moment in moments:
        skipped(moment)
    assert pages(api, 2) == [[ids[2], ids[1]], [ids[0], ids[3]], [ids[4]]]


def test_a_full_last_page_has_no_next(api: ApiClient, now: datetime) -> None:
    episode("One.", now), episode("Two.", now)
    assert api.get(f"{EPISODES}?limit=2").json()["next"] is None


def test_what_comes_and_goes_between_two_pages_makes_no_gap(api: ApiClient, now: datetime) -> None:
    ids = [episode(f"Number {number}.", now - timedelta(hours=number)) for number in range(4)]
    before = quote(api.get(f"{EPISODES}?limit=2").json()["next"])
    episode("New.", now)
    api.delete(f"{EPISODES}/{ids[1]}")
    assert listed(api, f"before={before}") == ids[2:]


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=many", "limit"),
        ("empty=perhaps", "empty"),
        ("before=2", "before"),
        ("before=", "before"),
        ("before=%F0%9F%90%95", "before"),
        ("before=" + urlsafe_b64encode(b"facts:2").decode(), "before"),
        ("before=" + urlsafe_b64encode(b"episodes:2").decode(), "before"),
        ("before=" + urlsafe_b64encode(b"episodes:%s:1" % (b"9" * 18)).decode(), "before"),
        ("before=" + urlsafe_b64encode(b"episodes:1:%s" % (b"9" * 30)).decode(), "before"),
    ],
)
def test_a_wrong_query_is_422(api: ApiClient, query: str, param: str) -> None:
    response = api.get(f"{EPISODES}?{query}")
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)


def test_a_cursor_from_before_1970_is_a_place_like_any_other(api: ApiClient, now: datetime) -> None:
    episode(SLEEP, now)
    cursor = urlsafe_b64encode(b"episodes:-1:7").decode()
    assert api.get(f"{EPISODES}?before={cursor}").json() == {"data": [], "next": None}


@pytest.mark.parametrize("with_empty", [True, False])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.django_db
def test_a_page_is_found_by_the_index(now: datetime, with_empty: bool, is_first: bool) -> None:
    place = None if is_first else Place(now, 7)
    plan = query_plan(*newest(place, with_empty=with_empty)[:51].query.sql_with_params())
    assert "idx_episode_summaries_created" in (plan.indexes if is_first else plan.sought), plan
    assert not plan.scanned, plan
    assert not plan.sorts, plan


# --- delete ---------------------------------------------------------------------------------------------------------


def test_delete_empties_the_row_and_answers_with_what_holds_it(api: ApiClient, now: datetime) -> None:
    told = episode(SLEEP, now)
    response = api.delete(f"{EPISODES}/{told}")
    assert response.status_code == 200
    (row,) = AuditRow.objects.filter(event_type="memory.episode.user_deleted")
    assert response.json() == {"deleted": True, "audit_log_id": told, "deletion_id": row.pk}
    assert row.payload == {"audit_log_id": told, "summary": SLEEP}
    kept = EpisodeSummary.objects.get()
    assert (kept.audit_log_id, kept.summary, kept.embedding, kept.model) == (told, "", [], "")
    assert listed(api) == []


def test_what_is_gone_empty_or_never_was_is_404(api: ApiClient, now: datetime) -> None:
    told, trivial, unread = episode(SLEEP, now), skipped(now), past_chat(now).pk
    api.delete(f"{EPISODES}/{told}")
    before = AuditRow.objects.count()
    for number in (told, trivial, unread, 999_999):
        response = api.delete(f"{EPISODES}/{number}")
        assert response.status_code == 404
        assert str(number) in response.json()["error"]["message"]
    assert AuditRow.objects.count() == before


@pytest.mark.parametrize("number", ["x", "0", "-1", "1.5", "9" * 30])
def test_what_is_no_number_of_a_chat_is_422(api: ApiClient, number: str) -> None:
    response = api.delete(f"{EPISODES}/{number}")
    assert (response.status_code, response.json()["error"]["param"]) == (422, "audit_log_id")


def test_restore_brings_it_back_as_it_was_and_writes_one_row(api: ApiClient, now: datetime) -> None:
    told = episode(SLEEP, now)
    before = api.get(EPISODES).json()
    api.delete(f"{EPISODES}/{told}")
    for _ in range(2):  # a second call says the same, and writes nothing
        response = api.post(f"{EPISODES}/{told}/restore")
        assert (response.status_code, response.json()) == (200, before["data"][0])
    assert api.get(EPISODES).json() == before
    (row,) = AuditRow.objects.filter(event_type="memory.episode.user_restored")
    assert row.actor == "key test"


def test_what_was_never_deleted_or_is_no_longer_kept_is_not_restored(api: ApiClient, now: datetime) -> None:
    told, gone = episode(SLEEP, now), episode(SLEEP, now)
    api.delete(f"{EPISODES}/{gone}")
    DeletedEpisode.objects.all().delete()
    for number in (told, gone, 999_999):
        response = api.post(f"{EPISODES}/{number}/restore")
        assert (response.status_code, response.json()["error"]["param"]) == (404, "audit_log_id")


def test_without_a_key_nothing_is_told_or_deleted(api: ApiClient, now: datetime) -> None:
    told = episode(SLEEP, now)
    api.headers = {}
    assert api.get(EPISODES).status_code == 401
    assert api.delete(f"{EPISODES}/{told}").status_code == 401
    assert EpisodeSummary.objects.get().summary == SLEEP


def test_episodes_are_only_listed_and_deleted(api: ApiClient) -> None:
    assert api.post(EPISODES, json={}).status_code == 405
    assert api.put(f"{EPISODES}/1", json={}).status_code == 405
