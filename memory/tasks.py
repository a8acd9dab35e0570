"""The tasks that django-q2 runs. Each returns a one-line tally, and may run twice or never without losing anything.

Only `run_trigger` takes arguments.
"""

import logging
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from memory import alerts, chat, learning, queue, retention, schema
from memory.backup import files, making
from memory.backup.restoring import restore
from memory.learning import Job
from memory.learning.extraction import EXTRACTION
from memory.learning.job import Answer, Question
from memory.learning.summaries import SUMMARY
from memory.models import WorkerHeartbeat
from memory.proactive import runs

logger = logging.getLogger(__name__)


def extract() -> str:
    """One batch of `memory.extract`; then wake the summariser, since a finished chat nudges the extractor alone."""
    memory = settings.CAESAR.memory
    done = _batch(EXTRACTION, switch="FACTS_EXTRACT", enabled=memory.facts_extract.enabled)
    if memory.episodes_summarise.enabled and SUMMARY.cursor.current().waiting.exists():
        learning.wake(SUMMARY)
    return done


def summarise() -> str:
    """One batch of `memory.summarise`."""
    return _batch(SUMMARY, switch="EPISODES_SUMMARISE", enabled=settings.CAESAR.memory.episodes_summarise.enabled)


_SWEEP_ENDS_SECONDS_BEFORE = 60.0
"""What a sweep leaves of the time that django-q2 gives a task: a batch takes far less."""


def sweep() -> str:
    """The retention sweep, once a day; at once again where its time was over before its end."""
    swept = retention.sweep(now=timezone.now(), seconds=settings.TASK_TIMEOUT_SECONDS - _SWEEP_ENDS_SECONDS_BEFORE)
    if swept and swept.unfinished:
        queue.nudge("memory.sweep")
    return f"deleted {swept}" if swept else "switched off: CAESAR_MEMORY__RETENTION_DAYS"


def backup() -> str:
    """The backup of the night. That none could be made is on the timeline and on the overview."""
    if not settings.CAESAR.backup.enabled:
        return "switched off: CAESAR_BACKUP__ENABLED"
    try:
        schema.refuse_newer()
        made = making.make_and_record("nightly", now=timezone.now())
    except (files.NoBackup, schema.NewerSchema) as error:
        return f"no backup: {error}"
    return f"{made.path.name}, {files.megabytes(made.bytes)}, {made.deleted} older deleted"


def backup_drill() -> str:
    """The drill of the week: the newest backup is restored into a database of its own, and compared."""
    if not settings.CAESAR.backup.enabled:
        return "switched off: CAESAR_BACKUP__ENABLED"
    newest = next(iter(files.listed()), None)
    if newest is None:
        return f"no backup in {files.folder()} yet"
    event = restore.drill_and_record(newest, now=timezone.now())
    return f"{newest.name}: {event.problem or f'all {event.rows} rows restored'}"


def watch() -> str:
    """A look at what needs somebody, who is told by webhook or mail."""
    return alerts.watch(timezone.now())


def run_trigger(name: str, due: str) -> str:
    """The run of a trigger that was due at `due` (RFC 3339, as the queue passes it)."""
    return runs.run_due(name, due=datetime.fromisoformat(due), now=timezone.now())


def _batch(job: Job[Question, Answer], *, switch: str, enabled: bool) -> str:
    """Run one batch; nudge the next one at once where more chats wait than it holds.

    Nothing is done in a database that a newer version has brought up to date: no heartbeat says that all is well.
    """
    try:
        schema.refuse_newer()
    except schema.NewerSchema as error:
        logger.error("%s is not run: %s", job.task, error)
        return f"refused: {error}"
    WorkerHeartbeat.beat(job.task, now=timezone.now())
    queue.pull_forward_schedules(now=timezone.now())
    chat.record_waiting()
    if not enabled:
        return f"switched off: CAESAR_MEMORY__{switch}__ENABLED"
    tally = learning.run(job, clock=timezone.now)
    if tally.state in ("full", "late"):
        learning.wake(job)
    return str(tally)
