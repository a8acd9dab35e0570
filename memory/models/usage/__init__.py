"""What was asked of language models, day by day: by task, and by client."""

from memory.models.usage.key_tally import KeyDay, KeyUsed, seconds_to_tomorrow
from memory.models.usage.tally import ModelUsage, UsedOn

__all__ = ["KeyDay", "KeyUsed", "ModelUsage", "UsedOn", "seconds_to_tomorrow"]
