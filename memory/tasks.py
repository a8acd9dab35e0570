"""What django-q2 runs. Tasks take no arguments, return a one-line tally, may run twice or never, and lose nothing."""

from django.conf import settings
from django.utils import timezone

from memory import batches, queue
from memory.extraction import EXTRACTION
from memory.models import WorkerHeartbeat


def extract() -> str:
    """One batch of `memory.extract`; where more waits than a batch holds, the next one is asked for at once."""
    now = timezone.now()
    WorkerHeartbeat.beat(EXTRACTION.task, now=now)
    if not settings.CAESAR.memory.facts_extract.enabled:
        return "switched off: CAESAR_MEMORY__FACTS_EXTRACT__ENABLED"
    tally = batches.run(EXTRACTION, clock=timezone.now)
    if tally.state in ("full", "late") and EXTRACTION.cursor.nudge():
        queue.nudge(EXTRACTION.task)
    return str(tally)
