"""A real browser and a real installation with the demonstration in it; one of each for all browser tests of a process.

Without Playwright or a Chromium these tests are skipped, with the name of what is missing.
"""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.window import TIMEOUT_MS, BrowserWindow, OpenWindow
from tests.servers import Installation, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def chromium() -> str:
    """The system's Chromium."""
    pytest.importorskip("playwright", reason="Playwright is missing: pip install -r requirements-dev.txt")
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("There is no Chromium: apt install chromium, or set CHROMIUM to where it is")
    return found


@pytest.fixture(scope="session")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A running installation with the demonstration in it."""
    with running(tmp_path_factory.mktemp("browser")) as installation:
        installation.manage("demo_data")
        yield installation


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator["Browser"]:
    """The browser, started once."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def session(server: Installation, browser: "Browser") -> Any:
    """The cookies of an operator who has logged in."""
    context = browser.new_context(base_url=server.url)
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto("/login")
    page.get_by_label("Username").fill(server.username)
    page.get_by_label("Password").fill(server.password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/dashboard/**")
    cookies = context.storage_state()
    context.close()
    return cookies


@pytest.fixture
def open_window(server: Installation, browser: "Browser", session: Any) -> Iterator[OpenWindow]:
    """Opens windows: `open_window(width=380)`. At the end, nothing may have gone wrong in any of them."""
    opened: list[BrowserWindow] = []

    def open_one(*, width: int = 1280, theme: str = "light", script: bool = True, known: bool = True) -> BrowserWindow:
        context = browser.new_context(
            base_url=server.url,
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type]
            java_script_enabled=script,
            storage_state=session if known else None,
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT_MS)
        opened.append(BrowserWindow(context))
        return opened[-1]

    yield open_one
    problems = [problem for watched in opened for problem in watched.problems()]
    for watched in opened:
        watched.page.context.close()
    assert not problems
