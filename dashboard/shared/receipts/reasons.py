"""Why a past conversation came into a prompt, in words, from the numbers of its receipt. Pure."""

import math

from memory.events import ScoreParts

_RECENT = 0.8
_COUNTS = 0.15
"""A part that adds less than this to a score is no reason."""
_SAME, _BEST = 0.005, 0.995


def by_summary(cosine: float | None, freshness: float | None, recall_weight: float | None, *, scale: float) -> str:
    """The reason in mode `record`: "close in meaning, recent, recalled 3 times". `scale`: that of the recall weight.

    "" where an old receipt has no numbers.
    """
    if cosine is None:
        return ""
    recent = "recent" if (freshness or 0.0) >= _RECENT else ""
    return ", ".join(filter(None, ("close in meaning", recent, _recalled(recall_weight or 1.0, scale))))


def _recalled(weight: float, scale: float) -> str:
    """How often it had been recalled, from weight = 1 + scale ln(1 + n); "before" where that gives no whole number."""
    if weight <= 1.0:
        return ""
    count = round(math.expm1(min(20.0, (weight - 1.0) / scale))) if scale > 0 else 0
    if count < 1 or abs(1.0 + scale * math.log1p(count) - weight) > _SAME:
        return "recalled before"
    return f"recalled {count} times" if count > 2 else f"recalled {'once' if count == 1 else 'twice'}"


def by_content(parts: ScoreParts) -> str:
    """The reason in mode `hybrid`, what adds most first: "from the day you named, has your words"."""
    weight = parts.word_weight
    meaning = parts.meaning if parts.meaning > 0.5 else 0.0
    adds = {
        "from the day you named": 1.6 * parts.day,
        "from the month you named": 0.0 if parts.day else parts.month,
        "closest in meaning" if parts.meaning >= _BEST else "close in meaning": meaning,
        "has your words": weight * (0.6 * parts.words + 0.25 * parts.pairs),
        "its conversation is about it": weight * 0.5 * parts.conversation,
    }
    if parts.by == "meaning":
        return "chosen by its meaning"
    said = [words for words, added in sorted(adds.items(), key=lambda one: -one[1]) if added >= _COUNTS]
    return ", ".join(said[:3]) or "the best there is"
