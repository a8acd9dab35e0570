"""Receipt and preview in a real browser: the answer comes first, and what a slider changes is seen and said at once."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.window import OpenWindow, expect
from tests.servers import Installation

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.real_processes

PREVIEW = "/dashboard/preview?message=I+tried+the+thermostat+thing+you+suggested."


def wait_until_in_sight(element: "Locator") -> None:
    """Until all of it lies within the window."""
    element.page.wait_for_function(
        "(element) => { const box = element.getBoundingClientRect();"
        " return box.top >= 0 && box.bottom <= window.innerHeight; }",
        arg=element.element_handle(),
    )


def top_of(page: "Page", selector: str) -> float:
    top: float = page.locator(selector).evaluate("(element) => element.getBoundingClientRect().top")
    return top


@pytest.mark.parametrize("width", [1440, 390])
def test_what_a_slider_changes_is_seen_and_said(open_window: OpenWindow, width: int) -> None:
    window = open_window(width=width)
    page = window.page
    window.open(PREVIEW)
    if width < 900:
        page.get_by_text("Settings to try").click()
    page.evaluate("window.firstRegion = document.getElementById('preview-said')")
    slider = page.get_by_role("group", name="Facts").get_by_label("Most in a prompt")
    slider.focus()
    slider.scroll_into_view_if_needed()
    before = page.locator("#preview-result .sentence").inner_text()
    assert before == "With the settings as they are."
    for _ in range(2):
        slider.press("ArrowLeft")
    page.wait_for_url(re.compile("max_facts=28"))
    sentence = page.locator("#preview-result .sentence")
    sentence.get_by_text("Drops").wait_for()
    said = page.evaluate("window.firstRegion.isConnected && window.firstRegion.textContent")
    assert said == sentence.text_content(), "said by the region that was there before"
    wait_until_in_sight(page.locator("svg.candidates"))
    expect(slider).to_be_focused()


def test_a_dot_leads_to_its_row(open_window: OpenWindow) -> None:
    window = open_window(width=390)
    page = window.page
    window.open(PREVIEW)
    dot = page.locator("svg.candidates a").last
    address = dot.get_attribute("href")
    dot.focus()
    page.keyboard.press("Enter")
    row = page.locator(f"li{address}")
    page.wait_for_url(re.compile(f"{address}$"))
    wait_until_in_sight(row)
    assert row.locator(".no").inner_text() == str(address).removeprefix("#candidate-")


def test_a_chat_shows_its_answer_first(open_window: OpenWindow, server: Installation) -> None:
    learned = server.api.get("/v1/audit?type=memory.fact.added&limit=1").json()["data"][0]
    window = open_window(width=390)
    page = window.page
    window.open(f"/dashboard/audit/{learned['chat_id']}")
    assert top_of(page, ".answer-head") < top_of(page, "#said")
    page.get_by_role("link", name="To the conversation").click()
    wait_until_in_sight(page.locator("#said"))
    page.locator("a.taught").first.click()
    wait_until_in_sight(page.locator("#taught-1"))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate("window.scrollTo(0, 0)")
    assert abs(top_of(page, "#receipt-head") - top_of(page, "#said")) < 2, "beside each other"
    wait_until_in_sight(page.locator("svg.candidates"))


def test_without_script_the_settings_are_sent_from_where_they_stand(open_window: OpenWindow) -> None:
    window = open_window(width=390, script=False)
    page = window.page
    window.open(PREVIEW)
    page.get_by_text("Settings to try").click()
    page.get_by_role("group", name="Facts").get_by_label("Most in a prompt").fill("28")
    page.get_by_role("button", name="Try these settings").click()
    page.locator("#preview-result .sentence").get_by_text("Drops").wait_for()
    assert "max_facts=28" in page.url
