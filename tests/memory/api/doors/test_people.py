"""Who asks: every place in which clients say so, and what is stored of somebody else's turn."""

import json
from datetime import datetime
from typing import Any

import pytest
import time_machine
from django.test import RequestFactory

from memory.api.people import person_ids
from memory.models import AuditRow, HeardMessage, PersonalFact
from memory.models.operator.identity import FirstPerson
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import scripted_llm

MADRID = {"messages": [{"role": "user", "content": "I live in Madrid."}]}
CALLS: dict[str, dict[str, Any]] = {
    "/v1/chat": MADRID,
    "/v1/memory/context": MADRID,
    "/v1/memory/chats": {**MADRID, "reply": "Madrid, nice."},
    "/v1/responses": {"input": "I live in Madrid."},
    "/v1/chat/completions": MADRID,
    "/v1/messages": MADRID,
}
SAID_BY: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"X-OpenWebUI-User-Email": "bob@example.org"}, {}),
    ({"X-OpenWebUI-User-Id": "b-1"}, {}),
    ({"X-OpenWebUI-User-Name": "Bob"}, {}),
    ({}, {"user": "bob"}),
    ({}, {"user": 17}),
    ({}, {"safety_identifier": "9f86d0"}),
    ({}, {"metadata": {"user_id": "bob"}}),
]


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize(("headers", "fields"), SAID_BY)
def test_it_works(
    api: ApiClient, configure: Configure, now: Any, path: str, headers: dict[str, str], fields: dict[str, Any]
) -> None:
    configure(operator__ids=("anna@example.org", "a-1"))
    PersonalFact.objects.add("address.city", "Oslo", now=now)
    with scripted_llm("Madrid is far.") as llm:
        headers = headers | {"Idempotency-Key": "k-1"}
        response = api.post(path, json=CALLS[path] | fields, headers=headers)
    assert response.status_code < 300
    assert "Oslo" not in json.dumps(llm.requests) + response.content.decode()
    row = AuditRow.objects.exclude(event_type="memory.fact.user_added").get()
    assert (row.event_type, row.payload["reason"]) == ("chat.passed_through", "other_person")
    assert not any(words in json.dumps(row.payload) for words in ("Madrid", "bob", "Bob", "b-1", "9f86d0"))
    assert not HeardMessage.objects.exists()


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize(
    ("headers", "fields"),
    [
        ({"X-OpenWebUI-User-Email": " ANNA@example.org"}, {}),
        ({"X-OpenWebUI-User-Id": "A-1", "X-OpenWebUI-User-Name": "Bob"}, {}),
        ({}, {"user": "anna@Example.org"}),
        ({}, {}),
        ({}, {"user": "", "metadata": {"user_id": None}}),
        ({"X-OpenWebUI-User-Email": "{{USER_EMAIL}}"}, {"user": "null"}),
    ],
)
def test_the_operator_is_told_by_any_of_them(
    api: ApiClient, configure: Configure, path: str, headers: dict[str, str], fields: dict[str, Any]
) -> None:
    configure(operator__ids=("Anna@example.org ", "a-1"))
    with scripted_llm("Madrid is far."):
        assert api.post(path, json=CALLS[path] | fields, headers=headers).status_code < 300
    kinds = set(AuditRow.objects.values_list("event_type", flat=True))
    assert "chat.passed_through" not in kinds
    assert kinds


def test_an_answer_that_is_kept_is_for_one_person(api: ApiClient, now: Any) -> None:
    PersonalFact.objects.add("address.city", "Oslo", now=now)
    key = {"Idempotency-Key": "one"}
    anna, bob = ({"X-OpenWebUI-User-Email": f"{name}@example.org"} for name in ("anna", "bob"))
    assert "Oslo" in api.post("/v1/memory/context", json={"message": "Hi"}, headers=key | anna).content.decode()
    answer = api.post("/v1/memory/context", json={"message": "Hi"}, headers=key | bob)
    assert "Oslo" not in answer.content.decode()


def test_switching_memory_off_does_not_keep_the_words_of_another_person(api: ApiClient, configure: Configure) -> None:
    configure(operator__ids=("anna@example.org",))
    with scripted_llm("ok"):
        api.post("/v1/chat", json={**MADRID, "user": "bob"}, headers={"X-Memory": "off"})
    assert "Madrid" not in json.dumps([row.payload for row in AuditRow.objects.all()])


def test_where_clients_say_who_asks(now: datetime) -> None:
    headers = {"X-OpenWebUI-User-Name": "J%C3%BCrgen", "X-OpenWebUI-User-Id": "{{id}}", "X-OpenWebUI-User-Email": "A@b"}
    body = {"user": "a@b", "safety_identifier": "S", "metadata": {"user_id": 5, "x": 1}, "messages": []}
    found = person_ids(RequestFactory().post("/", headers=headers), body, now=now)
    assert [tuple(one) for one in found] == [("mail", "a@b"), ("safety", "s"), ("metadata", "5"), ("name", "jürgen")]
    odd: dict[str, Any] = {"user": ["x"], "metadata": "x", "safety_identifier": True}
    assert person_ids(RequestFactory().post("/"), odd, now=now) == []


@pytest.mark.parametrize(
    ("user", "is_person"),
    [
        ("01KS26C400" + "A" * 16, False),  # 2026-05-20 08:00 UTC
        ("01ks26c400" + "z" * 16, False),
        ("01KRQWS800" + "A" * 16, True),  # four days earlier: an account's
        ("01KS26C400" + "A" * 15, True),
        ("01KS26C40O" + "A" * 16, True),  # the letter O is no digit of it
    ],
)
def test_the_id_of_a_conversation_in_place_of_a_persons_is_nobodys(now: datetime, user: str, is_person: bool) -> None:
    """Home Assistant gives a ULID to each conversation; integrations send it as `user`."""
    found = person_ids(RequestFactory().post("/"), {"user": user}, now=now)
    assert bool(found) == is_person
    assert person_ids(RequestFactory().post("/"), {"safety_identifier": user}, now=now) != []


def test_a_client_whose_user_is_each_conversation_has_memory_in_all_of_them(api: ApiClient, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    with scripted_llm("Yes.", "Yes.") as llm, time_machine.travel(now, tick=False):
        for ending in ("A", "B"):
            body = {"user": "01KS26C400" + ending * 16, "messages": [{"role": "user", "content": f"my dog? {ending}"}]}
            assert api.post("/v1/chat/completions", json=body).status_code == 200
            assert "Beans" in json.dumps(llm.requests[-1])


def test_an_errand_does_not_say_who_the_operator_is(api: ApiClient) -> None:
    with scripted_llm("A title.", "Nice."):
        headers = {"X-Memory-Task": "errand"}
        assert api.post("/v1/chat/completions", json=MADRID | {"user": "bob"}, headers=headers).status_code == 200
        assert api.post("/v1/chat/completions", json=MADRID | {"user": "anna"}).status_code == 200
    assert AuditRow.objects.get_queryset().chats().count() == 1


def test_a_preview_does_not_say_who_the_operator_is(api: ApiClient) -> None:
    ask = {"messages": MADRID["messages"]}
    assert api.post("/v1/memory/context", json=ask | {"user": "bob", "preview": True}).status_code == 200
    assert not FirstPerson._default_manager.exists()
    with scripted_llm("Nice."):
        assert api.post("/v1/chat", json=MADRID | {"user": "anna"}).status_code == 200
    assert api.post("/v1/memory/context", json=ask | {"user": "bob", "preview": True}).status_code == 200
    assert FirstPerson._default_manager.get().root == "anna"
    assert FirstPerson.shared() is None
