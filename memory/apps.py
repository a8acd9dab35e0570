"""The memory app."""

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper


class MemoryConfig(AppConfig):
    """Facts, episodes and the audit log of one operator."""

    name = "memory"
    verbose_name = "Memory"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks; have each process of the queue that works load the embedder when it starts,
        and count where others see it.

        What the code knows of the tables is read.

        Each connection to SQLite gets the function of the audit log's search index.
        """
        from django.db.backends.signals import connection_created
        from django_q.signals import post_spawn

        from memory import checks, queue, schema  # noqa: F401 (importing registers)

        schema.known()  # as they are now: an upgrade may change the files
        queue.compute_next_runs_in_utc()
        connection_created.connect(_prepare_connection, dispatch_uid="memory.search")
        post_spawn.connect(_begin_work, dispatch_uid="memory.begin_work")


def _prepare_connection(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    from memory.models import search

    search.add_functions(connection)


def _begin_work(proc_name: str, **kwargs: object) -> None:
    from caesar import metrics
    from memory.llm import embedding

    metrics.tidy()
    embedding.warm()
