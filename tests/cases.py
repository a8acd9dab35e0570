"""The case files: inputs that broke other systems, each with the right outcome. Names are mapped here, in one place."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management.color import no_style
from django.db import connection

from memory.models import AuditRow, Cursor, ExtractCursor, PersonalFact

OWN = Path(__file__).resolve().parent / "data" / "cases"
LAID_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "cases"
FOLDER = LAID_BESIDE if LAID_BESIDE.is_dir() else OWN
"""Our copy, or a newer set laid beside the checkout."""

AWAITED: frozenset[str] = frozenset()
"""Cases of a newer set that the product does not meet yet: run all the same, their failures are reported as expected.

Whoever meets one takes its number out here, and its file into our copy.
"""


_ABOUT_THE_READING = ("memory.fact.extract_failed", "memory.fact.claims_refused")
"""Rows about how a chat was read, beside those of the facts."""


@dataclass(frozen=True)
class Case:
    """One file, long texts written out."""

    id: str
    kind: str
    given: dict[str, Any]
    expect: dict[str, Any]

    @property
    def clock(self) -> datetime:
        return moment(self.given["clock"])


def of_kind(kind: str) -> Any:
    """Every case of a kind, as parameters of a test."""
    cases = [case for case in map(_read, sorted(FOLDER.glob("*.json"))) if case.kind == kind]
    cases = [case for case in cases if case.id.split("-")[0] not in OF_THEIR_OWN]
    return pytest.mark.parametrize("case", [_parameter(case) for case in cases])


def one(id_: str) -> Case:
    """The case with this id, for a test of its own."""
    (path,) = FOLDER.glob(f"{id_}*.json")
    return _read(path)


OF_THEIR_OWN = frozenset({"H46", "H50", "H51", "H53", "H55", "H56", "H57", "H58", "H59", "H60", "H61"})
"""Cases told as a story, each with a test of its own (`one`)."""


def _parameter(case: Case) -> Any:
    awaited = pytest.mark.xfail(reason="not met yet", strict=False)
    marks = [awaited] if case.id.split("-")[0] in AWAITED else []
    return pytest.param(case, id=case.id, marks=marks)


def _read(path: Path) -> Case:
    raw = json.loads(path.read_text(encoding="utf-8"))
    return Case(raw["id"], raw["kind"], _expanded(raw["given"]), _expanded(raw["expect"]))


def _expanded(value: Any) -> Any:
    if isinstance(value, list):
        return [_expanded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$repeat"}:
        text, times = value["$repeat"]
        return text * times
    if set(value) == {"$concat"}:
        return "".join(_expanded(part) for part in value["$concat"])
    return {key: _expanded(item) for key, item in value.items()}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def prepare(case: Case, *, cursor: type[Cursor] = ExtractCursor) -> None:
    """Put the rows of `given` into the tables as they are."""
    given = case.given
    if "cursor_before" in given:
        cursor.current()
        cursor._default_manager.update(last_audit_id=given["cursor_before"])
    facts = given.get("facts_before", [])
    _insert_audit_rows(case, facts)
    _count_on_from_the_highest_id()
    for fact in facts:
        PersonalFact.objects.create(
            key=fact["key"],
            value=fact["value"],
            confidence=fact["confidence"],
            first_seen_at=moment(fact.get("first_seen_at", fact["last_confirmed_at"])),
            last_confirmed_at=moment(fact["last_confirmed_at"]),
            source_audit_id=fact.get("source_audit_id"),
        )


def _count_on_from_the_highest_id() -> None:
    """PostgreSQL does not notice ids that were given: what is written next must come after them."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [AuditRow]):
            cursor.execute(statement)


def _insert_audit_rows(case: Case, facts: list[dict[str, Any]]) -> None:
    for row in case.given.get("audit_before", []):
        AuditRow.objects.bulk_create(
            [AuditRow(id=row["id"], event_type=row["event_type"], ts=moment(row["created_at"]), payload=row["payload"])]
        )
    for number in {fact.get("source_audit_id") for fact in facts} - {None}:
        if not AuditRow.objects.filter(pk=number).exists():
            AuditRow.objects.bulk_create([AuditRow(id=number, event_type="chat.completed", ts=case.clock)])


def new_rows(after: int) -> list[AuditRow]:
    """The audit rows written after the row with that id, in order."""
    return list(AuditRow.objects.filter(id__gt=after).order_by("id"))


def last_row_id() -> int:
    return AuditRow.objects.order_by("-id").values_list("id", flat=True).first() or 0


def everything_stored() -> str:
    """All text of all tables, for what must be nowhere."""
    facts = [f"{fact.key} {fact.value}" for fact in PersonalFact.objects.all()]
    rows = [
        json.dumps(row.payload, ensure_ascii=False) + (row.fact_key or "")
        for row in AuditRow.objects.exclude(event_type="chat.completed")
    ]
    return "\n".join([*facts, *rows, ExtractCursor.current().last_error])


def fact_matches(wanted: dict[str, Any]) -> bool:
    """Whether a fact with the named columns is in the table; `value_in` and the like are alternatives."""
    fact = PersonalFact.objects.filter(key=wanted["key"]).first()
    if fact is None:
        return False
    for column, value in wanted.items():
        if column.endswith("_in"):
            if getattr(fact, column.removesuffix("_in")) not in value:
                return False
        elif column.endswith("_at"):
            if getattr(fact, column) != moment(value):
                return False
        elif getattr(fact, column) != value:
            return False
    return True


def check_tables(expect: dict[str, Any], *, rows: list[AuditRow]) -> None:
    """The parts of `expect` that speak of facts, audit rows and the cursor."""
    if "facts" in expect:
        assert sorted(PersonalFact.objects.values_list("key", flat=True)) >= sorted(f["key"] for f in expect["facts"])
        optional = _optional_keys(expect)
        stored = {fact.key for fact in PersonalFact.objects.all()} - optional
        assert stored == {fact["key"] for fact in expect["facts"]}
    for wanted in [*expect.get("facts", []), *expect.get("facts_include", [])]:
        assert fact_matches(wanted), f"{wanted} is not among {list(PersonalFact.objects.values())}"
    if "row_count" in expect:
        assert PersonalFact.objects.count() == expect["row_count"]
    if "cursor" in expect:
        assert ExtractCursor.current().last_audit_id == expect["cursor"]
    _check_rows(expect, rows)
    for words in expect.get("never_stored", []):
        assert words not in everything_stored()


def _optional_keys(expect: dict[str, Any]) -> set[str]:
    """Keys that `accept` allows beside the named ones: "KEY may also be stored, ..."."""
    return {text.split(" ")[0] for text in expect.get("accept", []) if " may also be stored" in text}


def _check_rows(expect: dict[str, Any], rows: list[AuditRow]) -> None:
    kinds = [row.event_type for row in rows]
    if "audit" in expect:
        facts_only = [row for row in rows if row.event_type not in _ABOUT_THE_READING]
        assert [row.event_type for row in facts_only] == [wanted["event_type"] for wanted in expect["audit"]]
        for row, wanted in zip(facts_only, expect["audit"], strict=True):
            assert contains(row, wanted)
    for wanted in expect.get("audit_has", []):
        assert any(contains(row, wanted) for row in rows)
    for kind in expect.get("audit_never", []):
        assert kind not in kinds
    for kind, count in expect.get("audit_count", {}).items():
        allowed = {int(word.strip("(),")) for word in str(count).split() if word.strip("(),").isdigit()}
        assert kinds.count(kind) in allowed


def contains(row: AuditRow, wanted: dict[str, Any]) -> bool:
    """Whether a row has the type and, somewhere in its payload, the values."""
    payload = json.dumps(row.payload, ensure_ascii=False)
    return row.event_type == wanted["event_type"] and all(
        text in payload for text in wanted.get("payload_contains", [])
    )
