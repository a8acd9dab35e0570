"""What tokens cost, by the prices that are set (`CAESAR_LLM__PRICES`), and what each model was asked this month."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from caesar.setting_types import ModelPrice
from dashboard.language_models.answered import LastAnswer
from memory.model_servers import TITLES
from memory.models import UsedOn

_A_MILLION = 1_000_000
_DATE = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")
"""The end of a model's name by which providers tell its editions apart."""


@dataclass(frozen=True)
class ModelMonth:
    """What one model did this month, for which tasks. `cost` is None where it has no price."""

    model: str
    tasks: Sequence[str]
    calls: int
    input_tokens: int
    output_tokens: int
    unreported: int
    cost: float | None


@dataclass(frozen=True)
class Month:
    """This month by model, the most tokens first. `cost`: the sum of those with a price, None where none has one."""

    first_day: date
    models: Sequence[ModelMonth]
    cost: float | None
    unpriced: Sequence[str]


def price_of(model: str) -> ModelPrice | None:
    """The price of a model, as it is named or without the date at the end of its name; None where none is set."""
    prices = {price.model: price for price in settings.CAESAR.llm.prices}
    return prices.get(model) or prices.get(_DATE.sub("", model))


def cost_of(rows: Iterable[UsedOn], model: str) -> float | None:
    """What these tokens of a model cost; None where it has no price."""
    price = price_of(model)
    if price is None:
        return None
    tokens = ((row.input_tokens * price.input + row.output_tokens * price.output) for row in rows)
    return sum(tokens) / _A_MILLION


def this_month(used: Sequence[UsedOn], answers: Mapping[str, LastAnswer], now: datetime) -> Month:
    """The month so far. The tally is kept by task: a task's tokens stand with the model that answered it last."""
    first = first_day_of_month(now)
    by_model: dict[str, list[UsedOn]] = {}
    for row in used:
        if row.day >= first:
            answer = answers.get(row.task)
            by_model.setdefault(answer.model if answer else "", []).append(row)
    models = [_model_month(model, rows) for model, rows in by_model.items()]
    models.sort(key=lambda one: -(one.input_tokens + one.output_tokens))
    costs = [one.cost for one in models if one.cost is not None]
    return Month(first, models, sum(costs) if costs else None, [one.model for one in models if one.cost is None])


def first_day_of_month(now: datetime) -> date:
    """The first day of the month in the operator's zone."""
    return settings.CAESAR.day_of(now).replace(day=1)


def _model_month(model: str, rows: Sequence[UsedOn]) -> ModelMonth:
    titles = [title for task, title in TITLES.items() if any(row.task == task for row in rows)]
    return ModelMonth(
        model,
        titles,
        sum(row.calls for row in rows),
        sum(row.input_tokens for row in rows),
        sum(row.output_tokens for row in rows),
        sum(row.unreported for row in rows),
        cost_of(rows, model),
    )
