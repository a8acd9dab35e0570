"""What an operator does, in a real browser: with the mouse, with the keyboard alone, with script off."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.window import OpenWindow, expect
from tests.servers import Installation

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.real_processes

FACTS = "/dashboard/facts"


def fact_row(page: "Page", key: str) -> "Locator":
    """The row of a fact in the table."""
    return page.locator("#facts-table tr", has=page.locator(f"[aria-label='Select fact {key}']"))


def start_editing(page: "Page", key: str) -> "Locator":
    """Click the edit link of a fact; the field of its value."""
    page.get_by_role("link", name=f"Edit fact {key}").click()
    return page.locator("tr.editing input[name=value]")


def say(server: Installation, words: str) -> int:
    """A finished chat of now, sent in by a client; its id."""
    body = {"messages": [{"role": "user", "content": words}], "reply": "I see."}
    answer = server.api.post("/v1/memory/chats", json=body)
    answer.raise_for_status()
    recorded: int = answer.json()["audit_log_id"]
    return recorded


def value_of(server: Installation, key: str) -> str | None:
    answer = server.api.get(f"/v1/memory/facts/{key}")
    return str(answer.json()["value"]) if answer.status_code == 200 else None


def test_edit_in_place(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    field = start_editing(page, "favourite.season")
    expect(field).to_be_focused()
    field.fill("early spring")
    field.press("Enter")
    fact_row(page, "favourite.season").get_by_text("early spring").wait_for()
    assert value_of(server, "favourite.season") == "early spring"
    assert page.url.endswith(FACTS), "nothing was navigated"
    expect(page.get_by_label("Edit fact favourite.season", exact=True)).to_be_focused()


def test_escape_leaves_it_as_it_is_and_an_error_stays_in_the_row(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    field = start_editing(page, "spouse.hobby")
    field.fill("")
    field.press("Enter")
    page.locator("tr.editing .error").wait_for()
    window.expected.append("422")
    page.locator("tr.editing input[name=value]").press("Escape")
    fact_row(page, "spouse.hobby").get_by_text("collects cookbooks").wait_for()
    expect(page.locator("tr.editing")).to_have_count(0)
    assert value_of(server, "spouse.hobby") == "collects cookbooks"


def test_delete_and_undo(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    fact_row(page, "work.stock").locator("summary").click()
    page.get_by_role("button", name="Delete fact work.stock").click()
    page.get_by_role("button", name="Undo").wait_for()
    expect(fact_row(page, "work.stock")).to_have_count(0)
    assert value_of(server, "work.stock") is None
    page.get_by_role("button", name="Undo").click()
    fact_row(page, "work.stock").wait_for()
    assert value_of(server, "work.stock") == "spare felt and wire in the van"


def test_what_waits_is_dropped_and_that_is_undone(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    waiting = page.locator("#facts-waiting")
    page.get_by_label("dog.food", exact=True).fill("dry food in the evening")
    page.get_by_role("button", name="Drop dog.food").click()
    page.get_by_text("Dropped “dry food twice a day”").wait_for()
    expect(waiting).to_be_hidden()
    assert server.api.get("/v1/memory/waiting-facts").json()["data"] == []
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("waits again").wait_for()
    expect(waiting).to_be_visible()
    window.expected.append("422")
    page.get_by_label("dog.food", exact=True).fill(" ")
    page.keyboard.press("Enter")
    page.get_by_text("The value is empty").wait_for()
    expect(page.get_by_label("dog.food", exact=True)).to_be_focused()


def test_search_while_typing_and_the_back_button(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open(FACTS)
    page.get_by_role("searchbox", name="Search facts").press_sequentially("porto", delay=20)
    page.wait_for_url(re.compile("q=porto"))
    fact_row(page, "dog.name").wait_for(state="detached")
    expect(fact_row(page, "trip.porto")).to_have_count(1)
    fact_row(page, "trip.porto").locator(".told a").click()
    page.wait_for_url(re.compile("/dashboard/facts/one"))
    page.go_back()
    fact_row(page, "trip.porto").wait_for()
    expect(page.get_by_role("searchbox", name="Search facts")).to_have_value("porto")
    expect(fact_row(page, "dog.name")).to_have_count(0)


def test_new_rows_announce_themselves_and_move_nothing(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    page.clock.install()
    window.open("/dashboard/audit")
    top = page.locator("ol.timeline > li").first.inner_text()
    say(server, "A word about the weather in between.")
    page.clock.fast_forward(11_000)
    news = page.get_by_role("link", name=re.compile(r"^\d+ new$"))
    news.wait_for()
    assert page.locator("ol.timeline > li").first.inner_text() == top
    news.click()
    new = page.locator("ol.timeline").get_by_text("A word about the weather in between.")
    new.first.wait_for()  # its summary may be there by now, too, which quotes it


def test_a_chat_link_leads_to_the_chat_with_its_receipt(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open("/dashboard/audit?family=chats")
    page.get_by_role("link", name=re.compile(r"^chat \d+$")).first.click()
    page.wait_for_url(re.compile(r"/dashboard/audit/\d+"))
    page.get_by_role("heading", level=1, name=re.compile("^Chat ")).wait_for()


def test_a_slider_shows_what_would_change_and_the_address_says_it(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open("/dashboard/preview?message=I+tried+the+thermostat+thing+you+suggested.")
    slider = page.get_by_role("group", name="Past conversations").get_by_label("Most in a prompt")
    slider.focus()
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    page.get_by_text("CAESAR_MEMORY__EPISODES_RECALL__TOP_K=1").wait_for()
    page.wait_for_url(re.compile("top_k=1"))
    expect(page.locator(".slider.changed .level")).to_have_text("1")
    page.locator("pre.diff del").first.wait_for(state="attached")
    expect(slider).to_be_focused()
    page.get_by_label("Message").fill("Where should I buy bread?")
    page.locator("#preview-result .weighed").get_by_text("rye").first.wait_for()
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Facts", exact=True).click()
    page.wait_for_url(re.compile("/dashboard/facts"))
    page.go_back()
    expect(page.get_by_label("Message")).to_have_value("Where should I buy bread?")
    page.get_by_text("CAESAR_MEMORY__EPISODES_RECALL__TOP_K=1").wait_for()


def test_an_error_in_the_preview_comes_and_goes(open_window: OpenWindow) -> None:
    window = open_window()
    page = window.page
    window.open("/dashboard/preview")
    day = page.get_by_label("As of")
    day.fill("1999-01-01")
    page.get_by_text("Choose a day within ten years of today.").wait_for()
    window.expected.append("422")
    expect(page.get_by_label("As of")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("As of").fill("")
    page.get_by_text("Choose a day within ten years of today.").wait_for(state="detached")
    page.get_by_text("With the settings as they are.").wait_for()


def test_everything_works_with_script_off(open_window: OpenWindow, server: Installation) -> None:
    window = open_window(script=False)
    page = window.page
    window.open(FACTS)
    page.get_by_role("link", name="Edit fact neighbour.help").click()
    page.locator("input[name=value]").fill("waters the figs")
    page.get_by_role("button", name="Save").click()
    fact_row(page, "neighbour.help").get_by_text("waters the figs").wait_for()
    page.get_by_label("Select fact neighbour.help").check()
    page.get_by_role("button", name="Delete selected").click()
    expect(fact_row(page, "neighbour.help")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    fact_row(page, "neighbour.help").get_by_text("waters the figs").wait_for()
    page.get_by_role("searchbox", name="Search facts").fill("porto")
    page.get_by_role("searchbox", name="Search facts").press("Enter")
    page.wait_for_url(re.compile("q=porto"))
    expect(fact_row(page, "dog.name")).to_have_count(0)
    window.open("/dashboard/audit")
    page.get_by_role("link", name="Older").click()
    page.wait_for_url(re.compile("before="))
    window.open("/dashboard/preview")
    page.get_by_label("Message").fill("I tried the thermostat thing you suggested.")
    page.get_by_role("group", name="Past conversations").get_by_label("Most in a prompt").fill("1")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("CAESAR_MEMORY__EPISODES_RECALL__TOP_K=1").wait_for()
    assert value_of(server, "neighbour.help") == "waters the figs"


def test_the_keyboard_is_enough(open_window: OpenWindow, server: Installation) -> None:
    """From the top of the page: past the head, to a fact, change it, throw it away, take that back."""
    window = open_window()
    page = window.page
    window.open(FACTS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert tab_to(page, "Edit fact dog.breed")
    page.keyboard.press("Enter")
    expect(page.locator("tr.editing input[name=value]")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("beagle and something")
    page.keyboard.press("Enter")
    fact_row(page, "dog.breed").get_by_text("beagle and something").wait_for()
    expect(page.get_by_label("Edit fact dog.breed", exact=True)).to_be_focused()
    assert tab_to(page, "More for dog.breed", at_most=3)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete fact dog.breed").wait_for()
    assert tab_to(page, "Delete fact dog.breed", at_most=4)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()  # what was done can be undone at once
    page.keyboard.press("Enter")
    fact_row(page, "dog.breed").wait_for()
    assert value_of(server, "dog.breed") == "beagle and something"


def tab_to(page: "Page", name: str, *, at_most: int = 300) -> bool:
    """Press Tab until that is focused, which must be seen to be."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == name:
            outline: str = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            return outline != "none"
    return False


def test_an_ended_session_leads_to_the_login_and_back(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open("/dashboard/facts?q=dog")
    page.context.clear_cookies()
    page.get_by_role("link", name="Edit fact dog.age").click()
    page.wait_for_url(re.compile("/login"))
    page.get_by_label("Username").fill(server.username)
    page.get_by_label("Password").fill(server.password)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/dashboard/facts"))
    assert "q=dog" in page.url
