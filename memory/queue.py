"""The nudge: work that has come wakes its worker on commit instead of at the next full minute. Enqueues by name.

And one mend of the queue's clock, without which cron lines may stop it for an hour.
"""

from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Literal

from django.db import transaction
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

TaskName = Literal["memory.extract", "memory.summarise", "memory.sweep"]

FUNCTIONS: dict[TaskName, str] = {
    "memory.extract": "memory.tasks.extract",
    "memory.summarise": "memory.tasks.summarise",
    "memory.sweep": "memory.tasks.sweep",
}
"""Task name -> the dotted path django-q2 runs."""

RUN_TRIGGER = "memory.tasks.run_trigger"
"""What django-q2 runs for a trigger, with its name and the moment it was due."""


def nudge(task: TaskName) -> None:
    """Have `task` run soon after this transaction commits. One that gets lost costs a wait for the next schedule."""

    def enqueue() -> None:  # no partial: where it fails, Django's log line asks for its name
        async_task(FUNCTIONS[task], task_name=task)

    transaction.on_commit(enqueue, robust=True)


def bring_near(*, now: datetime) -> None:
    """Have run now what a clock that ran ahead has put off: a worker's schedule further away than its interval, and a
    queued task that is hidden for longer than any is. Otherwise they would wait until the clock is there again.
    """
    for row in Schedule.objects.filter(name__in=FUNCTIONS, minutes__isnull=False, next_run__gt=now):
        if row.next_run > now + timedelta(minutes=row.minutes):
            Schedule.objects.filter(pk=row.pk).update(next_run=now)
    OrmQ.objects.filter(lock__gt=now + timedelta(seconds=Conf.RETRY)).update(lock=now)


def reckon_in_utc() -> None:
    """Make django-q2 give the next run of a cron line in UTC. Call it once in each process, when all apps are ready.

    It gives it in the operator's zone, and goes on computing until that is later than now. Python compares two times of
    one zone by what the clock shows: in the hour that comes twice when it is put back, the next run may look earlier
    than now for an hour, and the loop goes on for as long, with the database's write lock in its hands.
    """
    reckon = Schedule.calculate_next_run

    @wraps(reckon)
    def calculate_next_run(schedule: Schedule, next_run: datetime | None = None) -> datetime:
        moment: datetime = reckon(schedule, next_run)
        return moment.astimezone(UTC)

    Schedule.calculate_next_run = calculate_next_run
