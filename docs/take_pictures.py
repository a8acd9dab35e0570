"""Take the README's pictures anew: `.venv/bin/python -m docs.take_pictures`.

Needs Playwright (`pip install playwright`) and a Chromium of the system (`CHROMIUM`, by default /usr/bin/chromium).
Starts an installation of its own on loopback, tells it a few things through the API, and takes the pages as they are.
"""

import os
import re
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.servers import Installation, eventually, running

FOLDER = Path(__file__).resolve().parent
SIZE = {"width": 1180, "height": 760}

TOLD = [
    (41, "We moved in March, I live in Portland now.", "Congratulations on the move!"),
    (40, "I go to the gym every Tuesday before work.", "Noted, Tuesdays are taken."),
    (16, "I prefer coffee black, no sugar. My wife Alice takes milk.", "Black for you, milk for Alice."),
    (12, "I'm allergic to penicillin, please keep that in mind.", "Thank you for telling me, I will."),
    (9, "I'm a piano tuner, mostly for churches.", "What a lovely trade."),
    (3, "I've been struggling with sleep, I keep waking up at 3am.", "Try lowering the bedroom thermostat to 65°F."),
    (3, "By the way, my dog's name is Beans.", "A good name for a dog."),
    (1, "As you know I live in Portland, so where can I get good rye bread?", "Try the bakeries on Division."),
]


def tell(server: Installation) -> None:
    """Finished chats of the last weeks, and one turn of today."""
    now = datetime.now(UTC)
    for days, said, reply in TOLD:
        messages = [{"role": "user", "content": said}]
        body: dict[str, Any] = {
            "messages": messages,
            "reply": reply,
            "occurred_at": (now - timedelta(days=days)).isoformat(),
        }
        server.api.post("/v1/memory/chats", json=body).raise_for_status()
    eventually(lambda: server.api.get("/v1/memory/facts/dog.name").status_code == 200)
    eventually(lambda: len(server.api.get("/v1/audit?type=memory.episode.summarised").json()["data"]) >= 6)
    server.api.put("/v1/memory/facts/dog.name", json={"value": "Bowser"}).raise_for_status()
    turn = {"messages": [{"role": "user", "content": "I tried the thermostat thing you suggested."}]}
    context = server.api.post("/v1/memory/context", json={"message": turn["messages"][0]["content"]}).json()
    turn |= {"reply": "How did it go at 65°F?", "decision_id": context["decision_id"], "model": "llama3.1:8b"}  # type: ignore[dict-item]
    server.api.post("/v1/memory/chats", json=turn).raise_for_status()
    eventually(lambda: "0 chats read" in server.manage("run_batch", "summarise"))


def log_in(page: Page, server: Installation) -> None:
    """The operator's way in."""
    page.goto(server.url)
    page.fill("[name=username]", server.username)
    page.fill("[name=password]", server.password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/facts")


def take(page: Page, server: Installation) -> None:
    """Every picture the README shows."""
    log_in(page, server)
    page.screenshot(path=FOLDER / "facts.png", full_page=True)
    page.get_by_role("link", name="Edit").first.click()
    page.wait_for_selector("form.edit-form")
    page.screenshot(path=FOLDER / "edit.png", clip={"x": 0, "y": 0, "width": SIZE["width"], "height": 420})
    page.goto(f"{server.url}dashboard/audit")
    page.screenshot(path=FOLDER / "timeline.png", clip={"x": 0, "y": 0, **SIZE})
    page.get_by_role("link", name=re.compile(r"^chat \d+$")).first.click()
    page.wait_for_load_state()
    page.screenshot(path=FOLDER / "chat.png", full_page=True)


def main() -> None:
    """Start, tell, take, stop."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as playwright:
        tell(server)
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser.new_page(viewport=SIZE, color_scheme="light"), server)
        browser.close()


if __name__ == "__main__":
    main()
