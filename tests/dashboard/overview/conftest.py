"""The workers of the overview's tests are well."""

from datetime import datetime, timedelta

import pytest

from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import WorkerHeartbeat
from tests.conftest import Configure


@pytest.fixture(autouse=True)
def workers_on(configure: Configure, now: datetime) -> None:
    """Both workers switched on, and both ran a moment ago."""
    configure(memory__episodes_summarise__enabled=True)
    for job in (EXTRACTION, SUMMARY):
        WorkerHeartbeat.beat(job.task, now=now - timedelta(seconds=20))
