"""The case files that tell a story of several turns: what a client sends again, and what is one turn."""

import json
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from django.utils import timezone

from memory import learning
from memory.chat import MemoryUse
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, EpisodeSummary, PersonalFact
from memory.text.normalising import Claim
from tests import cases
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import completion, scripted_llm
from tests.memory.llm.scripted_embedder import MODEL_ID, scripted_embedder
from tests.memory.recall.reference_recall import NOW, add
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

CITY = "address.city"


def at(hour: int) -> datetime:
    return cases.one("H53").clock.replace(hour=hour)


def hear(*messages: Message, hour: int) -> None:
    """The chat is recorded, and a model that believes every new word reads it."""
    record_turn(messages, "Nice.", now=at(hour))

    def believe(request: Any) -> str:
        turns = json.loads(request["messages"][-1]["content"])["conversation"]
        new = " ".join(turn["text"] for turn in turns if turn["status"] == "new")
        claims = [{"key": CITY, "value": "Portland", "confidence": 0.9}] if "Portland" in new else []
        claims += [{"key": "cat.name", "value": "Zoé", "confidence": 0.9}] if "Zoé" in new else []
        return json.dumps(claims)

    with scripted_llm(believe):
        learning.run(EXTRACTION, clock=lambda: at(hour))


def correct(undone: str) -> int:
    """At noon the operator edits or deletes the city; the id of the row that says so."""
    fact = PersonalFact.objects.get(key=CITY)
    fact.edit("Bend", now=at(12)) if undone == "edit" else fact.forget(now=at(12))
    return cases.last_row_id()


def check_it_stands(undone: str, since: int) -> None:
    known = dict(PersonalFact.objects.filter(key=CITY).values_list("key", "value"))
    assert known == ({CITY: "Bend"} if undone == "edit" else {})
    kinds = {row.event_type for row in cases.new_rows(since) if row.fact_key == CITY}
    assert not kinds & set(cases.one("H53").expect["audit_never_after_edit"])


@pytest.mark.parametrize("undone", ["edit", "deletion"])
@pytest.mark.parametrize("break_", ["\n\n", "\n", "\r\n"])
def test_merged_history_does_not_undo_a_correction(undone: str, break_: str) -> None:
    old = "I live in Portland."
    assert old in cases.one("H53").given["steps"][0]
    hear(user(old), hour=9)
    since = correct(undone)
    hear(user(f"{old}{break_}What should I cook tonight?"), hour=15)
    hear(user([{"type": "text", "text": old}, {"type": "text", "text": "And tomorrow?"}]), hour=16)
    check_it_stands(undone, since)
    hear(user(f"{old}{break_}My cat is Zoé."), hour=17)
    check_it_stands(undone, since)
    assert PersonalFact.objects.get(key="cat.name").value == "Zoé"
    hear(user(old), hour=19)
    assert PersonalFact.objects.get(key=CITY).value == "Portland", "said anew by itself it counts"


VARIANTS = cases.one("H57").given["variants"]


@pytest.mark.parametrize("undone", ["edit", "deletion"])
@pytest.mark.parametrize("variant", VARIANTS, ids=[variant["name"] for variant in VARIANTS])
def test_history_a_little_changed_does_not_undo_a_correction(variant: dict[str, str], undone: str) -> None:
    hear(user(variant["first"]), hour=9)
    since = correct(undone)
    hear(user(variant["resent"]), assistant("Nice."), user("What should I cook tonight?"), hour=15)
    check_it_stands(undone, since)


def sum_up(now: datetime, answers: dict[str, str]) -> None:
    def by_reply(request: Any) -> str:
        sent = json.dumps(request["messages"], ensure_ascii=False)
        (answer,) = [answer for said, answer in answers.items() if said in sent]
        return answer

    with scripted_llm(by_reply) as llm, scripted_embedder(beside=llm):
        learning.run(SUMMARY, clock=lambda: now)


def texts() -> list[str]:
    return list(EpisodeSummary.objects.exclude(summary="").values_list("summary", flat=True))


@pytest.mark.parametrize("first_is_summed_up", [False, True])
def test_the_answer_that_was_written_anew_is_what_is_recalled(first_is_summed_up: bool) -> None:
    case = cases.one("H51")
    answers, question = case.given["llm_by_reply"], user("Which colour for the narrow hall in my flat?")
    first = record_turn([question], "You should paint the hall orange.", now=case.clock)
    if first_is_summed_up:
        sum_up(case.clock, answers)
        assert texts() == [answers["orange"]]
    record_turn([question], "You should paint the hall sage green.", now=case.clock + timedelta(minutes=1))
    sum_up(case.clock + timedelta(minutes=2), answers)
    assert len(texts()) == case.expect["episodes_with_text"]
    assert "sage green" in texts()[0]
    assert EpisodeSummary.objects.exclude(summary="").get().audit_log_id == first.audit_log_id
    sum_up(case.clock + timedelta(minutes=3), {})


CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
QUESTION = "Find a luthier near Cremona for my viola please."


def step(api: ApiClient, *after: Any) -> None:
    """One request of the tool loop: the question and what came after it."""
    body = {"model": "caesar", "messages": [{"role": "user", "content": QUESTION}, *after]}
    response = api.post("/v1/chat/completions", json=body, headers={"X-Conversation-Id": "violas"})
    assert response.status_code == 200, response.content


def test_a_loop_of_tools_is_one_turn(api: ApiClient, configure: Configure) -> None:
    case = cases.one("H58")
    assert QUESTION in case.given["steps"][0]
    (before,) = case.given["episodes_before"]
    old = EpisodeSummary.objects.get(
        pk=add([1.0, 0.0], summary=before["summary"], model=MODEL_ID, age=NOW - timezone.now())
    )
    calls = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    tool = {"role": "tool", "tool_call_id": "1", "content": "Bottega A, Via B"}
    on_the_way = httpx.Response(200, json=completion(None, finish_reason="tool_calls", tool_calls=[CALL]))
    answers = [on_the_way, on_the_way, "Bottega A in Via B, open on Tuesdays."]
    with scripted_llm(*answers) as llm, scripted_embedder(beside=llm, table={QUESTION: [0.8, 0.6]}):
        step(api)
        learning.run(SUMMARY, clock=timezone.now)
        PersonalFact.objects.add("instrument", "viola", now=old.created_at)  # by another chat, as if it was learned
        AuditRow.objects.filter(event_type="memory.fact.user_added")._raw_delete("default")
        step(api, calls, tool)
        learning.run(SUMMARY, clock=timezone.now)
        step(api, calls, tool, calls, {**tool, "content": "open Tuesdays"})
    system = [request["messages"][0] for request in llm.requests]
    assert before["summary"] in system[0]["content"]
    assert system[0] == system[1] == system[2]
    old.refresh_from_db()
    assert old.recall_count == case.expect["recall_count_of_31"]
    kinds = list(AuditRow.objects.values_list("event_type", flat=True))
    assert (kinds.count("memory.context.served"), kinds.count("memory.episode.recalled")) == (1, 1)
    taught = [row.completed.new_messages for row in AuditRow.objects.get_queryset().chats().order_by("id")[1:]]
    assert taught == [[0], [], []]
    with scripted_llm("CAESAR found Bottega A in Via B.") as llm, scripted_embedder(beside=llm):
        learning.run(SUMMARY, clock=timezone.now)
    assert QUESTION in json.dumps(llm.requests[0]["messages"], ensure_ascii=False)
    new = [text for text in texts() if text != before["summary"]]
    assert len(new) == case.expect["episodes_with_text_new"]
    assert "Bottega A" in new[0]


def test_after_a_correction_the_rest_of_the_turn_is_given_the_corrected_memory(api: ApiClient) -> None:
    fact = PersonalFact.objects.add("dog.name", "Beans", now=timezone.now())
    calls = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    tool = {"role": "tool", "tool_call_id": "1", "content": "Bottega A, Via B"}
    with scripted_llm("one", "two") as llm:
        step(api)
        fact.edit("Rex", now=timezone.now())
        step(api, calls, tool)
    assert "Beans" in json.dumps(llm.requests[0])
    assert "Rex" in json.dumps(llm.requests[1])
    assert AuditRow.objects.filter(event_type="memory.context.served").count() == 2


def test_the_question_asked_anew_on_another_day_is_another_turn(now: datetime) -> None:
    first = record_turn([user(QUESTION)], "one", now=now)
    later = record_turn([user(QUESTION)], "two", now=now + timedelta(days=1))
    assert AuditRow.objects.get(pk=later.audit_log_id).completed.continues is None
    assert first.audit_log_id != later.audit_log_id


def test_a_question_asked_anew_is_given_what_was_learned_meanwhile(api: ApiClient) -> None:
    with scripted_llm("one", "two") as llm:
        step(api)
        chat = AuditRow.objects.get_queryset().chats().latest("id")
        PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=chat, now=timezone.now())
        step(api)
    assert "Beans" not in json.dumps(llm.requests[0])
    assert "Beans" in json.dumps(llm.requests[1])


@pytest.mark.parametrize("later", [{"use": MemoryUse(learn=False)}, {"cut_off": True}])
def test_a_later_row_that_does_not_count_takes_no_summary_away(now: datetime, later: dict[str, Any]) -> None:
    record_turn([user(QUESTION)], "Bottega A.", now=now)
    record_turn([user(QUESTION)], "Let me", now=now, **later)
    sum_up(now, {"Bottega A": "CAESAR named Bottega A."})
    assert texts() == ["CAESAR named Bottega A."]
