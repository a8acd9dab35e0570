"""The theme, a new key until its first call, a draft after the session, and a call tried on the API's own page."""

import re

import httpx
import pytest

from tests.browser.window import BrowserWindow, OpenWindow, expect
from tests.servers import Installation

pytestmark = pytest.mark.real_processes

GROUND = "(body) => getComputedStyle(body).backgroundColor"
PAGES = ("/dashboard/", "/admin/", "/v1/docs", "/dashboard/models")


def ground(window: BrowserWindow) -> str:
    return str(window.page.locator("body").evaluate(GROUND))


def choose(window: BrowserWindow, theme: str) -> None:
    window.page.locator("details.theme summary").click()
    with window.page.expect_navigation():
        window.page.get_by_role("button", name=theme, exact=True).click()


def log_in(window: BrowserWindow, server: Installation) -> None:
    window.page.get_by_label("Username").fill(server.username)
    window.page.get_by_label("Password").fill(server.password)
    with window.page.expect_navigation():
        window.page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize("script", [True, False])
def test_a_theme_holds_on_every_page(open_window: OpenWindow, script: bool) -> None:
    for system, chosen in (("light", "Dark"), ("dark", "Light")):
        theirs, wanted = open_window(theme=system), open_window(theme=chosen.lower())
        window = open_window(theme=system, script=script)
        window.open("/dashboard/facts?q=dog")
        choose(window, chosen)
        assert window.page.url.endswith("/dashboard/facts?q=dog")
        for page in PAGES:
            for each in (window, theirs, wanted):
                each.open(page)
            assert ground(window) == ground(wanted) != ground(theirs), page
        window.open("/dashboard/")
        choose(window, "As the system")
        assert ground(window) != ground(wanted)


def test_a_new_key_waits_for_its_first_call(open_window: OpenWindow, server: Installation) -> None:
    window = open_window(width=320)
    page = window.page
    window.open("/dashboard/connect")
    page.get_by_label("Who is the new key for?").fill("hall lamp")
    page.get_by_role("button", name="Make a key").click()
    key = page.get_by_label("The new key", exact=True).inner_text()
    page.get_by_text("Waiting for the first call").wait_for()
    for name in ("Python", "Open WebUI", "LibreChat", "Home Assistant", "curl"):
        page.locator("summary", has_text=re.compile(f"^{name}$")).click()
        assert window.too_wide() == []
        assert key in page.locator("details.tab[open] pre").last.inner_text().replace("\n", "")
    headers = {"Authorization": f"Bearer {key}"}
    httpx.post(f"{server.url}v1/memory/context", json={"message": "hi"}, headers=headers).raise_for_status()
    page.get_by_text("The first call came").wait_for()
    expect(page.locator("#first-call[hx-trigger]")).to_have_count(0)  # it asks no more


@pytest.mark.parametrize("script", [True, False])
def test_what_was_typed_is_there_after_the_login(open_window: OpenWindow, server: Installation, script: bool) -> None:
    window = open_window(known=False, script=script)
    page = window.page
    page.goto("/login")
    log_in(window, server)
    window.open("/dashboard/facts/edit?key=preference.coffee")
    page.get_by_label("preference.coffee").fill("black, in the blue cup")
    cookies = [cookie for cookie in page.context.cookies() if cookie["name"] != "sessionid"]
    page.context.clear_cookies()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Your session had ended").wait_for()
    assert "blue" not in page.url
    log_in(window, server)
    expect(page.get_by_label("Value")).to_have_value("black, in the blue cup")
    assert window.too_wide() == []
    assert window.accessibility_violations() == [] if script else True
    with page.expect_navigation():
        page.get_by_role("button", name="Drop it and go back").click()
    assert server.api.get("/v1/memory/facts/preference.coffee").json()["value"] != "black, in the blue cup"


def test_a_call_is_tried_on_the_page_of_the_api(open_window: OpenWindow, server: Installation) -> None:
    window = open_window()
    page = window.page
    window.open("/v1/docs")
    page.get_by_label("A key, to try calls here").fill(str(server.api.headers["Authorization"]).removeprefix("Bearer "))
    call = page.locator("section.call", has=page.get_by_role("heading", name="One fact", exact=True))
    call.get_by_text("Try it").click()
    call.get_by_label("key").fill("preference.coffee")
    call.get_by_role("button", name="Send").click()
    call.get_by_text("200 OK").wait_for()
    assert "preference.coffee" in call.locator(".answer").inner_text()
    assert window.accessibility_violations() == []


def test_a_refusal_stands_where_the_page_stands(open_window: OpenWindow) -> None:
    window = open_window(width=1440)
    window.expected += ["404"]
    page = window.page
    window.open("/dashboard/facts")
    page.evaluate("htmx.ajax('GET', '/dashboard/facts/row?key=no.such.fact', {target: '#facts-table'})")
    problem = page.locator("#status #problem")
    problem.wait_for()
    here, content = problem.bounding_box(), page.locator("#facts-table").bounding_box()
    assert here
    assert content
    assert abs(here["x"] - content["x"]) < 8
    assert here["y"] >= 0
