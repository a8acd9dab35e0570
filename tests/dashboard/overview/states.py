"""The states that the tests of the overview start from, and what they read from its pages."""

import re
from datetime import datetime, timedelta
from typing import Any

from memory.models import ExtractCursor, SummariseCursor
from tests.dashboard.helpers import find_elements, htmx_headers, newest_row_id

OVERVIEW = "/dashboard/"
HTMX = htmx_headers(OVERVIEW)


def mark_all_read() -> None:
    """Both workers have looked at every chat there is."""
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
        cursor._default_manager.update(last_audit_id=newest_row_id())


def make_stuck(chat_id: int, now: datetime, *, tries: int = 3, error: str = "The model is out. Start it.") -> None:
    """The extractor is stuck at this chat, which is the next one."""
    before = chat_id - 1
    ExtractCursor.current()
    ExtractCursor._default_manager.update(
        last_audit_id=before, attempts=tries, outages=tries, last_error=error, next_try_at=now + timedelta(minutes=4)
    )


def health_shown(response: Any) -> tuple[str, str]:
    """Class and words of the health in the head of a page."""
    link = find_elements(response, "a", id="health")[0]
    text = re.search(r'id="health"[^>]*>([^<]*)<', response.content.decode())
    assert text
    return link["class"].split()[1], text[1]


def form_actions(response: Any) -> list[str]:
    return [form["action"] for form in find_elements(response, "form")]
