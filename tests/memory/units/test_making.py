"""The worker makes a chat's units beside its summary, in mode hybrid alone, and they go wherever the episode goes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import numpy as np
import pytest

from memory import chat, learning
from memory.events import Message
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, EpisodeSummary, EpisodeUnits, GeneralVectors
from memory.recall.hybrid import snapshots
from memory.units import general
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted import Answer, scripted_llm
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.memory.recall.hybrid import stores
from tests.turns import record_turn

pytestmark = pytest.mark.django_db(transaction=True)

SUMMED_UP = "We discussed the operator's boat and its leak."


@pytest.fixture(autouse=True)
def hybrid(configure: Configure, memory_on: None) -> None:
    snapshots.forget()
    configure(memory__episodes_recall__mode="hybrid")


def record(*texts: str, now: datetime, reply: str = "Caulk it.", **options: Any) -> AuditRow:
    messages = [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(texts)]
    recorded = record_turn(messages, reply, use=chat.MemoryUse(), now=now, **options)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


@contextmanager
def worked(now: datetime, *answers: Answer, embedder: Sequence[fake.Answer] = ()) -> Iterator[ScriptedEmbedder]:
    """The summariser has run, with these answers of the model."""
    with scripted_llm(*answers) as llm, scripted_embedder(*embedder, beside=llm) as vectors:
        learning.run(SUMMARY, clock=lambda: now)
        yield vectors


def windows_of(row: AuditRow) -> int:
    return len(EpisodeUnits.objects.get(episode__audit_log=row).scales) // 4


def test_it_works(now: datetime) -> None:
    row = record("My boat leaks.", "Where?", "At the stern.", now=now)
    with worked(now, SUMMED_UP) as embedder:
        pass
    made = EpisodeUnits.objects.get()
    assert (made.episode.summary, made.episode.audit_log_id) == (SUMMED_UP, row.pk)
    assert (made.model, made.dimensions, made.context) == (fake.MODEL_ID, fake.DIMENSIONS, 0)
    assert made.conversation == row.pk
    assert "My boat leaks. Where? At the stern. Caulk it." in embedder.texts, "without who said it"
    assert np.frombuffer(made.turn_lengths, "<u4").tolist() == [2, 0, 1, 1]


def test_mode_record_makes_none_and_asks_for_no_other_vector(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="record")
    record("My boat leaks.", "Where?", "At the stern.", now=now)
    with worked(now, SUMMED_UP) as embedder:
        assert embedder.texts == [SUMMED_UP]
    assert not EpisodeUnits.objects.exists()
    assert not GeneralVectors._default_manager.exists()


def test_a_chat_not_worth_a_summary_has_units_all_the_same(now: datetime) -> None:
    row = record("My boat leaks at the stern.", now=now)
    with worked(now, "NONE"):
        pass
    assert (row.episode.summary, windows_of(row)) == ("", 1)


@pytest.mark.parametrize("text", ["ok", "Thanks!", "?!", "the and of"])
def test_a_chat_of_hardly_a_word_has_none(text: str, now: datetime) -> None:
    row = record(text, now=now)
    with worked(now, "NONE"):
        pass
    assert not EpisodeUnits.objects.filter(episode__audit_log=row).exists()


def test_a_chat_without_a_model_has_units_all_the_same(now: datetime, configure: Configure) -> None:
    configure(llm__provider="offline")
    row = record("My boat leaks at the stern, and the pump is broken.", now=now)
    with scripted_embedder():
        learning.run(SUMMARY, clock=lambda: now)
    assert windows_of(row) == 1


def test_the_general_messages_are_embedded_once(now: datetime) -> None:
    record("My boat leaks.", now=now)
    record("My violin is out of tune.", now=now)
    with worked(now, SUMMED_UP, SUMMED_UP) as embedder:
        assert embedder.texts.count(general.MESSAGES[0]) == 1
    (row,) = GeneralVectors._default_manager.all()
    assert (row.model, row.digest, row.dimensions) == (fake.MODEL_ID, general.DIGEST, fake.DIMENSIONS)
    assert len(row.scales) == 4 * len(general.MESSAGES)


def test_general_vectors_of_another_list_or_length_are_made_anew(now: datetime) -> None:
    for number, changed in enumerate(({"digest": "an older list"}, {"dimensions": 3})):
        record(f"My boat leaks {number} times.", now=now)
        with worked(now, SUMMED_UP):
            GeneralVectors._default_manager.update(**changed)
        record(f"My violin broke {number} times.", now=now)
        with worked(now, SUMMED_UP) as embedder:
            assert general.MESSAGES[0] in embedder.texts
        (row,) = GeneralVectors._default_manager.all()
        assert (row.digest, row.dimensions) == (general.DIGEST, fake.DIMENSIONS)


def test_an_outage_of_the_embedder_writes_nothing_by_halves(now: datetime) -> None:
    """The chat counts as one whose summary failed, and may be asked for again."""
    record("My boat leaks.", now=now)
    out = [httpx.Response(503, text="down for maintenance")] * 2
    with worked(now, SUMMED_UP, embedder=out):
        pass
    assert not EpisodeSummary.objects.exists()
    assert not EpisodeUnits.objects.exists()
    (failed,) = AuditRow.objects.filter(event_type="memory.episode.summarise_failed")
    assert "down for maintenance" in failed.payload["error"]
    assert SUMMARY.abandoned_chats().count() == 1


def test_a_window_that_cannot_be_embedded_is_found_by_its_words(now: datetime) -> None:
    row = record("My boat leaks.", now=now)

    def refuse(body: dict[str, Any]) -> httpx.Response:
        texts = body["input"]
        if "My boat leaks." in texts:
            return httpx.Response(400, text="this text is at fault")
        return httpx.Response(200, json=fake.openai_answer(*map(fake.word_vector, texts)))

    with worked(now, SUMMED_UP, embedder=[refuse] * 20):
        pass
    made = EpisodeUnits.objects.get(episode__audit_log=row)
    assert (made.model, len(made.scales)) == ("", 0)
    assert stores.found_ids("boat leaks", [1.0, 0.0]) == [row.episode.pk]


# --- conversations ----------------------------------------------------------------------------------------------------


def grow(now: datetime, count: int, **options: Any) -> list[AuditRow]:
    """A conversation of so many exchanges, recorded and summed up one by one."""
    said: list[str] = []
    rows: list[AuditRow] = []
    for number in range(count):
        said.append(f"The boat has leak number {number}.")
        rows.append(record(*said, now=now + timedelta(minutes=number), reply=f"Caulk hole {number}.", **options))
        said.append(f"Caulk hole {number}.")
        with worked(now, SUMMED_UP):
            pass
    return rows


@pytest.mark.parametrize("conversation_id", [None, "talk-1"])
def test_a_conversation_that_grows_is_one_candidate(now: datetime, conversation_id: str | None) -> None:
    rows = grow(now, 4, conversation_id=conversation_id)
    other = record("My violin is out of tune.", now=now)
    with worked(now, SUMMED_UP):
        pass
    numbers = EpisodeUnits.objects.order_by("pk").values_list("conversation", flat=True)
    assert list(numbers) == [rows[0].pk] * 4 + [other.pk]
    vector = fake.word_vector("The boat has leak number 2.")
    found = stores.found_ids("leak of the boat", vector, model=fake.MODEL_ID, now=now)
    assert len(found) == 2
    assert {found[0]} <= {row.episode.pk for row in rows}


def test_what_was_said_before_is_not_embedded_again(now: datetime) -> None:
    rows = grow(now, 4)
    assert [windows_of(row) for row in rows] == [1, 1, 1, 1]


def test_a_conversation_stays_one_when_its_first_chats_are_swept(now: datetime) -> None:
    rows = grow(now, 2, conversation_id="talk-1")
    stores.sweep(AuditRow.objects.get_queryset().filter(pk=rows[0].pk))
    record("The boat has a new leak.", now=now, conversation_id="talk-1")
    with worked(now, SUMMED_UP):
        pass
    assert set(EpisodeUnits.objects.values_list("conversation", flat=True)) == {rows[0].pk}


# --- storage ----------------------------------------------------------------------------------------------------------


def test_units_go_with_their_episode(now: datetime) -> None:
    rows = [record(f"My boat leaks, {word}.", now=now) for word in ("badly", "often", "again")]
    with worked(now, SUMMED_UP, SUMMED_UP, "NONE"):
        pass
    assert EpisodeUnits.objects.count() == 3
    assert rows[0].episode.forget(now=now) is not None
    assert rows[2].episode.forget(now=now) is not None, "without a summary there is something to forget too"
    assert rows[2].episode.forget(now=now) is None
    assert [made.episode_id for made in EpisodeUnits.objects.all()] == [rows[1].episode.pk]
    stores.sweep(AuditRow.objects.get_queryset().filter(pk=rows[1].pk))
    assert not EpisodeUnits.objects.exists()
    deleted = AuditRow.objects.filter(event_type="memory.episode.user_deleted")
    assert deleted.count() == 2
