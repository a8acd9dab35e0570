"""Episodes are deleted on their page, one or several, and brought back: with htmx and without."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from memory.models import AuditRow, DeletedEpisode, EpisodeSummary
from tests.conftest import Configure
from tests.dashboard.episodes.episode_rows import EPISODES, quoted, told
from tests.dashboard.helpers import (
    event_types,
    find_elements,
    get_page,
    htmx_headers,
    newest_row_id,
    record_chat,
    visible_text,
)

pytestmark = pytest.mark.django_db

HTMX = htmx_headers(EPISODES)
DELETED, RESTORED = "memory.episode.user_deleted", "memory.episode.user_restored"


def summaries() -> list[str]:
    return list(EpisodeSummary.objects.exclude(summary="").order_by("pk").values_list("summary", flat=True))


def undo_of(response: Any) -> str:
    (form,) = [one for one in find_elements(response, "form") if "/restore" in one["action"]]
    return form["action"]


def test_one_is_deleted_and_brought_back_without_script(operator: Client, now: datetime) -> None:
    one = told("One.", now)
    told("Other.", now)
    before = newest_row_id()
    forms = find_elements(get_page(operator, EPISODES), "form", action=f"{EPISODES}/delete")
    assert len(forms) == 3, "one for each line, and one for those selected"
    response = operator.post(f"{EPISODES}/delete", {"episode": one.audit_log_id}, follow=True)
    assert response.redirect_chain == [(EPISODES, 302)]
    assert "Deleted the episode." in visible_text(response)
    assert summaries() == ["Other."]
    back = operator.post(undo_of(response), follow=True)
    assert back.redirect_chain == [(EPISODES, 302)]
    assert "The episode is back." in visible_text(back)
    assert summaries() == ["One.", "Other."]
    assert event_types(after=before) == [DELETED, RESTORED]
    assert {row.actor for row in AuditRow.objects.filter(pk__gt=before)} == {"account operator"}


def test_several_at_once_with_one_row_each(operator: Client, now: datetime) -> None:
    ids = [told(f"Number {number}.", now).audit_log_id for number in range(3)]
    before = newest_row_id()
    response = operator.post(f"{EPISODES}/delete", {"episode": ids[:2]}, headers=HTMX)
    assert "Deleted 2 episodes." in visible_text(response)
    assert summaries() == ["Number 2."]
    undo = undo_of(response)
    assert find_elements(response, "form", hx_post=undo, hx_target="#episodes-list")
    back = operator.post(undo, headers=HTMX)
    assert "2 episodes are back." in visible_text(back)
    assert len(summaries()) == 3
    operator.post(undo, headers=HTMX)
    assert event_types(after=before) == [DELETED, DELETED, RESTORED, RESTORED]


def test_htmx_gets_list_calendar_and_message(operator: Client, now: datetime) -> None:
    one = told("One.", now)
    response = operator.post(f"{EPISODES}/delete", {"episode": one.audit_log_id}, headers=HTMX)
    assert response["HX-Retarget"] == "#episodes-list"
    assert find_elements(response, "section", id="episodes-list")
    assert find_elements(response, "section", id="episodes-calendar", hx_swap_oob="true")
    assert find_elements(response, "div", id="status", hx_swap_oob="innerHTML")
    assert "Nothing yet." in visible_text(response)


def test_the_list_stays_as_it_was(operator: Client, now: datetime) -> None:
    one = told("We spoke of the boat.", now)
    told("A second boat.", now), told("Of a car.", now)
    narrowed = f"{EPISODES}?q=boat&order=never"
    (form, _, _) = [one for one in find_elements(get_page(operator, narrowed), "form") if "/delete" in one["action"]]
    response = operator.post(form["action"], {"episode": one.audit_log_id}, follow=True)
    assert response.redirect_chain == [(narrowed, 302)]
    typed = operator.post(f"{EPISODES}/delete", {"episode": one.audit_log_id + 10_000}, headers=htmx_headers(narrowed))
    assert typed.status_code == 404


@pytest.mark.parametrize("chosen", [{}, {"episode": "x"}])
def test_nothing_selected(operator: Client, now: datetime, chosen: dict[str, str]) -> None:
    told("One.", now)
    for headers in ({}, HTMX):
        response = operator.post(f"{EPISODES}/delete", chosen, headers=headers)
        assert response.status_code == 422
        assert "Nothing is selected." in visible_text(response)
    assert summaries() == ["One."]


def test_what_is_gone_already_is_404(operator: Client, now: datetime) -> None:
    one = told("One.", now)
    one.forget(now=now)
    for headers in ({}, HTMX):
        response = operator.post(f"{EPISODES}/delete", {"episode": one.audit_log_id}, headers=headers)
        assert response.status_code == 404
        assert "gone already" in visible_text(response)


def test_an_undo_that_comes_too_late_says_so(operator: Client, now: datetime) -> None:
    deletion = told("One.", now).forget(now=now)
    assert deletion is not None
    DeletedEpisode.objects.all().delete()
    response = operator.post(f"{EPISODES}/restore?deletions={deletion.pk}")
    assert response.status_code == 409
    assert "no longer kept" in visible_text(response)
    row = record_chat("hello", now=now)
    assert operator.post(f"{EPISODES}/restore?deletions={row.pk}+x").status_code == 409
    assert operator.post(f"{EPISODES}/restore").status_code == 404


def test_only_posts_change_anything(operator: Client, now: datetime) -> None:
    assert operator.get(f"{EPISODES}/delete").status_code == 405
    assert operator.get(f"{EPISODES}/restore").status_code == 405
    assert Client().post(f"{EPISODES}/delete").status_code == 302


def test_one_without_a_summary_is_deleted_and_back_too(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    one = quoted("My sledge is red.", now)
    response = operator.post(f"{EPISODES}/delete", {"episode": one.audit_log_id}, follow=True)
    assert "My sledge is red." not in visible_text(response)
    assert "My sledge is red." in visible_text(operator.post(undo_of(response), follow=True))


# --- elsewhere ------------------------------------------------------------------------------------------------------


def test_the_page_of_the_chat_undoes_and_stays_there(operator: Client, now: datetime) -> None:
    one = told("One.", now)
    chat = f"/dashboard/audit/{one.audit_log_id}"
    response = operator.post(f"{chat}/forget-episode", follow=True)
    assert response.redirect_chain == [(chat, 302)]
    later = get_page(operator, chat)
    assert "Its summary was deleted" in visible_text(later)
    assert undo_of(later) == [one["action"] for one in find_elements(response, "form") if "restore" in one["action"]][0]
    back = operator.post(undo_of(later), follow=True)
    assert back.redirect_chain == [(chat, 302)]
    assert summaries() == ["One."]
    assert "You brought an episode back" in visible_text(back)
    assert "Its summary was deleted" not in visible_text(back)


def test_the_row_of_the_deletion_brings_it_back_while_it_can(operator: Client, now: datetime) -> None:
    deletion = told("One.", now).forget(now=now)
    assert deletion is not None
    event = f"/dashboard/audit/{deletion.pk}"
    operator.post(undo_of(get_page(operator, event)))
    assert summaries() == ["One."]
    assert not [one for one in find_elements(get_page(operator, event), "form") if "restore" in one["action"]]


@pytest.mark.parametrize("page", ["/dashboard/audit", "/dashboard/"])
def test_the_timeline_and_the_overview_bring_it_back_and_stay(operator: Client, now: datetime, page: str) -> None:
    told("One.", now).forget(now=now)
    response = get_page(operator, page)
    assert "Undo" in visible_text(response)
    back = operator.post(undo_of(response), {"next": page})
    assert back["Location"] == page
    assert summaries() == ["One."]
    assert not [one for one in find_elements(get_page(operator, page), "form") if "/restore" in one["action"]]
