"""Template filters of the page of models."""

from collections.abc import Mapping

from django import template

from dashboard.language_models.answered import LastAnswer

register = template.Library()


@register.filter
def money(amount: float) -> str:
    """A sum in the currency of the prices: "12.40"; "under 0.01" where that would be 0.00."""
    return "under 0.01" if 0 < amount < 0.01 else f"{amount:,.2f}"


@register.filter
def of_task(answers: Mapping[str, LastAnswer], task: str) -> LastAnswer | None:
    """The last answer of this task."""
    return answers.get(task)
