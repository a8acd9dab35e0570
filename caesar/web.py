"""gunicorn's configuration: `gunicorn --preload --config python:caesar.web caesar.wsgi`. Its own options win over this.

The embedder is loaded once, before the fork (`caesar/wsgi.py`). The index needs a database connection, which processes
must not share: each process loads its own index in the background, while it already answers requests.
"""

import logging
import os
import sys
import threading
import time

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.utils import timezone

from caesar import metrics
from caesar.conf import ConfigurationError, load_settings
from caesar.processor_time import PLACES_WITH_SQLITE, places
from caesar.server import GRACEFUL_SECONDS, WEB_PROCESSES
from caesar.sqlite3.ending import write_out

logger = logging.getLogger(__name__)

_LOOKS_AT_SCHEMA_EVERY_SECONDS = 60.0
_CANNOT_START = 3  # gunicorn's status of a process that could not start: it ends the others, too

try:
    _server = load_settings().server
except ConfigurationError as error:
    sys.exit(str(error))

bind = f"[{_server.host}]:{_server.port}" if ":" in _server.host else f"{_server.host}:{_server.port}"
worker_class = "caesar.server.worker.Worker"
workers = WEB_PROCESSES
threads = _server.threads
graceful_timeout = GRACEFUL_SECONDS
limit_request_line = 8190  # a message to preview stands in the address
control_socket_disable = True  # it would lie in the home folder
umask = 0o077


def on_starting(arbiter: object) -> None:
    """gunicorn's hook before its first process: all files are private; `umask` is for its own."""
    os.umask(umask)


def post_worker_init(worker: object) -> None:
    """gunicorn's hook in each web process, before its first request."""
    refuse_newer_schema()
    if connections[DEFAULT_DB_ALIAS].vendor == "sqlite":
        places.allow(PLACES_WITH_SQLITE)
    metrics.tidy()
    threading.Thread(target=load_episodes, name="load-episodes", daemon=True).start()
    threading.Thread(target=load_facts, name="load-facts", daemon=True).start()
    threading.Thread(target=record_waiting_turns, name="record-waiting-turns", daemon=True).start()
    threading.Thread(target=watch_schema, name="watch-schema", daemon=True).start()


def refuse_newer_schema() -> None:
    """End the server where a newer version has written the database. One that does not answer now may come back."""
    from memory import schema  # gunicorn reads this file before Django is set up

    try:
        schema.refuse_newer()
    except schema.NewerSchema as error:
        logger.critical("%s", error)
        sys.exit(_CANNOT_START)
    except DatabaseError:
        pass
    finally:
        connections.close_all()


def on_exit(arbiter: object) -> None:
    """gunicorn's hook after its last process."""
    write_out()


def record_waiting_turns() -> None:
    """Write down the turns that were answered and that the database could not take before this start.

    Where it still cannot, they go on waiting. Runs in a thread of its own, and closes its connection.
    """
    from memory import chat

    try:
        chat.record_waiting()
    finally:
        connections.close_all()


def watch_schema() -> None:
    """Look each minute whether the database was upgraded below this process, and say so in the log, once.

    Runs in a thread of its own for as long as the process, and holds no connection between two looks.
    """
    from memory import schema

    while not (wrong := schema.outgrown_now()):
        time.sleep(_LOOKS_AT_SCHEMA_EVERY_SECONDS)
    logger.error("%s", wrong)


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


def load_facts() -> None:
    """Have the facts embedded where prompts take them by what is asked, so that the first turns need not go by words.

    A failure is one line in the log; the turns then go on with it. Runs in a thread of its own, and closes its
    connection.
    """
    from memory.llm import LLMError
    from memory.recall import relevant_facts

    tree = settings.CAESAR
    if tree.memory.facts.selection != "mixed" or not (tree.facts_injection_enabled and tree.semantic.enabled):
        return
    try:
        count = relevant_facts.preload(relevant_facts.candidates_at(timezone.now()))
    except (DatabaseError, LLMError) as error:
        logger.warning("Facts are not embedded yet, the first turns will do so: %s", error)
    else:
        logger.info("Embedded %d facts.", count)
    finally:
        connections.close_all()
