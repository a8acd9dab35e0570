"""Every page in both themes, wide and on a telephone: quiet console, strict policy, nothing too wide, no barrier."""

import pytest

from tests.browser.window import BrowserWindow, OpenWindow
from tests.servers import Installation

pytestmark = pytest.mark.real_processes

# A page that is built later is listed here first: until it is there, its test fails and says so.
OURS = {
    "overview": "/dashboard/",
    "facts": "/dashboard/facts",
    "facts, searched": "/dashboard/facts?q=dog",
    "a fact": "/dashboard/facts/one?key=preference.coffee",
    "a fact that ended": "/dashboard/facts/one?key=schedule.gym",
    "episodes": "/dashboard/episodes",
    "episodes, most recalled": "/dashboard/episodes?order=most&q=the",
    "timeline": "/dashboard/audit",
    "timeline, filtered": "/dashboard/audit?family=failures",
    "a chat": "/dashboard/audit/{chat}",
    "an event": "/dashboard/audit/{learned}",
    "a call passed through": "/dashboard/audit/{passed}",
    "a conversation": "/dashboard/audit?conversation={conversation}",
    "preview": "/dashboard/preview",
    "preview, with changes": "/dashboard/preview?message=the+thermostat+thing&threshold=0.2&top_k=2&max_facts=24",
    "timeline, by client": "/dashboard/audit?client=kitchen+tablet&q=the&to=2100-01-01",
    "search": "/dashboard/search",
    "search, with hits": "/dashboard/search?q=the+thermostat+last+month",
    "search, nothing found": "/dashboard/search?q=submarine&kind=fact",
    "connect": "/dashboard/connect",
    "a key": "/dashboard/connect/keys/2",
    "models": "/dashboard/models",
    "docs": "/dashboard/manual",
    "docs, with tables": "/dashboard/manual/settings",
    "API description": "/v1/docs",
    "password": "/password",
    "not found": "/dashboard/nowhere",
}
OTHERS = {"admin": "/admin/", "admin, facts": "/admin/memory/personalfact/"}
OTHERS |= {"admin, review": "/admin/memory/waitingfact/"}
THEMES = ("light", "dark")
WIDTHS = (1440, 390)


@pytest.fixture(scope="session")
def ids(server: Installation) -> dict[str, str]:
    """The newest chat with something recalled and its conversation, an event of a fact, and a call passed through."""
    recalled = server.api.get("/v1/audit?type=memory.episode.recalled&limit=1").json()["data"][0]
    turn = server.api.get(f"/v1/audit?decision={recalled['decision_id']}&type=chat.completed").json()["data"][0]
    learned = server.api.get("/v1/audit?type=memory.fact.added&limit=1").json()["data"][0]
    passed = server.api.get("/v1/audit?type=chat.passed_through&limit=1").json()["data"][0]
    return {
        "chat": str(turn["id"]),
        "learned": str(learned["id"]),
        "passed": str(passed["id"]),
        "conversation": str(turn["conversation_id"]),
    }


@pytest.mark.parametrize("name", OURS)
def test_a_page_of_ours(name: str, open_window: OpenWindow, ids: dict[str, str]) -> None:
    for theme in THEMES:
        window = open_window(theme=theme)
        if name == "not found":
            window.expected.append("404")
            window.page.goto(OURS[name])
        else:
            window.open(OURS[name].format(**ids))
        assert window.page.locator("h1").count() == 1
        is_usable(window, theme)


def test_the_pages_are_behind_one_button_on_a_telephone(open_window: OpenWindow) -> None:
    for script in (True, False):
        window = open_window(width=390, script=script)
        window.open("/dashboard/facts")
        header = window.page.locator("header.site").bounding_box()
        assert header
        assert header["height"] <= 110
        assert not window.page.get_by_role("link", name="Timeline").is_visible()
        window.page.locator(".menu-switch summary").press("Enter")
        window.page.get_by_role("link", name="Timeline").click()
        window.page.wait_for_url("**/dashboard/audit")


def test_the_login(open_window: OpenWindow) -> None:
    for theme in THEMES:
        window = open_window(theme=theme, known=False)
        window.open("/login")
        is_usable(window, theme)


def is_usable(window: BrowserWindow, theme: str) -> None:
    for width in WIDTHS:
        window.page.set_viewport_size({"width": width, "height": 900})
        assert window.too_wide() == [], f"{theme}, {width}"
        assert window.accessibility_violations(only_colours=theme == "dark") == [], f"{theme}, {width}"


@pytest.mark.parametrize("name", OTHERS)
def test_a_page_of_others(name: str, open_window: OpenWindow) -> None:
    """Django's own pages, in our colours."""
    for theme in THEMES:
        window = open_window(theme=theme)
        window.open(OTHERS[name])
        window.page.wait_for_load_state("networkidle")
        is_usable(window, theme)


def test_the_policy_is_watched(open_window: OpenWindow) -> None:
    """The control: what the policy forbids is noticed."""
    window = open_window()
    window.open("/dashboard/connect")
    with window.page.expect_console_message(lambda said: "policy: style-src" in said.text):
        window.page.evaluate(
            "document.body.append(Object.assign(document.createElement('style'), {textContent: 'p {}'}))"
        )
    assert any("policy: style-src" in said for said in window.problems())
    window.expected += ["policy: style-src", "violates the following Content Security Policy"]
