"""The nudge: new work wakes its worker on commit, not at the next full minute. Tasks are enqueued by name.

Also two corrections for clocks that jump: schedules put off too far, and cron lines in the hour that comes twice.
"""

from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Literal

from django.db import transaction
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

TaskName = Literal[
    "memory.extract", "memory.summarise", "memory.sweep", "memory.backup", "memory.backup_drill", "memory.watch"
]

FUNCTIONS: dict[TaskName, str] = {
    "memory.extract": "memory.tasks.extract",
    "memory.summarise": "memory.tasks.summarise",
    "memory.sweep": "memory.tasks.sweep",
    "memory.backup": "memory.tasks.backup",
    "memory.backup_drill": "memory.tasks.backup_drill",
    "memory.watch": "memory.tasks.watch",
}
"""Task name -> the dotted path django-q2 runs."""

RUN_TRIGGER = "memory.tasks.run_trigger"
"""What django-q2 runs for a trigger, with its name and the moment it was due."""


def nudge(task: TaskName) -> None:
    """Have `task` run soon after this transaction commits. A lost nudge costs a wait until the next schedule."""

    def enqueue() -> None:  # no partial: where it fails, Django's log line asks for its name
        async_task(FUNCTIONS[task], task_name=task)

    transaction.on_commit(enqueue, robust=True)


_TAKEN_MEANWHILE = timedelta(minutes=1)
"""`now` is older than the update: a task taken in between is locked for longer than seems possible, and would be handed
out a second time. A leap of a clock that matters is far longer."""


def pull_forward_schedules(*, now: datetime) -> None:
    """Make due now what a clock that ran ahead has put off, and what would wait until the clock is there again.

    That is a worker's schedule further away than its interval, and a queued task locked for longer than any can be.
    """
    for row in Schedule.objects.filter(name__in=FUNCTIONS, minutes__isnull=False, next_run__gt=now):
        if row.next_run > now + timedelta(minutes=row.minutes):
            Schedule.objects.filter(pk=row.pk).update(next_run=now)
    longest = timedelta(seconds=Conf.RETRY) + _TAKEN_MEANWHILE
    OrmQ.objects.filter(lock__gt=now + longest).update(lock=now)


def compute_next_runs_in_utc() -> None:
    """Make django-q2 compute the next run of a cron line in UTC. Call it once in each process, when all apps are ready.

    django-q2 computes it in the operator's zone, and repeats that until the result is later than now. Python compares
    two times of one zone by their wall clocks. In the hour that comes twice when clocks are put back, the next run may
    look earlier than now for an hour; the loop runs as long, and holds the database's write lock.
    """
    original = Schedule.calculate_next_run

    @wraps(original)
    def calculate_next_run(schedule: Schedule, next_run: datetime | None = None) -> datetime:
        moment: datetime = original(schedule, next_run)
        return moment.astimezone(UTC)

    Schedule.calculate_next_run = calculate_next_run
