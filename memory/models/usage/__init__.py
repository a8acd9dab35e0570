"""What was asked of language models, day by day."""

from memory.models.usage.tally import ModelUsage, UsedOn

__all__ = ["ModelUsage", "UsedOn"]
