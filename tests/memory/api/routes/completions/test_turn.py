"""Chat completions in OpenAI's shape: memory goes in, the answer comes through as it is, the turn is on record."""

import httpx
import pytest

from memory import events
from memory.models import AuditRow
from memory.text import wording
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import DOG, PATH, last
from tests.memory.llm.scripted import MODEL, completion, scripted_llm

pytestmark = pytest.mark.django_db


def test_it_works(api: ApiClient, beans: None) -> None:
    answer = completion("A fine name.", annotations=[{"x": 1}])
    with scripted_llm(httpx.Response(200, json=answer)) as model:
        response = api.post(PATH, json={**DOG, "model": "gpt-x", "seed": 7})
    assert (response.status_code, response.json()) == (200, answer)
    sent = model.requests[0]
    assert (sent["model"], sent["seed"], sent["messages"][1:]) == ("gpt-x", 7, DOG["messages"])
    assert "Your dog's name is Beans." in sent["messages"][0]["content"]
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.model, row.completed.new_messages) == ("A fine name.", MODEL, [0])
    assert row.decision_id == response.headers["X-Decision-Id"] == last(events.ContextServed).decision_id


def test_memory_stands_before_the_clients_own_system_message(api: ApiClient, beans: None) -> None:
    system = {"role": "system", "content": "Be brief.", "name": "setup"}
    with scripted_llm("ok") as model:
        api.post(PATH, json={"messages": [system, *DOG["messages"]]})
    first = model.requests[0]["messages"][0]
    block = last(events.ContextServed).payload["block"]
    assert first == {**system, "content": f"{block}\n\nBe brief."}
    assert block.startswith(wording.PREFACE)


def test_memory_stands_behind_it_where_the_settings_say_so(api: ApiClient, beans: None, configure: Configure) -> None:
    configure(memory__injection__position="after_prompt")
    system = {"role": "developer", "content": [{"type": "text", "text": "Be brief.", "cache_control": {"a": 1}}]}
    with scripted_llm("ok") as model:
        api.post(PATH, json={"messages": [system, *DOG["messages"]]})
    first = model.requests[0]["messages"][0]
    block = last(events.ContextServed).payload["block"]
    assert first == {"role": "developer", "content": [*system["content"], {"type": "text", "text": block}]}


def test_messages_come_through_as_they_are_where_memory_has_nothing(api: ApiClient) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "what is it?"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {}}]},
        {"role": "tool", "tool_call_id": "1", "content": "21 degrees"},
    ]
    tools = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    with scripted_llm("A cat.") as model:
        api.post(PATH, json={"messages": messages, "tools": tools, "n": 2, "logprobs": True, "metadata": {"a": "b"}})
    sent = model.requests[0]
    assert (sent["messages"], sent["tools"], sent["n"]) == (messages, tools, 2)
    assert (sent["logprobs"], sent["metadata"]) == (True, {"a": "b"})
    stored = last(events.ChatCompleted).completed.messages
    assert stored[1].content == [{"type": "text", "text": "what is it?"}, {"type": "placeholder", "of": "image_url"}]


@pytest.mark.parametrize("asked", [{}, {"model": "caesar"}, {"model": ""}])
def test_the_configured_model_answers_to_caesar(api: ApiClient, asked: dict[str, str]) -> None:
    with scripted_llm("ok") as model:
        api.post(PATH, json={**DOG, **asked})
    assert model.requests[0]["model"] == MODEL


def test_an_answer_that_calls_a_tool_comes_through_and_teaches(api: ApiClient) -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    answer = completion(None, finish_reason="tool_calls", tool_calls=calls)
    with scripted_llm(httpx.Response(200, json=answer)):
        response = api.post(PATH, json=DOG)
    assert response.json() == answer
    row = last(events.ChatCompleted).completed
    assert (row.reply, row.finish_reason, row.new_messages) == ("", "tool_calls", [0])


@pytest.mark.parametrize(
    ("headers", "metadata"),
    [
        ({"X-Conversation-Id": "thread 7"}, None),
        ({"X-OpenWebUI-Chat-Id": "thread 7"}, None),
        ({}, {"conversation_id": "thread 7"}),
        ({}, {"chat_id": " thread 7 "}),
    ],
)
def test_the_clients_conversation_id_is_kept(
    api: ApiClient, headers: dict[str, str], metadata: dict[str, str] | None
) -> None:
    with scripted_llm("ok"):
        api.post(PATH, json={**DOG, "metadata": metadata}, headers=headers)
    assert {row.conversation_id for row in AuditRow.objects.all()} == {"thread 7"}


def test_a_conversation_id_decides_nothing_about_what_is_new(api: ApiClient) -> None:
    with scripted_llm("ok", "ok"):
        for name in ("one", "two"):
            api.post(PATH, json=DOG, headers={"X-Conversation-Id": name})
    replays = [row.completed.replay for row in AuditRow.objects.get_queryset().chats().order_by("id")]
    assert replays == [False, True]
