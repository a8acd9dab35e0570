"""What Open WebUI asked, played to a real server: chats are chats, errands are passed through, memory once."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.clients.open_webui import scenes
from tests.clients.standins.upstream import Upstream, upstream
from tests.clients.test_openai_sdk import provider
from tests.servers import Installation, eventually, running

pytestmark = pytest.mark.real_processes

DOG = "Your dog's name is Beans."


@pytest.fixture(scope="module")
def model() -> Iterator[Upstream]:
    with upstream() as running_model:
        yield running_model


def newest_id(server: Installation) -> int:
    return int(server.api.get("/v1/audit", params={"limit": 1}).json()["data"][0]["id"])


def rows_since(server: Installation, last: int) -> list[dict[str, Any]]:
    """Rows of chats, oldest first."""
    data = server.api.get("/v1/audit", params={"limit": 20}).json()["data"]
    return [row for row in reversed(data) if row["id"] > last and row["event_type"].startswith("chat.")]


def ask(server: Installation, asked: dict[str, Any]) -> None:
    """Send a request as it was recorded, with this server's key."""
    headers = asked["headers"] | {"Authorization": server.api.headers["Authorization"]}
    url = server.url + asked["path"].removeprefix("/")
    assert httpx.post(url, json=asked["body"], headers=headers, timeout=60).status_code == 200


def play(server: Installation, model: Upstream, asked: dict[str, Any], *, is_temporary: bool) -> None:
    """One request, and what became of it."""
    last = newest_id(server)
    ask(server, asked)
    (row,) = rows_since(server, last)
    given, sent = model.requests[-1]["messages"], asked["body"]["messages"]
    if is_temporary or scenes.is_errand(asked):
        assert row["event_type"] == "chat.passed_through"
        assert row["payload"]["reason"] == ("temporary" if is_temporary else "task_prompt")
        assert given == sent, "not a word was put into it"
        return
    assert row["event_type"] == "chat.completed"
    others = [message for message in given if message["role"] != "system"]
    assert others == sent, "what was said is handed on as it is"
    assert json.dumps(given).count(f"  - {DOG}") == (1 if scenes.MONDAY not in str(sent[-1]) else 0)


@pytest.mark.parametrize("forwards", [True, False], ids=["with headers", "without headers"])
def test_it_works(forwards: bool, model: Upstream, tmp_path: Any) -> None:
    recorded = scenes.read("with_headers" if forwards else "without_headers")
    with running(tmp_path, **provider("openai", model.url)) as server:
        for name, requests in recorded.items():
            # Without the header nothing tells a temporary chat from others: that is said in docs/clients.md.
            is_temporary = forwards and name.startswith("a temporary chat")
            for asked in requests:
                play(server, model, asked, is_temporary=is_temporary)
            if name == "a new chat":
                eventually(lambda: facts(server))
        server.manage("run_batch", "extract")
        values = facts(server)
    assert values.count("Beans") == 1
    assert not {"Nixie", "Tilly"} & set(values), "documents and pages are not the operator's words"
    assert ("Ghost" in values) == (not forwards)


def facts(server: Installation) -> list[str]:
    return [fact["value"] for fact in server.api.get("/v1/memory/facts").json()["data"]]


def test_there_are_all_the_scenes() -> None:
    for name in ("with_headers", "without_headers"):
        recorded = scenes.read(name)
        assert len(recorded) == 9
        assert {"chat", "errand"} == {
            "errand" if scenes.is_errand(asked) else "chat" for requests in recorded.values() for asked in requests
        }
        headers = {name for requests in recorded.values() for asked in requests for name in asked["headers"]}
        assert ("X-OpenWebUI-Chat-Id" in headers) == (name == "with_headers")
