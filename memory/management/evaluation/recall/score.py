"""The figures of one mode: how many questions brought back their evidence, and how many messages something. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.management.evaluation.recall.conversations import Conversation, Question
from memory.management.evaluation.recall.intervals import Interval, interval
from memory.management.evaluation.recall.outcome import Answered, Cost, Outcome
from memory.management.evaluation.shares import Share

Read = Sequence[tuple[Conversation, Outcome]]


def _any_of(size: int) -> Callable[[Question, Answered], bool]:
    return lambda question, answered: bool(set(question.evidence) & set(answered.found.get(size, ())))


def has_all(question: Question, answered: Answered) -> bool:
    """Whether every chat of the evidence is among the first five."""
    return set(question.evidence) <= set(answered.found.get(5, ()))


MEASURES: Mapping[str, Callable[[Question, Answered], bool]] = {
    "recall@1": _any_of(1),
    "recall@3": _any_of(3),
    "recall@5": _any_of(5),
    "all@5": has_all,
}
"""recall@k: a chat of the evidence is among the first k. all@5: every one is among the first five."""


class Figure(NamedTuple):
    """A share, and its interval; None where there is too little to tell."""

    share: Share
    interval: Interval | None


@dataclass(frozen=True)
class Score:
    """The figures of the conversations that were read."""

    read: Read

    @property
    def kinds(self) -> list[str]:
        """The kinds of questions, in the order of the file."""
        return list(dict.fromkeys(question.kind for given, _ in self.read for question in given.questions))

    def figure(self, measure: str, *, kind: str | None = None) -> Figure:
        """One of `MEASURES`, of all questions or of one kind."""
        holds = MEASURES[measure]
        return _figure(
            [
                [
                    holds(question, answered)
                    for question, answered in zip(given.questions, outcome.answered, strict=True)
                    if kind in (None, question.kind)
                ]
                for given, outcome in self.read
            ]
        )

    @property
    def injected(self) -> Figure:
        """The unrelated messages for which something came back."""
        return _figure([outcome.injected for _, outcome in self.read])

    @property
    def learning(self) -> Cost:
        """What reading the chats cost."""
        return sum((outcome.learning for _, outcome in self.read), Cost())

    @property
    def searching(self) -> Cost:
        """What the searches cost."""
        return sum((outcome.searching for _, outcome in self.read), Cost())

    @property
    def unread(self) -> int:
        """The chats that could not be read."""
        return sum(outcome.unread for _, outcome in self.read)

    @property
    def unsearched(self) -> int:
        """The messages that could not be looked for; they count as missed."""
        return sum(outcome.unsearched for _, outcome in self.read)


def _figure(by_conversation: Sequence[Sequence[bool]]) -> Figure:
    """The share of all; its interval over conversations, or over what a single conversation holds."""
    several = len(by_conversation) > 1
    units = by_conversation if several else [[right] for rights in by_conversation for right in rights]
    shares = [Share(sum(rights), len(rights)) for rights in units]
    total = Share(sum(share.right for share in shares), sum(share.total for share in shares))
    return Figure(total, interval(shares))
