"""The offline rules against the handed gold facts, scored by the scorer that comes with them."""

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from memory.llm.offline.rules import Turn, facts_in

GOLD = Path(
    os.environ.get("CAESAR_TEST_FACTS_GOLD")
    or Path(__file__).resolve().parents[4] / "data" / "facts_gold" / "handed.jsonl"
)


def scorer() -> ModuleType:
    """The module `score_facts.py` that lies beside the gold facts."""
    spec = importlib.util.spec_from_file_location("score_facts", GOLD.with_name("score_facts.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def turns(messages: list[dict[str, str]]) -> list[Turn]:
    """The chat as the extractor sees it: without the final reply; new is what followed the reply before."""
    asked = messages[:-1] if messages[-1]["role"] == "assistant" else messages
    last_reply = max((place for place, message in enumerate(asked) if message["role"] == "assistant"), default=-1)
    return [
        Turn("operator" if message["role"] == "user" else "assistant", message["content"], place > last_reply)
        for place, message in enumerate(asked)
    ]


def predicted(item: dict[str, Any]) -> list[dict[str, str | float]]:
    claims = facts_in(turns(item["messages"]), [fact["key"] for fact in item["have"]])
    return [{"key": claim.key, "value": claim.value, "confidence": claim.confidence} for claim in claims]


def test_the_handed_gold_facts() -> None:
    gold = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines() if line.strip()]
    tally = scorer().score(gold, {item["id"]: predicted(item) for item in gold})
    empty = sum(not item["gold"] for item in gold)
    assert tally["recall_strict"] >= 0.5
    assert tally["forbidden_stored"] == 0
    assert tally["stayed_empty_when_it_should"] == f"{empty}/{empty}"
