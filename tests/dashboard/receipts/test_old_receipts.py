"""Receipts as older versions wrote them, without the newer fields, and all of them in the new dress."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from memory import events
from memory.models import AuditRow
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text

pytestmark = pytest.mark.django_db

EPISODE = {"audit_log_id": 1, "summary": "We met.", "when": "last week", "score": 0.3}
FACTORS = {"cosine": 0.4, "freshness": 0.8, "recall_weight": 1.0}
MISS = {"audit_log_id": 2, "summary": "Far.", "reason": "below_threshold"}
FACT = {"key": "dog.name", "sentence": "Beans.", "importance": 1.0, "freshness": 1, "confidence": 1, "edit_count": 0}


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({}, "Nothing went in: there was nothing to remember."),
        ({"block": "x\ny"}, "To the letter: 2 lines, 3 characters"),
        ({"facts": [FACT]}, "1 fact went in."),
        ({"episodes": [EPISODE | FACTORS]}, "1 conversation went in."),
        ({"near_misses": [MISS]}, "Nothing went in; 1 conversation just missed."),
        ({"near_misses": [MISS | {"cosine": 0.2}]}, "“Far.” not near enough chat 2 similarity 0.20"),
        ({"near_misses": [MISS | {"reason": "gate"}]}, "nothing was near enough to the message"),
        ({"near_misses": [MISS | {"reason": "switched_off"}]}, "recall is switched off"),
        ({"left_out": [{"part": "episodes", "reason": "no vector"}]}, "Without episodes: no vector."),
    ],
)
def test_it_works(operator: Client, now: datetime, payload: dict[str, Any], said: str) -> None:
    name = events.ContextServed.name
    row = AuditRow.objects.create(ts=now, event_type=name, decision_id="t1", payload=payload)
    chat = record_chat("hello", now=now, decision_id="t1")
    for page in (row.pk, chat.pk):
        response = get_page(operator, f"/dashboard/audit/{page}")
        assert said in visible_text(response)
        assert len(find_elements(response, "section", id="receipt")) == 1


def test_each_dot_leads_to_its_row(operator: Client, now: datetime) -> None:
    receipt = events.ContextServed(
        block="b",
        episodes=[events.ServedEpisode.model_validate(EPISODE | FACTORS)],
        near_misses=[events.NearMiss.model_validate(MISS | {"cosine": 0.2, "short_by": 0.05})],
    )
    row = AuditRow.objects.record(receipt, now=now)
    response = get_page(operator, f"/dashboard/audit/{row.pk}")
    for number, standing in ((1, "in"), (2, "out")):
        (dot,) = find_elements(response, "a", href=f"#candidate-{number}")
        assert dot["class"] == standing
        assert dot["aria-label"].startswith(f"{number}, 0.")
        assert len(find_elements(response, "li", id=f"candidate-{number}")) == 1
    (drawing,) = find_elements(response, "svg", role="group")
    assert drawing["aria-label"] == ("2 candidates by similarity; 0.25 is needed. The lists below say the same.")
    assert "0.25 needed" in visible_text(response)


def test_the_answer_comes_before_the_conversation_and_the_block_last(operator: Client, now: datetime) -> None:
    receipt = events.ContextServed(block="THE BLOCK", facts=[events.ServedFact.model_validate(FACT)])
    AuditRow.objects.record(receipt, now=now, decision_id="t1")
    text = visible_text(get_page(operator, f"/dashboard/audit/{record_chat('hello', now=now, decision_id='t1').pk}"))
    order = ["What memory put in", "1 fact went in.", "1 fact, by importance", "THE BLOCK", "What came of it"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
