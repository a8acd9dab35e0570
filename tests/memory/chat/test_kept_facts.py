"""The receipt of a turn says which facts the operator keeps, in both modes of selection."""

from datetime import timedelta

import pytest

from memory.models import AuditRow
from tests.memory.models.fact_helpers import fact, learn

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("selection", ["importance", "mixed"])
def test_it_works(api, now, configure, selection):
    configure(memory__facts__selection=selection)
    for number in range(12):
        learn(f"note.n{number}", f"thing{number}", now=now - timedelta(days=number))
    fact("note.n11").keep(now=now)

    answer = api.post("/v1/memory/context", json={"message": "hello"})

    assert [item["key"] for item in answer.json()["facts"]][:2] == ["note.n11", "note.n0"]
    receipt = AuditRow.objects.get(event_type="memory.context.served").event
    assert [(item.key, item.by) for item in receipt.facts][:2] == [("note.n11", "kept"), ("note.n0", "importance")]
    kept = receipt.facts[0]
    assert kept.importance == pytest.approx(kept.freshness * kept.confidence), "the number stays as it is"
