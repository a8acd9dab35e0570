"""What memory put into a prompt, in one sentence. Pure."""

from collections.abc import Sequence

from dashboard.shared.receipts.candidates import Candidate, RecallTerms
from dashboard.shared.score_words import gap_words, is_open, reached

_PART_NAMES = {"episodes": "past conversations", "facts": "facts"}


def head_line(
    candidates: Sequence[Candidate],
    terms: RecallTerms,
    *,
    facts: int,
    left_out: Sequence[str] = (),
    is_over: bool = True,
) -> str:
    """Such as "2 conversations and 30 facts went in; 5 just missed, the nearest by 0.01."

    `left_out`: the parts of memory that the prompt went without. `is_over`: it was given to a turn, and is no preview.
    """
    conversations = sum(candidate.standing == "in" for candidate in candidates)
    clauses = [_went_in(conversations, facts, is_over=is_over)]
    missed = [candidate for candidate in candidates if candidate.standing in ("behind", "out")]
    if terms.content is not None and terms.content.gate is not None and not is_open(terms.content):
        clauses.append(f"no conversation was near enough, the nearest reached {reached(terms.content)}")
    elif missed:
        clauses.append(_missed(missed, is_named=not conversations))
    clauses += [f"{_PART_NAMES.get(part, part)} were left out" for part in dict.fromkeys(left_out)]
    if len(clauses) == 1 and not conversations and not facts and is_over:
        return "Nothing went in: there was nothing to remember."
    return "; ".join(clauses) + "."


def _went_in(conversations: int, facts: int, *, is_over: bool) -> str:
    counts = [_counted(count, noun) for count, noun in ((conversations, "conversation"), (facts, "fact")) if count]
    verb = "went in" if is_over else "goes in" if conversations + facts <= 1 else "go in"
    return f"{' and '.join(counts) or 'Nothing'} {verb}"


def _missed(missed: Sequence[Candidate], *, is_named: bool) -> str:
    """How many just missed, and the smallest gap. `is_named`: no conversation went in, so say what missed."""
    count = _counted(len(missed), "conversation") if is_named else f"{len(missed):,}"
    gap = min((candidate.short_by for candidate in missed if candidate.short_by is not None), default=None)
    if gap is None:
        return f"{count} just missed"
    by = f"by {gap_words(gap)}"
    return f"{count} just missed, {by if len(missed) == 1 else f'the nearest {by}'}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
