"""The figures in print: one column a model for people, JSON for machines."""

from collections.abc import Callable, Sequence

from pydantic import JsonValue

from memory.management.evaluation.columns import Column as AnyColumn
from memory.management.evaluation.facts.cases import Case
from memory.management.evaluation.facts.outcome import Outcome
from memory.management.evaluation.facts.score import (
    Score,
    forbidden_facts,
    matched,
    missed_retirements,
    outdated_keys,
    wrong_retirements,
)
from memory.management.evaluation.shares import Share, aligned


class Column(AnyColumn[Case, Outcome]):
    """One model, with the score of what it made of the cases so far."""

    @property
    def score(self) -> Score:
        """The figures of what was read so far."""
        score = Score()
        for case, outcome in self.read:
            score.add(case, outcome)
        return score


def table(columns: Sequence[Column]) -> str:
    """The figures side by side."""
    scores = [column.score for column in columns]
    rows = [["", *(column.route or "(not asked)" for column in columns)]]
    rows += [[label, *(shown(score) for score in scores)] for label, shown in _ROWS]
    for reason in sorted({reason for score in scores for reason in score.refused}):
        rows.append([f"refused: {reason}", *(str(score.refused[reason]) for score in scores)])
    return aligned(rows)


def _right(share: Share) -> str:
    return f"{share.right} of {share.total}" if share.total else "-"


def _tokens(score: Score, count: int) -> str:
    return "-" if score.unreported == score.answers else f"{count:,}"


_ROWS: Sequence[tuple[str, Callable[[Score], str]]] = (
    ("cases read", lambda score: f"{score.cases:,}"),
    ("recall, value and key", lambda score: str(score.strict)),
    ("recall, value alone", lambda score: str(score.lenient)),
    ("precision, value and key", lambda score: str(score.precise_strictly)),
    ("precision, value alone", lambda score: str(score.precise)),
    ("forbidden facts learned", lambda score: str(score.forbidden)),
    ("nothing where nothing was", lambda score: _right(score.empty)),
    ("updates right", lambda score: _right(score.updates)),
    ("confirmations right", lambda score: _right(score.confirms)),
    ("retirements right", lambda score: _right(score.retirements)),
    ("retired wrongly", lambda score: str(score.retired_wrongly)),
    ("unusable entries", lambda score: str(score.unusable)),
    ("chats not read", lambda score: str(score.failed)),
    ("answers", lambda score: f"{score.answers:,}"),
    ("answers without a count", lambda score: f"{score.unreported:,}"),
    ("input tokens", lambda score: _tokens(score, score.input_tokens)),
    ("output tokens", lambda score: _tokens(score, score.output_tokens)),
    ("seconds", lambda score: f"{score.seconds:,.1f}"),
    ("seconds a chat", lambda score: f"{score.seconds / score.cases:.2f}" if score.cases else "-"),
)


def mistakes(column: Column) -> list[str]:
    """One line for each case in which something is wrong."""
    found = ((case.id, _mistakes(case, outcome)) for case, outcome in column.read)
    return [f"{name}: {'; '.join(wrong)}" for name, wrong in found if wrong]


def _mistakes(case: Case, outcome: Outcome) -> list[str]:
    matches = matched(case.gold, outcome.learned)
    found = [f"not read: {outcome.failure}"] * bool(outcome.failure)
    for gold, match in zip(case.gold, matches, strict=True):
        if match is None:
            found.append(f"missed {gold.value_any[0]!r}")
        elif not match.is_strict:
            found.append(f"{match.fact.value!r} under {match.fact.key}, expected {gold.key_any[0]}")
        if gold.op == "update":
            found += [f"{key} is still {outcome.kept[key]!r}" for key in outdated_keys(gold, outcome)]
    forbidden = forbidden_facts(case, outcome)
    found += [f"forbidden {fact.key}={fact.value!r}" for fact in forbidden]
    known = [*(match.fact for match in matches if match is not None), *forbidden]
    found += [f"also learned {fact.key}={fact.value!r}" for fact in outcome.learned if fact not in known]
    found += [f"{pattern} did not end" for pattern in missed_retirements(case, outcome)]
    return found + [f"{key} ended" for key in wrong_retirements(case, outcome)]


def as_json(columns: Sequence[Column]) -> JsonValue:
    """Everything, one object a model. A case's `facts` are in the form of a prediction."""
    return [
        {
            "route": column.route,
            "complete": len(column.read) == column.total,
            **_figures(column.score),
            "cases": [_case(outcome) for _, outcome in column.read],
        }
        for column in columns
    ]


def _figures(score: Score) -> dict[str, JsonValue]:
    return {
        "cases_read": score.cases,
        "gold": score.strict.total,
        "predicted": score.precise.total,
        "recall_strict": _rounded(score.strict.ratio),
        "recall_lenient": _rounded(score.lenient.ratio),
        "precision_strict": _rounded(score.precise_strictly.ratio),
        "precision_lenient": _rounded(score.precise.ratio),
        "forbidden_stored": score.forbidden,
        "stayed_empty_when_it_should": _counts(score.empty),
        "updates": _counts(score.updates),
        "confirms": _counts(score.confirms),
        "retirements": _counts(score.retirements),
        "retired_wrongly": score.retired_wrongly,
        "refused": dict(score.refused),
        "unusable_entries": score.unusable,
        "failed": score.failed,
        "answers": score.answers,
        "answers_without_count": score.unreported,
        "input_tokens": score.input_tokens,
        "output_tokens": score.output_tokens,
        "seconds": round(score.seconds, 3),
    }


def _counts(share: Share) -> dict[str, JsonValue]:
    return {"right": share.right, "of": share.total}


def _rounded(ratio: float | None) -> float | None:
    return None if ratio is None else round(ratio, 3)


def _case(outcome: Outcome) -> JsonValue:
    facts: JsonValue = [fact.model_dump() for fact in outcome.learned]
    return {
        "id": outcome.id,
        "facts": facts,
        "retired": list(outcome.retired),
        "failure": outcome.failure,
        "seconds": round(outcome.seconds, 3),
    }
