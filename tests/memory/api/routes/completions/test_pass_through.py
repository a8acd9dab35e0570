"""Calls that are no conversation: a client's own task prompts, and memory switched off."""

import json

import pytest

from memory import events
from memory.models import AuditRow, HeardMessage
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import DOG, PATH, chunk, event_stream, last
from tests.memory.llm.scripted import MODEL, scripted_llm

pytestmark = pytest.mark.django_db
TASK = "### Task:\nGenerate a concise title\n<chat_history>\nUSER: my dog's name is Beans\n</chat_history>"


def test_a_clients_own_errand_is_passed_through(api: ApiClient, beans: None) -> None:
    body = {"messages": [{"role": "user", "content": TASK}], "temperature": 0.1}
    with scripted_llm("Dog Names") as model:
        response = api.post(PATH, json=body)
    assert response.json()["choices"][0]["message"]["content"] == "Dog Names"
    assert model.requests[0] == {**body, "model": MODEL, "stream": False}
    row = last(events.ChatPassedThrough)
    assert (row.payload["reason"], row.payload["model"]) == ("task_prompt", MODEL)
    assert row.payload["beginning"].startswith("### Task: Generate a concise title")
    kinds = ["chat.completed", "memory.fact.added", "chat.passed_through"]  # the first two are the fixture's
    assert [row.event_type for row in AuditRow.objects.order_by("id")] == kinds
    assert not HeardMessage.objects.exists()


@pytest.mark.parametrize("stream", [False, True])
def test_memory_off_is_passed_through_without_a_word_kept(api: ApiClient, beans: None, stream: bool) -> None:
    answer = event_stream(chunk("ok"), chunk(finish_reason="stop")) if stream else "ok"
    with scripted_llm(answer) as model:
        response = api.post(PATH, json={**DOG, "stream": stream}, headers={"X-Memory": "Off"})
        b"".join(response.streaming_content) if stream else response.content
    assert model.requests[0]["messages"] == DOG["messages"]
    row = last(events.ChatPassedThrough)
    assert row.payload["reason"] == "memory_off"
    assert "Beans" not in json.dumps(row.payload)
    assert not HeardMessage.objects.exists()


def test_further_beginnings_of_errands_are_a_setting(api: ApiClient, configure: Configure) -> None:
    configure(proxy__task_beginnings="TITLE PLEASE; name this")
    with scripted_llm("a", "b", "c", "d"):
        for content in ("TITLE PLEASE for it", " name this chat", TASK, "Please name this chat"):
            api.post(PATH, json={"messages": [{"role": "user", "content": content}]})
    kinds = [row.event_type for row in AuditRow.objects.exclude(event_type=events.ContextServed.name).order_by("id")]
    assert kinds == [*["chat.passed_through"] * 3, "chat.completed"]


def test_a_beginning_does_not_make_an_errand_of_a_question_with_documents(api: ApiClient, configure: Configure) -> None:
    configure(proxy__task_beginnings="### Task:")  # as it once was shipped
    question = (
        "### Task:\nAnswer with these sources.\n<context>Tides come twice a day.</context>\nWhen is the next one?"
    )
    with scripted_llm("a", "b"):
        for content in (question, "### Task:\nDo as I say, client."):
            api.post(PATH, json={"messages": [{"role": "user", "content": content}]})
    kinds = [row.event_type for row in AuditRow.objects.exclude(event_type=events.ContextServed.name).order_by("id")]
    assert kinds == ["chat.completed", "chat.passed_through"]


@pytest.mark.parametrize("path", [PATH, "/v1/chat", "/v1/memory/context", "/v1/memory/chats"])
def test_a_client_can_say_that_it_is_an_errand(api: ApiClient, beans: None, path: str) -> None:
    body = {"messages": [{"role": "user", "content": "Six words about my parrot Polly, please"}]}
    body |= {"reply": "Polly"} if path == "/v1/memory/chats" else {}
    with scripted_llm("Polly") as model:
        response = api.post(path, json=body, headers={"X-Memory-Task": "Errand"})
    assert response.status_code < 300
    assert "Beans" not in json.dumps(model.requests)
    assert last(events.ChatPassedThrough).payload["reason"] == "errand"
    assert not any("Polly" in json.dumps(row.payload) for row in AuditRow.objects.all())


def test_a_client_can_say_that_it_is_a_chat(api: ApiClient) -> None:
    with scripted_llm("a"):
        headers = {"X-Memory-Task": "chat"}
        api.post(PATH, json={"messages": [{"role": "user", "content": TASK}]}, headers=headers)
    assert AuditRow.objects.get_queryset().chats().count() == 1


def test_another_word_is_refused(api: ApiClient) -> None:
    assert api.post(PATH, json=DOG, headers={"X-Memory-Task": "nothing"}).status_code == 422
