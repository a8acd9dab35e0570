"""The nudge: work that has come wakes its worker on commit instead of at the next full minute. Enqueues by name."""

from functools import partial
from typing import Literal

from django.db import transaction
from django_q.tasks import async_task

TaskName = Literal["memory.extract", "memory.summarise", "memory.sweep"]

FUNCTIONS: dict[TaskName, str] = {
    "memory.extract": "memory.tasks.extract",
    "memory.summarise": "memory.tasks.summarise",
    "memory.sweep": "memory.tasks.sweep",
}
"""Task name -> the dotted path django-q2 runs."""


def nudge(task: TaskName) -> None:
    """Have `task` run soon after this transaction commits. One that gets lost costs a wait for the next schedule."""
    transaction.on_commit(partial(async_task, FUNCTIONS[task], task_name=task), robust=True)
