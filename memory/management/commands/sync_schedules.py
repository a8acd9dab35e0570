"""`manage.py sync_schedules`: the queue's timetable as the settings and the triggers file have it."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections, router, transaction
from django.utils import timezone
from django_q.models import Schedule

from caesar.conf import EpisodesSummariseSettings, FactsExtractSettings
from memory.proactive.triggers import Trigger, TriggersError, read
from memory.queue import FUNCTIONS, RUN_TRIGGER, TaskName, pull_forward_schedules

_PREFIX = "memory."
_TRIGGER_PREFIX = "proactive."
_DAY_SECONDS = 86_400.0
_WATCH_SECONDS = 300.0
_LOCK = 0x43414554  # any fixed number: the advisory lock that lets one process at a time write the timetable

TIMETABLE: Mapping[TaskName, Callable[[], float | None]] = {
    "memory.extract": lambda: _interval_seconds(settings.CAESAR.memory.facts_extract),
    "memory.summarise": lambda: _interval_seconds(settings.CAESAR.memory.episodes_summarise),
    "memory.sweep": lambda: _DAY_SECONDS,  # with retention switched off it still has idempotency keys to delete
    "memory.backup": lambda: _DAY_SECONDS if settings.CAESAR.backup.enabled else None,
    "memory.backup_drill": lambda: 7 * _DAY_SECONDS if settings.CAESAR.backup.enabled else None,
    "memory.watch": lambda: _WATCH_SECONDS if settings.CAESAR.alerts.is_wanted else None,
}
"""Task -> how often it runs, in seconds; None while its worker is switched off."""

AT_NIGHT: Mapping[TaskName, time] = {"memory.backup": time(3, 30), "memory.backup_drill": time(4, 30)}
"""Task -> when it runs first, by the operator's clock; every other one runs at once."""


def _interval_seconds(worker: FactsExtractSettings | EpisodesSummariseSettings) -> float | None:
    return worker.interval_seconds if worker.enabled else None


class Command(BaseCommand):
    """One row for each worker that is on and each trigger that is enabled, none for any other. Run as often as you
    like, in two places at once too."""

    help = "Write the queue's timetable as the settings and the triggers file have it."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the rows and print the timetable."""
        every_minutes = {task: to_minutes(seconds) for task, asked in TIMETABLE.items() if (seconds := asked())}
        triggers = _triggers()
        with transaction.atomic(using=router.db_for_write(Schedule)):
            _lock_timetable()
            Schedule.objects.filter(name__startswith=_PREFIX).exclude(name__in=every_minutes).delete()
            for task, minutes in every_minutes.items():
                _sync_worker(task, minutes)
            pull_forward_schedules(now=timezone.now())
            _sync_triggers([trigger for trigger in triggers if trigger.enabled])
        if options["verbosity"]:
            for task in TIMETABLE:
                self.stdout.write(f"{task}: {_interval_text(every_minutes.get(task))}")
            for trigger in triggers:
                when = f"{trigger.cron} ({settings.CAESAR.time_zone})" if trigger.enabled else "disabled, no schedule"
                self.stdout.write(f"{_TRIGGER_PREFIX}{trigger.name}: {when}")


def _triggers() -> list[Trigger]:
    path = settings.CAESAR.proactive.triggers_path
    try:
        return read(path) if path else []
    except TriggersError as error:
        raise CommandError(f"{error} The schedules stay as they are.") from None


def to_minutes(interval_seconds: float) -> int:
    """An interval in django-q2's unit, rounded up: never more often than was asked for (decision 9)."""
    return max(1, math.ceil(interval_seconds / 60))


def _interval_text(minutes: int | None) -> str:
    if minutes is None:
        return "switched off, no schedule"
    hours, rest = divmod(minutes, 60)
    if hours == 7 * 24 and not rest:
        return "every week"
    if hours and not rest:
        return "every hour" if hours == 1 else f"every {hours} hours"
    return "every minute" if minutes == 1 else f"every {minutes} minutes"


def _lock_timetable() -> None:
    """Wait for other processes: two could both find no row and both write one, since names are not unique here.

    SQLite needs nothing: the transaction holds its one write lock from its start.
    """
    connection = connections[router.db_for_write(Schedule)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _sync_worker(task: TaskName, minutes: int) -> None:
    """Leave one correct row. A row that is correct already keeps its next run; a new one runs now."""
    wanted = {"func": FUNCTIONS[task], "schedule_type": Schedule.MINUTES, "minutes": minutes, "repeats": -1}
    row = Schedule.objects.filter(name=task, **wanted).order_by("id").first()
    Schedule.objects.filter(name=task).exclude(pk=row.pk if row else None).delete()
    if row is None:
        Schedule.objects.create(name=task, next_run=_first_run(task, timezone.now()), **wanted)


def _first_run(task: TaskName, now: datetime) -> datetime:
    """Now; at the next such time of the night for what is done at night."""
    hour = AT_NIGHT.get(task)
    if hour is None:
        return now
    here = now.astimezone(settings.CAESAR.zone)
    tonight = datetime.combine(here, hour, here.tzinfo)
    return tonight if tonight > here else datetime.combine(here + timedelta(days=1), hour, here.tzinfo)


def _sync_triggers(enabled: Sequence[Trigger]) -> None:
    """Leave one row for each of these triggers. Rows that are not ours, by name and function, stay as they are."""
    ours = Schedule.objects.filter(func=RUN_TRIGGER, name__startswith=_TRIGGER_PREFIX)
    ours.exclude(name__in=[_TRIGGER_PREFIX + trigger.name for trigger in enabled]).delete()
    for trigger in enabled:
        _sync_trigger(trigger)


def _sync_trigger(trigger: Trigger) -> None:
    """Leave one correct row. A next run that is past is kept: the task decides what is too late. A future one is
    computed again, since the operator's time zone may have changed."""
    wanted = {
        "name": _TRIGGER_PREFIX + trigger.name,
        "func": RUN_TRIGGER,
        "args": f"{trigger.name!r},",
        "intended_date_kwarg": "due",
        "schedule_type": Schedule.CRON,
        "cron": trigger.cron,
        "repeats": -1,
    }
    row = Schedule.objects.filter(**wanted).order_by("id").first()
    same_name = Schedule.objects.filter(name=wanted["name"], func=RUN_TRIGGER)
    same_name.exclude(pk=row.pk if row else None).delete()
    if row is None:
        Schedule.objects.create(**wanted)
    elif row.next_run > timezone.now():
        Schedule.objects.filter(pk=row.pk).update(next_run=row.calculate_next_run())
