"""`manage.py calibrate`: what a similarity threshold does to the operator's own chats, and which one fits them."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.llm import LLMError, embedder_model, embedder_route
from memory.recall import calibration, retrieval
from memory.recall.calibration import (
    BIN_WIDTH,
    MAX_FALSE_POSITIVE_RATE,
    MIN_RELATED_PAIRS,
    MIN_UNRELATED_PAIRS,
    Cosines,
    Sample,
)

SAMPLE = 500
SETTING = "CAESAR_MEMORY__EPISODES_RECALL__SIMILARITY_THRESHOLD"
_SHOWN_THRESHOLDS = [hundredths / 100 for hundredths in range(15, 61, 5)]
_BAR_WIDTH = 30
_LEAST_KEPT = 0.5


class Command(BaseCommand):
    """Prints how similar chats are to their own summaries and to those of others. Calls the embedder, changes nothing.

    It recommends the threshold that keeps most related pairs among those that let in at most 1 % of unrelated pairs;
    of equal ones the highest.
    """

    help = "Measure on your own chats which similarity threshold tells related from unrelated ones. Changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many chats."""
        parser.add_argument(
            "--sample", type=_count, default=SAMPLE, metavar="N", help=f"the newest N chats (default: {SAMPLE})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Sample, measure, print."""
        try:
            embedder_route()
            self.stdout.write(_report(calibration.load_samples(options["sample"])))
        except LLMError as error:
            raise CommandError(f"{error} Nothing was changed.") from None


def _report(sampled: Sequence[Sample]) -> str:
    """The whole report, or that there are too few chats; then the embedder is not called. Raises `LLMError`."""
    unrelated = calibration.unrelated_pairs([sample.conversation for sample in sampled])
    if _are_too_few(len(sampled), len(unrelated)):
        return _too_few(len(sampled), len(unrelated))
    cosines = calibration.measure(sampled)
    if _are_too_few(cosines.related.size, cosines.unrelated.size):
        return _too_few(cosines.related.size, cosines.unrelated.size)
    return "\n\n".join([_heading(cosines), _histogram(cosines), _table(cosines), _recommendation(cosines)])


def _are_too_few(related: int, unrelated: int) -> bool:
    return related < MIN_RELATED_PAIRS or unrelated < MIN_UNRELATED_PAIRS


def _count(words: str) -> int:
    if not words.isdecimal() or not 1 <= int(words) <= 100_000:
        raise ArgumentTypeError("must be a whole number from 1 to 100000")
    return int(words)


def _too_few(related: int, unrelated: int) -> str:
    return (
        f"Too few to judge: {related} chats with a summary make {unrelated} unrelated pairs; it takes at least "
        f"{MIN_RELATED_PAIRS} chats and {MIN_UNRELATED_PAIRS} pairs of different conversations. manage.py run_batch "
        "summarise --all sums up the chats that wait."
    )


def _heading(cosines: Cosines) -> str:
    return (
        f"Embedder {embedder_model()}.\n"
        f"related: the newest message of a chat with the chat's own summary, {cosines.related.size:,} pairs\n"
        f"unrelated: the same messages with summaries of other conversations, {cosines.unrelated.size:,} pairs"
    )


def _histogram(cosines: Cosines) -> str:
    bins = calibration.histogram(cosines)
    full = max(max(part.related, part.unrelated) for part in bins)
    lines = [f"{'cosine':<14}  {'related':<{_BAR_WIDTH + 7}}  unrelated"]
    for part in bins:
        edges = f"{part.low:5.2f} .. {part.low + BIN_WIDTH:5.2f}"
        lines.append(f"{edges:<14}  {_bar(part.related, full)}  {_bar(part.unrelated, full)}".rstrip())
    return "\n".join(lines)


def _bar(share: float, full: float) -> str:
    """A share as a bar with its percentage. `full` fills the bar; any share above 0 has at least one mark."""
    marks = max(round(share / full * _BAR_WIDTH), 1) if share else 0
    return f"{'#' * marks:<{_BAR_WIDTH}} {_percent(share) if share else '':>6}"


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def _table(cosines: Cosines) -> str:
    lines = ["threshold  related kept  unrelated let in"]
    for threshold in _SHOWN_THRESHOLDS:
        kept = _percent(cosines.true_positive_rate(threshold))
        let_in = _percent(cosines.false_positive_rate(threshold))
        lines.append(f"{threshold:9.2f}  {kept:>12}  {let_in:>16}")
    return "\n".join(lines)


def _recommendation(cosines: Cosines) -> str:
    now_set = retrieval.in_force(settings.CAESAR.memory.episodes_recall, now=timezone.now())
    in_force = retrieval.similarity_threshold(now_set).base
    lines = [f"In force now: {in_force:g}, which {_effect(cosines, in_force)}."]
    chosen = cosines.best_threshold()
    if chosen is None:
        return "\n".join([*lines, "No threshold would do: unrelated chats are as similar as can be."])
    lines.append(
        f"Would choose: {chosen:.2f}, which {_effect(cosines, chosen)}: of the thresholds that let in at most "
        f"{MAX_FALSE_POSITIVE_RATE * 100:g} % the one that keeps most."
    )
    if cosines.true_positive_rate(chosen) < _LEAST_KEPT:
        lines.append("That keeps little: this embedder hardly tells your chats apart. Consider another one.")
    return "\n".join([*lines, _REMARK, f"To use it: {SETTING}={chosen:.2f}", "Nothing was changed."])


_REMARK = (
    "A question asked days later is less like a summary than the message that was summed up: expect less to be kept.\n"
    "A message meets every episode of the window: 1 % of 300 unrelated ones is 3, and the best of all take the places."
)


def _effect(cosines: Cosines, threshold: float) -> str:
    kept, let_in = cosines.true_positive_rate(threshold), cosines.false_positive_rate(threshold)
    return f"keeps {_percent(kept)} and lets in {_percent(let_in)}"
