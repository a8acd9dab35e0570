"""A turn is quoted by its last answer (decision 26), by the worker's units and by those of `reembed`."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary
from memory.units import catching_up, making, steps, units_of
from memory.units.windows import ChatWindows
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.recall.hybrid.test_recalling import ON, composed, hybrid
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["hybrid"]

ASKED = [user("My lantern is broken."), assistant("Which one?"), user("The green lantern: where did I put its glass?")]
FIRST, LAST = "The lantern glass is in the cellar.", "Sorry, the lantern glass is in the attic."


def answered(messages: list[Message], reply: str, at: datetime) -> AuditRow:
    with scripted_embedder():
        return AuditRow.objects.get(pk=record_turn(messages, reply, use=ON, now=at).audit_log_id)


def vectors(windows: ChatWindows) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array([fake.word_vector(text) for text in windows.texts], dtype=np.float32)


def answered_twice(now: datetime) -> AuditRow:
    """A turn that was summed up, answered anew, and summed up anew."""
    began = now - timedelta(days=3)
    row = answered(ASKED, FIRST, began)
    later = answered(ASKED, LAST, began + timedelta(minutes=1))
    assert later.completed.continues == row.pk
    embedded = Embedded(fake.word_vector("lantern"), fake.MODEL_ID)
    EpisodeSummary.objects.summarise(row, "A talk.", embedded, now=began)
    windows = making.windows_of(steps.last_answer(row))
    units = units_of(windows, conversation=row.pk, model=fake.MODEL_ID, vectors=vectors(windows))
    EpisodeSummary.objects.replace(row, "A talk.", embedded, reply=later, now=now, units=units)
    return row


def told(now: datetime) -> str:
    (served,) = composed("Is the lantern glass in the attic or the cellar?", now=now).receipt.episodes
    return served.summary


def test_the_last_answer_is_quoted(now: datetime) -> None:
    answered_twice(now)
    assert "attic" in told(now)
    assert "cellar" not in told(now)


def test_reembedding_takes_the_last_answer(now: datetime) -> None:
    row = answered_twice(now)
    EpisodeSummary.objects.get(audit_log=row).units.delete()
    with scripted_embedder():
        list(catching_up.run(0))
    assert "attic" in told(now)
    units = EpisodeSummary.objects.get(audit_log=row).units
    right = units_of(making.windows_of(steps.last_answer(row)), conversation=row.pk, model=fake.MODEL_ID, vectors=None)
    assert bytes(units.terms) == right.terms


def test_a_turn_with_one_answer_is_quoted_from_its_row(now: datetime) -> None:
    row = answered(ASKED, FIRST, now - timedelta(days=3))
    assert steps.last_answer(row) == row.completed
