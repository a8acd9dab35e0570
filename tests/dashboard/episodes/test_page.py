"""The episodes page: a line for each, in three orders, with search, days and pages."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.models import AuditRow, Embedded, EpisodeSummary
from tests.conftest import Configure
from tests.dashboard.episodes.episode_rows import DAY, EPISODES, chat_at, quoted, skipped, told
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, visible_text

pytestmark = pytest.mark.django_db


def listed(operator: Client, query: str = "") -> list[int]:
    """The chats on the page, in order."""
    rows = find_elements(get_page(operator, f"{EPISODES}?{query}"), "tr")
    return [int(row["id"].removeprefix("episode-row-")) for row in rows if "id" in row.attributes]


def follow(operator: Client, address: str, rel: str) -> str:
    return find_elements(get_page(operator, address), "a", rel=rel)[0]["href"]


def test_it_works(operator: Client, now: datetime) -> None:
    episode = told("We spoke of the <b>boat</b>.", now - 3 * DAY, recalls=[now - 2 * DAY, now - DAY])
    skipped(now)
    response = get_page(operator, EPISODES)
    text = visible_text(response)
    assert "Episodes" in text
    assert "go into its prompt, for 90 days." in text
    assert "episode 1 times recalled 2 never recalled 0" in text
    assert "17 May We spoke of the <b>boat</b>. 2 × yesterday" in text
    assert find_elements(response, "a", href=f"/dashboard/audit/{episode.audit_log_id}")
    assert find_elements(response, "a", aria_current="page")[0]["href"] == EPISODES
    assert "Most recalled: We spoke of the <b>boat</b>." in text
    assert "The oldest leaves the window on 15 August 2026." in text


def test_nothing_yet(operator: Client) -> None:
    assert "Nothing yet." in visible_text(get_page(operator, EPISODES))


def test_three_orders(operator: Client, now: datetime) -> None:
    old = told("Old.", now - 5 * DAY, recalls=[now])
    often = told("Often.", now - 3 * DAY, recalls=[now, now])
    never = told("Never.", now - 4 * DAY)
    new = told("New.", now - DAY)
    by_chat = {one.audit_log_id: one.summary for one in (old, often, never, new)}
    orders = {order: [by_chat[one] for one in listed(operator, f"order={order}")] for order in ("", "most", "never")}
    assert orders == {
        "": ["New.", "Often.", "Never.", "Old."],
        "most": ["Often.", "Old.", "New.", "Never."],
        "never": ["New.", "Never."],
    }
    assert "never recalled 2" in visible_text(get_page(operator, EPISODES))


def test_weeks_of_recalls_are_drawn(operator: Client, now: datetime) -> None:
    told("Often.", now - 40 * DAY, recalls=[now - 30 * DAY, now - DAY, now])
    told("Long ago.", now - 110 * DAY, recalls=[now - 100 * DAY])
    (drawing,) = find_elements(get_page(operator, EPISODES), "svg", class_="spark")
    assert drawing["aria-label"] == "Recalled week by week: 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2"


def test_one_out_of_the_window_says_so(operator: Client, now: datetime) -> None:
    told("Fresh.", now - 89 * DAY)
    told("Stale.", now - 91 * DAY)
    text = visible_text(get_page(operator, EPISODES))
    assert "Stale. too old to be recalled" in text
    assert "Fresh. too old" not in text


# --- search and days ------------------------------------------------------------------------------------------------


def test_search_finds_the_words_of_a_summary_and_marks_them(operator: Client, now: datetime) -> None:
    boat = told("We spoke of the boat.", now - DAY)
    told("We spoke of the car.", now)
    row = chat_at("The boat, the boat!", now)
    EpisodeSummary.objects.summarise(row, "Of something else.", Embedded([1.0], "m"), now=now)
    assert listed(operator, "q=boa") == [boat.audit_log_id], "not the chat whose words it is, whose summary it is not"
    response = get_page(operator, f"{EPISODES}?q=boat")
    assert b"<mark>boat</mark>" in response.content
    assert "1 episode with “boat”." in visible_text(response)
    assert "No episode has “sledge”" in visible_text(get_page(operator, f"{EPISODES}?q=sledge"))


@pytest.mark.parametrize(
    ("summary", "word"), [("我们谈到了睡眠问题。", "睡眠"), ("散歩と睡眠について話した。", "睡眠")]
)
def test_search_finds_chinese_and_japanese_words_inside_a_sentence(
    operator: Client, now: datetime, summary: str, word: str
) -> None:
    episode = told(summary, now)
    told("We spoke of sleep.", now)
    assert listed(operator, f"q={word}") == [episode.audit_log_id]
    assert f"<mark>{word}</mark>" in get_page(operator, f"{EPISODES}?q={word}").content.decode()


def test_a_summary_that_was_replaced_is_found_by_its_new_words(operator: Client, now: datetime) -> None:
    episode = told("We spoke of the boat.", now)
    reply = AuditRow.objects.record(chat_at("Again?", now).completed, now=now, chat=episode.audit_log)
    EpisodeSummary.objects.replace(episode.audit_log, "Of the sledge.", Embedded([1.0], "m"), reply=reply, now=now)
    assert listed(operator, "q=sledge") == [episode.audit_log_id]


def test_what_was_deleted_is_not_found(operator: Client, now: datetime) -> None:
    told("We spoke of the boat.", now).forget(now=now)
    assert listed(operator, "q=boat") == []


def test_a_day_in_the_operators_zone(operator: Client, now: datetime, configure: Configure) -> None:
    configure(time_zone="Pacific/Auckland")  # twelve hours ahead: there it is the next morning
    late = told("Late.", now.replace(hour=13) - 2 * DAY)
    told("Early.", now.replace(hour=11) - 2 * DAY)
    assert listed(operator, "day=2026-05-19") == [late.audit_log_id]
    assert "1 episode of Tuesday 19 May 2026." in visible_text(get_page(operator, f"{EPISODES}?day=2026-05-19"))
    assert listed(operator, "day=2026-05-01") == []


def test_typing_gets_the_list_alone_and_its_address(operator: Client, now: datetime) -> None:
    told("We spoke of the boat.", now)
    response = operator.get(f"{EPISODES}?q=boat", headers=htmx_headers(EPISODES))
    assert not find_elements(response, "html")
    assert find_elements(response, "section", id="episodes-list")
    assert find_elements(response, "output", id="episodes-found", hx_swap_oob="innerHTML")
    assert response["HX-Push-Url"] == f"{EPISODES}?q=boat"
    again = operator.get(f"{EPISODES}?q=boats", headers=htmx_headers(f"{EPISODES}?q=boat"))
    assert again["HX-Replace-Url"] == f"{EPISODES}?q=boats"


@pytest.mark.parametrize("query", ["day=never", "order=x", "before=x", "before=999", "until=0001-01-01", "q=%00"])
def test_what_cannot_be_read_filters_nothing(operator: Client, now: datetime, query: str) -> None:
    episode = told("One.", now)
    assert listed(operator, query) == [episode.audit_log_id]


# --- pages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["newest", "most", "never"])
def test_pages_of_fifty_go_on_where_the_last_one_ended(operator: Client, now: datetime, order: str) -> None:
    ids = [told(f"Number {number}.", now - timedelta(hours=number // 3)).audit_log_id for number in range(53)]
    by_age = sorted(ids, key=lambda one: (-(ids.index(one) // 3), one), reverse=True)
    first = listed(operator, f"order={order}")
    address = follow(operator, f"{EPISODES}?order={order}", "next")
    assert len(first) == 50
    assert first + listed(operator, address.partition("?")[2]) == by_age
    assert not find_elements(get_page(operator, address), "a", rel="next")


def test_the_next_page_begins_there_though_its_last_line_was_deleted(operator: Client, now: datetime) -> None:
    for number in range(52):
        told(f"Number {number}.", now - timedelta(hours=number))
    address, last = follow(operator, EPISODES, "next"), listed(operator)[-1]
    EpisodeSummary.objects.get(audit_log=last).forget(now=now)
    assert len(listed(operator, address.partition("?")[2])) == 2


# --- recall by content ----------------------------------------------------------------------------------------------


def test_a_chat_without_a_summary_is_shown_by_what_would_be_quoted(
    operator: Client, now: datetime, configure: Configure
) -> None:
    summed_up, plain = told("We spoke of the boat.", now - DAY), quoted("My sledge is red.", now)
    skipped(now)
    assert listed(operator) == [summed_up.audit_log_id], "by summaries it cannot be recalled"
    configure(memory__episodes_recall__mode="hybrid")
    assert listed(operator) == [plain.audit_log_id, summed_up.audit_log_id]
    text = visible_text(get_page(operator, EPISODES))
    assert 'The operator wrote: "My sledge is red." no summary' in text
    assert "however old they are: recall by content has no window" in text
    assert "episodes 2" in text
    assert listed(operator, "order=quoted") == [plain.audit_log_id]
    assert listed(operator, "q=sledge") == [plain.audit_log_id]
    assert listed(operator, "q=boat") == [summed_up.audit_log_id]


def test_without_a_window_nothing_is_too_old(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    told("Stale.", now - 400 * DAY)
    text = visible_text(get_page(operator, EPISODES))
    assert "too old" not in text
    assert "leaves the window" not in text
    assert "15 Apr 2025 Stale." in text


# --- where it is linked ---------------------------------------------------------------------------------------------


def test_the_overview_counts_the_same_and_leads_here(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    told("One.", now), quoted("My sledge is red.", now), skipped(now)
    response = get_page(operator, "/dashboard/")
    assert "2 episodes past chats that can be recalled" in visible_text(response)
    assert len(find_elements(response, "a", href=EPISODES)) == 2
