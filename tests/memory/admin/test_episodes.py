"""Episodes in Django's admin: only looked at and forgotten, without a vector being read (ADR-0034 §1; decision 38)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.models import AuditRow, EpisodeSummary
from tests.memory.admin.admin_helpers import text_of
from tests.memory.chat_helpers import past_chat, past_episode
from tests.plans import query_plan

pytestmark = pytest.mark.django_db

PAGE = "/admin/memory/episodesummary/"
SLEEP = "We discussed the operator's sleep trouble."


@pytest.fixture
def episode(now: datetime) -> EpisodeSummary:
    return past_episode(SLEEP, now)


def deletions() -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted).order_by("id"))


def listed(operator: Client, query: str = "") -> list[int]:
    response = operator.get(f"{PAGE}?{query}")
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def test_it_works(operator: Client, episode: EpisodeSummary, now: datetime) -> None:
    EpisodeSummary.objects.bump([episode.pk], now=now)
    EpisodeSummary.objects.bump([episode.pk], now=now)
    for page in (PAGE, f"{PAGE}{episode.pk}/change/"):
        response = operator.get(page)
        assert response.status_code == 200
        assert SLEEP in text_of(response)
        assert f'<a href="/dashboard/audit/{episode.audit_log_id}">' in response.content.decode()
    assert '<td class="field-recall_count">2</td>' in operator.get(PAGE).content.decode()
    assert "Recall count: 2" in text_of(response)


def test_the_link_leads_to_the_source_chat(operator: Client, episode: EpisodeSummary) -> None:
    assert "I sleep badly." in text_of(operator.get(f"/dashboard/audit/{episode.audit_log_id}"))


def test_a_vector_is_neither_read_nor_shown(operator: Client, episode: EpisodeSummary) -> None:
    for page in (PAGE, f"{PAGE}?q=sleep", f"{PAGE}{episode.pk}/change/", f"{PAGE}{episode.pk}/delete/"):
        with CaptureQueriesContext(connection) as queries:
            response = operator.get(page)
        assert response.status_code == 200
        assert "0.123456" not in response.content.decode()
        assert not [query["sql"] for query in queries if '"embedding"' in query["sql"]]


def test_newest_come_first_and_empty_ones_not_at_all(operator: Client, episode: EpisodeSummary, now: datetime) -> None:
    older, newer = past_episode("Older.", now - timedelta(days=1)), past_episode("Newer.", now + timedelta(days=1))
    EpisodeSummary.objects.skip(past_chat(now), reason="trivial", now=now)
    assert listed(operator) == [newer.pk, episode.pk, older.pk]


def test_summaries_are_searched(operator: Client, episode: EpisodeSummary, now: datetime) -> None:
    past_episode("We spoke of boats.", now)
    assert listed(operator, "q=SLEEP+trouble") == [episode.pk]
    assert listed(operator, "q=%25") == []


def test_the_list_reads_an_index_and_its_own_rows(operator: Client, episode: EpisodeSummary) -> None:
    with CaptureQueriesContext(connection) as queries:
        operator.get(PAGE)
    about = [query["sql"] for query in queries if 'FROM "episode_summaries"' in query["sql"]]
    assert about
    for sql in about:
        plan = query_plan(sql)
        assert any(index.startswith("idx_episode") for index in plan.indexes), plan
        assert not plan.scanned, plan
        assert not plan.sorts, plan


def test_the_number_of_queries_does_not_grow(operator: Client, episode: EpisodeSummary, now: datetime) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            operator.get(PAGE)
        return len(queries)

    few = count()
    for number in range(20):
        past_episode(f"Number {number}.", now)
    assert count() == few


def test_deleting_empties_the_row_with_one_audit_row(operator: Client, episode: EpisodeSummary) -> None:
    response = operator.post(f"{PAGE}{episode.pk}/delete/", {"post": "yes"}, follow=True)
    assert "deleted successfully" in text_of(response)
    kept = EpisodeSummary.objects.get()
    assert (kept.summary, kept.embedding, kept.model) == ("", [], "")
    assert [(row.chat_id, row.payload["summary"]) for row in deletions()] == [(episode.audit_log_id, SLEEP)]
    assert listed(operator) == []


def test_deleting_many_empties_each_with_one_audit_row(
    operator: Client, episode: EpisodeSummary, now: datetime
) -> None:
    other, third = past_episode("We spoke of boats.", now), past_episode("We spoke of kites.", now)
    chosen = {"action": "delete_selected", "_selected_action": [episode.pk, other.pk], "post": "yes"}
    operator.post(PAGE, chosen)
    assert sorted(row.chat_id or 0 for row in deletions()) == sorted([episode.audit_log_id, other.audit_log_id])
    assert EpisodeSummary.objects.count() == 3
    assert listed(operator) == [third.pk]


def test_deleting_what_is_deleted_writes_nothing(operator: Client, episode: EpisodeSummary, now: datetime) -> None:
    episode.forget(now=now)
    operator.post(f"{PAGE}{episode.pk}/delete/", {"post": "yes"})
    assert len(deletions()) == 1


def test_nothing_is_added_or_changed_by_hand(operator: Client, episode: EpisodeSummary) -> None:
    assert operator.get(f"{PAGE}add/").status_code == 403
    assert operator.post(f"{PAGE}{episode.pk}/change/", {"summary": "x", "recall_count": 9}).status_code == 403
    assert "<textarea" not in operator.get(f"{PAGE}{episode.pk}/change/").content.decode()
    episode.refresh_from_db()
    assert (episode.summary, episode.recall_count) == (SLEEP, 0)


def test_who_may_only_look_deletes_nothing(viewer: Client, episode: EpisodeSummary) -> None:
    assert viewer.get(f"{PAGE}{episode.pk}/change/").status_code == 200
    assert viewer.post(f"{PAGE}{episode.pk}/delete/", {"post": "yes"}).status_code == 403
    assert deletions() == []


def test_markup_in_a_summary_is_text(operator: Client, now: datetime) -> None:
    row = past_episode("<script>alert(1)</script>", now)
    for page in (PAGE, f"{PAGE}{row.pk}/change/", f"{PAGE}{row.pk}/delete/"):
        assert b"<script>alert" not in operator.get(page).content


# --- undo -----------------------------------------------------------------------------------------------------------

DELETED = "/admin/memory/deletedepisode/"


def test_deleted_episodes_are_brought_back_several_at_once(operator: Client, now: datetime) -> None:
    told = [past_episode(f"Number {number}.", now) for number in range(3)]
    for one in told:
        one.forget(now=now)
    with CaptureQueriesContext(connection) as queries:
        response = operator.get(DELETED)
    assert response.status_code == 200
    assert "Number 1." in text_of(response)
    assert not [query["sql"] for query in queries if '"embedding"' in query["sql"]]
    chosen = [str(one.pk) for one in told[:2]]
    answer = operator.post(DELETED, {"action": "restore", "_selected_action": chosen}, follow=True)
    assert "They are recalled again." in text_of(answer)
    restored = AuditRow.objects.get_queryset().of_type(events.EpisodeUserRestored).order_by("id")
    assert [(row.chat_id, row.actor) for row in restored] == [
        (one.audit_log_id, "account operator") for one in told[:2]
    ]
    assert list(EpisodeSummary.objects.exclude(summary="").order_by("pk")) == told[:2]
