"""The figures in print: one column a mode for people, JSON for machines."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import JsonValue

from memory.management.evaluation.columns import Column as AnyColumn
from memory.management.evaluation.recall.conversations import Conversation
from memory.management.evaluation.recall.outcome import Cost, Outcome
from memory.management.evaluation.recall.score import MEASURES, Figure, Score, has_all
from memory.management.evaluation.shares import aligned


class Column(AnyColumn[Conversation, Outcome]):
    """One mode, with the figures of the conversations so far."""

    @property
    def score(self) -> Score:
        """The figures of what was read so far."""
        return Score(self.read)


REMARK = (
    "recall@k: a chat of the evidence is among the first k; all@5: every one is among the first five. Behind the comma "
    "95 % of a\nbootstrap over the conversations (over the questions, where there is one conversation)."
)


def table(columns: Sequence[Column]) -> str:
    """The figures side by side."""
    scores = [column.score for column in columns]
    rows = [["", *(column.route or "(not asked)" for column in columns)]]
    rows.append(["conversations read", *(f"{len(column.read):,}" for column in columns)])
    for kind in (None, *_kinds(scores)):
        for measure in MEASURES:
            label = measure if kind is None else f"{kind}, {measure}"
            rows.append([label, *(_shown(score.figure(measure, kind=kind)) for score in scores)])
    rows += [[label, *(shown(score) for score in scores)] for label, shown in _ROWS]
    return aligned(rows)


def _kinds(scores: Sequence[Score]) -> list[str]:
    """Every kind of question; none where there is one only."""
    kinds = list(dict.fromkeys(kind for score in scores for kind in score.kinds))
    return kinds if len(kinds) > 1 else []


def _shown(figure: Figure) -> str:
    """As "50.0 % (1 of 2), 20.1 to 73.0"."""
    if figure.interval is None:
        return str(figure.share)
    return f"{figure.share}, {figure.interval.low * 100:.1f} to {figure.interval.high * 100:.1f}"


def _ms(cost: Cost) -> str:
    return f"{cost.seconds / cost.count * 1_000:,.1f}" if cost.count else "-"


def _each(number: int, cost: Cost) -> str:
    return f"{number / cost.count:,.1f}" if cost.count else "-"


_ROWS: Sequence[tuple[str, Callable[[Score], str]]] = (
    ("unrelated, yet something came", lambda score: _shown(score.injected)),
    ("chats not read", lambda score: str(score.unread)),
    ("messages not looked for", lambda score: str(score.unsearched)),
    ("ms a chat", lambda score: _ms(score.learning)),
    ("texts embedded a chat", lambda score: _each(score.learning.embedded, score.learning)),
    ("answers of a model", lambda score: f"{score.learning.answers + score.searching.answers:,}"),
    ("input tokens", lambda score: f"{score.learning.input_tokens + score.searching.input_tokens:,}"),
    ("output tokens", lambda score: f"{score.learning.output_tokens + score.searching.output_tokens:,}"),
    ("ms a message", lambda score: _ms(score.searching)),
    ("texts embedded a message", lambda score: _each(score.searching.embedded, score.searching)),
)


def mistakes(column: Column) -> Iterator[str]:
    """One line for each question whose evidence is not all among the first five, and each unrelated message with
    something."""
    for given, outcome in column.read:
        for question, answered in zip(given.questions, outcome.answered, strict=True):
            if not has_all(question, answered):
                came = answered.failure or ", ".join(answered.found.get(5, ())) or "nothing"
                wanted = ", ".join(question.evidence)
                yield f"{given.id}, {question.id} ({question.kind}): expected {wanted}; came {came}: {question.message}"
        for message, injected in zip(given.unrelated, outcome.injected, strict=True):
            if injected:
                yield f"{given.id}, unrelated: something came: {message}"


def as_json(columns: Sequence[Column]) -> JsonValue:
    """Everything, one object a mode."""
    return [
        {
            "mode": column.route,
            "complete": len(column.read) == column.total,
            **_figures(column.score),
            "conversations": [outcome.model_dump(mode="json") for _, outcome in column.read],
        }
        for column in columns
    ]


def _figures(score: Score) -> dict[str, JsonValue]:
    by_kind: dict[str, JsonValue] = {kind: _measures(score, kind) for kind in score.kinds}
    return {
        **_measures(score, None),
        "kinds": by_kind,
        "unrelated_injected": _figure(score.injected),
        "chats_not_read": score.unread,
        "messages_not_searched": score.unsearched,
        "learning": score.learning.model_dump(mode="json"),
        "searching": score.searching.model_dump(mode="json"),
    }


def _measures(score: Score, kind: str | None) -> dict[str, JsonValue]:
    return {measure.replace("@", "_at_"): _figure(score.figure(measure, kind=kind)) for measure in MEASURES}


def _figure(figure: Figure) -> JsonValue:
    ratio, between = figure.share.ratio, figure.interval
    return {
        "right": figure.share.right,
        "of": figure.share.total,
        "share": None if ratio is None else round(ratio, 4),
        "interval": None if between is None else [round(between.low, 4), round(between.high, 4)],
    }
