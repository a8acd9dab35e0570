"""How the database would run a query, the same questions for SQLite and PostgreSQL."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

_SQLITE_STEP = re.compile(r"(SEARCH|SCAN) (\w+)(?: USING (COVERING )?(?:INDEX (\w+)|INTEGER PRIMARY KEY))?")


@dataclass
class QueryPlan:
    """What a query reads. `str()` of it is the database's own words."""

    words: str
    indexes: set[str] = field(default_factory=set)
    """Indexes read at all."""
    sought: set[str] = field(default_factory=set)
    """Those entered at a place, not at their first entry."""
    alone: set[str] = field(default_factory=set)
    """Those read without the table's rows."""
    scanned: set[str] = field(default_factory=set)
    """Tables read from end to end without an index."""
    sorts: bool = False
    """Everything found is sorted. Rows that come in the order of an index, ties aside, are not."""

    def __str__(self) -> str:
        return self.words


def query_plan(sql: str, parameters: Sequence[object] | None = None) -> QueryPlan:
    """The plan of a query.

    PostgreSQL reads a small table whole and sorts it, whatever indexes there are. So it is told that both are dear:
    it then does so only where no index can do without, which is what large tables would show.
    """
    return _sqlite_plan(sql, parameters) if connection.vendor == "sqlite" else _postgresql_plan(sql, parameters)


def _sqlite_plan(sql: str, parameters: Sequence[object] | None) -> QueryPlan:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + sql, parameters)
        steps = [str(row[-1]) for row in cursor.fetchall()]
    plan = QueryPlan(" / ".join(steps), sorts=any("TEMP B-TREE" in step for step in steps))
    for step in steps:
        read = _SQLITE_STEP.match(step)
        if read is None:
            continue
        how, table, covering, index = read.groups()
        if index is None:
            plan.scanned |= {table} if how == "SCAN" else set()
        else:
            plan.indexes.add(index)
            plan.sought |= {index} if how == "SEARCH" else set()
            plan.alone |= {index} if covering else set()
    return plan


def _postgresql_plan(sql: str, parameters: Sequence[object] | None) -> QueryPlan:
    with transaction.atomic(), connection.cursor() as cursor:
        for dear in ("seqscan", "bitmapscan", "sort"):
            cursor.execute(f"SET LOCAL enable_{dear} = off")
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql, parameters)
        (found,) = cursor.fetchone()
        for dear in ("seqscan", "bitmapscan", "sort"):
            cursor.execute(f"SET LOCAL enable_{dear} = on")
    plan = QueryPlan(json.dumps(found))
    for node in _nodes(found[0]["Plan"]):
        plan.scanned |= {node["Relation Name"]} if node["Node Type"] == "Seq Scan" else set()
        plan.sorts |= node["Node Type"] == "Sort"
        if "Index Name" in node:
            index = node["Index Name"]
            plan.indexes.add(index)
            plan.sought |= {index} if "Index Cond" in node else set()
            plan.alone |= {index} if node["Node Type"] == "Index Only Scan" else set()
    return plan


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)
