"""Which episodes recall can bring back by the settings now."""

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from memory.models import EpisodeSummary, EpisodeUnits


def recalls_by_content() -> bool:
    """Whether chats are found by what was said in them: without a window, and without a summary too."""
    return settings.CAESAR.memory.episodes_recall.mode == "hybrid"


def recallable() -> QuerySet[EpisodeSummary]:
    """The episodes that recall can bring back, without their vectors: by a summary, or by what was said."""
    rows = EpisodeSummary.objects.only(*_COLUMNS)
    return rows.filter(~Q(model="") | _has_units()) if recalls_by_content() else rows.exclude(model="")


_COLUMNS = ("audit_log_id", "summary", "model", "created_at", "last_recalled_at", "recall_count")


def _has_units() -> Exists:
    return Exists(EpisodeUnits.objects.filter(pk=OuterRef("pk")))
