"""Open WebUI itself, from PyPI, with this server as its connection or as its filter. Run by hand:

    python3 -m venv /tmp/open-webui && /tmp/open-webui/bin/pip install open-webui
    OPEN_WEBUI=/tmp/open-webui .venv/bin/pytest tests/clients/open_webui/test_live.py

With `RECORD=1` what it asks is written to `tests/data/open_webui/`, which `test_recorded.py` plays every time.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients import table
from tests.clients.open_webui import scenes
from tests.clients.open_webui.program import Mirror, OpenWebUI, installed_at, mirror, open_webui, search_engine
from tests.clients.standins.upstream import Upstream, upstream
from tests.clients.test_openai_sdk import provider
from tests.servers import ROOT, Installation, eventually, running

pytestmark = [pytest.mark.real_processes, pytest.mark.by_hand]

REMEMBERED = "  - Your dog's name is Beans."
SEEN: tuple[table.Column, ...] = ("stream", "memory once", "learned once")
PROGRAM = installed_at()
if PROGRAM is None:
    pytest.skip("OPEN_WEBUI does not name an environment with Open WebUI in it", allow_module_level=True)


def key_of(server: Installation) -> str:
    return str(server.api.headers["Authorization"]).removeprefix("Bearer ")


@contextmanager
def connected(folder: Path, model: Upstream, **env: str) -> Iterator[tuple[Installation, Mirror, OpenWebUI]]:
    """The server, what it is asked, and an Open WebUI in front of it."""
    assert PROGRAM is not None
    (folder / "caesar").mkdir()
    with (
        running(folder / "caesar", **provider("openai", model.url)) as server,
        mirror(server.url) as seen,
        search_engine() as engine,
        open_webui(
            PROGRAM,
            folder / "open-webui",
            f"{seen.url}/v1",
            key_of(server),
            ENABLE_WEB_SEARCH="true",
            WEB_SEARCH_ENGINE="external",
            EXTERNAL_WEB_SEARCH_URL=engine,
            **env,
        ) as webui,
    ):
        yield server, seen, webui


def events(server: Installation, kind: str) -> list[dict[str, Any]]:
    data = server.api.get("/v1/audit", params={"type": kind, "limit": 100}).json()["data"]
    return [row["payload"] for row in data]


@pytest.mark.parametrize("forwards", [True, False], ids=["with headers", "without headers"])
def test_it_works(forwards: bool, tmp_path: Path) -> None:
    told = {"ENABLE_FORWARD_USER_INFO_HEADERS": str(forwards).lower()}
    with upstream() as model, connected(tmp_path, model, **told) as (server, seen, webui):
        played = list(scenes.played(webui, seen, model, is_learned=lambda: bool(events(server, "memory.fact.added"))))
        version = webui.http.get("/api/version").json()["version"]
        chats, passed = events(server, "chat.completed"), events(server, "chat.passed_through")
        added = [row["value"] for row in events(server, "memory.fact.added")]
    asked = [request for _, requests in played for request in requests]
    temporary = [request for name, requests in played if name.startswith("a temporary") for request in requests]
    spoken = [one for one in asked if not scenes.is_errand(one) and not (forwards and one in temporary)]
    assert len(chats) == len(spoken)
    assert len(passed) == len(asked) - len(spoken)
    assert {row["reason"] for row in passed} - {"task_prompt"} == ({"temporary"} if forwards else set())
    assert added.count("Beans") == 1
    assert not {"Nixie", "Tilly"} & set(added)
    prompts = [json.dumps(one["messages"]) for one in model.requests]
    assert any(scenes.PICTURE in prompt for prompt in prompts)
    assert any('"role": "tool"' in prompt for prompt in prompts)
    assert {prompt.count(REMEMBERED) for prompt in prompts} == {0, 1}
    assert sum(REMEMBERED in prompt for prompt in prompts) == len(spoken) - 1, "in every chat after the first turn"
    if forwards:
        table.note("Open WebUI", *SEEN, "tools", "images", version=f"`open-webui` {version}")
    if os.environ.get("RECORD"):
        scenes.write("with_headers" if forwards else "without_headers", version, played)


def test_the_filter_in_an_installation_with_its_own_connection(tmp_path: Path) -> None:
    assert PROGRAM is not None
    source = (ROOT / "contrib" / "open-webui" / "caesar_memory.py").read_text()
    (tmp_path / "caesar").mkdir()
    with (
        upstream() as model,
        running(tmp_path / "caesar") as server,
        open_webui(PROGRAM, tmp_path / "open-webui", f"{model.url}/v1", "key") as webui,
    ):
        webui.install_filter(source, {"base_url": f"{server.url}v1", "api_key": key_of(server)})
        webui.say(scenes.MONDAY, model="large")
        eventually(lambda: events(server, "memory.fact.added"))
        thursday = webui.say(scenes.THURSDAY, model="large")
        assert webui.reply(thursday) == "I know: Your dog's name is Beans.."
        webui.say("My cat is called Ghost.", model="large", chat_id="temporary:session-of-a-window")
        chats = events(server, "chat.completed")
        receipts = events(server, "memory.context.served")
        version = webui.http.get("/api/version").json()["version"]
    assert [chat["messages"][-1]["content"] for chat in chats] == [scenes.THURSDAY, scenes.MONDAY]
    assert [chat["reply"] for chat in chats] == ["I know: Your dog's name is Beans..", "I know: nothing."]
    assert len(receipts) == 2
    prompts = [json.dumps(one["messages"]) for one in model.requests if one.get("stream")]
    assert [prompt.count(REMEMBERED) for prompt in prompts] == [0, 1, 0]
    table.note("Open WebUI, with the filter", *SEEN, version=f"`open-webui` {version}")
