"""The figures are those of the scorer that comes with the gold facts; changes of known facts are judged beside them."""

import importlib.util
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memory.management.evaluation.facts import cases
from memory.management.evaluation.facts.cases import Case
from memory.management.evaluation.facts.outcome import LearnedFact, Outcome
from memory.management.evaluation.facts.score import Score

DATA = Path(__file__).resolve().parents[3] / "data"
SAMPLE = DATA / "evaluation" / "sample.jsonl"

Facts = list[dict[str, Any]]


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_facts", DATA / "facts_gold" / "score_facts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def by_hand(item: dict[str, Any]) -> Facts:
    predictions = {line["id"]: line["facts"] for line in lines(DATA / "evaluation" / "predictions.jsonl")}
    facts: Facts = predictions.get(item["id"], [])
    return facts


def everything_accepted(item: dict[str, Any]) -> Facts:
    return [
        {"key": gold["key_any"][0].replace("*", "x"), "value": value, "confidence": 1.0}
        for gold in item["gold"]
        for value in gold["value_any"]
    ]


def everything_forbidden(item: dict[str, Any]) -> Facts:
    rules = [rule.rpartition("=") for rule in item["forbidden"]]
    return [{"key": key or "a.key", "value": value.upper(), "confidence": 1.0} for key, _, value in rules]


def figures(score: Score) -> dict[str, Any]:
    """Ours, by the names of the scorer."""

    def rounded(ratio: float | None) -> float | None:
        return None if ratio is None else round(ratio, 3)

    return {
        "gold": score.strict.total,
        "predicted": score.precise.total,
        "recall_strict": rounded(score.strict.ratio),
        "recall_lenient": rounded(score.lenient.ratio),
        "precision_lenient": rounded(score.precise.ratio),
        "forbidden_stored": score.forbidden,
        "stayed_empty_when_it_should": f"{score.empty.right}/{score.empty.total}",
    }


def outcome(item: dict[str, Any] | Case, facts: Facts, **fields: Any) -> Outcome:
    name = item.id if isinstance(item, Case) else item["id"]
    learned = [LearnedFact.model_validate({"op": "add", "confidence": 1.0, **fact}) for fact in facts]
    return Outcome(id=name, learned=learned, **fields)


@pytest.mark.parametrize("file", [SAMPLE, DATA / "facts_gold" / "handed.jsonl"], ids=["sample", "handed"])
@pytest.mark.parametrize(
    "predict",
    [
        by_hand,
        everything_accepted,
        everything_forbidden,
        lambda item: [],
        lambda item: scorer().copy_baseline(item),
        lambda item: scorer().regex_baseline(item),
    ],
    ids=["by hand", "accepted", "forbidden", "nothing", "copies", "regex rules"],
)
def test_the_figures_are_those_of_the_scorer(file: Path, predict: Callable[[dict[str, Any]], Facts]) -> None:
    items = lines(file)
    predicted = {item["id"]: predict(item) for item in items}
    score = Score()
    for case, item in zip(cases.read(file), items, strict=True):
        score.add(case, outcome(item, predicted[item["id"]]))
    theirs = scorer().score(items, predicted)
    assert figures(score) == {name: theirs[name] for name in figures(score)}


def test_the_sample_is_scored_as_counted_by_hand() -> None:
    score = Score()
    for case, item in zip(cases.read(SAMPLE), lines(SAMPLE), strict=True):
        score.add(case, outcome(item, by_hand(item)))
    # s02: the job's key is wrong. All others are there with value and key.
    assert (score.strict.right, score.lenient.right, score.strict.total) == (10, 11, 11)
    # s05: "he fears FOG" and "bowling"; s06: a city; s07: the old city; s12: "Oil", whose key has "nut" in it
    assert score.forbidden == 5
    assert (score.empty.right, score.empty.total) == (1, 3)
    assert (score.precise.right, score.precise_strictly.right, score.precise.total) == (11, 10, 22)


def made(**fields: Any) -> Case:
    messages = [{"role": "user", "content": "I moved to Kotka."}, {"role": "assistant", "content": "Nice."}]
    return Case.model_validate({"id": "a", "messages": messages, "gold": [], **fields})


MOVED = made(
    have=[{"key": "address.city", "value": "Tampere"}],
    gold=[{"key_any": ["address.city", "home.city"], "value_any": ["Kotka"], "op": "update"}],
)


def scored(case: Case, facts: Facts, **fields: Any) -> Score:
    score = Score()
    score.add(case, outcome(case, facts, **fields))
    return score


def test_an_update_is_right_where_the_known_fact_has_the_new_value() -> None:
    updates = scored(MOVED, [{"key": "address.city", "value": "Kotka", "op": "update"}]).updates
    assert (updates.right, updates.total) == (1, 1)


@pytest.mark.parametrize(("fields", "right"), [({}, 0), ({"retired": ["address.city"]}, 1)])
def test_an_update_beside_the_old_value_is_right_only_where_that_ended(fields: Mapping[str, Any], right: int) -> None:
    facts = [{"key": "home.city", "value": "Kotka"}]
    score = scored(MOVED, facts, kept={"address.city": "Tampere"}, **fields)
    assert score.strict.right == 1
    assert score.updates.right == right


@pytest.mark.parametrize(("operation", "right"), [("confirm", 1), ("add", 0), ("update", 0)])
def test_a_confirmation_is_right_where_the_known_fact_was_confirmed(operation: str, right: int) -> None:
    case = made(gold=[{"key_any": ["city"], "value_any": ["Kotka"], "op": "confirm"}])
    confirms = scored(case, [{"key": "address.city", "value": "Kotka", "op": operation}]).confirms
    assert (confirms.right, confirms.total) == (right, 1)


def test_retirements_are_counted_and_those_nobody_expected_too() -> None:
    score = scored(made(retire=["employer*", "car.*"]), [], retired=["employer.name", "dog.name"])
    assert (score.retirements.right, score.retirements.total) == (1, 2)
    assert score.retired_wrongly == 1


def test_a_chat_that_was_not_read_did_not_stay_empty_as_it_should() -> None:
    score = scored(made(), [], failure="no answer")
    assert (score.empty.right, score.empty.total, score.failed) == (0, 1, 1)
