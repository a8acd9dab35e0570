"""Recall by content in a turn: what comes back, in which words, and what the receipt says of it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import numpy as np
import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import chat
from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary, EpisodeUnits
from memory.recall import retrieval
from memory.recall.hybrid import recalling, snapshots
from memory.units import making, units_of
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.turns import compose_turn, record_turn

pytestmark = pytest.mark.django_db(transaction=True)

ON = chat.MemoryUse()
LAMP = ["The green lantern in the hall is broken.", "Since when?", "Since the storm in March."]
TUNE = ["My violin is out of tune.", "Which string?", "The second one."]


@pytest.fixture(autouse=True)
def hybrid(configure: Configure, memory_on: None) -> None:
    snapshots.forget()
    configure(semantic__enabled=True, memory__episodes_recall__mode="hybrid", memory__episodes_recall__gate=-2.0)


def past(*texts: str, now: datetime, days: float = 3, reply: str = "I see.", **options: Any) -> AuditRow:
    """A chat with its units, as the worker makes them, and no summary."""
    at = now - timedelta(days=days)
    messages = [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(texts)]
    with scripted_embedder():
        recorded = record_turn(messages, reply, use=ON, now=at, **options)
    row = AuditRow.objects.get(pk=recorded.audit_log_id)
    windows = making.windows_of(row.completed)
    vectors = np.array([fake.word_vector(text) for text in windows.texts], dtype=np.float32)
    units = units_of(windows, conversation=row.pk, model=fake.MODEL_ID, vectors=vectors)
    EpisodeSummary.objects.skip(row, reason="trivial", now=at, units=units)
    return row


def composed(*texts: str, now: datetime, embedder: Sequence[fake.Answer] = ()) -> chat.Context:
    messages = [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(texts)]
    with scripted_embedder(*embedder):
        return compose_turn(messages, use=ON, now=now, system="You are CAESAR.")


def test_it_works(now: datetime) -> None:
    lamp = past(*LAMP, now=now)
    past(*TUNE, now=now, days=2)
    context = composed("What about the green lantern?", now=now)
    first = context.receipt.episodes[0]
    assert first.audit_log_id == lamp.pk
    assert "The green lantern in the hall is broken." in first.summary
    assert first.summary in context.system_prompt
    assert first.parts is not None
    assert (first.parts.words, first.parts.by) == (1, "score")
    assert context.receipt.content_recall is not None
    assert context.receipt.content_recall.coverage == 1
    assert context.receipt.content_recall.gate_threshold == -2


def test_mode_record_is_as_it_was(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="record")
    past(*LAMP, now=now)
    row = past(*TUNE, now=now)
    vector = fake.word_vector("My violin")
    EpisodeSummary.objects.filter(audit_log=row).update(summary="A violin.", model=fake.MODEL_ID, embedding=vector)
    EpisodeSummary.objects.filter(audit_log=row).update(dimensions=len(vector))
    receipt = composed("My violin", now=now).receipt
    (served,) = receipt.episodes
    assert (served.audit_log_id, served.summary, served.parts) == (row.pk, "A violin.", None)
    assert served.score == pytest.approx(served.cosine * served.freshness * served.recall_weight)
    assert receipt.content_recall is None


def test_nothing_comes_back_where_the_gate_stays_shut(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__gate=1.9)
    lamp = past(*LAMP, now=now)
    receipt = composed("What about the green lantern?", now=now).receipt
    assert receipt.episodes == []
    (miss,) = receipt.near_misses
    assert (miss.audit_log_id, miss.reason) == (lamp.pk, "gate")
    assert receipt.content_recall is not None
    assert receipt.content_recall.gate is not None
    assert miss.short_by == pytest.approx(1.9 - receipt.content_recall.gate)


@pytest.mark.parametrize("top_k", [0, 1, 2, 3])
def test_as_many_come_back_as_are_wanted(now: datetime, configure: Configure, top_k: int) -> None:
    configure(memory__episodes_recall__top_k=top_k)
    for number in range(5):
        past(f"The lantern number {number} is broken.", "Oh.", "Yes.", now=now, days=number + 1)
    assert len(composed("broken lantern", now=now).receipt.episodes) == top_k


def test_the_conversation_that_is_going_on_is_not_recalled(now: datetime) -> None:
    past(*LAMP, now=now, days=0.01)
    other = past(*TUNE, now=now)
    receipt = composed(*LAMP, "I see.", "And the green lantern?", now=now).receipt
    assert [served.audit_log_id for served in receipt.episodes] == [other.pk]
    assert [miss.reason for miss in receipt.near_misses] == ["same_conversation"]


def test_what_the_assistant_said_in_a_single_exchange_is_found_and_quoted(now: datetime) -> None:
    """Monday and Thursday of the first three minutes."""
    reply = "Try lowering the bedroom thermostat to 65 degrees and keep a sleep diary for a week."
    monday = past("I have been struggling with sleep, I keep waking up at 3am.", reply=reply, now=now)
    past("My violin is out of tune.", now=now, days=1)
    first = composed("I tried the thermostat thing you suggested.", now=now).receipt.episodes[0]
    assert first.audit_log_id == monday.pk
    assert "lowering the bedroom thermostat" in first.summary


def test_without_its_embedder_a_turn_goes_on_with_the_reason(now: datetime) -> None:
    past(*LAMP, now=now)
    out = [httpx.Response(503, text="down for maintenance")] * 3
    context = composed("What about the green lantern?", now=now, embedder=out)
    assert context.receipt.episodes == []
    (left_out,) = context.receipt.left_out
    assert left_out.part == "episodes"
    assert "down for maintenance" in left_out.reason
    assert "You are CAESAR." in context.system_prompt


def test_three_queries_where_nothing_changed(now: datetime) -> None:
    """One for the search, one for the lines, and one for what was corrected since."""
    past(*LAMP, now=now)
    past(*TUNE, now=now)
    with scripted_embedder():
        tree = settings.CAESAR
        vectors = retrieval.embed_message("the green lantern", 5.0)
        assert not isinstance(vectors, str)
        query = recalling.query_of(
            "the green lantern",
            vectors,
            tree.memory.episodes_recall,
            excluded_chats=[],
            zone=UTC,
            now=now,
        )
        recalling.recall(query)
        with CaptureQueriesContext(connection) as captured:
            found = recalling.recall(query)
    assert len(found.served) == 2
    assert len(captured) == 3


def test_a_chat_that_is_deleted_after_the_search_is_left_out(now: datetime) -> None:
    lamp = past(*LAMP, now=now)
    other = past(*TUNE, now=now)
    waiting = [lambda: lamp.episode.forget(now=now)]

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if waiting and 'INNER JOIN "audit_log"' in sql:
            waiting.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        receipt = composed("What about the green lantern?", now=now).receipt
    assert waiting == []
    assert [served.audit_log_id for served in receipt.episodes] == [other.pk]


def test_a_row_with_broken_bytes_breaks_no_turn(now: datetime) -> None:
    lamp, broken = past(*LAMP, now=now), past(*TUNE, now=now)
    EpisodeUnits.objects.filter(episode__audit_log=broken).update(turn_lengths=b"\1", scales=b"\1\2\3")
    receipt = composed("What about the green lantern?", now=now).receipt
    assert [served.audit_log_id for served in receipt.episodes] == [lamp.pk]


@pytest.mark.parametrize("days", [9, 10, 11])
def test_a_day_that_the_message_names_brings_back_that_day(now: datetime, days: int) -> None:
    talks = {9: "boats", 10: "gardens", 11: "kites", 30: "lamps", 60: "drums"}
    chats = {day: past(f"We talked of {what}.", "Oh.", "So it was.", now=now, days=day) for day, what in talks.items()}
    day = (now - timedelta(days=days)).strftime("%d %B %Y")
    first = composed(f"What did we say on {day}?", now=now).receipt.episodes[0]
    assert first.audit_log_id == chats[days].pk
    assert first.parts is not None
    assert first.parts.day == 1


@pytest.mark.parametrize("length", [30, 60, 120])
def test_what_a_line_quotes_stays_short(now: datetime, length: int) -> None:
    past("lantern " * 1_000 * length, "Oh.", "x" * 100_000, now=now)
    (served,) = composed("lantern", now=now).receipt.episodes
    assert len(served.summary) <= 600


def test_what_has_a_summary_of_a_model_is_told_by_it_where_that_has_the_words(now: datetime) -> None:
    lamp = past(*LAMP, now=now)
    told = "The operator's green lantern broke in a storm."
    embedded = Embedded(fake.word_vector(told), fake.MODEL_ID)
    EpisodeSummary.objects.filter(audit_log=lamp).update(
        summary=told, embedding=embedded.vector, model=embedded.model, dimensions=len(embedded.vector)
    )
    assert composed("the green lantern", now=now).receipt.episodes[0].summary == told
    said = composed("since when, the hall?", now=now).receipt.episodes[0].summary
    assert "in the hall" in said, "its summary has none of these words"
