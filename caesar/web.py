"""What gunicorn's web processes do at start: `gunicorn --config python:caesar.web caesar.wsgi`.

The embedder is loaded once, before the fork (`caesar/wsgi.py`). The index needs a database connection, which processes
must not share: each process loads its own index in the background, while it already answers requests.
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


def load_episodes() -> None:
    """Load the index, for which the first recall would otherwise wait: seconds at 100,000 episodes.

    A failure is one line in the log; the first recall then loads the index itself and reports the error. Runs in a
    thread of its own, and closes its connection.
    """
    from memory.recall import retrieval  # gunicorn reads this file before Django is set up

    if retrieval.disabled_reason(settings.CAESAR):
        return
    began = time.monotonic()
    try:
        count = retrieval.preload(settings.CAESAR, now=timezone.now())
    except (DatabaseError, ValueError, TypeError, OverflowError, MemoryError) as error:
        logger.warning("Episodes are not loaded yet, the first recall will do so: %s", error)
    else:
        logger.info("Loaded %d episodes in %.1f seconds.", count, time.monotonic() - began)
    finally:
        connections.close_all()
