"""What the queue runs: off does nothing, a full batch asks for the next, the extractor wakes the summariser."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import DjangoCaptureOnCommitCallbacks

from memory import queue, tasks
from memory.models import AuditRow, ExtractCursor, SummariseCursor, WorkerHeartbeat
from tests.conftest import Configure
from tests.memory.chat_helpers import record_chat
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


def test_it_works() -> None:
    record_chat("My dog's name is Beans.", timezone.now())
    with scripted_llm('[{"key": "dog.name", "value": "Beans"}]'):
        assert tasks.extract() == "1 chats read, 1 asked about, 1 added (done)"
    assert timezone.now() - WorkerHeartbeat.objects.get(task="memory.extract").at < timedelta(minutes=1)


def test_a_task_that_runs_twice_does_nothing_twice() -> None:
    record_chat("My dog's name is Beans.", timezone.now())
    with scripted_llm('[{"key": "dog.name", "value": "Beans"}]') as llm:
        tasks.extract()
        tasks.extract()
    assert len(llm.requests) == 1


@pytest.mark.parametrize(("task", "name"), [(tasks.extract, "memory.extract"), (tasks.summarise, "memory.summarise")])
def test_switched_off_a_worker_still_shows_that_the_queue_lives(configure: Configure, task: object, name: str) -> None:
    configure(memory__facts_extract__enabled=False, memory__episodes_summarise__enabled=False)
    record_chat("My dog's name is Beans.", timezone.now())
    assert task().startswith("switched off: CAESAR_MEMORY__")  # type: ignore[operator]
    assert WorkerHeartbeat.objects.filter(task=name).exists()
    assert ExtractCursor.current().last_audit_id == SummariseCursor.current().last_audit_id == 0


def test_a_full_batch_asks_for_the_next_at_once(
    configure: Configure, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    configure(memory__facts_extract__batch_size=1)
    for number in range(3):
        record_chat(f"I like fruit {number}.", timezone.now())
    with scripted_llm("[]"), django_capture_on_commit_callbacks() as nudges:
        assert tasks.extract().endswith("(full)")
    assert len(nudges) == 1


def test_the_extractor_wakes_the_summariser(
    configure: Configure, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    configure(memory__episodes_summarise__enabled=True)
    record_chat("I like figs.", timezone.now())
    with scripted_llm("[]"), django_capture_on_commit_callbacks(execute=True):
        tasks.extract()
    assert [task.func() for task in OrmQ.objects.all()] == [queue.FUNCTIONS["memory.summarise"]]


def test_the_sweep_says_what_it_did(configure: Configure) -> None:
    assert tasks.sweep().startswith("deleted 0 rows and 0 episodes older than ")
    assert AuditRow.objects.filter(event_type="memory.retention_sweep").count() == 1
    configure(memory__retention_days=0)
    assert tasks.sweep().startswith("switched off")


def test_a_queue_that_is_down_does_not_break_a_finished_turn(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the queue is down")

    monkeypatch.setattr("memory.queue.async_task", broken)
    with django_capture_on_commit_callbacks(execute=True):
        record_chat("I like figs.", timezone.now())
    assert AuditRow.objects.get_queryset().chats().count() == 1
