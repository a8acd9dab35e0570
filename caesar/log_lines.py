"""How log lines are written: as text or as JSON, one line each, without any provider's key."""

import json
import logging
from collections.abc import Collection
from datetime import UTC, datetime

from caesar import log_context
from memory.text.secrets.key_scrubbing import without_keys


class OneLineFormatter(logging.Formatter):
    """A log line stays one line, whatever is in its message. A traceback still follows on its own lines.

    None of `keys` is in it, in whatever form.
    """

    def __init__(self, format: str, *, keys: Collection[str] = ()) -> None:  # noqa: A002 (logging's name)
        super().__init__(format)
        self._keys = keys

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the traceback if there is one."""
        return without_keys(super().format(record), self._keys)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name is logging's)
        """The line, with line breaks written as `\\n`."""
        return super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")


class JSONFormatter(logging.Formatter):
    """Each line one JSON object: time, level, logger, message, the ids of request and turn, and a traceback's text."""

    def __init__(self, *, keys: Collection[str] = ()) -> None:
        super().__init__()
        self._keys = keys

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **log_context.current(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps({name: without_keys(value, self._keys) for name, value in line.items()})


def without_traceback(record: logging.LogRecord) -> bool:
    """Log a refused request as one line: strangers who try host names must not fill the log with tracebacks."""
    record.exc_info = None
    return True
