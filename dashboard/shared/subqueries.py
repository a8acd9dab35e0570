"""Many small questions asked in one query: each is a subquery, selected as a column of a row that always exists."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Func, QuerySet, Subquery

from memory.models import LearningSwitch


def read_subqueries(columns: Mapping[str, Any]) -> dict[str, Any]:
    """{name: the subquery's result}, and `paused_at` of the learning switch, whose row carries the columns.

    One query; three the first time after the tables were emptied.
    """
    switch: QuerySet[LearningSwitch, Any] = LearningSwitch._default_manager.filter(pk=1).values("paused_at")
    annotated = switch.annotate(**columns)
    row = annotated.first()
    if row is None:
        LearningSwitch.current()
        row = annotated.get()
    return dict(row)


def count_subquery(rows: QuerySet[Any, Any]) -> Subquery:
    """The number of `rows`, as a subquery."""
    return Subquery(rows.order_by().annotate(counted=Func(F("pk"), function="COUNT")).values("counted"))
