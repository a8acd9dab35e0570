"""`manage.py run_batch`: a worker's batch by hand, or one worker alone on a box of its own."""

import time
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections
from django.utils import timezone
from django.utils.timezone import localtime

from memory import learning
from memory.learning import Job, Tally
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.management.processes import TICK_SECONDS, StopRequest
from memory.models import LearningSwitch, WorkerHeartbeat

JOBS: Mapping[str, Job[Any, Any]] = {"extract": EXTRACTION, "summarise": SUMMARY}
"""Argument of `run_batch` -> the job."""

_INTERRUPTED = 130
_LOOK_EVERY_SECONDS = 2.0
_PAUSE_SECONDS = 30.0


class Command(BaseCommand):
    """One batch, or as many as there is work for. Exit code 1 where the last one failed."""

    help = (
        "Read waiting chats now: one batch, with --all until nothing waits, with --watch for ever. Prints a tally. It "
        "does so also where the worker is switched off in the settings."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The job, how long to go on, and which failed chats to retry or skip first."""
        parser.add_argument("job", choices=sorted(JOBS))
        parser.add_argument("--all", action="store_true", help="go on until nothing waits or a batch does not get on")
        parser.add_argument("--watch", action="store_true", help="go on until Ctrl-C: a worker of this job alone")
        parser.add_argument("--retry", type=int, metavar="ID", help="first: try this stuck or given-up chat again")
        parser.add_argument("--skip", type=int, metavar="ID", help="first: give up this chat, at which the worker is")
        parser.add_argument("--retry-failed", action="store_true", help="first: ask again for every given-up chat")

    def handle(self, *args: Any, **options: Any) -> None:
        """Retry and skip as asked, then run."""
        job = JOBS[options["job"]]
        try:
            self._retry_and_skip(job, options)
            if options["watch"]:
                self._watch(job)
                return
            tally = _run(job, until_done=options["all"])
        except learning.NothingToRetry as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError("Interrupted. What was read is kept.", returncode=_INTERRUPTED) from None
        self.stdout.write(f"{job.task}: {tally}")
        reason = _why_it_stopped(job, tally)
        if tally.state == "failed":
            raise CommandError(reason)
        if reason:
            self.stderr.write(reason)

    def _watch(self, job: Job[Any, Any]) -> None:
        """Batch after batch; each ends before this does. Says what was read, and once that a batch failed."""
        said = ""
        with StopRequest.watched() as request:
            while not request:
                WorkerHeartbeat.beat(job.task, now=timezone.now())
                tally = learning.run(job, clock=timezone.now)
                close_old_connections()
                line = _why_it_stopped(job, tally) or (f"{job.task}: {tally}" if tally.rows_ok else "")
                if line and line != said:
                    self.stdout.write(line)
                    self.stdout.flush()
                said = line or said
                if tally.state not in ("full", "late"):
                    _sleep(_LOOK_EVERY_SECONDS if tally.state == "done" else _PAUSE_SECONDS, request)

    def _retry_and_skip(self, job: Job[Any, Any], options: Mapping[str, Any]) -> None:
        if options["skip"] is not None:
            learning.skip(job, options["skip"], now=timezone.now())
            self.stdout.write(f"Chat #{options['skip']} given up.")
        if options["retry"] is not None:
            learning.retry(job, options["retry"], now=timezone.now())
        if options["retry_failed"]:
            self.stdout.write(f"{learning.retry_all(job, now=timezone.now())} given-up chats to be read again.")


def _sleep(seconds: float, request: StopRequest) -> None:
    """Wait, but no longer than until a stop is asked for."""
    ends = time.monotonic() + seconds
    while not request and time.monotonic() < ends:
        time.sleep(TICK_SECONDS)


def _run(job: Job[Any, Any], *, until_done: bool) -> Tally:
    """The tally of one batch, or of all batches up to the first that ended for another reason than being full."""
    total = learning.run(job, clock=timezone.now)
    while until_done and total.state in ("full", "late"):
        total.add(learning.run(job, clock=timezone.now))
    return total


def _why_it_stopped(job: Job[Any, Any], tally: Tally) -> str:
    """One line with the cure where a run stopped although chats wait; "" where it did not."""
    if tally.state == "busy":
        return "Another worker is reading right now; nothing to do here."
    if tally.state not in ("failed", "paused"):
        return ""
    if tally.state == "paused" and LearningSwitch.current().is_paused:
        return "Learning is paused; chats are kept and wait. Resume it on the overview page of the dashboard."
    cursor = job.cursor.current()
    chat_id = cursor.waiting.values_list("pk", flat=True).first()
    tries = "1 try" if cursor.attempts == 1 else f"{cursor.attempts} tries"
    stuck = f"Stuck at chat #{chat_id} after {tries}: {cursor.last_error}" if cursor.last_error else "Paused."
    again = f" Next try at {localtime(cursor.next_try_at):%Y-%m-%d %H:%M}." if cursor.next_try_at else ""
    cure = f" --retry {chat_id} tries at once, --skip {chat_id} gives it up." if chat_id else ""
    return stuck + again + cure
