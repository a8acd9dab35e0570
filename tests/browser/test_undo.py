"""Still true, Keep and Undo in a real browser: the message lies over the page, and is a part of it without script."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.window import OpenWindow, expect
from tests.servers import Installation

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.real_processes

ALLERGY = "/dashboard/facts/one?key=health.allergy"


def kept_at(server: Installation) -> object:
    return server.api.get("/v1/memory/facts/health.allergy").json()["kept_at"]


def position(page: "Page") -> str:
    found: str = page.locator("#status").evaluate("(element) => getComputedStyle(element).position")
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_keep_and_undo_by_keyboard_on_a_phone(open_window: OpenWindow, server: Installation, theme: str) -> None:
    window = open_window(width=390, theme=theme)
    page = window.page
    window.open(ALLERGY)
    page.get_by_role("button", name="Keep fact health.allergy").press("Enter")
    message = page.locator("#status .notice")
    message.get_by_text("health.allergy is kept.").wait_for()
    assert position(page) == "fixed"
    assert kept_at(server)
    assert window.accessibility_violations() == []
    assert window.too_wide() == []
    box = message.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390

    last = page.get_by_role("link", name="On the timeline")
    last.focus()
    covered = last.evaluate(
        "(element) => element.getBoundingClientRect().bottom"
        " > document.querySelector('#status .notice').getBoundingClientRect().top"
    )
    assert not covered, "what has the focus is not under the message"

    message.get_by_role("button", name="Undo").press("Enter")
    page.get_by_text("Undone: health.allergy").wait_for()
    assert not kept_at(server)
    page.get_by_role("link", name="Close this message").press("Enter")
    expect(page.locator("#status .notice")).to_have_count(0)
    expect(page.locator("#content")).to_be_focused()


def test_without_script_the_message_is_a_part_of_the_page(open_window: OpenWindow, server: Installation) -> None:
    window = open_window(width=390, script=False)
    page = window.page
    window.open(ALLERGY)
    page.get_by_role("button", name="Still true: fact health.allergy").click()
    page.get_by_text("health.allergy is confirmed: still true.").wait_for()
    assert page.url.endswith(ALLERGY)
    assert page.locator("#status").bounding_box()["y"] < 300  # type: ignore[index]
    page.get_by_role("button", name="Undo", exact=True).first.click()
    page.get_by_text("Undone: health.allergy").wait_for()
    page.get_by_role("link", name="Close this message").click()
    expect(page.locator("#status .notice")).to_have_count(0)
