"""What needs somebody now, and what of it was told already."""

import logging
import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings

from memory import health
from memory.alerts.telling import Alert, AlertNotSent, tell
from memory.backup import standing
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import ToldAlert

logger = logging.getLogger(__name__)

STUCK_AFTER = timedelta(minutes=30)
"""How long a chat may fail before somebody is told: shorter outages of a provider end by themselves."""

_MEGABYTE = 1_000_000


def problems(now: datetime) -> dict[str, str]:
    """{what: the sentence that says it, with the cure}. No word of a chat is in them."""
    found = {name: f"{name}: {check.detail}." for name, check in health.state(now).items() if not check.ok}
    if "database" in found:
        return found
    return found | dict([*_stuck(now), *_backups(now), *_disk()])


def watch(now: datetime) -> str:
    """Tell what began since the last look, and what ended. A message that could not be sent is sent by the next one."""
    if not settings.CAESAR.alerts.is_wanted:
        return "switched off: CAESAR_ALERTS__WEBHOOK_URL, CAESAR_ALERTS__MAIL_TO"
    present, told = problems(now), {row.kind: row for row in ToldAlert.objects.all()}
    sent = sum(_told(Alert(kind, "began", text, now)) for kind, text in present.items() if kind not in told)
    for kind, row in told.items():
        if kind not in present and _told(Alert(kind, "ended", f"{row.text} That is over.", row.since)):
            sent += 1
    return f"{len(present)} problems, {sent} messages"


def _told(alert: Alert) -> bool:
    try:
        tell(alert)
    except AlertNotSent as error:
        logger.warning("The operator could not be told of %s: %s", alert.kind, error)
        return False
    if alert.state == "began":
        ToldAlert.objects.note(alert.kind, alert.text, since=alert.since)
    else:
        ToldAlert.objects.filter(kind=alert.kind).delete()
    return True


def _stuck(now: datetime) -> Iterator[tuple[str, str]]:
    for job in (EXTRACTION, SUMMARY):
        cursor = job.cursor.current()
        waiting = cursor.waiting.values_list("id", "ts").first() if cursor.last_error else None
        if waiting is not None and now - waiting[1] > STUCK_AFTER:
            text = f"{job.task} has failed at chat #{waiting[0]} since {waiting[1]:%Y-%m-%d %H:%M} UTC or later."
            yield f"{job.task}.stuck", f"{text} The overview says why, and tries again."


def _backups(now: datetime) -> Iterator[tuple[str, str]]:
    backup = standing.read(now)
    if backup.has_failed and backup.failed is not None:
        yield "backup failed", f"The last backup failed: {backup.failed.error}"
    if backup.is_old:
        yield "backup old", f"There has been no good backup for {standing.OLD_AFTER.days} days: manage.py backup"
    if backup.drill_problem:
        yield "backup drill", f"The newest backup cannot be restored: {backup.drill_problem}"


def _disk() -> Iterator[tuple[str, str]]:
    folder = settings.VAR_DIR if settings.VAR_DIR.is_dir() else settings.BASE_DIR
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize // _MEGABYTE
    least = settings.CAESAR.alerts.least_free_megabytes
    if free < least:
        yield "disk", f"There are {free} MB free on the disk of {folder}, fewer than {least}."
