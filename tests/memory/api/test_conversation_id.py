"""X-Conversation-Id: the client's own name for a conversation, on every call that takes messages."""

from datetime import datetime, timedelta

import httpx
import pytest
from django.test import RequestFactory
from pydantic import JsonValue

from memory.api.conversation_id import conversation_id
from memory.models import AuditRow, Embedded, EpisodeSummary
from tests.conftest import ApiClient, Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder

HELLO: JsonValue = [{"role": "user", "content": "Hello"}]
NAME = {"X-Conversation-Id": "kitchen-7"}

CALLS: dict[str, JsonValue] = {
    "/v1/chat": {"messages": HELLO},
    "/v1/memory/context": {"messages": HELLO},
    "/v1/memory/chats": {"messages": HELLO, "reply": "Hi."},
}


@pytest.mark.parametrize("path", CALLS)
def test_it_works(api: ApiClient, path: str) -> None:
    assert api.post(path, json=CALLS[path], headers=NAME).status_code < 300
    assert AuditRow.objects.exists()
    assert {row.conversation_id for row in AuditRow.objects.all()} == {"kitchen-7"}


@pytest.mark.parametrize("path", CALLS)
def test_a_conversation_without_a_name_has_none(api: ApiClient, path: str) -> None:
    api.post(path, json=CALLS[path], headers={"X-Conversation-Id": "  "})
    assert {row.conversation_id for row in AuditRow.objects.all()} == {None}


def test_a_failed_turn_keeps_the_name(api: ApiClient) -> None:
    with scripted_llm(httpx.ReadTimeout("slow")):
        api.post("/v1/chat", json=CALLS["/v1/chat"], headers=NAME)
    assert AuditRow.objects.get(event_type="chat.failed").conversation_id == "kitchen-7"


@pytest.mark.parametrize("path", ["/v1/chat", "/v1/memory/context"])
def test_its_own_episodes_are_left_out_though_the_messages_were_edited(
    api: ApiClient, configure: Configure, now: datetime, path: str
) -> None:
    configure(semantic__enabled=True, memory__episodes_recall__similarity_threshold=0.45)
    for name in ("kitchen-7", "another"):
        body: JsonValue = {"messages": [{"role": "user", "content": f"About {name}"}], "reply": "Hi."}
        api.post("/v1/memory/chats", json=body, headers={"X-Conversation-Id": name})
        chat = AuditRow.objects.get_queryset().chats().latest("id")
        vector = Embedded([1.0, 0.0], fake.MODEL_ID)
        EpisodeSummary.objects.summarise(chat, f"We spoke in {name}.", vector, now=now - timedelta(days=1))

    def recalled(headers: dict[str, str]) -> set[str]:
        with scripted_embedder(table={"Hello": [1.0, 0.0]}):
            answer = api.post(path, json=CALLS[path], headers=headers).json()
        return {episode["summary"] for episode in answer.get("memory", answer)["episodes"]}

    assert recalled({}) == {"We spoke in kitchen-7.", "We spoke in another."}
    assert recalled(NAME) == {"We spoke in another."}


def test_the_timeline_tells_and_finds_it(api: ApiClient) -> None:
    long = "x" * 500
    for name in ("kitchen-7", "other", long):
        api.post("/v1/memory/context", json=CALLS["/v1/memory/context"], headers={"X-Conversation-Id": name})

    def found(query: str) -> list[str]:
        return [row["conversation_id"] for row in api.get(f"/v1/audit?conversation={query}").json()["data"]]

    assert found("kitchen-7") == found("%20kitchen-7") == ["kitchen-7"]
    assert len(found(long)) == 1
    assert found("unknown") == found("") == found("%00") == []


@pytest.mark.parametrize(
    ("headers", "metadata", "name"),
    [
        ({}, None, None),
        ({"X-OpenWebUI-Chat-Id": "a"}, {"chat_id": "b"}, "a"),
        ({"X-Conversation-Id": "c", "X-OpenWebUI-Chat-Id": "a"}, None, "c"),
        ({"X-Conversation-Id": " "}, {"conversation_id": "", "chat_id": None, "thread_id": " t  1 "}, "t 1"),
        ({}, {"session_id": "s", "thread_id": "t"}, "t"),
        ({}, {"session_id": 17}, "17"),
        ({"X-Conversation-Id": "null"}, {"chat_id": "{{chat}}", "thread_id": "t"}, "t"),
        ({}, {"session_id": True, "chat_id": ["x"]}, None),
        ({}, "chat_id", None),
        ({}, {"chat_id": "a\ud83c\0b"}, "a\ufffdb"),
        ({"X-Conversation-Id": "caf\u00e9".encode().decode("latin-1")}, None, "caf\u00e9"),
        ({"X-Conversation-Id": "\u00e9"}, None, "\u00e9"),
    ],
)
def test_the_first_place_with_a_name_counts(headers: dict[str, str], metadata: JsonValue, name: str | None) -> None:
    request = RequestFactory().post("/v1/chat/completions", headers=headers)
    assert conversation_id(request, metadata) == name


def test_a_name_longer_than_the_column_keeps_apart_what_differs_at_its_end(api: ApiClient) -> None:
    for end in "ab":
        headers = {"X-Conversation-Id": "x" * 4_000 + end}
        assert api.post("/v1/memory/context", json=CALLS["/v1/memory/context"], headers=headers).status_code == 200
    assert len({row.conversation_id for row in AuditRow.objects.all()}) == 2
