"""The case files of the kinds `extract_output`, `extract_input` and `security`, through the real worker."""

import json
import re
from typing import Any

import httpx
import pytest

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import ExtractCursor, PersonalFact
from memory.text import wording
from tests import cases
from tests.memory.learning.evidence.ending_case import ending_case
from tests.memory.llm.scripted import ScriptedLLM, scripted_llm

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
    with scripted_llm(answer_of(case.given)):
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


def _check_request(llm: ScriptedLLM, expect: dict[str, Any], *, max_calls: int) -> None:
    assert len(llm.requests) <= max_calls
    wanted = expect["llm_request"]
    for request in llm.requests:
        sent = json.dumps(request["messages"], ensure_ascii=False)
        assert not [words for words in wanted.get("not_contains", []) if words in sent]
        assert not [words for words in wanted.get("contains", []) if words not in sent]
        assert len(sent) <= wanted.get("max_chars", len(sent))
        if "message_roles" in wanted:
            assert [message["role"] for message in request["messages"]] == wanted["message_roles"]
        document = json.loads(request["messages"][-1]["content"])
        assert {turn["speaker"] for turn in document["conversation"]} <= {"operator", "assistant"}


@cases.of_kind("extract_input")
def test_the_extractor_is_asked_the_right_thing(case: cases.Case) -> None:
    llm = _poll_once(case)
    assert len(llm.requests) == 1


@cases.of_kind("security")
def test_what_others_planted_is_not_the_operators_word(case: cases.Case) -> None:
    _poll_once(case)


def _poll_once(case: cases.Case) -> ScriptedLLM:
    """Have the chat of a case read, and check the request and the tables."""
    cases.prepare(case)
    before = cases.last_row_id()
    with scripted_llm(case.given["completion"]) as llm:
        poll(case)
    _check_request(llm, case.expect, max_calls=1)
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    return llm
