"""What people do in Open WebUI, turn by turn, and the shape in which what it asks is kept: `tests/data/open_webui/`.

Kept is what recognition rests on. Of Open WebUI's own long instructions the beginning and the end stand there, and of
its thirty tools the first.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.clients.open_webui.program import Mirror, OpenWebUI
from tests.clients.standins.upstream import TOOL_CALL, Upstream
from tests.servers import eventually

RECORDED = Path(__file__).resolve().parents[2] / "data" / "open_webui"
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
LEGACY: dict[str, Any] = {"params": {"function_calling": "legacy"}}
CLOCK = TOOL_CALL | {"function": {"name": "get_current_timestamp", "arguments": "{}"}}
MONDAY = "by the way, my dog's name is Beans"
THURSDAY = "What should I get for my dog?"

Scene = tuple[str, list[dict[str, Any]]]
_LONG_CHARS = 400
_ENDS = re.compile(r"(?:\n### Chat History:|\n<context>)[\s\S]*\Z")


def played(webui: OpenWebUI, seen: Mirror, model: Upstream, *, is_learned: Callable[[], bool]) -> Iterator[Scene]:
    """Each scene with the requests that it led to. `is_learned`: whether the dog is known, which the second awaits."""
    first: list[dict[str, Any]] = []

    def thursday() -> None:
        eventually(is_learned)
        webui.say(THURSDAY, after=first[0])

    def tool() -> None:
        model.tool_call = CLOCK
        webui.say("What time is it?")
        model.tool_call = TOOL_CALL

    def document() -> None:
        file = webui.upload("log.txt", "My boat is called Nixie. From the log of a stranger.")
        webui.say("What does it say about the boat?", files=[file])

    acts: dict[str, Callable[[], Any]] = {
        "a new chat": lambda: first.append(webui.say(MONDAY)),
        "the same chat goes on": thursday,
        "without tools": lambda: webui.say("Which town is the capital of Norway?", **LEGACY),
        "with a tool": tool,
        "a document": document,
        "web search": lambda: webui.say("How long are leads?", features={"web_search": True}, **LEGACY),
        "a picture": lambda: webui.say("What is that?", pictures=[PICTURE]),
        "a temporary chat": lambda: webui.say("My cat is called Ghost.", chat_id="temporary:session-of-a-window"),
        "a temporary chat of older versions": lambda: webui.say("My cat is called Ghost.", chat_id="local:window"),
    }
    for name, act in acts.items():
        act()
        yield name, [kept(asked) for asked in seen.taken()]


def kept(asked: dict[str, Any]) -> dict[str, Any]:
    """A request without what nothing rests on."""
    body = dict(asked["body"])
    body["messages"] = [_shortened(message) for message in body["messages"]]
    if body.get("tools"):
        body["tools"] = [{"type": "function", "function": {"name": body["tools"][0]["function"]["name"]}}]
    return {**asked, "body": body}


def _shortened(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, str) or len(content) <= _LONG_CHARS:
        return message
    end = _ENDS.search(content)
    assert end is not None, content
    return {**message, "content": f"{content[:140]}\n[...]{end[0]}"}


def is_errand(asked: dict[str, Any]) -> bool:
    """Whether Open WebUI asks for itself: it wants such answers in one piece, and those of people as a stream."""
    return not asked["body"]["stream"]


def write(name: str, version: str, scenes: list[Scene]) -> None:
    """Keep them for the tests."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    told = {"client": f"Open WebUI {version}", "scenes": dict(scenes)}
    (RECORDED / f"{name}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def read(name: str) -> dict[str, list[dict[str, Any]]]:
    """The scenes of a file."""
    scenes: dict[str, list[dict[str, Any]]] = json.loads((RECORDED / f"{name}.json").read_text())["scenes"]
    return scenes
