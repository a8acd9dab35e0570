"""The case files of the kinds `extract_output`, `extract_input` and `security`, through the real worker."""

import json
import re
from typing import Any

import httpx
import pytest

from memory import learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION, PROMPT
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, ExtractCursor, HeardMessage, HeardWords, PersonalFact, SummariseCursor
from memory.text import wording
from tests import cases
from tests.conftest import ApiClient
from tests.memory.learning.evidence.ending_case import ending_case
from tests.memory.llm.scripted import ScriptedLLM, completion, llm_settings, scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


def poll(case: cases.Case) -> learning.Tally:
    return learning.run(EXTRACTION, clock=lambda: case.clock)


def answer_of(given: dict[str, Any]) -> Any:
    """What the provider says: the completion's text, or the exact HTTP answer."""
    if "http" in given:
        http = given["http"]
        return httpx.Response(http["status"], headers=http["headers"], text=http["body"])
    return given["completion"]


@cases.of_kind("extract_output")
def test_an_answer_becomes_the_right_facts(case: cases.Case) -> None:
    cases.prepare(case)
    before = cases.last_row_id()
    if "body" in case.given:
        ending_case(case)
        return
    if "polls" in case.given:
        _check_polls(case)
        return
    with scripted_llm(*[answer_of(case.given)] * 2):  # a cut answer is asked for once more
        tally = poll(case)
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    _check_counters(case.expect.get("counters", {}), tally)
    _check_per_entry(case.expect.get("per_entry", {}))
    _check_prompt(case.expect)
    if "second_poll" in case.expect:
        assert "length" in ExtractCursor.current().last_error
        with scripted_llm(case.expect["second_poll"]["completion"]):
            poll(case)
        cases.check_tables(case.expect["second_poll"], rows=cases.new_rows(before))


def _check_polls(case: cases.Case) -> None:
    for given, expect in zip(case.given["polls"], case.expect["after_each_poll"], strict=True):
        before = cases.last_row_id()
        with scripted_llm(answer_of(given)):
            tally = poll(case)
        assert (tally.rows_failed, tally.rows_ok) == ((1, 0) if expect["row"] == "failed" else (0, 1))
        cases.check_tables({**case.expect, "cursor": expect["cursor"]}, rows=cases.new_rows(before))


def _check_counters(counters: dict[str, Any], tally: learning.Tally) -> None:
    seen = {"rows_ok": tally.rows_ok, "rows_failed": tally.rows_failed, "entries_rejected": tally.counts["rejected"]}
    for name, wanted in counters.items():
        assert str(seen[name]) in str(wanted).split()


def _check_per_entry(per_entry: dict[str, str]) -> None:
    for fact in PersonalFact.objects.all():
        assert 0.0 <= fact.confidence <= 1.0
    for key, rule in per_entry.items():
        stored = PersonalFact.objects.filter(key=key).first()
        if rule.startswith("kept"):
            assert stored is not None
            assert str(stored.confidence) in rule


def _check_prompt(expect: dict[str, Any]) -> None:
    if "value_matches" in expect:
        assert any(re.fullmatch(expect["value_matches"], fact.value) for fact in PersonalFact.objects.all())
    if "prompt" in expect:
        lines = [wording.sentence(fact.key, fact.value) for fact in PersonalFact.objects.all()]
        assert expect["prompt"]["line_for_key"] in lines
        assert all(len(line.splitlines()) == 1 for line in lines)


def _said_before_the_reply(case: cases.Case, words: list[str]) -> list[str]:
    """Those of the words that are not in the final reply, which only the summariser reads (decision 1)."""
    replies = " ".join(row["payload"].get("reply", "") for row in case.given["audit_before"])
    return [one for one in words if one not in replies]


def _check_request(llm: ScriptedLLM, case: cases.Case, *, max_calls: int) -> None:
    assert len(llm.requests) <= max_calls
    wanted = case.expect["llm_request"]
    for request in llm.requests:
        sent = json.dumps(request["messages"], ensure_ascii=False)
        assert not [words for words in wanted.get("not_contains", []) if words in sent]
        assert not [words for words in _said_before_the_reply(case, wanted.get("contains", [])) if words not in sent]
        assert len(sent) <= wanted.get("max_chars", len(sent))
        if "message_roles" in wanted:
            assert [message["role"] for message in request["messages"]] == wanted["message_roles"]
        document = json.loads(request["messages"][-1]["content"])
        assert {turn["speaker"] for turn in document["conversation"]} <= {"operator", "assistant"}


@cases.of_kind("extract_input")
def test_the_extractor_is_asked_the_right_thing(case: cases.Case) -> None:
    if case.given.get("offline"):
        _check_offline(case)
        return
    llm = _poll_once(case)
    assert len(llm.requests) == 1


def _check_offline(case: cases.Case) -> None:
    """The chat of `body` as a client records it, read by the offline rules; again for each other separator named."""
    for separator in ("", "\x85", "\v", "\f") if "NEL" in str(case.expect.get("invariants")) else ("",):
        PersonalFact.objects.all().delete()
        HeardMessage.objects.all().delete()
        HeardWords.objects.all().delete()
        messages = [Message.model_validate(_separated(sent, separator)) for sent in case.given["body"]["messages"]]
        before = cases.last_row_id()
        record_turn(messages, "Fine.", now=case.clock)
        with llm_settings(provider="offline"):
            poll(case)
        cases.check_tables(case.expect, rows=cases.new_rows(before))
        values = set(PersonalFact.objects.values_list("value", flat=True))
        assert not values & set(case.expect.get("never_stored_as_value", []))


def _separated(sent: dict[str, Any], separator: str) -> dict[str, Any]:
    return sent | {"content": re.sub("[\u2028\u2029]", separator, sent["content"])} if separator else sent


@cases.of_kind("security")
def test_what_others_planted_is_not_the_operators_word(case: cases.Case) -> None:
    _poll_once(case)


def _poll_once(case: cases.Case) -> ScriptedLLM:
    """Have the chat of a case read, and check the request and the tables."""
    cases.prepare(case)
    before = cases.last_row_id()
    with scripted_llm(case.given.get("completion", "[]")) as llm:
        poll(case)
    _check_request(llm, case, max_calls=1)
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    return llm


# --- the invariants of single cases -----------------------------------------------------------------------------------


def test_an_example_of_the_prompt_is_learned_where_the_operator_said_it() -> None:
    case = cases.one("H44")
    case.given["audit_before"][0]["payload"]["messages"][0]["content"] = "I take my coffee black, no sugar."
    cases.prepare(case)
    with scripted_llm(case.given["completion"]):
        tally = poll(case)
    assert PersonalFact.objects.get().value == "coffee black, no sugar"
    assert tally.counts == {"added": 1}


@pytest.mark.parametrize("key", ["preference.coffee", "note", "drinks.morning"])
def test_no_example_of_the_prompt_is_learned_under_any_key(key: str) -> None:
    case = cases.one("H44")
    cases.prepare(case)
    shown = re.findall(r'"([^"\n]{2,120})"', PROMPT)
    values = [json.loads(case.given["completion"])[0]["value"], *shown]
    answer = json.dumps([{"key": f"{key}.n{place}", "value": value} for place, value in enumerate(values)])
    with scripted_llm(answer):
        tally = poll(case)
    assert not PersonalFact.objects.exists()
    assert tally.counts["rejected"] == len(values)


def test_the_prompt_holds_no_value_that_reads_as_a_fact() -> None:
    assert not re.search(r'value: .*"', PROMPT)


def test_unfilled_templates_are_counted_and_look_alikes_are_learned() -> None:
    case = cases.one("H45")
    cases.prepare(case)
    entries = [
        *json.loads(case.given["completion"]),
        *({"key": f"hobby.x{v}", "value": v} for v in ("<3 sailing", "C#")),
    ]
    with scripted_llm(json.dumps(entries)):
        tally = poll(case)
    assert tally.counts["rejected"] == tally.counts["rejected as placeholder"] == 5
    assert set(PersonalFact.objects.values_list("value", flat=True)) == {"Tove", "<3 sailing", "C#"}
    row = AuditRow.objects.get(event_type="memory.fact.claims_refused")
    assert (row.chat_id, row.payload["reasons"]) == (2011, {"placeholder": 5})


def test_the_summariser_reads_no_reasoning_either_and_the_stored_chat_keeps_it() -> None:
    case = cases.one("H49")
    cases.prepare(case, cursor=SummariseCursor)
    stored = AuditRow.objects.get(pk=2051).payload
    with scripted_llm("The operator chose tiles.") as llm, scripted_embedder(beside=llm):
        learning.run(SUMMARY, clock=lambda: case.clock)
    sent = json.dumps(llm.requests[0]["messages"], ensure_ascii=False)
    wanted = case.expect["llm_request"]
    assert not [words for words in wanted["not_contains"] if words in sent]
    assert not [words for words in wanted["contains"] if words not in sent]
    assert AuditRow.objects.get(pk=2051).payload == stored
    assert "Secretly they hate grey" in stored["reply"]


def test_an_operator_who_writes_about_the_tag_keeps_their_words() -> None:
    case = cases.one("H49")
    words = "Why does my model print <think>ideas</think> and [THINK]?"
    case.given["audit_before"][0]["payload"]["messages"][2]["content"] = words
    cases.prepare(case)
    with scripted_llm("[]") as llm:
        poll(case)
    assert [turn["text"] for turn in llm.last_document()["conversation"]][-1] == words


def test_the_answer_to_the_client_keeps_what_was_said(api: ApiClient) -> None:
    reply = cases.one("H49").given["audit_before"][0]["payload"]["reply"]
    with scripted_llm(reply):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "And which grout?"}]})
    assert reply in json.dumps(json.loads(response.content), ensure_ascii=False)
    assert AuditRow.objects.get(event_type="chat.completed").payload["reply"] == reply


def test_a_model_that_thinks_too_long_is_given_more_room() -> None:
    case = cases.one("H54")
    cases.prepare(case)
    with scripted_llm(_thinking(fewest_tokens=3000)) as llm:
        tally = poll(case)
    cases.check_tables(case.expect, rows=[])
    assert tally.rows_ok == 1
    assert llm.requests[0]["max_tokens"] == 4096


def test_a_cut_answer_is_asked_for_once_more_with_twice_the_room() -> None:
    case = cases.one("H54")
    cases.prepare(case)
    with scripted_llm(*[_thinking(fewest_tokens=5000)] * 2) as llm:
        poll(case)
    cases.check_tables(case.expect, rows=[])
    assert [request["max_tokens"] for request in llm.requests] == [4096, 8192]


def test_an_answer_that_stays_cut_is_given_up_with_the_cure_and_not_asked_for_five_times() -> None:
    case = cases.one("H54")
    cases.prepare(case)
    asked: list[int] = []
    for _ in range(5):
        with scripted_llm(*[_thinking(fewest_tokens=1_000_000)] * 2) as llm:
            poll(case)
        asked += [request["max_tokens"] for request in llm.requests]
    assert asked == [4096, 8192, 4096, 8192]
    assert ExtractCursor.current().last_audit_id == 2081
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert "CAESAR_LLM__TASK_MAX_TOKENS" in row.payload["error"]
    assert row.payload["reason"] == "bad_answer"


def _thinking(*, fewest_tokens: int) -> Any:
    """A server whose model needs that many tokens before it answers."""

    def answer(request: dict[str, Any]) -> Any:
        if request["max_tokens"] < fewest_tokens:
            return httpx.Response(200, json=completion("", finish_reason="length", reasoning="Hmm, "))
        return '[{"key":"hobby.knit","value":"knitting","confidence":0.9}]'

    return answer
