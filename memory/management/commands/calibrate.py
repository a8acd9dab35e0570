"""`manage.py calibrate`: what a similarity threshold, or a gate, does to the operator's own chats, and which fits."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.llm import LLMError, embedder_model, embedder_route
from memory.recall import calibration, gate_calibration, retrieval
from memory.recall.calibration import (
    BIN_WIDTH,
    MAX_FALSE_POSITIVE_RATE,
    MIN_RELATED_PAIRS,
    MIN_UNRELATED_PAIRS,
    Cosines,
    Pairs,
    Sample,
)
from memory.recall.gate_calibration import MAX_OPENED_FOR_NOTHING, GateValues

SAMPLE = 500
SETTING = "CAESAR_MEMORY__EPISODES_RECALL__SIMILARITY_THRESHOLD"
GATE_SETTING = "CAESAR_MEMORY__EPISODES_RECALL__GATE"
_SHOWN_GATES = [hundredths / 100 for hundredths in range(8, 41, 4)]
_SHOWN_THRESHOLDS = [hundredths / 100 for hundredths in range(15, 61, 5)]
_BAR_WIDTH = 30
_LEAST_KEPT = 0.5


class Command(BaseCommand):
    """Prints how similar chats are to their own summaries and to those of others. Calls the embedder, changes nothing.

    It recommends the threshold that keeps most related pairs among those that let in at most 1 % of unrelated pairs;
    of equal ones the highest. In mode `hybrid`, how near messages come to chats, and a gate.
    """

    help = (
        "Measure on your own chats which similarity threshold, or in mode hybrid which gate, tells related from "
        "unrelated ones. Changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many chats, and for which mode of recall."""
        parser.add_argument(
            "--sample", type=_count, default=SAMPLE, metavar="N", help=f"the newest N chats (default: {SAMPLE})"
        )
        parser.add_argument(
            "--mode", choices=("record", "hybrid"), help="the mode of recall to measure for (default: the one in force)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Sample, measure, print."""
        try:
            embedder_route()
            mode = options["mode"] or settings.CAESAR.memory.episodes_recall.mode
            self.stdout.write(_gate_report(options["sample"]) if mode == "hybrid" else _report(options["sample"]))
        except LLMError as error:
            raise CommandError(f"{error} Nothing was changed.") from None


def _report(count: int) -> str:
    """The whole report, or that there are too few chats; then the embedder is not called. Raises `LLMError`."""
    sampled = calibration.load_samples(count)
    if problem := _too_few(_CHATS_WITH_A_SUMMARY, len(sampled), _unrelated_count(sampled)):
        return problem
    cosines = calibration.measure(sampled)
    if problem := _too_few(_CHATS_WITH_A_SUMMARY, cosines.related.size, cosines.unrelated.size):
        return problem
    return "\n\n".join([_heading(cosines), _histogram(cosines, "cosine"), _table(cosines), _recommendation(cosines)])


def _gate_report(count: int) -> str:
    """The same for mode `hybrid`. Raises `LLMError`."""
    sampled = calibration.load_content_samples(count)
    if problem := _too_few(_CHATS_TAKEN_UP, len(sampled), _unrelated_count(sampled)):
        return problem
    values = gate_calibration.measure(sampled, settings.CAESAR.zone)
    if problem := _too_few(_CHATS_TAKEN_UP, values.related.size, values.unrelated.size):
        return problem
    return "\n\n".join(
        [_gate_heading(values), _histogram(values, "nearness"), _gate_table(values), _gate_recommendation(values)]
    )


def _unrelated_count(sampled: Sequence[Sample]) -> int:
    return len(calibration.unrelated_pairs([sample.conversation for sample in sampled]))


def _are_too_few(related: int, unrelated: int) -> bool:
    return related < MIN_RELATED_PAIRS or unrelated < MIN_UNRELATED_PAIRS


def _count(words: str) -> int:
    if not words.isdecimal() or not 1 <= int(words) <= 100_000:
        raise ArgumentTypeError("must be a whole number from 1 to 100000")
    return int(words)


class _Chats(NamedTuple):
    """What chats are called in a report, and how there come to be more of them."""

    name: str
    cure: str


_CHATS_WITH_A_SUMMARY = _Chats(
    "chats with a summary", "manage.py run_batch summarise --all sums up the chats that wait."
)
_CHATS_TAKEN_UP = _Chats("chats that mode hybrid searches", "manage.py reembed takes up those that are summed up.")


def _too_few(chats: _Chats, related: int, unrelated: int) -> str:
    """That there are too few to judge, with the cure; "" where there are enough."""
    if not _are_too_few(related, unrelated):
        return ""
    return (
        f"Too few to judge: {related} {chats.name} make {unrelated} unrelated pairs; it takes at least "
        f"{MIN_RELATED_PAIRS} chats and {MIN_UNRELATED_PAIRS} pairs of different conversations. {chats.cure}"
    )


def _heading(cosines: Cosines) -> str:
    return (
        f"Embedder {embedder_model()}.\n"
        f"related: the newest message of a chat with the chat's own summary, {cosines.related.size:,} pairs\n"
        f"unrelated: the same messages with summaries of other conversations, {cosines.unrelated.size:,} pairs"
    )


def _histogram(pairs: Pairs, name: str) -> str:
    bins = calibration.histogram(pairs)
    full = max(max(part.related, part.unrelated) for part in bins)
    lines = [f"{name:<14}  {'related':<{_BAR_WIDTH + 7}}  unrelated"]
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
    return _advice(lines, _REMARK, SETTING, chosen)


def _advice(lines: Sequence[str], remark: str, setting: str, chosen: float) -> str:
    return "\n".join([*lines, remark, f"To use it: {setting}={chosen:.2f}", "Nothing was changed."])


_REMARK = (
    "A question asked days later is less like a summary than the message that was summed up: expect less to be kept.\n"
    "A message meets every episode of the window: 1 % of 300 unrelated ones is 3, and the best of all take the places."
)


def _effect(cosines: Cosines, threshold: float) -> str:
    kept, let_in = cosines.true_positive_rate(threshold), cosines.false_positive_rate(threshold)
    return f"keeps {_percent(kept)} and lets in {_percent(let_in)}"


# --- mode hybrid --------------------------------------------------------------------------------------------------


def _gate_heading(values: GateValues) -> str:
    return (
        f"Mode hybrid, embedder {embedder_model()}, {values.conversations:,} conversations.\n"
        f"related: the newest message of a chat with the chat itself, {values.related.size:,} pairs\n"
        f"unrelated: the same messages with chats of other conversations, {values.unrelated.size:,} pairs"
    )


def _gate_table(values: GateValues) -> str:
    lines = ["gate  own chat reaches it  unrelated chat reaches it  opened by any other chat"]
    for gate in _SHOWN_GATES:
        own = _percent(values.true_positive_rate(gate))
        unrelated = _percent(values.false_positive_rate(gate))
        lines.append(f"{gate:.2f}  {own:>19}  {unrelated:>25}  {_percent(values.opened_rate(gate)):>24}")
    return "\n".join(lines)


def _gate_recommendation(values: GateValues) -> str:
    chosen_by_setting = settings.CAESAR.memory.episodes_recall.gate
    in_force = retrieval.measured_gate() if chosen_by_setting is None else chosen_by_setting
    lines = [f"In force now: {in_force:.4g}, which {_gate_effect(values, in_force)}."]
    chosen = values.best_gate()
    lines.append(
        f"Would choose: {chosen:.2f}, which {_gate_effect(values, chosen)}: of 100 messages that have to do with no "
        f"conversation, about {MAX_OPENED_FOR_NOTHING * 100:g} should reach it."
    )
    return _advice(lines, _GATE_REMARK, GATE_SETTING, chosen)


_GATE_REMARK = (
    "A chat holds its own message, so that it comes nearer to it than to a question asked days later.\n"
    "Some pairs of different conversations are about the same thing: the choice goes by the middle half of them."
)


def _gate_effect(values: GateValues, gate: float) -> str:
    own, unrelated = values.true_positive_rate(gate), values.false_positive_rate(gate)
    return f"{_percent(own)} of own chats and {_percent(unrelated)} of unrelated ones reach"
