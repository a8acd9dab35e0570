"""What a model, a chat or a client wrote stays text in a real browser: nothing runs or breaks out of its place."""

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import pytest

from tests.browser.window import BrowserWindow, OpenWindow
from tests.servers import Installation

if TYPE_CHECKING:
    from playwright.sync_api import Dialog

pytestmark = pytest.mark.real_processes

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "\"'></title></pre></textarea><script>alert(1)</script><svg onload=alert(2)>",
    "javascript:alert(3)",
    "<div hx-get='/logout' hx-trigger='load' hx-on:click='alert(4)'>{{ 7 }}{% debug %}</div>",
    "\N{RIGHT-TO-LEFT OVERRIDE}turned\N{LEFT-TO-RIGHT ISOLATE} about",
    "w" * 3000,
    "../..?q=%00&a=#b",
)
WIDTHS = (1280, 380)
_FAILURES = """
import json, sys
from django.utils import timezone
from memory import events
from memory.models import AuditRow
now = timezone.now()
for text in json.loads({texts!r}):
    said = [events.Message(role="user", content=text)]
    run = events.ChatCompleted(messages=said, reply=text, model=text, proactive=text[:80], cut_off=True)
    chat = AuditRow.objects.record(run, now=now, conversation_id=text[:120])
    for event in (
        events.ChatFailed(error=text, kind="x", provider=text[:60], proactive=text[:60]),
        events.ChatPassedThrough(reason="task_prompt", beginning=text, model=text[:60]),
        events.ExtractAbandoned(error=text, attempts=5, reason="bad_answer"),
        events.EpisodeFailed(audit_log_id=chat.pk, error=text, kind="x"),
        events.ContextServed(block=text, left_out=[events.LeftOut(part="facts", reason=text)]),
    ):
        AuditRow.objects.record(event, now=now, chat=chat, decision_id="hostile")
    print(chat.pk)
"""
_FOREIGN = """() => [...document.querySelectorAll(
  'script:not([src^="/static/"]), img, iframe, svg[onload], [onerror], [hx-on\\\\:click], a[href^="javascript:"]')]
  .map((element) => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def addresses(server: Installation) -> list[str]:
    """Where these texts stand now: written by clients over the API, and by workers as they fail."""
    for number, text in enumerate(HOSTILE):
        server.api.put(f"/v1/memory/facts/{quote(f'k{number}.{text[:90]}', safe='')}", json={"value": text[:480]})
        name = {"conversation_id": f"{text[:100]} {number}"}
        for turn in ("first", "second"):
            said = [{"role": "user", "content": f"{turn} {text}"}, {"role": text[:30], "content": text}]
            server.api.post(
                "/v1/memory/chats", json={"messages": said, "reply": text, "model": text[:90], "metadata": name}
            )
    printed = server.manage("shell", "-v0", "-c", _FAILURES.format(texts=json.dumps(HOSTILE)))
    rows = server.api.get("/v1/audit?limit=30").json()["data"]
    facts = [fact["key"] for fact in server.api.get("/v1/memory/facts").json()["data"] if fact["key"].startswith("k")]
    return [
        "/dashboard/",
        "/dashboard/facts",
        "/dashboard/audit",
        "/dashboard/audit?family=failures",
        "/dashboard/audit?q=alert",
        *(f"/dashboard/audit?{urlencode({'conversation': text[:120]})}" for text in HOSTILE),
        *(f"/dashboard/audit/{number}" for number in printed.split()),
        *(f"/dashboard/audit/{row['id']}" for row in rows[:12]),
        *(f"/dashboard/facts/one?{urlencode({'key': key})}" for key in facts[:8]),
        f"/dashboard/preview?{urlencode({'message': HOSTILE[1]})}",
    ]


def watched(open_window: OpenWindow, *, width: int) -> BrowserWindow:
    """A window in which a dialogue is a failure."""
    window = open_window(width=width)

    def refuse(dialog: "Dialog") -> None:
        window.console.append(f"{window.page.url}: error: a script ran: {dialog.message}")
        dialog.dismiss()

    window.page.on("dialog", refuse)
    return window


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_runs_and_nothing_breaks_out(open_window: OpenWindow, addresses: list[str], width: int) -> None:
    window = watched(open_window, width=width)
    for address in addresses:
        window.open(address)
        assert window.page.evaluate(_FOREIGN) == [], address
        assert window.too_wide() == [], address
        if width == WIDTHS[-1]:  # the same elements at each width
            assert window.accessibility_violations() == [], address
        assert window.page.locator("nav[aria-label=Main]").count() == 1, "still logged in"


def test_the_name_of_a_key_is_text(open_window: OpenWindow) -> None:
    window = watched(open_window, width=380)
    for text in HOSTILE[:3]:
        window.open("/dashboard/connect")
        window.page.get_by_label("Who is the new key for?").fill(text)
        window.page.get_by_role("button", name="Make a key").click()
        window.page.get_by_role("heading", name=f"The key of {text}").wait_for()
        assert window.page.evaluate(_FOREIGN) == []
        assert window.too_wide() == []


def test_a_conversation_is_followed_and_left(open_window: OpenWindow, addresses: list[str]) -> None:
    """From a turn to its conversation, to another turn in it, and back by the browser's own button; without script."""
    window = open_window(script=False, width=380)
    page = window.page
    window.open("/dashboard/audit?family=chats")
    page.get_by_role("link", name="a conversation of 2 turns").first.click()
    page.get_by_role("heading", level=1, name=re.compile("^Conversation ")).wait_for()
    conversation = page.url
    page.locator("ol.timeline a", has_text="chat").first.click()
    page.get_by_role("heading", name="The same conversation").wait_for()
    with page.expect_navigation():
        page.locator(".turns a").first.click()
    page.get_by_text("this conversation: 2 turns").wait_for()
    page.go_back()
    page.go_back()
    assert page.url == conversation
    page.get_by_role("link", name="The whole timeline").click()
    page.wait_for_url("**/dashboard/audit")
