"""Episodes in a real browser: found by day and word, deleted and brought back, with script and without."""

import pytest

from tests.browser.window import OpenWindow, expect
from tests.servers import Installation

pytestmark = pytest.mark.real_processes

EPISODES = "/dashboard/episodes"


def count_of(server: Installation) -> int:
    return len(server.api.get("/v1/memory/episodes?limit=500").json()["data"])


def test_search_select_delete_and_undo(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open(EPISODES)
    before = count_of(server)
    page.get_by_label("Search episodes").fill("thermostat")
    page.wait_for_url("**q=thermostat**")
    assert page.locator("#episodes-list mark").first.inner_text().casefold() == "thermostat"
    found = page.locator("#episodes-list tbody tr").count()
    assert 2 <= found < before
    page.locator("#episodes-list .pick input").first.check()
    page.get_by_role("button", name=f"Select all {found}").click()
    page.get_by_role("button", name=f"Delete {found} episodes").click()
    page.get_by_role("button", name="Undo").wait_for()
    assert count_of(server) == before - found
    expect(page.get_by_role("button", name="Undo")).to_be_focused()  # Enter takes it back
    page.keyboard.press("Enter")
    page.get_by_text(f"{found} episodes are back.").wait_for()
    assert count_of(server) == before
    expect(page.locator("#episodes-list tbody tr")).to_have_count(found)  # the search is still on


def test_by_keyboard_past_the_calendar_and_into_a_day(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open(EPISODES)
    page.get_by_label("Search episodes").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip the calendar"
    page.keyboard.press("Tab")
    day = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.wait_for_url("**day=**")
    expect(page.locator("#episodes-list tbody tr")).to_have_count(int(day.rpartition(": ")[2].split()[0]))


def test_without_script(open_window: OpenWindow, server: Installation) -> None:
    window = open_window(script=False)
    page = window.page
    page.goto(EPISODES)
    before = count_of(server)
    page.get_by_role("button", name="Delete the episode of").first.click()
    page.get_by_text("Deleted the episode.").wait_for()
    assert count_of(server) == before - 1
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("The episode is back.").wait_for()
    assert count_of(server) == before
