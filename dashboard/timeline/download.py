"""The rows of the timeline as a file: JSON lines or CSV, written row by row, however many there are."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings

from memory.models import AuditRow
from memory.text.lines import encodable

_BYTE_ORDER_MARK = "\ufeff"
"""Without it, spreadsheets take a file for one in their country's old encoding."""
_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that spreadsheets run as a formula."""
_FORMULA_INSIDE = re.compile(r"""[;\t\r\n](?="*[=+\-@＝＋－＠])""")
"""Where a cell of a spreadsheet that separates them by semicolons or tabs would begin with a formula, quotes or not."""
_COLUMNS = ("id", "time", "event", "label", "client", "actor", "fact", "chat", "decision", "conversation", "payload")


@dataclass(frozen=True)
class FileFormat:
    """A kind of file. `lines` has the text of the file, piece by piece, for rows."""

    name: str
    content_type: str
    lines: Callable[[Iterable[AuditRow]], Iterator[str]]


def _json_lines(rows: Iterable[AuditRow]) -> Iterator[str]:
    """One JSON object a row, with its payload as it is."""
    for row in rows:
        yield encodable(json.dumps(_values(row), ensure_ascii=False)) + "\n"


def _csv_lines(rows: Iterable[AuditRow]) -> Iterator[str]:
    """A heading, then one line a row, its payload as JSON. No cell is a formula, whatever separates cells."""
    yield _BYTE_ORDER_MARK + _csv_line(_COLUMNS)
    for row in rows:
        values = {**_values(row), "payload": _payload_cell(row)}
        yield _csv_line(["" if value is None else encodable(str(value)) for value in values.values()])


FORMATS: Mapping[str, FileFormat] = {
    one.name: one
    for one in (
        FileFormat("jsonl", "application/jsonl; charset=utf-8", _json_lines),
        FileFormat("csv", "text/csv; charset=utf-8", _csv_lines),
    )
}


def _values(row: AuditRow) -> dict[str, object]:
    """The values of `_COLUMNS`, in their order; the time in the operator's zone."""
    time = row.ts.astimezone(settings.CAESAR.zone).isoformat(timespec="seconds")
    return dict(
        zip(
            _COLUMNS,
            (
                *(row.pk, time, row.event_type, row.label, row.client, row.actor),
                *(row.fact_key, row.chat_id, row.decision_id, row.conversation_id, row.payload),
            ),
            strict=True,
        )
    )


def _payload_cell(row: AuditRow) -> str:
    """The payload as JSON that says the same; a semicolon before what could be a formula is written as its number."""
    return _FORMULA_INSIDE.sub(r"\\u003b", json.dumps(row.payload, ensure_ascii=False))


def _csv_line(cells: Iterable[str]) -> str:
    """Cells as one line, each as a spreadsheet shows it as text."""
    line = io.StringIO()
    csv.writer(line).writerow([_as_text(cell) for cell in cells])
    return line.getvalue()


def _as_text(cell: str) -> str:
    """The cell with an apostrophe before each place where a spreadsheet would begin a formula."""
    text = _FORMULA_INSIDE.sub(r"\g<0>'", cell)
    return f"'{text}" if text.startswith(_BEGIN_FORMULAS) else text
