"""H63: the operator takes a fact back. The answer in our own form, and every one of the case's invariants."""

import json
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from memory import learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow, HeardMessage, HeardWords, PersonalFact
from memory.text import wording
from tests import cases
from tests.dashboard.helpers import fact_url, find_elements, get_page, visible_text
from tests.memory.llm.scripted import ScriptedLLM, scripted_llm
from tests.turns import record_turn

QUOTE = "I no longer live in Portland"
ENDS = {"key": "address.city", "ends": True, "quote": QUOTE}


def ending_case(case: cases.Case) -> None:
    """Run the case: first the answers that may end nothing, then the one that does, then the way back."""
    for refused in _bad_answers():
        read(case, refused)
        assert PersonalFact.objects.retired().count() == 0, refused
    _older_than_the_edit(case)
    before = cases.last_row_id()
    llm = read(case, [ENDS])
    document = json.loads(llm.requests[0]["messages"][-1]["content"])
    assert set(document["known_keys"]) >= {"address.city", "pet.cat.name"}
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    _check_prompt(case, never=case.expect["prompt"]["never_contains"], contains=case.expect["prompt"]["contains"])
    _brought_back_with_one_act(case)


def _bad_answers() -> list[list[dict[str, Any]]]:
    keys = ["address.city", "pet.cat.name", "dog.name", "job.title"]
    return [
        [ENDS | {"key": "hobby.main"}],
        [ENDS | {"key": key} for key in keys],
        [{"key": "address.city", "ends": True}],
        [ENDS | {"quote": "I have left Portland behind"}],
        [ENDS | {"value": "Berlin"}],
    ]


def read(case: cases.Case, answer: list[dict[str, Any]], *, days_ago: int = 0) -> ScriptedLLM:
    """Record the case's chat as if it was never heard before, and have it read with this answer."""
    HeardMessage.objects.all().delete()
    HeardWords.objects.all().delete()
    own = case.given["body"]["messages"][0]["content"]
    when = case.clock - timedelta(days=days_ago) if days_ago else None
    record_turn([Message(role="user", content=own)], "Noted.", now=case.clock, occurred_at=when)
    with scripted_llm(json.dumps(answer)) as llm:
        learning.run(EXTRACTION, clock=lambda: case.clock)
    return llm


def _older_than_the_edit(case: cases.Case) -> None:
    fact = PersonalFact.objects.get(key="address.city")
    assert fact.edit("Portland, Oregon", now=case.clock - timedelta(days=2))
    assert fact.edit("Portland", now=case.clock - timedelta(days=1))
    read(case, [ENDS], days_ago=3)
    assert PersonalFact.objects.retired().count() == 0


def _check_prompt(case: cases.Case, *, never: list[str], contains: list[str]) -> None:
    sentences = [item.fact.sentence for item in PersonalFact.objects.for_prompt(case.clock)]
    block = wording.facts_block(sentences, max_facts=30, max_chars=2048).text
    assert not [words for words in never if words in block]
    assert not [words for words in contains if words not in block]


def _brought_back_with_one_act(case: cases.Case) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_superuser("op", password="a long enough password"))
    page = get_page(operator)
    assert "No longer true 1" in visible_text(page)
    assert "Portland" in visible_text(page)
    forms = find_elements(page, "form", action=fact_url("fact-bring-back", "address.city"))
    assert operator.post(forms[0]["action"]).status_code == 302
    assert PersonalFact.objects.get(key="address.city").retired_at is None
    _check_prompt(case, never=[], contains=["Portland", "Tom"])
    assert AuditRow.objects.get(event_type="memory.fact.user_added").payload["restored_from"]
