"""One case through the real worker: what it learned, changed, confirmed and ended, at what cost, and why it failed."""

import json
from typing import Any

import httpx
import pytest

from memory.management.evaluation.facts import reading
from memory.management.evaluation.facts.cases import Case
from memory.management.evaluation.facts.outcome import Outcome
from memory.management.evaluation.report import ModelFailed
from tests.conftest import Configure
from tests.memory.llm.scripted import Answer, ScriptedLLM, completion, scripted_llm

pytestmark = pytest.mark.django_db


def case(*said: str, **fields: Any) -> Case:
    roles = ["user", "assistant"] * len(said)
    messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=False)]
    return Case.model_validate({"id": "a", "messages": messages, "gold": [], **fields})


def claims(**values: str) -> str:
    pairs = [(name.replace("__", "."), value) for name, value in values.items()]
    return json.dumps([{"key": key, "value": value, "confidence": 0.9} for key, value in pairs])


def read(given: Case, *answers: Answer) -> tuple[Outcome, ScriptedLLM]:
    with scripted_llm(*answers) as model:
        return reading.read(given), model


def learned(outcome: Outcome) -> dict[str, tuple[str, str]]:
    return {fact.key: (fact.value, fact.op) for fact in outcome.learned}


def test_it_works() -> None:
    outcome, model = read(case("My cat is Miso.", "Hello."), claims(cat__name="Miso"))
    assert learned(outcome) == {"cat.name": ("Miso", "add")}
    (turn,) = model.last_document()["conversation"]
    assert turn == {"speaker": "operator", "status": "new", "text": "My cat is Miso."}
    assert (outcome.answers, outcome.input_tokens, outcome.output_tokens) == (1, 11, 7)
    assert (outcome.failure, outcome.kept, outcome.unusable) == ("", {}, 0)
    assert outcome.seconds > 0


def test_known_facts_are_updated_confirmed_or_kept() -> None:
    known = {"address.city": "Tampere", "job": "tuner", "cat.name": "Miso"}
    have = [{"key": key, "value": value} for key, value in known.items()]
    given = case("I am a tuner, in Kotka now.", "Nice.", have=have)
    outcome, model = read(given, claims(address__city="Kotka", job="Tuner"))
    assert learned(outcome) == {"address.city": ("Kotka", "update"), "job": ("tuner", "confirm")}
    assert outcome.kept == {"cat.name": "Miso"}
    assert sorted(model.last_document()["known_keys"]) == sorted(known)
    assert len(model.requests) == 1


def test_earlier_turns_are_context() -> None:
    _, model = read(case("A name for a boat?", "Tyrsky?", "I take it.", "Fine."), "[]")
    said = [turn["text"] for turn in model.last_document()["conversation"]]
    assert said == ["A name for a boat?", "Tyrsky?", "I take it."]


def test_a_bad_answer_is_asked_for_again_and_paid_for_each_time() -> None:
    cut = httpx.Response(200, json=completion('[{"key": ', finish_reason="length"))
    outcome, _ = read(case("My cat is Miso."), cut, "no list", claims(cat__name="Miso"))
    assert learned(outcome) == {"cat.name": ("Miso", "add")}
    assert (outcome.answers, outcome.input_tokens, outcome.failure) == (3, 33, "")


def test_a_chat_that_is_given_up_says_why(configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=2)
    outcome, model = read(case("My cat is Miso."), "no list", "no list")
    assert len(model.requests) == 2
    assert outcome.failure == "The answer holds no JSON."
    assert outcome.learned == []


def test_an_outage_is_the_failure_of_one_case() -> None:
    outcome, _ = read(case("My cat is Miso."), httpx.Response(500, text="out of memory"))
    assert "500" in outcome.failure
    assert outcome.answers == 0


@pytest.mark.parametrize("status", [401, 404])
def test_a_model_that_is_not_there_ends_it_all(status: int) -> None:
    with pytest.raises(ModelFailed, match=str(status)):
        read(case("My cat is Miso."), httpx.Response(status, text="no"))


def test_answers_without_a_count_are_named() -> None:
    body = completion("[]")
    del body["usage"]
    outcome, _ = read(case("My cat is Miso."), httpx.Response(200, json=body))
    assert (outcome.answers, outcome.unreported, outcome.input_tokens) == (1, 1, 0)


def test_facts_that_end_and_claims_that_are_refused_are_counted() -> None:
    ended = {"key": "job", "ends": True, "value": "tuner", "quote": "I retired"}
    unknown = [{"key": key, "value": "unknown", "confidence": 0.9} for key in ("address.city", "cat.name")]
    given = case("I retired.", have=[{"key": "job", "value": "tuner"}])
    outcome, _ = read(given, json.dumps([ended, *unknown]))
    assert outcome.retired == ["job"]
    assert outcome.refused == {"unknown_value": 2}
