"""Whether database, migrations and workers are well, and what to do where one is not."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error, connection
from django_q.models import OrmQ

from caesar.sqlite3.base import DatabaseFileMissing
from memory import schema
from memory.learning import reembedding
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, Cursor, FirstPerson, WorkerHeartbeat
from memory.models.transactions import lacks_room
from memory.queue import TaskName

logger = logging.getLogger(__name__)

LEAST_PATIENCE = timedelta(seconds=180)
INTERVALS_OF_PATIENCE = 3

_WAITS_LONG = timedelta(seconds=120)

_CURSORS: dict[TaskName, type[Cursor]] = {job.task: job.cursor for job in (EXTRACTION, SUMMARY)}


@dataclass(frozen=True)
class Check:
    """The state of one thing the server needs; `detail` names the cure where it is not well."""

    ok: bool
    detail: str


def state(now: datetime) -> dict[str, Check]:
    """Each check by its name. What stands after the first that cannot be made is left out."""
    checks: dict[str, Check] = {}
    try:
        checks["database"] = _database()
        checks["migrations"] = _migrations()
        if checks["migrations"].ok:
            checks |= {task: _worker(task, seconds, now) for task, seconds in _workers().items()}
            checks |= _embedder(now)
            checks |= _operator()
    except DatabaseFileMissing as error:
        logger.error("%s", error)
        checks["database"] = Check(False, "its file is not there; see the log, and CAESAR_DB__URL")
    except Error:
        logger.exception("The database does not answer")
        checks["database"] = Check(False, "does not answer; see the log, and CAESAR_DB__URL")
    return checks


def _database() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if lacks_room():
        return Check(False, "storage_full: it answers, but has no room to write; make room on its disk")
    return Check(True, "answers")


def _migrations() -> Check:
    """Whether the tables are those of this code: neither older, nor upgraded below a process that runs on."""
    if outgrown := schema.outgrown(schema.applied()):
        return Check(False, outgrown)
    if waiting := schema.waiting():
        return Check(False, f"{len(waiting)} not applied; run manage.py migrate, which makes a backup first")
    return Check(True, "applied")


def _operator() -> dict[str, Check]:
    """Well, but to be looked at, where more than one person uses the clients and no setting says who is remembered."""
    if settings.CAESAR.operator.ids or FirstPerson.shared() is None:
        return {}
    cure = "more than one person uses the chat clients; memory is kept to the first: set CAESAR_OPERATOR__IDS"
    return {"operator": Check(True, cure)}


def _workers() -> dict[TaskName, float]:
    """The workers that are switched on, each with its interval in seconds."""
    memory = settings.CAESAR.memory
    workers = ((EXTRACTION.task, memory.facts_extract), (SUMMARY.task, memory.episodes_summarise))
    return {task: worker.interval_seconds for task, worker in workers if worker.enabled}


def _embedder(now: datetime) -> dict[str, Check]:
    """Named only where it is not well: it cannot find what others, or itself with another length, embedded."""
    outgrown = reembedding.outgrown(now)
    return {"embedder": Check(False, str(outgrown))} if outgrown else {}


def _worker(task: TaskName, interval_seconds: float, now: datetime) -> Check:
    """Whether the task itself ran lately: a wedged queue shows here, where its processes look well.

    A place past the end of the log is not well either: the chats that come would be taken for read.
    """
    cursor = _CURSORS[task]
    place = cursor._default_manager.filter(pk=1).values_list("last_audit_id", flat=True).first() or 0
    end = AuditRow.objects.get_queryset().order_by("-id").values_list("id", flat=True).first() or 0
    if place > end:  # read in this order: the log only grows
        cure = f"restore the log, or set last_audit_id in {cursor._meta.db_table} back"
        return Check(False, f"stands at #{place}, past the end of the log at #{end}; {cure}")
    beat = WorkerHeartbeat.objects.filter(task=task).first()
    if beat is None:
        return Check(False, "has never run; start manage.py up, or manage.py qcluster beside the web server")
    patience = _patience(interval_seconds)
    age = now - beat.at
    seen = f"ran {max(round(age.total_seconds()), 0)} s ago"
    # abs: a beat of a clock that ran ahead says nothing about now
    return Check(True, seen) if abs(age) <= patience else Check(False, f"{seen}; restart manage.py qcluster")


def queue_hangs(now: datetime) -> bool:
    """Whether tasks wait though none of the workers that are switched on ran for longer than any task may take."""
    workers = _workers()
    if not workers or not OrmQ.objects.filter(lock__lt=now - _WAITS_LONG).exists():
        return False
    patience = max(timedelta(seconds=settings.TASK_TIMEOUT_SECONDS), *map(_patience, workers.values()))
    return not WorkerHeartbeat.objects.filter(task__in=workers, at__gte=now - patience).exists()


def _patience(interval_seconds: float) -> timedelta:
    return max(INTERVALS_OF_PATIENCE * timedelta(seconds=interval_seconds), LEAST_PATIENCE)
