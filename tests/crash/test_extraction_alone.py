"""`manage.py run_batch extract --watch`: a worker that does nothing but extract, on a box of its own."""

import signal
import subprocess
import sys
import time
from datetime import datetime

import pytest

from memory.models import EpisodeSummary, ExtractCursor, SummariseCursor, WorkerHeartbeat
from tests import parent_death
from tests.crash.conftest import environ
from tests.crash.model import CountingModel
from tests.crash.numbered_chats import assert_learned_once, record_chats
from tests.servers import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real_processes]

PATIENCE_SECONDS = 60.0


def test_it_reads_what_comes_and_ends_when_it_is_told(model: CountingModel, now: datetime) -> None:
    record_chats(range(3), now=now)
    command = [sys.executable, "manage.py", "run_batch", "extract", "--watch"]
    env = environ(model, MEMORY__FACTS_EXTRACT__ENABLED="false")
    worker = subprocess.Popen(parent_death.command(*command), cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    try:
        wait_for(3)
        record_chats(range(3, 5), now=now)
        wait_for(5)
    finally:
        worker.send_signal(signal.SIGTERM)
        said, _ = worker.communicate(timeout=PATIENCE_SECONDS)
    assert worker.returncode == 0
    assert "memory.extract: 3 chats read" in said
    assert_learned_once("extract", range(5))
    assert WorkerHeartbeat.objects.get().task == "memory.extract"
    assert SummariseCursor.current().last_audit_id == 0
    assert not EpisodeSummary.objects.exists()


def wait_for(chats: int) -> None:
    """Until so many are read."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while ExtractCursor.current().last_audit_id == 0 or ExtractCursor.current().waiting.exists():
        assert time.monotonic() < ends, f"{chats} chats were not read"
        time.sleep(0.1)  # another process is at work: there is nothing else to wait for
