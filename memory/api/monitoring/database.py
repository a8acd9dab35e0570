"""What the database says at the moment of asking: how much there is, and how far the workers are behind."""

import logging
import os
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import Error, connection
from django.db.models import Q, Sum
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from memory.chat import spool
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AskAgain, AuditRow, EpisodeSummary, ModelUsage, PersonalFact, WorkerHeartbeat

logger = logging.getLogger(__name__)

_JOBS = (EXTRACTION, SUMMARY)


class DatabaseCollector(Collector):
    """A dozen short queries, however large the log. Where the database does not answer, `caesar_database_up` is 0."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def collect(self) -> Iterator[Metric]:
        """The measurements."""
        yield GaugeMetricFamily("caesar_waiting_turns", "Answered turns not recorded yet.", value=spool.waiting())
        try:
            found = [*self._workers(), *self._amounts(), *_models()]
        except Error:
            logger.exception("The database does not answer")
            found = []
        yield GaugeMetricFamily("caesar_database_up", "Whether the database answers.", value=float(bool(found)))
        yield from found

    def _workers(self) -> Iterator[Metric]:
        unread = GaugeMetricFamily("caesar_unread_chats", "Chats that a worker has still to read.", labels=["task"])
        oldest = GaugeMetricFamily("caesar_oldest_unread_chat_seconds", "Age of the oldest.", labels=["task"])
        failing = GaugeMetricFamily("caesar_stuck_chats", "Chats that failed and wait for a try.", labels=["task"])
        beat = GaugeMetricFamily("caesar_heartbeat_age_seconds", "Since the task last ran.", labels=["task"])
        beats = dict(WorkerHeartbeat.objects.values_list("task", "at"))
        for job in _JOBS:
            cursor = job.cursor.current()
            first = cursor.waiting.values_list("ts", flat=True).first()
            unread.add_metric([job.task], cursor.waiting.count())
            oldest.add_metric([job.task], self._age_seconds(first))
            again = AskAgain._default_manager.filter(job=job.task).count()
            failing.add_metric([job.task], again + int(first is not None and bool(cursor.last_error)))
            if job.task in beats:
                beat.add_metric([job.task], self._age_seconds(beats[job.task]))
        yield from (unread, oldest, failing, beat)

    def _age_seconds(self, moment: datetime | None) -> float:
        return 0.0 if moment is None else max(0.0, (self._now - moment).total_seconds())

    def _amounts(self) -> Iterator[Metric]:
        facts, past = PersonalFact.objects.count(), PersonalFact.objects.filter(~Q(retired_at=None)).count()
        amounts = GaugeMetricFamily("caesar_facts", "Facts, by whether they are still true.", labels=["state"])
        amounts.add_metric(["current"], facts - past)
        amounts.add_metric(["past"], past)
        yield amounts
        episodes = EpisodeSummary.objects.exclude(summary="").count()
        yield GaugeMetricFamily("caesar_episodes", "Episodes.", value=episodes)
        newest = AuditRow.objects.get_queryset().order_by("-id").values_list("id", flat=True).first() or 0
        yield GaugeMetricFamily("caesar_audit_newest_id", "Id of the newest row of the audit log.", value=newest)
        yield GaugeMetricFamily("caesar_database_bytes", "Size of the database.", value=_database_bytes())
        free = os.statvfs(settings.VAR_DIR if settings.VAR_DIR.is_dir() else settings.BASE_DIR)
        yield GaugeMetricFamily("caesar_disk_free_bytes", "Room on the disk.", value=free.f_bavail * free.f_frsize)


def _models() -> Iterator[Metric]:
    answers = CounterMetricFamily("caesar_model_answers", "Answers of language models.", labels=["task"])
    tokens = CounterMetricFamily("caesar_model_tokens", "Their tokens.", labels=["task", "direction"])
    sums = ModelUsage.objects.order_by().values("task")
    for row in sums.annotate(answered=Sum("calls"), tokens_in=Sum("input_tokens"), tokens_out=Sum("output_tokens")):
        answers.add_metric([row["task"]], row["answered"])
        tokens.add_metric([row["task"], "input"], row["tokens_in"])
        tokens.add_metric([row["task"], "output"], row["tokens_out"])
    yield from (answers, tokens)


def _database_bytes() -> float:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return float(cursor.fetchone()[0])
        pages, page_bytes = (cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        return float(pages * page_bytes)
