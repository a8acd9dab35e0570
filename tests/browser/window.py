"""A browser window that notes what goes wrong in it, with the checks made on every page."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, LocatorAssertions

TIMEOUT_MS = 30_000

_NOTE_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""
_TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => `${element.tagName} ${element.id} ${element.className}`).slice(0, 5).concat("too wide");
}"""
_AXE = """async (options) => (await axe.run(document, options)).violations.flatMap(
  (rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)} (${node.any.concat(node.all, node.none)
    .map((check) => check.message).join("; ").slice(0, 200)})`))"""


def expect(found: "Locator") -> "LocatorAssertions":
    """Playwright's assertions: each waits until it holds, so that it may follow a click at once."""
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=TIMEOUT_MS)
    return playwright_expect(found)


class OpenWindow(Protocol):
    """Opens a window."""

    def __call__(
        self, *, width: int = 1280, theme: str = "light", script: bool = True, known: bool = True
    ) -> "BrowserWindow": ...


class BrowserWindow:
    """A window with one page. `expected`: what the console may say in this test."""

    def __init__(self, context: "BrowserContext") -> None:
        context.add_init_script(_NOTE_VIOLATIONS)
        self.page = context.new_page()
        self.expected: list[str] = []
        self.console: list[str] = []
        self.page.on("console", lambda said: self.console.append(f"{self.page.url}: {said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.console.append(f"{self.page.url}: error: {error}"))

    def open(self, address: str) -> None:
        """Open an address, which must answer 200."""
        response = self.page.goto(address)
        assert response is not None
        assert response.status == 200, f"{address} answers {response.status}"

    def problems(self) -> list[str]:
        """Errors and warnings that the console showed, policy violations among them."""
        loud = [said for said in self.console if ": error: " in said or ": warning: " in said]
        return [said for said in loud if not any(part in said for part in self.expected)]

    def too_wide(self) -> list[str]:
        """What makes the page scroll sideways."""
        found: list[str] = self.page.evaluate(_TOO_WIDE)
        return found

    def accessibility_violations(self, *, only_colours: bool = False) -> list[str]:
        """What axe finds. Its source is evaluated, since the policy forbids a script tag."""
        self.page.evaluate(axe_source())
        options = {"resultTypes": ["violations"]} | ({"runOnly": ["color-contrast"]} if only_colours else {})
        found: list[str] = self.page.evaluate(_AXE, options)
        return found


@cache
def axe_source() -> str:
    """axe-core, as it comes with axe-playwright-python."""
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe is missing: pip install -r requirements-dev.txt")
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")
