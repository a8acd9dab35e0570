"""Episodes: one row a chat."""

from django.db import models

from memory.models.audit import AuditRow


class EpisodeSummary(models.Model):
    """What one chat was about, in one or two sentences, with its vector (ADR-0034 §1). Empty for a trivial chat."""

    audit_log = models.OneToOneField(AuditRow, on_delete=models.CASCADE, related_name="episode")
    summary = models.TextField()
    embedding = models.JSONField()
    model = models.TextField()
    created_at = models.DateTimeField()
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    recall_count = models.IntegerField(default=0)

    class Meta:
        db_table = "episode_summaries"
        verbose_name = "episode"
        verbose_name_plural = "episodes"
        indexes = [
            models.Index(fields=["audit_log"], name="idx_episode_summaries_audit"),
            models.Index(fields=["created_at"], name="idx_episode_summaries_created"),
        ]

    def __str__(self) -> str:
        return self.summary[:80] or "(nothing worth a summary)"
