"""Secrets that were said stay out of what is kept: chats, the search, pages, the workers' questions, waiting files."""

import json
from datetime import datetime, timedelta

import httpx
import pytest
from django.test import Client

from memory import chat, learning
from memory.chat import spool
from memory.events import ContextServed, Message, NearMiss, ServedFact
from memory.learning.extraction import EXTRACTION
from memory.models import ApiKey, AuditRow, Embedded, EpisodeSummary, HeardMessage, IdempotencyKey
from memory.text.secrets.shapes import MASK
from tests.conftest import ApiClient, Configure
from tests.dashboard.helpers import get_page, visible_text
from tests.memory.chat.spool_helpers import COMPLETIONS, KEY, chats, refusing, say
from tests.memory.llm.scripted import scripted_llm
from tests.turns import assistant, compose_turn, record_turn, turn, user

pytestmark = pytest.mark.django_db(transaction=True)

SAID = "My wifi password is sunflower99 and my card is 4111 1111 1111 1111."
KEPT = f"My wifi password is {MASK} and my card is {MASK}."
SECRETS = ("sunflower99", "4111", "hunter2")


def recorded(messages: list[Message], reply: str, *, now: datetime, **terms: object) -> AuditRow:
    return AuditRow.objects.get(pk=record_turn(messages, reply, now=now, **terms).audit_log_id)


def everything_kept() -> str:
    rows = AuditRow.objects.values_list("payload", flat=True)
    return json.dumps([*rows], ensure_ascii=False)


def test_it_works(now: datetime) -> None:
    row = recorded([user(SAID)], "I will not keep sunflower99: your password is sunflower99.", now=now)
    assert row.payload["messages"] == [{"role": "user", "content": KEPT}]
    assert row.payload["masked"] == 3
    assert "password is sunflower99" not in everything_kept()
    assert not AuditRow.objects.get_queryset().search("4111").exists()
    assert AuditRow.objects.get_queryset().search("wifi").exists()


def test_a_chat_without_secrets_has_no_count(now: datetime) -> None:
    assert "masked" not in recorded([user("My dog is Beans.")], "ok", now=now).payload


def test_the_model_gets_what_was_said_and_the_client_its_answer(api: ApiClient) -> None:
    with scripted_llm("Your password is hunter2.") as llm:
        answer = api.post("/v1/chat", json={"messages": [{"role": "user", "content": SAID}]})
    assert llm.requests[0]["messages"][-1]["content"] == SAID
    assert answer.json()["message"]["content"] == "Your password is hunter2."
    assert not [secret for secret in SECRETS if secret in everything_kept()]


@pytest.mark.parametrize("stream", [False, True])
def test_so_does_a_chat_client(api: ApiClient, stream: bool) -> None:
    response = say(api, COMPLETIONS, messages=[{"role": "user", "content": SAID}], stream=stream)
    assert response.status_code == 200
    assert chats()[0].payload["messages"][0]["content"] == KEPT


def test_they_are_kept_where_that_is_wished(now: datetime, configure: Configure) -> None:
    configure(memory__keep_secrets=True)
    row = recorded([user(SAID)], "ok", now=now)
    assert row.payload["messages"][0]["content"] == SAID
    assert "masked" not in row.payload


def test_a_repetition_stays_a_repetition(now: datetime) -> None:
    first = recorded([user(SAID)], "ok", now=now)
    again = recorded([user(SAID)], "ok", now=now + timedelta(minutes=1))
    other = recorded([user(SAID.replace("sunflower99", "tulip77"))], "ok", now=now + timedelta(minutes=2))
    assert (first.payload["replay"], again.payload["replay"], other.payload["replay"]) == (False, True, False)
    assert HeardMessage.objects.count() == 2
    later = recorded([user(SAID), assistant("ok"), user("And my dog is Beans.")], "ok", now=now + timedelta(minutes=3))
    assert later.payload["new_messages"] == [2]


def test_an_answer_that_was_cut_off_is_known_to_have_gone_on(now: datetime) -> None:
    recorded([user(SAID), assistant("Your password is hunter2."), user("Go on")], "ok", now=now)
    cut = recorded([user(SAID)], "Your pass", now=now, cut_off=True)
    assert (cut.payload["replay"], cut.payload["new_messages"]) == (True, [])


def test_every_speaker_and_every_kind_of_content_is_masked(now: datetime) -> None:
    call = {"id": "call_0123456789abcdef", "type": "function"}
    call["function"] = {"name": "login", "arguments": json.dumps({"user": "bob", "password": "hunter2", "pin": 4711})}
    messages = [
        Message(role="system", content="The admin password is hunter2."),
        user([{"type": "text", "text": "my card: 4111 1111"}, {"type": "text", "text": " 1111 1111"}]),
        assistant(None, tool_calls=[call], function_call={"arguments": {"api_key": "hunter2"}}),
        Message.model_validate({"role": "tool", "tool_call_id": call["id"], "content": '{"token": "hunter2hunter2"}'}),
        user("Thanks"),
    ]
    row = recorded(messages, "ok", now=now)
    assert not [secret for secret in (*SECRETS, "4711") if secret in json.dumps(row.payload)]
    stored = row.payload["messages"][2]["tool_calls"][0]
    assert (stored["id"], stored["function"]["name"]) == (call["id"], "login")
    assert stored["function"]["arguments"] == f'{{"user": "bob", "password": "{MASK}", "pin": {MASK}}}'


def test_what_was_cut_for_its_length_holds_no_half_of_a_secret(now: datetime, configure: Configure) -> None:
    configure(memory__chat_max_chars=100)
    row = recorded([user("x" * 60 + " sk-proj-abcdefgh1234567890abcdefgh " + "y" * 200)], "ok", now=now)
    assert row.payload["truncated"]
    assert "sk-proj" not in json.dumps(row.payload)
    assert "masked" in row.payload


def test_neither_worker_reads_them(now: datetime) -> None:
    recorded([user(SAID + " My dog is called Beans.")], "ok", now=now)
    with scripted_llm(
        '[{"key": "wifi.note", "value": "[secret masked]"}, {"key": "dog.name", "value": "Beans"}]'
    ) as llm:
        tally = learning.run(EXTRACTION, clock=lambda: now)
    asked = json.dumps(llm.requests, ensure_ascii=False)
    assert MASK in asked
    assert not [secret for secret in SECRETS if secret in asked]
    assert "Beans" in asked
    assert (tally.counts["added"], tally.counts["rejected"]) == (1, 1)


def test_a_receipt_is_kept_masked_and_goes_out_as_it_is(now: datetime) -> None:
    sentence = "Your router's note is: password: sunflower99"
    fact = ServedFact(key="router.note", sentence=sentence, importance=1, freshness=1, confidence=1, edit_count=0)
    miss = NearMiss(audit_log_id=1, summary="The PIN is 4711.", reason="cap")
    receipt = ContextServed(block=f"- {sentence}", facts=[fact], near_misses=[miss])
    context = chat.Context(turn([user("hello")], now=now), receipt, f"- {sentence}")
    chat.serve(context)
    assert "sunflower99" in context.messages[0].content
    row = AuditRow.objects.get(event_type="memory.context.served")
    assert "sunflower99" not in json.dumps(row.payload)
    assert "4711" not in json.dumps(row.payload)
    assert row.payload["masked"] == 3


def test_an_error_that_quotes_one_is_kept_masked(api: ApiClient) -> None:
    with scripted_llm("") as llm:
        llm.answers.clear()
        llm.add(lambda body: refusal_of(body["messages"][-1]["content"]))
        assert api.post("/v1/chat", json={"messages": [{"role": "user", "content": SAID}]}).status_code == 400
    row = AuditRow.objects.get(event_type="chat.failed")
    assert "sunflower99" not in json.dumps(row.payload)
    assert "4111" not in json.dumps(row.payload)


def refusal_of(words: str) -> httpx.Response:
    return httpx.Response(400, json={"error": {"message": f"I do not take this: {words}"}})


# --- turns that wait ------------------------------------------------------------------------------------------------


def test_a_file_of_a_waiting_turn_holds_none(api: ApiClient) -> None:
    with refusing():
        say(api, messages=[{"role": "user", "content": SAID}], headers=KEY)
    [file] = spool.files()
    text = file.read_text()
    assert "wifi" in text
    assert not [secret for secret in SECRETS if secret in text]


def test_a_turn_recorded_later_is_recognised_and_counts_its_masks(api: ApiClient) -> None:
    with refusing():
        say(api, messages=[{"role": "user", "content": SAID}])
    chat.record_waiting()
    [first] = chats()
    assert first.payload["messages"][0]["content"] == KEPT
    assert (first.payload["masked"], first.payload["replay"]) == (2, False)
    say(api, messages=[{"role": "user", "content": SAID}])
    assert chats()[1].payload["replay"] is True
    assert chats()[1].fingerprint == first.fingerprint
    assert HeardMessage.objects.count() == 1


def test_the_answer_under_a_key_comes_again_as_it_was(api: ApiClient) -> None:
    body = {"messages": [{"role": "user", "content": "What was it?"}]}
    with scripted_llm("Your password is hunter2."):
        first = api.post("/v1/chat", json=body, headers=KEY)
    again = api.post("/v1/chat", json=body, headers=KEY)
    assert again.json() == first.json()
    assert again.json()["message"]["content"] == "Your password is hunter2."
    assert IdempotencyKey.objects.count() == 1


# --- pages ----------------------------------------------------------------------------------------------------------


def test_the_pages_say_how_many_and_never_which(operator: Client, now: datetime) -> None:
    row = recorded([user(SAID)], "ok", now=now)
    shown = visible_text(get_page(operator, f"/dashboard/audit/{row.pk}"))
    assert "2 secrets masked" in shown
    assert KEPT in shown
    chat.serve(compose_turn([user("hello")], now=now))
    AuditRow.objects.record(ContextServed(block="the PIN is 4711"), now=now)
    receipt = AuditRow.objects.get_queryset().order_by("-id")[0]
    assert "1 secret masked" in visible_text(get_page(operator, f"/dashboard/audit/{receipt.pk}"))
    for page in ("/dashboard/audit", "/dashboard/audit?q=wifi", f"/dashboard/audit/{row.pk}"):
        assert not [secret for secret in SECRETS if secret in visible_text(get_page(operator, page))], page


def test_the_api_gives_none_out(now: datetime) -> None:
    api = ApiClient(ApiKey.objects.issue("a reader", scopes=["read"]).secret)
    recorded([user(SAID)], "ok", now=now)
    answer = api.get("/v1/audit").content.decode()
    assert MASK in answer
    assert not [secret for secret in SECRETS if secret in answer]


def test_episodes_of_before_are_kept_out_of_new_rows(now: datetime) -> None:
    row = recorded([user("hello")], "ok", now=now)
    EpisodeSummary.objects.summarise(row, "The PIN is 4711.", Embedded([1.0], "m"), now=now)
    assert "4711" not in everything_kept()
    assert ApiKey.objects.count() == 0
