"""What gunicorn's web processes do at their start: `gunicorn --config python:caesar.web caesar.wsgi`.

The embedder is loaded once, before the processes part (`caesar/wsgi.py`). The index takes a database connection, which
must not be shared by processes: each loads its own, in the background, while it already answers.
"""

import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

logger = logging.getLogger(__name__)


def post_worker_init(worker: object) -> None:
    """gunicorn's hook in each web process, before its first request."""
    threading.Thread(target=load_episodes, name="load-episodes", daemon=True).start()
    threading.Thread(target=record_waiting_turns, name="record-waiting-turns", daemon=True).start()


def record_waiting_turns() -> None:
    """Write down the turns that were answered and that the database could not take before this start.

    Where it still cannot, they go on waiting. Runs in a thread of its own, and closes its connection.
    """
    from memory import chat

    try:
        chat.record_waiting()
    finally:
        connections.close_all()


def load_episodes() -> None:
    """Read what the first recall would otherwise wait for, seconds at 100,000 episodes.

    Where that fails, one line in the log: the recall reads for itself then, and says what is wrong where a turn needs
    it. Runs in a thread of its own, and closes its connection.
    """
    from memory.recall import retrieval  # not before Django is set up, which gunicorn's configuration is read before

    if retrieval.off_because(settings.CAESAR):
        return
    began = time.monotonic()
    try:
        count = retrieval.load(settings.CAESAR, now=timezone.now())
    except (DatabaseError, ValueError, TypeError, OverflowError, MemoryError) as error:
        logger.warning("Episodes are not loaded yet, the first recall will do so: %s", error)
    else:
        logger.info("Loaded %d episodes in %.1f seconds.", count, time.monotonic() - began)
    finally:
        connections.close_all()
