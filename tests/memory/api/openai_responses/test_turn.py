"""A turn by Responses is one like any other: memory in, recorded once, and memory keeps out where it must."""

from datetime import datetime
from typing import Any

import pytest

from memory import events
from memory.models import AuditRow, PersonalFact
from tests.conftest import ApiClient
from tests.memory.api.openai_responses.responses_helpers import DOG, PATH, answered
from tests.memory.api.routes.completions import completions_helpers
from tests.memory.api.routes.completions.completions_helpers import last
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "fields",
    [
        {"instructions": "Be kind.", "input": DOG},
        {"input": [{"role": "developer", "content": "Be kind."}, {"role": "user", "content": DOG}]},
    ],
)
def test_memory_goes_beside_the_clients_own_prompt_once(api: ApiClient, now: datetime, fields: dict[str, Any]) -> None:
    PersonalFact.objects.add("cat.name", "Tom", now=now)
    sent = answered(api, fields)["sent"]["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert sent[0]["content"].count("Your cat's name is Tom.") == 1
    assert sent[0]["content"].endswith("Be kind.")


def test_the_turn_is_recorded_as_chat_completions_would(api: ApiClient) -> None:
    with scripted_llm("A fine name.", "Old?", "Old."):
        response = api.post(PATH, json={"input": DOG, "metadata": {"conversation_id": "c1"}})
        row = last(events.ChatCompleted)
        assert (row.decision_id, row.conversation_id) == (response.headers["X-Decision-Id"], "c1")
        assert (row.completed.messages[0].content, row.completed.reply) == (DOG, "A fine name.")
        history = [
            {"role": "user", "content": DOG},
            *response.json()["output"],
            {"role": "user", "content": "He is 9."},
        ]
        assert api.post(PATH, json={"input": history}).status_code == 200
        assert last(events.ChatCompleted).completed.new_messages == [2]
        earlier = [{"role": "assistant", "content": "A fine name."}, {"role": "user", "content": "He is 9."}]
        body = {"messages": [{"role": "user", "content": DOG}, *earlier]}
        assert api.post(completions_helpers.PATH, json=body).status_code == 200
    assert last(events.ChatCompleted).completed.replay


def test_the_steps_of_a_tool_are_one_turn(api: ApiClient) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c", "output": "21 degrees"}
    asked = {"role": "user", "content": "Look at the thermostat, please."}
    with scripted_llm("Looking.", "It is 21."):
        api.post(PATH, json={"input": [asked]})
        api.post(PATH, json={"input": [asked, call, result]})
    first, second = AuditRow.objects.get_queryset().chats().order_by("id")
    assert (second.completed.new_messages, second.chat_id) == ([], first.pk)


@pytest.mark.parametrize(
    ("fields", "headers", "reason"),
    [
        ({}, {"X-Memory": "off"}, "memory_off"),
        ({}, {"X-Memory-Task": "errand"}, "errand"),
        ({}, {"X-Conversation-Id": "temporary:1"}, "temporary"),
        ({"metadata": {"chat_id": "local:1"}}, {}, "temporary"),
        ({"safety_identifier": "guest"}, {}, "other_person"),
        ({"user": "guest"}, {}, "other_person"),
        ({"input": "### Task:\nGenerate a concise title for this chat."}, {}, "task_prompt"),
    ],
)
def test_memory_keeps_out(
    api: ApiClient, now: datetime, fields: dict[str, Any], headers: dict[str, str], reason: str
) -> None:
    PersonalFact.objects.add("cat.name", "Tom", now=now)
    answered(api, {"input": "hello", "user": "me"})
    sent = answered(api, {"input": DOG, **fields}, **headers)["sent"]["messages"]
    assert not any("Tom" in str(message["content"]) for message in sent)
    assert last(events.ChatPassedThrough).payload["reason"] == reason
    assert AuditRow.objects.get_queryset().chats().count() == 1
