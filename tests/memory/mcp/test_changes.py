"""What a model may change: what it adds waits for the operator; the rest needs a key that may manage."""

from datetime import datetime

import pytest

from memory import events
from memory.models import AuditRow, EpisodeSummary, PersonalFact, WaitingFact, undo
from memory.models.review.waiting import MOST_SUGGESTED
from tests.memory.mcp.speaking import Speaker, with_scopes

pytestmark = pytest.mark.django_db


def fact(now: datetime, key: str = "dog.name", value: str = "Beans") -> PersonalFact:
    return PersonalFact.objects.add(key, value, now=now)


def test_what_is_added_waits_and_is_no_fact_before_it_is_accepted(client: Speaker, now: datetime) -> None:
    added = client.call("add_memory", key="Cat Name", value="Tom")
    assert (added["status"], added["key"]) == ("waiting", "cat_name")
    assert "waits for the user's review" in added["message"]
    assert added["review_url"] == "http://testserver/dashboard/facts#facts-waiting"
    assert not PersonalFact.objects.exists()
    (claim,) = WaitingFact.objects.open()
    assert (claim.pk, claim.value, claim.quote, claim.source_audit) == (added["waiting_id"], "Tom", "", None)
    assert AuditRow.objects.get(event_type=events.FactWaiting.name).actor == "key test"
    assert claim.accept(now=now).value == "Tom"


def test_the_same_is_added_once(client: Speaker, now: datetime) -> None:
    fact(now)
    assert client.call("add_memory", key="dog.name", value="beans")["status"] == "known"
    client.call("add_memory", key="dog.name", value="Rex")
    assert client.call("add_memory", key="dog.name", value="Rex")["status"] == "waits_already"
    WaitingFact.objects.get().drop(now=now)
    assert client.call("add_memory", key="dog.name", value="Rex")["status"] == "declined"
    assert not WaitingFact.objects.open().exists()
    assert PersonalFact.objects.get().value == "Beans"


def test_nobody_reviews_an_endless_list(client: Speaker, now: datetime) -> None:
    for number in range(MOST_SUGGESTED):
        assert WaitingFact.objects.suggest(f"thing.{number}", "x", now=now).state == "waiting"
    assert "Too many" in client.refusal("add_memory", key="one.more", value="x")
    assert WaitingFact.objects.count() == MOST_SUGGESTED


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("k" * 200, "x", "characters"),
        ("dog.name", "x" * 501, "characters"),
        ("\u200b", "x", "empty"),
        ("dog.name", " \n ", "empty"),
        ("api.key", "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", "secret"),
        ("sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", "x", "The key looks like a secret"),
        ("dog.\ud800", "x", "The key holds half a character"),
        ("dog.name", "\ud800x", "The value holds half a character"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_cure(client: Speaker, key: str, value: str, said: str) -> None:
    assert said in client.refusal("add_memory", key=key, value=value)
    assert not WaitingFact.objects.exists()
    assert value not in str(AuditRow.objects.get().payload) or len(value) < 4


def test_a_fact_is_corrected_where_it_still_says_what_was_read(client: Speaker, now: datetime) -> None:
    fact(now)
    refusal = client.refusal("update_memory", id="fact:dog.name", value="Rex", expected="Bowser")
    assert "“Beans” now" in refusal
    assert PersonalFact.objects.get().value == "Beans"
    updated = client.call("update_memory", id="fact:dog.name", value="Rex", expected="Beans")
    assert (updated["value"], PersonalFact.objects.get().value) == ("Rex", "Rex")
    row = AuditRow.objects.get(pk=updated["event_id"])
    assert (row.event_type, row.actor) == (events.FactUserEdited.name, "key test")
    assert f"/v1/audit/{row.pk}/undo" in updated["undo"]
    again = client.call("update_memory", id="dog.name", value="Rex")
    assert (again["event_id"], again["undo"]) == (None, "")


@pytest.mark.parametrize(("value", "said"), [("4111 1111 1111 1111", "secret"), ("\ud800", "half a character")])
def test_no_secret_and_no_half_character_takes_a_values_place(
    client: Speaker, now: datetime, value: str, said: str
) -> None:
    fact(now)
    assert said in client.refusal("update_memory", id="dog.name", value=value)
    assert PersonalFact.objects.get().value == "Beans"


def test_a_fact_is_deleted_and_can_be_brought_back(client: Speaker, now: datetime) -> None:
    fact(now)
    assert "says something else" in client.refusal("delete_memory", id="dog.name", expected="Rex")
    deleted = client.call("delete_memory", id="fact:dog.name", expected="Beans")
    assert not PersonalFact.objects.exists()
    undo(AuditRow.objects.get(pk=deleted["event_id"]), now=now)
    assert PersonalFact.objects.get().value == "Beans"


@pytest.mark.parametrize("tool", ["update_memory", "delete_memory"])
def test_a_key_that_may_not_read_is_not_told_what_a_fact_says(now: datetime, tool: str) -> None:
    fact(now)
    value = {"value": "Rex"} if tool == "update_memory" else {}
    refusal = with_scopes("manage").refusal(tool, id="dog.name", expected="Bowser", **value)
    assert "dog.name says something else" in refusal
    assert "Beans" not in refusal


def test_an_episode_is_deleted_and_a_chat_is_not(client: Speaker, now: datetime) -> None:
    chat = AuditRow.objects.record(events.ChatCompleted(reply="hi"), now=now)
    columns = {"summary": "Met Ada.", "embedding": [1.0], "model": "m", "created_at": now}
    episode = EpisodeSummary.objects.create(audit_log=chat, **columns)
    deleted = client.call("delete_memory", id=f"episode:{episode.pk}")
    assert (deleted["kind"], EpisodeSummary.objects.get().summary) == ("episode", "")
    assert f"/v1/memory/episodes/{chat.pk}/restore" in deleted["undo"]
    assert "no such memory" in client.refusal("delete_memory", id=f"episode:{episode.pk}")
    assert "A chat is not deleted" in client.refusal("delete_memory", id=f"chat:{chat.pk}")


@pytest.mark.parametrize("tool", ["update_memory", "delete_memory"])
def test_what_is_not_there_is_not_changed(client: Speaker, tool: str) -> None:
    value = {"value": "x"} if tool == "update_memory" else {}
    for wanted in ("cat.name", "episode:1", "chat:x"):
        client.refusal(tool, id=wanted, **value)
    assert {row.event_type for row in AuditRow.objects.all()} == {events.McpCalled.name}


def test_a_request_that_comes_again_by_its_key_is_done_once(client: Speaker, now: datetime) -> None:
    fact(now)
    body = client.request("tools/call", {"name": "update_memory", "arguments": {"id": "dog.name", "value": "Rex"}})
    headers = client.headers(body) | {"Idempotency-Key": "once"}
    first, second = (client.api.post("/mcp", json=body, headers=headers) for _ in range(2))
    assert first.json() == second.json()
    assert second.headers["Idempotency-Replayed"] == "true"
    assert AuditRow.objects.filter(event_type=events.McpCalled.name).count() == 1
    other = client.request("tools/call", {"name": "delete_memory", "arguments": {"id": "dog.name"}})
    reused = client.api.post("/mcp", json=other, headers=client.headers(other) | {"Idempotency-Key": "once"})
    assert (reused.status_code, PersonalFact.objects.count()) == (422, 1)


def test_it_comes_again_with_another_id_and_is_answered_by_that(client: Speaker, now: datetime) -> None:
    fact(now)
    answers = []
    for id_ in (1, "two"):
        params = {"name": "update_memory", "arguments": {"id": "dog.name", "value": "Rex"}}
        body = client.request("tools/call", params, id_=id_)
        body["params"]["_meta"]["progressToken"] = id_
        answers.append(client.api.post("/mcp", json=body, headers=client.headers(body) | {"Idempotency-Key": "once"}))
    assert [answer.json()["id"] for answer in answers] == [1, "two"]
    assert answers[0].json()["result"] == answers[1].json()["result"]
    assert AuditRow.objects.filter(event_type=events.FactUserEdited.name).count() == 1
