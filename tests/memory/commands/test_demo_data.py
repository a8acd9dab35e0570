"""`manage.py demo_data`: a believable installation, written by the verbs that a real one writes by."""

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django_q.models import OrmQ

from memory import events
from memory.management.demo.chats import CHATS
from memory.models import (
    AuditRow,
    EpisodeSummary,
    ExtractCursor,
    LearningSwitch,
    PersonalFact,
    SummariseCursor,
)
from tests.conftest import Configure
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def embedded(configure: Configure, memory_on: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder of this process, with a small encoder in place of its model."""
    configure(semantic__enabled=True, semantic__provider="embedded")
    monkeypatch.setattr("memory.llm.embedding.EMBEDDERS", _encoders())


def _encoders() -> Any:
    from memory.llm.embedders.embedded import Embedded

    def encode(texts: Any) -> Any:
        rows = np.ones((len(texts), 32), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sum(word.encode()) % 32] += 3
        return rows

    return {"embedded": Embedded(lambda: encode)}


def lived(now: datetime, *arguments: str) -> str:
    output = StringIO()
    with time_machine.travel(now, tick=False):
        call_command("demo_data", *arguments, stdout=output)
    return output.getvalue()


def kinds() -> set[str]:
    return set(AuditRow.objects.values_list("event_type", flat=True))


def test_it_works(now: datetime) -> None:
    said = lived(now)
    assert said.startswith("41 chats, 39 facts, ")
    assert PersonalFact.objects.get(key="dog.name").value == "Bowser"
    days = {(now - row.ts).days for row in AuditRow.objects.get_queryset().chats()}
    assert min(days) == 0
    assert max(days) in (39, 40)
    assert all(row.ts <= now for row in AuditRow.objects.all())
    assert list(AuditRow.objects.order_by("ts", "id").values_list("id", flat=True)) == sorted(
        AuditRow.objects.values_list("id", flat=True)
    )


def test_every_kind_of_thing_has_happened(now: datetime) -> None:
    lived(now)
    unheard_of = {event.name for event in events.EVENTS.values()} - kinds()
    assert unheard_of <= {
        "memory.retention_sweep",
        "memory.sweep_allowed",
        "memory.fact.extract_recovered",
        "memory.learning.paused",
        "memory.learning.resumed",
        "memory.fact.extract_asked",
        "memory.fact.extract_shortened",
        "memory.fact.claims_refused",
        "memory.fact.user_unkept",
        "memory.episode.user_restored",
        "memory.model_tried",
        "backup.made",
        "backup.failed",
        "backup.drilled",
        "backup.restored",
        "mcp.called",
        "memory.searched",
        "memory.episode.replaced",
        "memory.episode.summarise_asked",
        "access.key_changed",
        "access.key_created",
        "access.key_revoked",
    }, "the demonstration shows what an installation can show"


def test_nothing_waits_and_nobody_is_woken(now: datetime) -> None:
    lived(now)
    for cursor in (ExtractCursor.current(), SummariseCursor.current()):
        assert not cursor.waiting.exists()
        assert cursor.last_error == ""
        assert cursor.claimed_until is None
    assert not OrmQ.objects.exists()


def test_no_model_is_asked(now: datetime, configure: Configure) -> None:
    with scripted_llm() as llm:
        configure(semantic__provider="embedded")
        lived(now)
    assert llm.requests == []


def test_it_is_the_same_each_time(now: datetime, transactional_db: None) -> None:
    lived(now)
    first = _told()
    call_command("flush", interactive=False, verbosity=0)
    lived(now)
    assert _told() == first


def _told() -> list[tuple[Any, ...]]:
    rows = AuditRow.objects.order_by("id").values_list("ts", "event_type", "fact_key")
    facts = PersonalFact.objects.order_by("key").values_list("key", "value", "confidence", "last_confirmed_at")
    return [*rows, *facts, *EpisodeSummary.objects.order_by("id").values_list("summary", "created_at", "recall_count")]


def test_a_database_in_use_is_left_alone(now: datetime) -> None:
    lived(now)
    rows = AuditRow.objects.count()
    with pytest.raises(CommandError, match="There are 41 chats already"):
        lived(now)
    assert AuditRow.objects.count() == rows
    lived(now + timedelta(days=60), "--force")
    assert AuditRow.objects.count() > rows


def test_chats_that_wait_are_not_passed_over(now: datetime) -> None:
    lived(now)
    ExtractCursor._default_manager.update(last_audit_id=0)
    with pytest.raises(CommandError, match="have not been read yet"):
        lived(now, "--force")


def test_a_pause_is_respected(now: datetime) -> None:
    LearningSwitch.current()
    LearningSwitch._default_manager.update(paused_at=now)
    with pytest.raises(CommandError, match="Learning is paused"):
        lived(now)


def test_without_an_embedder_there_are_no_episodes(now: datetime, configure: Configure) -> None:
    configure(semantic__enabled=False)
    assert "Without past conversations" in lived(now)
    assert not EpisodeSummary.objects.exists()
    assert not SummariseCursor.current().waiting.exists()
    assert "memory.context.served" in kinds()


def test_a_server_is_not_asked_for_a_demonstration(now: datetime, configure: Configure) -> None:
    configure(semantic__provider="openai", semantic__base_url="http://127.0.0.1:9/v1")
    assert "Without past conversations" in lived(now)
    assert "memory.context.served" not in kinds()


def test_what_it_tells_fits_together() -> None:
    """Each claim and each summary belongs to words that were said, and no two chats begin alike."""
    beginnings = [told.said for told in CHATS]
    assert len(set(beginnings)) == len(beginnings)
    assert all(told.reply or told.mishap == "no_answer" for told in CHATS)
    assert all(len(told.summary) < 300 for told in CHATS)


def test_in_mode_hybrid_what_was_said_can_be_found(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    lived(now)
    assert not EpisodeSummary.objects.filter(units__isnull=True).exclude(summary="").exists()
