"""The timeline in a browser: narrowed by client, days and words, with script and without; its rows as a file."""

import json
import re
from pathlib import Path

import pytest

from tests.browser.window import OpenWindow, expect

pytestmark = pytest.mark.real_processes


def test_what_the_kitchen_tablet_taught_about_the_dog(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open("/dashboard/audit?family=facts")
    page.get_by_label("by", exact=True).select_option("kitchen tablet")
    page.get_by_text("What kitchen tablet brought").wait_for()
    page.get_by_label("Search the timeline").press_sequentially("dog")
    page.wait_for_url(re.compile("q=dog"))
    page.locator("#timeline mark", has_text=re.compile("^dog$", re.IGNORECASE)).first.wait_for()
    assert "client=kitchen+tablet" in page.url
    with page.expect_download() as started:
        page.get_by_role("link", name="JSON lines").click()
    rows = [json.loads(line) for line in Path(started.value.path()).read_text().splitlines()]
    assert {row["client"] for row in rows} == {"kitchen tablet"}
    assert len(rows) == page.locator("#timeline li").count()


def test_days_that_make_no_sense_are_said_where_one_types(open_window: OpenWindow) -> None:
    window = open_window(width=320)
    window.expected.append("422")
    page = window.page
    window.open("/dashboard/audit?to=2026-05-01")
    page.get_by_label("from").fill("2026-06-01")
    page.locator("#dates-problem", has_text="lies after the last").wait_for()
    page.get_by_label("from").fill("2026-04-01")
    page.get_by_text("From 1 April 2026 to 1 May 2026. All days").wait_for()
    expect(page.locator("#dates-problem")).to_be_empty()
    assert not window.too_wide()


def test_it_works_without_script(open_window: OpenWindow) -> None:
    window = open_window(script=False)
    page = window.page
    window.open("/dashboard/audit")
    page.get_by_label("by", exact=True).select_option("desk")
    page.get_by_label("from").fill("2026-01-01")
    page.get_by_role("button", name="Search").click()
    page.get_by_text("What desk brought").wait_for()
    page.get_by_role("link", name="By everyone").click()
    page.wait_for_url(lambda address: "client" not in address)
