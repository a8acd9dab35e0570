"""Take the pictures of the README and of `docs/` anew: `make pictures`.

Needs a Chromium of the system (`CHROMIUM`, by default the one that is found). Starts an installation of its own on
loopback, fills it with `manage.py demo_data`, and takes the pages as they are.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.servers import Installation, running

FOLDER = Path(__file__).resolve().parent
WIDTH = 1180
MESSAGE = "I tried the thermostat thing you suggested."


def log_in(page: Page, server: Installation) -> None:
    """The operator's way in."""
    page.goto(f"{server.url}login")
    page.get_by_label("Username").fill(server.username)
    page.get_by_label("Password").fill(server.password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/dashboard/**")


def picture(page: Page, name: str, *, height: int) -> None:
    """The upper part of a page, so much of it."""
    page.wait_for_load_state()
    page.set_viewport_size({"width": WIDTH, "height": height})
    page.screenshot(path=FOLDER / f"{name}.png")


def take(page: Page, server: Installation) -> None:
    """Every picture that the README and `docs/` show."""
    log_in(page, server)
    page.goto(f"{server.url}dashboard/")
    picture(page, "overview", height=860)
    page.goto(f"{server.url}dashboard/facts")
    picture(page, "facts", height=900)
    page.get_by_role("link", name="Edit fact dog.name").click()
    page.wait_for_selector("form.edit-form")
    picture(page, "edit", height=520)
    page.goto(f"{server.url}dashboard/facts/one?key=preference.coffee")
    picture(page, "fact", height=900)
    page.goto(f"{server.url}dashboard/audit")
    picture(page, "timeline", height=860)
    page.goto(f"{server.url}dashboard/audit/{chat_of_the_message(server)}")
    picture(page, "chat", height=900)
    page.goto(f"{server.url}dashboard/preview?message={MESSAGE}&top_k=2&threshold=0.2&fact_halflife=20&max_facts=24")
    picture(page, "preview", height=980)


def chat_of_the_message(server: Installation) -> int:
    """The chat of today for which something was recalled."""
    recalled = server.api.get("/v1/audit?type=memory.episode.recalled&limit=50").json()["data"]
    turns = {row["decision_id"] for row in recalled}
    chats = server.api.get("/v1/audit?type=chat.completed&limit=50").json()["data"]
    said = {row["id"]: row["payload"]["messages"][-1]["content"] for row in chats if row["decision_id"] in turns}
    return next(int(id_) for id_, words in said.items() if words.startswith(MESSAGE))


def main() -> None:
    """Start, fill, take, stop."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    chromium = next((path for name in names if name and (path := shutil.which(name))), None)
    if chromium is None:
        sys.exit("There is no Chromium: apt install chromium, or set CHROMIUM to where it is.")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as playwright:
        print(server.manage("demo_data").strip())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light"), server)
        browser.close()


if __name__ == "__main__":
    main()
