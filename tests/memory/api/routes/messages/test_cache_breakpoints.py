"""Memory stands behind the client's cache breakpoints: up to each of them the bytes are the client's."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from memory import events
from memory.events import Message
from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import last
from tests.memory.api.routes.messages.messages_helpers import BREAK, PATH, text, user, whole
from tests.memory.llm.scripted import ScriptedLLM

pytestmark = pytest.mark.django_db

SAID = {"role": "user", "content": "what should my dog eat?"}
EARLIER = [user(text("hello", **BREAK)), {"role": "assistant", "content": "Hello."}]
TOOL = {"name": "look", "input_schema": {"type": "object"}}
CALL = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {"cache_control": 1}}],
}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "21 degrees"}


def prefixes(body: dict[str, Any]) -> Iterator[str]:
    """What a provider caches: tools, system and messages, block by block, up to each breakpoint."""
    so_far: list[Any] = []
    for place, block in parts(body):
        so_far.append((place, block))
        inner = block.get("content") if isinstance(block.get("content"), list) else []
        if "cache_control" in block or any("cache_control" in one for one in inner):
            yield json.dumps(so_far)


def parts(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every block of a request in the order in which it is cached; a string is one text block."""
    for tool in body.get("tools", []):
        yield "tools", tool
    yield from blocks("system", body.get("system") or [])
    for number, message in enumerate(body["messages"]):
        yield from blocks(f"{number} {message['role']}", message["content"])


def blocks(place: str, content: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for block in [text(content)] if isinstance(content, str) else content:
        yield place, block


CASES: dict[str, dict[str, Any]] = {
    "tools": {"tools": [TOOL, {**TOOL, "name": "see", **BREAK}], "system": "Be brief.", "messages": [SAID]},
    "system": {"system": [text("Be brief.", **BREAK)], "messages": [SAID]},
    "system, and more of it": {"system": [text("One."), text("Two.", **BREAK), text("Three.")], "messages": [SAID]},
    "an earlier message": {"system": "Be brief.", "messages": [*EARLIER, SAID]},
    "no system prompt": {"messages": [*EARLIER, SAID]},
    "the newest message": {"system": "Be brief.", "messages": [user(text("a page", **BREAK), text("what is it?"))]},
    "its last block": {"system": [text("Be brief.", **BREAK)], "messages": [*EARLIER, user(text("hi?", **BREAK))]},
    "a tool's result": {"messages": [SAID, CALL, user({**RESULT, **BREAK})]},
    "inside a tool's result": {"messages": [SAID, CALL, user({**RESULT, "content": [text("21", **BREAK)]})]},
    "results without one": {"messages": [user(text("hi?", **BREAK)), CALL, user(RESULT, text("and?"))]},
    "for an hour": {"messages": [user(text("hi?", cache_control={"type": "ephemeral", "ttl": "1h"}))]},
}


@pytest.mark.parametrize("position", ["top", "after_prompt"])
@pytest.mark.parametrize("name", CASES)
def test_it_works(
    api: ApiClient, beans: None, claude: ScriptedLLM, configure: Configure, name: str, position: str
) -> None:
    configure(memory__injection__position=position)
    claude.add(whole())
    body = {"model": "claude-x", "max_tokens": 9, **CASES[name]}
    assert api.post(PATH, json=body).status_code == 200
    (sent,), block = claude.requests, last(events.ContextServed).payload["block"]
    assert list(prefixes(sent)) == list(prefixes(body))
    assert list(prefixes(body))
    assert json.dumps(sent).count(json.dumps(block)[1:-1]) == 1
    behind = list(parts(sent))
    last_mark = max(place for place, (_, one) in enumerate(behind) if "cache_control" in json.dumps(one))
    memory = next(place for place, (_, one) in enumerate(behind) if block in one.get("text", ""))
    assert memory > last_mark


@pytest.mark.parametrize(
    ("position", "texts"),
    [("top", ["One.", "Two.", "block", "Three."]), ("after_prompt", ["One.", "Two.", "Three.", "block"])],
)
def test_in_system_it_stands_behind_the_last_breakpoint_or_last_of_all(
    api: ApiClient, beans: None, claude: ScriptedLLM, configure: Configure, position: str, texts: list[str]
) -> None:
    configure(memory__injection__position=position)
    claude.add(whole())
    api.post(PATH, json={"model": "x", "max_tokens": 9, **CASES["system, and more of it"]})
    block = last(events.ContextServed).payload["block"]
    assert [one["text"].replace(block, "block") for one in claude.requests[0]["system"]] == texts


def test_in_a_message_it_stands_before_the_operators_words_and_behind_the_results_of_tools(
    api: ApiClient, beans: None, claude: ScriptedLLM
) -> None:
    claude.add(whole(), whole())
    api.post(PATH, json={"model": "x", "max_tokens": 9, "messages": [*EARLIER, SAID]})
    block = text(last(events.ContextServed).payload["block"])
    assert claude.requests[0]["messages"] == [*EARLIER, user(block, text(SAID["content"]))]
    assert "system" not in claude.requests[0]
    api.post(PATH, json={"model": "x", "max_tokens": 9, **CASES["results without one"]})
    assert claude.requests[1]["messages"][-1]["content"] == [RESULT, block, text("and?")]


def test_it_is_never_taken_for_the_operators_words(api: ApiClient, beans: None, claude: ScriptedLLM) -> None:
    claude.add(whole(), whole())
    api.post(PATH, json={"model": "x", "max_tokens": 9, "messages": [*EARLIER, SAID]})
    completed = last(events.ChatCompleted).completed
    assert [message.content for message in completed.messages if message.role == "user"] == ["hello", SAID["content"]]
    sent_back = claude.requests[0]["messages"][-1]
    api.post(PATH, json={"model": "x", "max_tokens": 9, "messages": [*EARLIER, sent_back]})
    again = last(events.ChatCompleted).completed
    assert (again.replay, again.new_messages) == (True, [])


def test_where_only_an_answer_that_was_begun_has_a_breakpoint_the_newest_message_takes_it(
    api: ApiClient, beans: None, claude: ScriptedLLM
) -> None:
    claude.add(whole())
    begun = {"role": "assistant", "content": [text("{", **BREAK)]}
    api.post(PATH, json={"model": "x", "max_tokens": 9, "system": "Be brief.", "messages": [SAID, begun]})
    block = text(last(events.ContextServed).payload["block"])
    assert claude.requests[0]["messages"] == [user(block, text(SAID["content"])), begun]
    assert claude.requests[0]["system"] == "Be brief."


@pytest.mark.parametrize(
    "said", [[SAID], [SAID, CALL, user({**RESULT, "content": "21"})], [user(text("hi?", **BREAK))]]
)
def test_an_automatic_breakpoint_stays_on_the_clients_last_block(
    api: ApiClient, beans: None, claude: ScriptedLLM, said: list[dict[str, Any]]
) -> None:
    claude.add(whole())
    body = {"model": "x", "max_tokens": 9, "system": "Be brief.", "messages": said}
    api.post(PATH, json={**body, **BREAK})
    *before, newest = claude.requests[0]["messages"]
    *_, client_block, memory = newest["content"]
    assert (before, claude.requests[0]["system"]) == (said[:-1], "Be brief.")
    assert memory == text(last(events.ContextServed).payload["block"])
    assert client_block == list(blocks("", said[-1]["content"]))[-1][1] | BREAK
    assert "cache_control" not in claude.requests[0]


def test_an_automatic_breakpoint_in_an_answer_that_was_begun_is_the_requests(
    api: ApiClient, beans: None, claude: ScriptedLLM
) -> None:
    claude.add(whole())
    body = {"model": "x", "max_tokens": 9, "system": "Be brief.", **BREAK}
    begun = {"role": "assistant", "content": "{"}
    api.post(PATH, json={**body, "messages": [SAID, begun]})
    block = text(last(events.ContextServed).payload["block"])
    said = [user(block, text(SAID["content"])), begun]
    assert {name: claude.requests[0][name] for name in ("system", "cache_control", "messages")} == {
        "system": "Be brief.",
        **BREAK,
        "messages": said,
    }


def test_every_step_of_a_tool_loop_finds_what_the_step_before_had_cached(
    api: ApiClient, beans: None, claude: ScriptedLLM
) -> None:
    use = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    claude.add(whole(content=[use], stop_reason="tool_use"), whole())
    asked = {"model": "x", "max_tokens": 9, "system": [text("Be brief.", **BREAK)], "tools": [TOOL]}
    first = [user(text(SAID["content"], **BREAK))]
    api.post(PATH, json={**asked, "messages": first})
    step = [*first, {"role": "assistant", "content": [use]}, user({**RESULT, **BREAK})]
    api.post(PATH, json={**asked, "messages": step})
    one, two = (list(prefixes(sent)) for sent in claude.requests)
    assert two[: len(one)] == one
    chats = list(AuditRow.objects.get_queryset().chats().order_by("id"))[1:]
    assert [row.completed.new_messages for row in chats] == [[1], []]
    assert chats[1].completed.continues == chats[0].pk
    assert AuditRow.objects.filter(event_type="memory.context.served").count() == 1
    assert isinstance(chats[1].completed.messages[-1], Message)
