"""The case files about what comes in at the API, each told to its end: documents, temporary chats, other people, ..."""

import gzip
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from django.test import Client

from memory import events, learning
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, EpisodeSummary, FirstPerson, HeardMessage, IdempotencyKey, PersonalFact
from tests import cases
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import ScriptedLLM, llm_settings, scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder

CHAT = "/v1/chat/completions"


def known(case: cases.Case) -> None:
    for fact in case.given["facts_before"]:
        PersonalFact.objects.add(fact["key"], fact["value"], now=case.clock - timedelta(days=1))


def system_of(request: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in request["messages"] if message["role"] == "system")


def everything() -> str:
    """All that is stored, chats and kept answers included."""
    rows = [json.dumps(row.payload, ensure_ascii=False) for row in AuditRow.objects.all()]
    kept = [str(row.body) for row in IdempotencyKey.objects.all()]
    heard = list(HeardMessage.objects.values_list("hash", flat=True))
    return "\n".join([*rows, *kept, *heard, cases.everything_stored()])


def kinds() -> list[str]:
    shown = AuditRow.objects.exclude(event_type__startswith="memory.fact.user").order_by("id")
    return list(shown.values_list("event_type", flat=True))


@pytest.fixture
def offline() -> Iterator[None]:
    """Nobody but the rules answers, and texts that share words are similar."""
    with llm_settings(provider="offline"), scripted_embedder():
        yield


def read_all(now: datetime) -> None:
    learning.run(EXTRACTION, clock=lambda: now)
    learning.run(SUMMARY, clock=lambda: now)


# --- H46 ------------------------------------------------------------------------------------------------------------

ERRANDS = [
    "### Task:\nGenerate a concise title with an emoji for <chat_history>.\n<chat_history>\nUSER: I live in Lyon.\n"
    "</chat_history>",
    "### Task:\nGenerate 1-3 broad tags for the main themes of the chat history.\n### Output:\nJSON format: "
    '{ "tags": ["a"] }\n### Chat History:\n<chat_history>\nUSER: I live in Lyon.\n</chat_history>',
    "### Task:\nSuggest 3-5 follow-up questions that the user might ask next, based on the chat history.\n"
    "### Chat History:\n<chat_history>\nUSER: I live in Lyon.\n</chat_history>",
]


def test_h46_a_question_with_documents_is_a_chat(api: ApiClient) -> None:
    case = cases.one("H46")
    known(case)
    with time_machine.travel(case.clock, tick=False), scripted_llm("Leather.") as llm:
        assert api.post(CHAT, json=case.given["body"]).status_code == 200
    assert case.expect["prompt"]["contains_line"] in system_of(llm.requests[0]).splitlines()
    assert llm.requests[0]["messages"][-1] == case.given["body"]["messages"][-1], "the model is given the documents"
    assert {row["event_type"] for row in case.expect["audit_has"]} <= set(kinds())
    assert not set(case.expect["audit_never"]) & set(kinds())
    with llm_settings(provider="offline"):
        learning.run(EXTRACTION, clock=lambda: case.clock)
    values = set(PersonalFact.objects.values_list("value", flat=True))
    assert "Lyon" not in str(values)
    assert values <= {"Tove", "Bodø"}


@pytest.mark.parametrize("errand", ERRANDS)
def test_h46_an_errand_of_the_same_client_is_still_passed_through(api: ApiClient, errand: str) -> None:
    known(cases.one("H46"))
    with scripted_llm("Leashes") as llm:
        api.post(CHAT, json={"messages": [{"role": "user", "content": errand}]})
    assert kinds() == ["chat.passed_through"]
    assert not system_of(llm.requests[0])
    assert "Lyon" not in str(list(PersonalFact.objects.values()))


# --- H50 ------------------------------------------------------------------------------------------------------------


def test_h50_a_compressed_request_is_read_as_if_it_were_plain(api: ApiClient) -> None:
    case = cases.one("H50")
    plain = case.given["body_as"].removeprefix("gzip of ").encode()
    response = api.client.post(
        case.given["endpoint"].split(" ")[1],
        data=gzip.compress(plain),
        content_type=case.given["headers"]["Content-Type"],
        headers=api.headers | {"Content-Encoding": case.given["headers"]["Content-Encoding"]},
    )
    assert response.status_code == 201
    row = AuditRow.objects.get(pk=response.json()["audit_log_id"])
    assert row.payload["messages"] == json.loads(plain)["messages"]


# --- H55 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [*cases.one("H55").given["values"], "a real one"])
def test_h55_an_unfilled_conversation_id_is_none(
    api: ApiClient, offline: None, configure: Configure, value: str
) -> None:
    case = cases.one("H55")
    configure(semantic__enabled=True, memory__episodes_summarise__enabled=True)
    headers = {case.given["header"]: value}
    said = "How do I prune the old pear tree behind my house?"
    with time_machine.travel(case.clock, tick=False), scripted_embedder():
        chat = {"messages": [{"role": "user", "content": said}], "reply": "In winter, the pear tree rests."}
        assert api.post("/v1/memory/chats", json=chat, headers=headers).status_code == 201
        read_all(case.clock)
    assert EpisodeSummary.objects.exclude(model="").count() == 1
    with time_machine.travel(case.clock + timedelta(days=3), tick=False), scripted_embedder():
        asked = {"message": "What about the old pear tree behind the house in winter?"}
        answer = api.post("/v1/memory/context", json=asked, headers=headers).json()
    is_real = value == "a real one"
    assert len(answer["episodes"]) == (0 if is_real else case.expect["episodes_served"])
    chats = AuditRow.objects.get_queryset().chats()
    assert set(chats.values_list("conversation_id", flat=True)) == {value if is_real else None}


# --- H56 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", cases.one("H56").given["requests"])
@pytest.mark.parametrize("with_key", [True, False])
def test_h56_the_address_of_another_api_names_ours(api: ApiClient, told: str, with_key: bool) -> None:
    expect = cases.one("H56").expect
    method, path, *body = told.replace(" (slash at the end)", "").split(" ", 2)
    client = api.client if with_key else Client(enforce_csrf_checks=True)
    response = client.generic(
        method, path, "".join(body) or '{"messages": []}', content_type="application/json", headers=api.headers
    )
    assert response["Content-Type"].startswith(expect["http"]["content_type"])
    if path == "/v1/responses":  # offered by now: "the call is answered"
        assert response.json()["object"] == "response"
        return
    assert response.status_code in expect["http"]["statuses_each"]
    assert expect["message_contains"] in response.json()["error"]["message"]


# --- H59 ------------------------------------------------------------------------------------------------------------

ROUTES: dict[str, dict[str, Any]] = {CHAT: {}, "/v1/chat": {}, "/v1/memory/chats": {"reply": "Hush, Gordon."}}


@pytest.mark.parametrize("id_", ["temporary:8f1c", "local:8f1c", " Temporary:8f1c"])
@pytest.mark.parametrize("header", ["X-OpenWebUI-Chat-Id", "X-Conversation-Id"])
@pytest.mark.parametrize("path", [*ROUTES, "/v1/memory/context"])
def test_h59_a_temporary_chat_leaves_no_word(api: ApiClient, path: str, header: str, id_: str) -> None:
    case = cases.one("H59")
    known(case)
    body = case.given["body"] | ROUTES.get(path, {})
    headers = {header: id_, "Idempotency-Key": "one"}
    with time_machine.travel(case.clock, tick=False), scripted_llm("Gordon is a good name.") as llm:
        response = api.post(path, json=body, headers=headers)
    assert response.status_code < 300
    assert kinds() == ["chat.passed_through"]
    assert not set(case.expect["audit_never"]) & set(kinds())
    for words in case.expect["never_stored"]:
        assert words not in everything()
    assert not HeardMessage.objects.exists()
    assert not any("Tove" in json.dumps(request) for request in llm.requests), "no memory block"
    assert path != "/v1/memory/context" or response.json()["block"] == ""
    read_all(case.clock)
    assert list(PersonalFact.objects.values_list("key", flat=True)) == ["dog.name"]


@pytest.mark.parametrize("field", ["conversation_id", "chat_id", "thread_id", "session_id"])
def test_h59_the_metadata_may_say_so_too(api: ApiClient, field: str) -> None:
    case = cases.one("H59")
    known(case)
    with scripted_llm("ok") as llm:
        api.post(CHAT, json=case.given["body"] | {"metadata": {field: "temporary:1"}})
    assert "Tove" not in json.dumps(llm.requests)
    assert kinds() == ["chat.passed_through"]


def test_h59_its_failure_keeps_no_word_of_the_provider(api: ApiClient) -> None:
    case = cases.one("H59")
    for path in (CHAT, "/v1/chat"):
        with scripted_llm(httpx.Response(400, json={"error": {"message": "Gordon is not allowed"}})):
            api.post(path, json=case.given["body"], headers=case.given["headers"])
    assert set(kinds()) == {"chat.failed"}
    assert "Gordon" not in everything()


# --- H60 ------------------------------------------------------------------------------------------------------------

ANNA = {"X-OpenWebUI-User-Email": "Anna@Example.org "}
BOB = {"X-OpenWebUI-User-Email": "bob@example.org"}


def ask(api: ApiClient, words: str, headers: dict[str, str], path: str = CHAT, **fields: Any) -> ScriptedLLM:
    with scripted_llm("Fine.") as llm:
        body = {"messages": [{"role": "user", "content": words}], **fields}
        assert api.post(path, json=body, headers=headers).status_code < 300
    return llm


@pytest.mark.parametrize("path", [CHAT, "/v1/chat"])
def test_h60_another_person_neither_reads_nor_changes_memory(api: ApiClient, configure: Configure, path: str) -> None:
    case = cases.one("H60")
    configure(operator__ids=tuple(case.given["settings"]["OPERATOR__IDS"].split(",")))
    known(case)
    said = "I live in Madrid. What do you know about me?"
    with time_machine.travel(case.clock, tick=False):
        by_header = ask(api, said, BOB, path)
        by_field = ask(api, said, {}, path, user="bob@example.org")
        assert kinds() == ["chat.passed_through"] * 2
        assert {row.payload["reason"] for row in AuditRow.objects.get_queryset().of_type(events.ChatPassedThrough)} == {
            "other_person"
        }
        assert "Madrid" not in everything()
        mine = ask(api, "What do you know about me?", ANNA, path)
        with llm_settings(provider="offline"):
            read_all(case.clock)
    assert "Oslo" not in json.dumps([by_header.requests, by_field.requests])
    assert "Oslo" in system_of(mine.requests[0])
    facts = [{"key": fact.key, "value": fact.value} for fact in PersonalFact.objects.all()]
    assert facts == case.expect["facts"]


def test_h60_without_the_setting_memory_stays_with_the_first(api: ApiClient, operator: Client) -> None:
    case = cases.one("H60")
    known(case)
    assert "Oslo" in json.dumps(ask(api, "What do you know about me?", ANNA).requests)
    page = operator.get("/dashboard/").content.decode()
    assert "other-people" not in page
    assert "Oslo" not in json.dumps(ask(api, "What do you know about me?", BOB).requests)
    assert "Oslo" in json.dumps(ask(api, "What do you know about me?", ANNA).requests)
    page = operator.get("/dashboard/").content.decode()
    assert "CAESAR_OPERATOR__IDS" in page
    assert "anna@example.org" in page
    assert "bob@example.org" not in page
    assert FirstPerson.shared() is not None
    ready = api.get("/readyz")
    assert "CAESAR_OPERATOR__IDS" in ready.json()["checks"]["operator"]["detail"]
    assert "example.org" not in ready.content.decode()
    row = AuditRow.objects.get_queryset().of_type(events.ChatPassedThrough).get()
    for address in ("/dashboard/audit", f"/dashboard/audit/{row.pk}"):
        assert "somebody else than you" in operator.get(address).content.decode()


# --- H61 ------------------------------------------------------------------------------------------------------------

LIKE = ["system-reminder", "environment_details", "source", "context", "documents", "attached_files", "Search-Results"]


def variants() -> Iterator[str]:
    case = cases.one("H61")
    yield case.given["body"]["messages"][0]["content"]
    pasted, own = "My hull is made of oak and I live in Rotterdam.", "By the way, my otter's name is Olaf."
    for tag in LIKE:
        block = f'<{tag} n="1">{pasted}</{tag.upper()}>'
        yield f"{block}\nHow do I stop the boat? {own}"
        yield f"How do I stop the boat? {own}\n\n{block}"
        yield f"How do I stop the boat? {block} {own}"
        yield f"{own}\n<outer><{tag}>\n{pasted}\n</{tag}></outer>\nHow do I stop the boat?"


@pytest.mark.parametrize("content", list(variants()))
@pytest.mark.parametrize("as_parts", [False, True])
def test_h61_attached_files_are_not_my_words(
    api: ApiClient, configure: Configure, content: str, as_parts: bool
) -> None:
    case = cases.one("H61")
    configure(semantic__enabled=True, memory__episodes_summarise__enabled=True)
    said = [{"type": "text", "text": content}] if as_parts else content
    with llm_settings(provider="offline"), scripted_embedder() as embedder:
        with time_machine.travel(case.clock, tick=False):
            body = {"messages": [{"role": "user", "content": said}]}
            assert api.post("/v1/chat", json=body).status_code == 200
        read_all(case.clock)
    values = set(PersonalFact.objects.values_list("value", flat=True))
    assert {fact["value"] for fact in case.expect["facts_include"]} <= values
    for words in case.expect["never_learned"]:
        assert words not in str(list(PersonalFact.objects.values()))
        assert words not in json.dumps(embedder.texts), "neither searched with nor summed up"
    summaries = list(EpisodeSummary.objects.values_list("summary", flat=True))
    assert any(summaries)
    for words in case.expect["episode_never_contains"]:
        assert words not in str(summaries)
