"""The facts page in a browser: its keys, the menu of a row, and the map that stays as it was left."""

import pytest

from tests.browser.window import OpenWindow, expect

pytestmark = pytest.mark.real_processes

FACTS = "/dashboard/facts"


def test_keys_move_edit_and_search_and_leave_fields_alone(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    for key in "jjk":
        page.keyboard.press(key)
    first = page.locator("tr.fact").first
    expect(first.locator(".told a")).to_be_focused()
    page.keyboard.press("e")
    field = page.locator("tr.editing input[name=value]")
    expect(field).to_be_focused()
    assert page.url.endswith(FACTS), "a form in a row is no step of the history"
    field.press("j")
    assert "j" in field.input_value(), "while one types, a letter is a letter"
    field.press("Escape")
    field.wait_for(state="detached")
    page.keyboard.press("?")
    expect(page.get_by_text("Next row, row before")).to_be_visible()
    assert window.accessibility_violations() == []
    page.keyboard.press("Escape")
    expect(page.get_by_label("Edit fact contact.emergency")).to_be_focused()
    page.keyboard.press("?")
    page.keyboard.press("j")
    page.get_by_role("button", name="Close", exact=True).click()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()


def test_a_fact_is_kept_from_the_menu_and_the_map_stays_folded(open_window: OpenWindow) -> None:
    window = open_window(width=390)
    page = window.page
    window.open(FACTS)
    assert not page.locator("#facts-map figure").is_visible(), "on a telephone the facts come first"
    assert page.locator("tr.fact").first.bounding_box()["y"] < 844
    row = page.locator("tr.fact", has=page.get_by_label("Select fact preference.bread"))
    row.locator("summary").click()
    row.get_by_role("button", name="Keep in the prompt").click()
    row.locator(".kept").wait_for()
    assert page.get_by_role("link", name="kept 2").count() == 1, "the chips count anew"
    page.get_by_role("button", name="Undo").click()
    row.locator(".kept").wait_for(state="detached")
    page.locator("#facts-map > summary").click()
    page.locator("#facts-map figure").wait_for()
    assert "facts_map=open" in page.evaluate("new Promise(done => setTimeout(() => done(document.cookie)))")
    page.reload()
    expect(page.locator("#facts-map figure")).to_be_visible()
    menu = page.locator("tr.fact").last.locator(".menu")
    menu.locator("summary").click()
    box = menu.locator("div").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 900
    assert page.evaluate("document.documentElement.scrollWidth") == 390
