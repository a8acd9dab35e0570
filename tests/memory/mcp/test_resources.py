"""Memories as resources, and the prompt."""

from datetime import datetime
from urllib.parse import quote

import pytest

from memory import events
from memory.models import AuditRow, PersonalFact
from tests.memory.mcp.speaking import Speaker, names, with_scopes

pytestmark = pytest.mark.django_db


def test_the_facts_are_listed_and_read_by_their_address(speaker: Speaker, now: datetime) -> None:
    for key in ("dog.name", "käse/kind", "50%"):
        PersonalFact.objects.add(key, "Beans", now=now)
    listed = speaker.result("resources/list")["resources"]
    assert {one["name"] for one in listed} == {"dog.name", "käse/kind", "50%"}
    one = next(one for one in listed if one["name"] == "käse/kind")
    assert one["uri"] == f"caesar://facts/{quote('käse/kind', safe='')}"
    assert one["title"] == PersonalFact.objects.get(key="käse/kind").sentence
    (content,) = speaker.result("resources/read", {"uri": one["uri"]})["contents"]
    assert (content["uri"], content["mimeType"]) == (one["uri"], "text/plain")
    assert "Beans" in content["text"]


def test_a_long_list_has_pages(client: Speaker, now: datetime) -> None:
    for number in range(101):
        PersonalFact.objects.add(f"thing.{number}", "x", now=now)
    first = client.result("resources/list")
    second = client.result("resources/list", {"cursor": first["nextCursor"]})
    assert (len(first["resources"]), len(second["resources"])) == (100, 1)
    assert "nextCursor" not in second
    for cursor in ("nonsense", 7, ""):
        error = client.send("resources/list", {"cursor": cursor}).json().get("error", {})
        assert error.get("code") == (None if cursor == "" else -32602)


def test_there_are_templates_for_each_kind(speaker: Speaker) -> None:
    templates = speaker.result("resources/templates/list")["resourceTemplates"]
    assert names(templates) == ["fact", "episode", "chat"]
    assert [one["uriTemplate"] for one in templates] == [
        "caesar://facts/{key}",
        "caesar://episodes/{id}",
        "caesar://chats/{id}",
    ]


def test_a_chat_is_read_by_its_address(client: Speaker, now: datetime) -> None:
    said = [events.Message(role="user", content="I met Ada.")]
    chat = AuditRow.objects.record(events.ChatCompleted(messages=said, reply="How nice."), now=now)
    (content,) = client.result("resources/read", {"uri": f"caesar://chats/{chat.pk}"})["contents"]
    assert "I met Ada." in content["text"]
    assert "How nice." in content["text"]


@pytest.mark.parametrize(
    "uri",
    ["caesar://facts/nothing", "caesar://chats/1", "caesar://episodes/x", "caesar://facts/", "file:///etc/passwd", ""],
)
def test_what_is_not_there_has_the_code_of_its_era(speaker: Speaker, uri: str) -> None:
    response = speaker.send("resources/read", {"uri": uri})
    code = -32602 if speaker.is_stateless else -32002
    assert (response.status_code, response.json()["error"]["code"]) == (400 if speaker.is_stateless else 200, code)


def test_resources_need_a_key_that_may_read() -> None:
    for method, params in (("resources/list", {}), ("resources/read", {"uri": "caesar://facts/x"})):
        assert with_scopes("record", "manage").send(method, params).status_code == 403


# --- the prompt -------------------------------------------------------------------------------------------------------


def test_the_prompt_brings_what_memory_would_put_in_and_counts_nothing(speaker: Speaker, now: datetime) -> None:
    (listed,) = speaker.result("prompts/list")["prompts"]
    assert (listed["name"], [one["required"] for one in listed["arguments"]]) == ("memory", [False])
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    for arguments in ({}, {"message": "What should I feed my dog?"}):
        (message,) = speaker.result("prompts/get", {"name": "memory", "arguments": arguments})["messages"]
        assert (message["role"], message["content"]["type"]) == ("user", "text")
        assert "Your dog's name is Beans." in message["content"]["text"]
    kinds = {row.event_type for row in AuditRow.objects.all()}
    assert kinds == {events.FactUserAdded.name, events.McpCalled.name}


def test_the_prompt_says_where_nothing_is_remembered(client: Speaker) -> None:
    (message,) = client.result("prompts/get", {"name": "memory"})["messages"]
    assert "Nothing is remembered" in message["content"]["text"]


def test_a_key_that_may_record_gets_it_and_one_that_may_only_manage_does_not() -> None:
    assert with_scopes("record").send("prompts/get", {"name": "memory"}).status_code == 200
    assert with_scopes("manage").send("prompts/get", {"name": "memory"}).status_code == 403


@pytest.mark.parametrize("params", [{"name": "poem"}, {}, {"name": "memory", "arguments": {"message": 7}}])
def test_another_prompt_is_refused(client: Speaker, params: dict[str, object]) -> None:
    assert client.error("prompts/get", params)["code"] == -32602  # type: ignore[arg-type]
