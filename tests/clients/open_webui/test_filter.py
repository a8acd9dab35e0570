"""The filter function for Open WebUI, run as Open WebUI runs it, against a real server."""

import asyncio
import importlib.util
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.servers import ROOT, Installation, eventually, free_port, running

pytestmark = pytest.mark.real_processes

SOURCE = ROOT / "contrib" / "open-webui" / "caesar_memory.py"
ANNA = {"id": "account-1", "email": "anna@example.org", "name": "Anna"}
HELLO = {"role": "user", "content": "by the way, my dog's name is Beans"}


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread of its own: another test of this process may have left an event loop running in this one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory.mktemp("server")) as installation:
        yield installation


def load() -> Any:
    """A new `Filter`, from the file as it is put into Open WebUI."""
    spec = importlib.util.spec_from_file_location("caesar_memory", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.Filter()


@pytest.fixture
def memory(server: Installation) -> Any:
    """The filter, set to the server."""
    made = load()
    key = str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    made.valves = made.Valves(base_url=f"{server.url}v1/", api_key=key)
    return made


def before(memory: Any, *messages: Any, chat_id: str = "chat-1", **given: Any) -> Any:
    """What the model is asked: Open WebUI's call before it."""
    metadata = {"chat_id": chat_id, "message_id": "m-1", **given}
    body = {"model": "large", "messages": [dict(message) for message in messages], "stream": True}
    return run(memory.inlet(body, __user__=ANNA, __metadata__=metadata))["messages"]


def after(memory: Any, *messages: Any, chat_id: str = "chat-1") -> Any:
    """Open WebUI's call after the answer, with what it keeps beside each message."""
    body = {
        "model": "large",
        "messages": [{"id": "m-0", "info": None, "timestamp": 1, **message} for message in messages],
        "chat_id": chat_id,
        "session_id": "s",
        "id": "m-1",
    }
    return run(memory.outlet(body, __user__=ANNA, __metadata__={"chat_id": chat_id}))


def rows(server: Installation, conversation: str) -> list[dict[str, Any]]:
    data = server.api.get("/v1/audit", params={"conversation": conversation}).json()["data"]
    return list(data)


def knows_the_dog(server: Installation) -> bool:
    return any(fact["value"] == "Beans" for fact in server.api.get("/v1/memory/facts").json()["data"])


def test_it_works(server: Installation, memory: Any) -> None:
    assert before(memory, HELLO, chat_id="monday") == [HELLO], "there is nothing to remember yet"
    thought = '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> a dog\n</details>\n'
    after(memory, HELLO, {"role": "assistant", "content": f"{thought}What a good name."}, chat_id="monday")
    eventually(lambda: knows_the_dog(server))
    chat, served = rows(server, "monday")
    assert chat["payload"]["reply"] == "What a good name."
    assert chat["decision_id"] == served["decision_id"]
    asked = {"role": "user", "content": "What should I get for my dog?"}
    system, question = before(memory, asked, chat_id="chat-2")
    assert question == asked
    assert system["role"] == "system"
    assert system["content"].count("Your dog's name is Beans.") == 1
    assert "CAESAR, a helpful" not in system["content"], "the server's own prompt is for its own models"
    ours = {"role": "system", "content": "Speak like a pirate."}
    system, question = before(memory, ours, asked, chat_id="chat-3")
    assert system["content"].endswith("Speak like a pirate.")
    assert "Your dog's name is Beans." in system["content"]


@pytest.mark.parametrize("chat_id", ["temporary:window-7", "local:window-7"])
def test_temporary_chats_are_left_alone(server: Installation, memory: Any, chat_id: str) -> None:
    last = server.api.get("/v1/audit", params={"limit": 1}).json()["data"][0]["id"]
    assert before(memory, HELLO, chat_id=chat_id) == [HELLO]
    after(memory, HELLO, {"role": "assistant", "content": "Good."}, chat_id=chat_id)
    newest = server.api.get("/v1/audit", params={"limit": 5}).json()["data"]
    assert not [row for row in newest if row["id"] > last and row["event_type"].startswith("chat")]


def test_errands_are_left_alone(server: Installation, memory: Any) -> None:
    title = {"role": "user", "content": "### Task:\nGenerate a title for the chat."}
    assert before(memory, title, chat_id="chat-9", task="title_generation") == [title]
    body = {"messages": [title]}
    assert run(memory.inlet(body, __metadata__={"chat_id": "chat-9"}, __task__="tags_generation")) == body
    assert rows(server, "chat-9") == []


def test_another_person_is_passed_through(server: Installation, memory: Any) -> None:
    before(memory, HELLO)  # Anna came first
    body = {"messages": [{"role": "user", "content": "What should I get for my dog?"}]}
    bob = {"id": "account-2", "email": "bob@example.org"}
    asked = run(memory.inlet(body, __user__=bob, __metadata__={"chat_id": "chat-bob", "message_id": "m"}))
    assert [message["role"] for message in asked["messages"]] == ["user"]


@pytest.mark.parametrize("trouble", ["away", "wrong key", "no address", "no JSON"])
def test_no_trouble_stops_a_chat(server: Installation, memory: Any, trouble: str) -> None:
    change = {
        "away": {"base_url": f"http://127.0.0.1:{free_port()}/v1"},
        "wrong key": {"api_key": "caesar_wrong"},
        "no address": {"base_url": "not an address"},
        "no JSON": {"base_url": server.url},
    }[trouble]
    memory.valves = memory.valves.model_copy(update=change)
    assert before(memory, HELLO) == [HELLO]
    after(memory, HELLO, {"role": "assistant", "content": "Good."})


def test_strange_bodies_are_handed_on(memory: Any) -> None:
    for body in ({}, {"messages": None}, {"messages": []}, {"messages": ["x", {"role": "user"}]}):
        assert run(memory.inlet(dict(body))) == body
        assert run(memory.outlet(dict(body))) == body


def test_turns_that_never_end_are_forgotten(memory: Any) -> None:
    for number in range(1_100):
        memory._keep(f"chat {number}", "d")
    assert len(memory._decisions) == 1_000
