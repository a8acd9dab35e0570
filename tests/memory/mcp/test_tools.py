"""What a client's model may call, with which words, shapes and hints; and what reading tools give."""

import json
from datetime import datetime, timedelta

import jsonschema
import pytest
import time_machine

from memory import events
from memory.models import AuditRow, EpisodeSummary, PersonalFact, Scope, undo
from tests.memory.mcp.speaking import VERSIONS, Object, Speaker, names, with_scopes

pytestmark = pytest.mark.django_db

READING = ["search_memories", "get_memories", "get_memory"]
RESEARCH = ["search", "fetch"]
EVERYTHING = [*READING, "add_memory", "update_memory", "delete_memory", *RESEARCH]


def learned(now: datetime, **values: str) -> None:
    for key, value in values.items():
        PersonalFact.objects.add(key.replace("__", "."), value, now=now)


def recorded_chat(now: datetime) -> AuditRow:
    said = [events.Message(role="system", content="Be brief."), events.Message(role="user", content="I met Ada.")]
    return AuditRow.objects.record(events.ChatCompleted(messages=said, reply="How nice."), now=now)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_tool_is_listed_in_one_order_with_its_words_shapes_and_hints(api: object, version: str) -> None:
    tools = Speaker(api, version).result("tools/list")["tools"]  # type: ignore[arg-type]
    assert names(tools) == EVERYTHING
    for tool in tools:
        assert tool["title"]
        assert len(tool["description"]) > 40
        hints = tool["annotations"]
        assert (hints["readOnlyHint"], hints["openWorldHint"]) == (tool["name"] in [*READING, *RESEARCH], False)
        assert hints["destructiveHint"] == (tool["name"] in ("update_memory", "delete_memory"))
        for shape in ("inputSchema", "outputSchema"):
            jsonschema.Draft202012Validator.check_schema(tool[shape])
            assert tool[shape]["type"] == "object"
        assert all(field.get("description") for field in tool["inputSchema"]["properties"].values())


@pytest.mark.parametrize(
    ("scopes", "listed"),
    [
        (["record"], ["add_memory"]),
        (["read"], [*READING, *RESEARCH]),
        (["read", "record"], [*READING, "add_memory", *RESEARCH]),
        (["manage"], ["add_memory", "update_memory", "delete_memory"]),
    ],
)
def test_a_key_sees_the_tools_that_it_may_call_and_may_call_no_other(scopes: list[Scope], listed: list[str]) -> None:
    client = with_scopes(*scopes)
    assert names(client.result("tools/list")["tools"]) == listed
    for tool in EVERYTHING:
        status = client.send("tools/call", {"name": tool, "arguments": {}}).status_code
        assert (status == 403) == (tool not in listed), tool


def test_what_a_tool_gives_has_the_shape_it_promised_and_stands_there_as_text(speaker: Speaker, now: datetime) -> None:
    learned(now, dog__name="Beans")
    calls: dict[str, Object] = {
        "search_memories": {"query": "What is my dog called?"},
        "search": {"query": "dog"},
        "get_memories": {},
        "get_memory": {"id": "fact:dog.name"},
        "fetch": {"id": "fact:dog.name"},
        "add_memory": {"key": "cat.name", "value": "Tom"},
        "update_memory": {"id": "dog.name", "value": "Rex"},
        "delete_memory": {"id": "dog.name"},
    }
    shapes = {tool["name"]: tool["outputSchema"] for tool in speaker.result("tools/list")["tools"]}
    for tool, arguments in calls.items():
        result = speaker.result("tools/call", {"name": tool, "arguments": arguments})
        jsonschema.validate(result["structuredContent"], shapes[tool])
        (text,) = result["content"]
        assert text["type"] == "text"
        assert json.loads(text["text"]) == result["structuredContent"]


def test_facts_are_gone_through_page_by_page(client: Speaker, now: datetime) -> None:
    learned(now, dog__name="Beans", dog__age="4", dog__breed="pug", food__favourite="soup")
    seen: list[str] = []
    cursor = ""
    for _ in range(4):
        page = client.call("get_memories", limit=1, cursor=cursor)
        seen += [fact["key"] for fact in page["facts"]]
        cursor = page["next_cursor"]
    assert (sorted(seen), cursor) == (["dog.age", "dog.breed", "dog.name", "food.favourite"], "")
    dogs = client.call("get_memories", prefix="Dog", limit=2)
    rest = client.call("get_memories", prefix="Dog", limit=2, cursor=dogs["next_cursor"])
    assert len(dogs["facts"]) == 2
    assert {fact["key"] for fact in (*dogs["facts"], *rest["facts"])} == {"dog.name", "dog.age", "dog.breed"}
    assert "cursor" in client.refusal("get_memories", cursor="MTIz")


def test_facts_come_by_importance_and_those_past_their_day_last(client: Speaker, now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        learned(now - timedelta(days=30), a__one="1")
        learned(now, a__two="2", a__three="3")
        PersonalFact.objects.get(key="a.three").set_valid_until((now - timedelta(days=2)).date(), now=now)
        for prefix in ("", "a."):
            listed = client.call("get_memories", prefix=prefix)["facts"]
            assert [fact["key"] for fact in listed] == ["a.two", "a.one", "a.three"]


def test_facts_that_are_no_longer_true_are_listed_apart(client: Speaker, now: datetime) -> None:
    learned(now, dog__name="Beans", cat__name="Tom")
    PersonalFact.objects.get(key="cat.name").end(said_at=now, now=now)
    assert [fact["key"] for fact in client.call("get_memories")["facts"]] == ["dog.name"]
    (ended,) = client.call("get_memories", ended=True, prefix="cat")["facts"]
    assert (ended["key"], bool(ended["ended_at"])) == ("cat.name", True)


def test_a_fact_is_read_with_its_history(client: Speaker, now: datetime) -> None:
    learned(now, dog__name="Beans")
    PersonalFact.objects.get().edit("Rex", now=now + timedelta(days=1))
    for wanted in ("fact:dog.name", "dog.name", " fact:dog.name "):
        found = client.call("get_memory", id=wanted)
        assert (found["id"], found["value"], found["kind"]) == ("fact:dog.name", "Rex", "fact")
        assert [change["value"] for change in found["history"]] == ["Rex", "Beans"]
        assert found["url"] == "http://testserver/dashboard/facts/one?key=dog.name"
        assert "Rex" in found["text"]


def test_an_episode_and_its_chat_are_read(client: Speaker, now: datetime) -> None:
    chat = recorded_chat(now)
    columns = {"summary": "Met Ada.", "embedding": [1.0], "model": "m", "created_at": now}
    episode = EpisodeSummary.objects.create(audit_log=chat, **columns)
    found = client.call("get_memory", id=f"episode:{episode.pk}")
    assert (found["kind"], found["title"], found["chat_id"]) == ("episode", "Met Ada.", chat.pk)
    told = client.call("get_memory", id=f"chat:{chat.pk}")
    assert told["messages"] == [{"role": "user", "text": "I met Ada."}, {"role": "assistant", "text": "How nice."}]
    assert told["url"] == f"http://testserver/dashboard/audit/{chat.pk}"
    fetched = client.call("fetch", id=f"chat:{chat.pk}")
    assert set(fetched) == {"id", "title", "text", "url", "metadata"}
    assert "I met Ada." in fetched["text"]
    assert fetched["metadata"]["kind"] == "chat"


def test_what_was_deleted_or_put_right_since_is_not_told_as_it_was(client: Speaker, now: datetime) -> None:
    learned(now, horse__name="Star", cat__name="Mousetrap")
    said = [events.Message(role="user", content="My horse is called Star. My cat is called Mousetrap. It rains.")]
    chat = AuditRow.objects.record(events.ChatCompleted(messages=said, reply="Star is a fine name."), now=now)
    columns = {"summary": "Their horse is Star. It rained.", "embedding": [1.0], "model": "m", "created_at": now}
    episode = EpisodeSummary.objects.create(audit_log=chat, **columns)
    later = now + timedelta(days=1)
    PersonalFact.objects.get(key="horse.name").forget(now=later)
    PersonalFact.objects.get(key="cat.name").edit("Tom", now=later)
    again = [*said, events.Message(role="assistant", content="I see."), events.Message(role="user", content="And now?")]
    resent = events.ChatCompleted(messages=again, reply="Nothing.", new_messages=[2])
    next_chat = AuditRow.objects.record(resent, now=later + timedelta(days=1))
    for row in (chat, next_chat):
        read = client.result("resources/read", {"uri": f"caesar://chats/{row.pk}"})["contents"][0]["text"]
        for told in (
            str(client.call("get_memory", id=f"chat:{row.pk}")),
            client.call("fetch", id=f"chat:{row.pk}"),
            read,
        ):
            assert "Star" not in str(told)
            assert "It rains." in str(told)
            assert "Since corrected: cat.name is now “Tom”" in str(told)
    about = client.call("get_memory", id=f"episode:{episode.pk}")
    assert "Star" not in str(about)
    assert "It rained." in about["text"]


def test_the_history_tells_no_value_that_was_deleted(client: Speaker, now: datetime) -> None:
    learned(now, dog__name="Quetzalzz")
    deletion = PersonalFact.objects.get().forget(now=now)
    assert deletion
    undo(deletion, now=now)
    assert "Quetzalzz" in str(client.call("get_memory", id="dog.name")["history"])
    PersonalFact.objects.get().forget(now=now)
    learned(now, dog__name="Rex")
    found = client.call("get_memory", id="dog.name")
    assert "Quetzalzz" not in str(found)
    assert [change["value"] for change in found["history"]][:2] == ["Rex", None]


def test_a_chat_that_memory_is_kept_out_of_is_none(client: Speaker, now: datetime) -> None:
    apart = AuditRow.objects.record(events.ChatCompleted(reply="My secret.", learn=False), now=now)
    chat = recorded_chat(now)
    columns = {"summary": "Met Ada.", "embedding": [1.0], "model": "m", "created_at": now}
    episode = EpisodeSummary.objects.create(audit_log=chat, **columns)
    step = AuditRow.objects.record(events.ChatCompleted(reply="Go on.", continues=chat.pk), now=now, chat=chat)
    client.call("get_memory", id=f"chat:{step.pk}")
    deletion = episode.forget(now=now)
    assert deletion
    for row in (apart, chat, step):
        assert "There is no memory" in client.refusal("get_memory", id=f"chat:{row.pk}")
        assert client.error("resources/read", {"uri": f"caesar://chats/{row.pk}"})["code"] == -32602
    EpisodeSummary.objects.restore(deletion, now=now)
    assert client.call("get_memory", id=f"chat:{chat.pk}")["kind"] == "chat"


@pytest.mark.parametrize(
    "wanted", ["fact:nothing", "episode:1", "chat:99", "chat:x", "chat:" + "9" * 40, "episode:²", "rain", "fact:", ":"]
)
def test_what_is_not_there_is_said_with_what_to_do(client: Speaker, wanted: str) -> None:
    for tool in ("get_memory", "fetch"):
        assert "There is no memory" in client.refusal(tool, id=wanted)


def test_a_row_that_is_no_chat_is_none(client: Speaker, now: datetime) -> None:
    learned(now, dog__name="Beans")
    assert "There is no memory" in client.refusal("get_memory", id=f"chat:{AuditRow.objects.first().pk}")  # type: ignore[union-attr]


def test_an_unknown_tool_is_an_error_of_the_protocol(speaker: Speaker) -> None:
    assert speaker.error("tools/call", {"name": "read_mind"})["code"] == -32602


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"max_results": 3}, "max_results"),
        ({"prefix": []}, "prefix"),
    ],
)
def test_wrong_arguments_are_said_so_that_the_model_does_better(client: Speaker, arguments: Object, said: str) -> None:
    refusal = client.refusal("get_memories", **arguments)
    assert refusal.startswith(said)
    assert "get_memories takes prefix, limit, cursor, ended." in refusal
