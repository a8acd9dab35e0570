"""Several small questions in one query: each a column of the one row that always exists."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Func, QuerySet, Subquery

from memory.models import LearningSwitch


def read_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The answers by name, and `paused_at` of the switch they hang on. One query, three after a flush."""
    switch: QuerySet[LearningSwitch, Any] = LearningSwitch._default_manager.filter(pk=1).values("paused_at")
    asked = switch.annotate(**columns)
    row = asked.first()
    if row is None:
        LearningSwitch.current()
        row = asked.get()
    return dict(row)


def count_of(rows: QuerySet[Any, Any]) -> Subquery:
    """How many `rows` there are."""
    return Subquery(rows.order_by().annotate(counted=Func(F("pk"), function="COUNT")).values("counted"))
