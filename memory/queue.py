"""The nudge: work that has come wakes its worker on commit instead of at the next full minute. Enqueues by name."""

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

    def enqueue() -> None:  # no partial: where it fails, Django's log line asks for its name
        async_task(FUNCTIONS[task], task_name=task)

    transaction.on_commit(enqueue, robust=True)
