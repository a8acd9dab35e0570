"""An embedder that answers with another length under its old name: told everywhere, and mended by `reembed`."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.events import Message
from memory.models import AuditRow, Embedded, EmbedderLength, EpisodeSummary, OutgrownEpisodes
from memory.recall.index import rows
from tests import cases
from tests.conftest import Configure
from tests.dashboard.helpers import get_page, visible_text
from tests.memory.chat_helpers import record_chat
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

QUESTION = "What about the thermostat?"
CURE = "Run manage.py reembed."


def episode(number: int, now: datetime, *, dimensions: int, model: str = fake.MODEL_ID) -> EpisodeSummary:
    chat = record_chat(f"Number {number}", now - timedelta(days=number + 1))
    summary = f"We spoke of the thermostat, time {number}."
    vector = fake.word_vector(summary, dimensions=dimensions)
    EpisodeSummary.objects.summarise(chat, summary, Embedded(vector, model), now=now)
    return EpisodeSummary.objects.get(audit_log=chat)


class Resized(ScriptedEmbedder):
    """An embedder whose vectors have a length that can be changed."""

    dimensions = 512

    def vector(self, text: str) -> Sequence[float]:
        return fake.word_vector(text, dimensions=self.dimensions)


@pytest.fixture
def embedder(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEmbedder]:
    monkeypatch.setattr(fake, "ScriptedEmbedder", Resized)
    configure(memory__episodes_recall__similarity_threshold=0.3, memory__facts_extract__enabled=False)
    with scripted_embedder() as embedder:
        yield embedder


def receipt(now: datetime) -> Any:
    return compose_turn([Message(role="user", content=QUESTION)], now=now).receipt


def reembed(*arguments: str) -> str:
    out = StringIO()
    call_command("reembed", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@cases.of_kind("embedding")
def test_the_shared_case(
    case: cases.Case,
    embedder: Resized,
    client: Client,
    operator: Client,
    caplog: pytest.LogCaptureFixture,
) -> None:
    given = case.given
    if "dimensions_now" not in given:
        pytest.skip("its embedder keeps its length")
    for number in range(given["episodes_before"]):
        episode(number, case.clock, dimensions=given["dimensions_before"])
    embedder.dimensions = given["dimensions_now"]

    before = receipt(case.clock)
    reason = f"3 past conversations have vectors of another length than the 512 numbers that {fake.MODEL_ID} answers"
    assert before.episodes == []
    assert [miss.reason for miss in before.near_misses] == ["other_model"] * 3
    told = [*(left.reason for left in before.left_out if left.part == "episodes"), caplog.text]
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["checks"]["embedder"]["ok"]) == (503, False)
    told += [ready.json()["checks"]["embedder"]["detail"], visible_text(get_page(operator, "/dashboard/"))]
    assert len(told) == 4
    for text in told:
        assert reason in text
        assert CURE in text

    assert reembed() == "reembed: 3 of 3 embedded\n"
    assert set(EpisodeSummary.objects.values_list("dimensions", flat=True)) == {512}

    after = receipt(case.clock)
    assert len(after.episodes) == 3
    assert (after.left_out, "embedder" in client.get("/readyz").json()["checks"]) == ([], False)
    assert CURE not in visible_text(get_page(operator, "/dashboard/"))


def test_what_has_the_length_of_now_is_recalled_beside_what_has_not(now: datetime, embedder: Resized) -> None:
    episode(0, now, dimensions=512), episode(1, now, dimensions=768), episode(2, now, dimensions=768, model="voyage:x")
    found = receipt(now)
    assert [item.summary for item in found.episodes] == ["We spoke of the thermostat, time 0."]
    assert [left.reason.split(" of another")[0] for left in found.left_out] == ["1 past conversation has a vector"]
    assert reembed() == "reembed: 2 of 2 embedded\n"
    assert len(receipt(now).episodes) == 3


def test_an_episode_of_another_length_that_comes_later_is_told_too(now: datetime, embedder: Resized) -> None:
    episode(0, now, dimensions=512)
    assert receipt(now).left_out == []
    episode(1, now, dimensions=768)
    assert len(receipt(now).left_out) == 1


def test_a_tag_that_is_pulled_back_is_told_no_more(now: datetime, embedder: Resized) -> None:
    episode(0, now, dimensions=768)
    receipt(now)
    assert OutgrownEpisodes.of(fake.MODEL_ID, since=now - timedelta(days=90))
    embedder.dimensions = 768
    assert len(receipt(now).episodes) == 1
    assert reembed().startswith("Nothing to do")
    assert OutgrownEpisodes.of(fake.MODEL_ID, since=now - timedelta(days=90)) is None


def test_a_dry_run_names_both_lengths(now: datetime, embedder: Resized) -> None:
    episode(0, now, dimensions=768), episode(1, now, dimensions=512)
    said = reembed("--dry-run")
    assert "768 numbers each; the embedder now gives 512" in said
    assert f"1 episodes would get a vector of {fake.MODEL_ID}." in said


def test_vectors_that_were_written_without_their_length_are_measured(now: datetime, embedder: Resized) -> None:
    episode(0, now, dimensions=768), episode(1, now, dimensions=512)
    EpisodeSummary.objects.update(dimensions=None)
    assert len(receipt(now).episodes) == 1
    assert reembed() == "reembed: 1 of 1 embedded\n"
    assert len(receipt(now).episodes) == 2


def test_a_turn_reads_no_vector_of_another_length(now: datetime, embedder: Resized) -> None:
    for number in range(3):
        episode(number, now, dimensions=768)
    scope = rows.Scope(fake.MODEL_ID, 512, 0)
    assert [batch for batch in rows.load_all(scope) if batch.columns.ids.size or batch.incomparable] == []
    with connection.cursor() as cursor:
        assert rows.vector_keys(cursor, scope).size == 0
        assert rows.count_of_other_lengths(cursor, scope) == 3


def test_the_length_is_noted_once(now: datetime) -> None:
    for length in (3, 3, 4, 4):
        EmbedderLength.note("m", length)
    assert EmbedderLength._default_manager.values_list("model", "dimensions").get() == ("m", 4)
    with CaptureQueriesContext(connection) as captured:
        EmbedderLength.note("m", 4)
    assert len(captured) == 1


def test_a_deleted_episode_has_no_length(now: datetime) -> None:
    row = episode(0, now, dimensions=8)
    assert EpisodeSummary.objects.get().dimensions == 8
    row.forget(now=now)
    assert EpisodeSummary.objects.get().dimensions is None
    assert AuditRow.objects.filter(event_type="memory.episode.user_deleted").exists()


def test_a_turn_does_not_fail_where_the_length_cannot_be_noted(
    embedder: Resized, now: datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    episode(1, now, dimensions=256)
    monkeypatch.setattr(EmbedderLength, "note", Mock(side_effect=OperationalError("database is locked")))
    assert CURE in receipt(now).left_out[0].reason
    assert "could not be noted: database is locked" in caplog.text
