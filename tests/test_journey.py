"""Monday tells it, Thursday knows it: the whole promise through public doors, with a real web server and worker."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from pydantic import JsonValue

from tests.servers import Installation, eventually, running

pytestmark = pytest.mark.real_processes

MONDAY = "by the way my dog's name is Beans"


def user(text: str) -> dict[str, JsonValue]:
    return {"role": "user", "content": text}


def say(server: Installation, *messages: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """One turn; the conversation so far with the reply."""
    answer = server.api.post("/v1/chat", json={"messages": list(messages)})
    assert answer.status_code == 200, answer.text
    body: dict[str, JsonValue] = answer.json()
    return body


def dog(server: Installation) -> dict[str, JsonValue] | None:
    facts = server.api.get("/v1/memory/facts").json()["data"]
    return next((fact for fact in facts if fact["key"] == "dog.name"), None)


def all_read(server: Installation) -> bool:
    """Whether the worker has nothing left to do: what it prints when asked for one more batch."""
    return "0 chats read" in server.manage("run_batch", "extract")


def event_types(server: Installation) -> list[str]:
    rows = server.api.get("/v1/audit", params={"fact": "dog.name", "limit": 100}).json()["data"]
    return [row["event_type"] for row in reversed(rows)]


class Forms(HTMLParser):
    """The forms of a page, each as its action and the fields it would send untouched."""

    def __init__(self, page: httpx.Response) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((values.get("action", ""), {}))
        elif tag == "input" and "name" in values and self.forms:
            self.forms[-1][1][values["name"]] = values.get("value", "")

    def with_field(self, name: str) -> tuple[str, dict[str, str]]:
        return next(form for form in self.forms if name in form[1])


class Browser:
    """The operator's browser, without script: follows links, sends forms as the page holds them."""

    def __init__(self, server: Installation) -> None:
        self.server = server
        self.client = httpx.Client(base_url=server.url, follow_redirects=True, timeout=30)

    def open(self, address: str) -> httpx.Response:
        page = self.client.get(address)
        assert page.status_code == 200
        return page

    def send(self, page: httpx.Response, **fields: str) -> httpx.Response:
        """The form of `page` that has these fields, filled in and sent."""
        action, untouched = Forms(page).with_field(next(iter(fields)))
        return self.client.post(
            page.url.join(action),
            data=untouched | fields,
            headers={"Referer": str(page.url), "Origin": self.server.url[:-1]},
        )

    def log_in(self) -> httpx.Response:
        return self.send(self.open("/"), username=self.server.username, password=self.server.password)


def edit_in_the_browser(server: Installation, key: str, value: str) -> None:
    browser = Browser(server)
    assert browser.log_in().url.path == "/dashboard/"
    facts = browser.open("/dashboard/facts")
    links = re.findall(r'href="([^"]*/edit[^"]*)"', facts.text)
    form = browser.open(html.unescape(next(link for link in links if key in link)))
    saved = browser.send(form, value=value)
    assert saved.status_code == 200, saved.text
    assert value in saved.text
    browser.client.close()


def test_monday_tells_it_thursday_knows_it(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        reply = say(server, user(MONDAY))["message"]
        learned = eventually(lambda: dog(server))
        assert learned["value"] == "Beans"

        thursday = {"message": "What should I get Beans for his birthday?"}
        context = server.api.post("/v1/memory/context", json=thursday).json()
        assert "  - Your dog's name is Beans." in context["block"].splitlines()

        edit_in_the_browser(server, "dog.name", "Bowser")
        assert dog(server)["value"] == "Bowser"  # type: ignore[index]

        thread: list[dict[str, JsonValue]] = [user(MONDAY)]
        say(server, *thread)
        for number in range(20):
            thread += [reply, user(f"and another thing, number {number}")]  # type: ignore[list-item]
            reply = say(server, *thread)["message"]
        eventually(lambda: all_read(server))
        assert dog(server)["value"] == "Bowser"  # type: ignore[index]
        assert event_types(server) == ["memory.fact.added", "memory.fact.user_edited"]
        context = server.api.post("/v1/memory/context", json=thursday).json()
        assert "Your dog's name is Bowser." in context["system_prompt"]
        assert "Beans" not in context["system_prompt"]

        say(server, user("my dog's name is Waffles now"))
        eventually(lambda: dog(server)["value"] == "Waffles")  # type: ignore[index]
        assert event_types(server) == ["memory.fact.added", "memory.fact.user_edited", "memory.fact.updated"]

        counted = httpx.get(f"{server.url}metrics").text
        for event in ("chat.completed", "memory.fact.added"):  # the one by a web process, the other by a worker's
            assert f'caesar_events_total{{event="{event}"}}' in counted
        assert 'caesar_stage_seconds_count{stage="record"}' in counted


MONDAY_NIGHT = "I've been struggling with sleep, I keep waking up at 3am."
ADVICE = "Try lowering the bedroom thermostat to 65°F and keep a sleep diary for a week."


def context_for(server: Installation, message: str) -> dict[str, JsonValue]:
    answer = server.api.post("/v1/memory/context", json={"message": message})
    assert answer.status_code == 200, answer.text
    body: dict[str, JsonValue] = answer.json()
    return body


def test_thursday_understands_the_thermostat_thing(tmp_path: Path) -> None:
    """The embedded model for real, in a real worker and a real web server."""
    with running(tmp_path) as server:
        chat = {"messages": [user(MONDAY_NIGHT)], "reply": ADVICE}
        recorded = server.api.post("/v1/memory/chats", json=chat)
        assert recorded.status_code == 201, recorded.text
        server.api.post("/v1/memory/chats", json={"messages": [user("what time is it?")], "reply": "Nine o'clock."})
        audit = {"type": "memory.episode.summarise_skipped"}
        eventually(lambda: server.api.get("/v1/audit", params=audit).json()["data"])

        thursday = context_for(server, "I tried the thermostat thing you suggested.")
        (episode,) = thursday["episodes"]  # type: ignore[misc, union-attr]
        assert episode["audit_log_id"] == recorded.json()["audit_log_id"]  # type: ignore[call-overload, index]
        assert "Possibly relevant past conversations:\n  - today: " in str(thursday["system_prompt"])
        assert "thermostat" in str(thursday["block"])

        assert context_for(server, "what time is it?")["episodes"] == []
        rows = server.api.get("/v1/audit", params={"type": "memory.episode.recalled"}).json()["data"]
        assert [row["chat_id"] for row in rows] == [recorded.json()["audit_log_id"]]
        receipts = server.api.get("/v1/audit", params={"decision": str(thursday["decision_id"])}).json()["data"]
        assert receipts[0]["payload"]["block"] == thursday["block"]
