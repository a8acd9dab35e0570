"""The one worker loop, for whatever job: `run`, and the operator's `retry`, `retry_all` and `skip`."""

from memory.learning.batch import Clock
from memory.learning.job import Job, Tally, wake
from memory.learning.loop import run, task_seconds
from memory.learning.retries import NothingToRetry, retry, retry_all, skip

__all__ = ["Clock", "Job", "NothingToRetry", "Tally", "retry", "retry_all", "run", "skip", "task_seconds", "wake"]
