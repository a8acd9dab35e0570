"""The rows of the timeline as a file: JSON lines or CSV, written row by row, however many there are."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings

from memory.models import AuditRow
from memory.text.lines import encodable

_BYTE_ORDER_MARK = "\ufeff"
"""Without it, spreadsheets take a file for one in their country's old encoding."""
_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that spreadsheets run as a formula."""
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
    """A heading, then one line a row, its payload as JSON. No cell is a formula."""
    yield _BYTE_ORDER_MARK + _csv_line(_COLUMNS)
    for row in rows:
        values = {**_values(row), "payload": json.dumps(row.payload, ensure_ascii=False)}
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


def _csv_line(cells: Iterable[str]) -> str:
    """Cells as one line. One that a spreadsheet would run gets an apostrophe before it, which shows it as text."""
    line = io.StringIO()
    csv.writer(line).writerow([f"'{cell}" if cell.startswith(_BEGIN_FORMULAS) else cell for cell in cells])
    return line.getvalue()
