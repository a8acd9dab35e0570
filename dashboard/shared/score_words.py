"""How recall by content came to its choice, in words: what a message reached, and what its words counted for."""

from memory.events import ContentRecall

_CLOSE = 0.01 - 1e-9
"""Two numbers that are nearer to each other than this are told apart by four digits."""


def digits_for(gap: float) -> int:
    """The decimals that tell two numbers apart that are so far from each other: two, or four where they are close."""
    return 4 if gap < _CLOSE else 2


def gap_words(gap: float) -> str:
    """How far two numbers are from each other: "0.05", "0.004"."""
    if gap >= _CLOSE:
        return f"{gap:.2f}"
    return f"{gap:.4f}".rstrip("0") if gap >= 0.00005 else "less than 0.0001"


def reached(content: ContentRecall | None) -> str:
    """How near the nearest conversation came, and how near it must: "0.08 of 0.12"; "" where none was searched."""
    if content is None or content.gate is None or content.gate_threshold is None:
        return ""
    gate, threshold = content.gate, content.gate_threshold
    digits = digits_for(abs(gate - threshold)) if gate != threshold else 2
    return f"{gate:.{digits}f} of {threshold:.{digits}f}"


def is_open(content: ContentRecall) -> bool:
    """Whether anything came near enough to the message."""
    gate, threshold = content.gate, content.gate_threshold
    return gate is not None and threshold is not None and gate >= threshold


def by_words(content: ContentRecall) -> str:
    """What the message's words counted for: "Few of your words occur together in one chat (16 %): by meaning"."""
    share = f"({content.coverage:.0%})".replace("%", " %")
    if content.word_weight <= 0:
        return f"Few of your words occur together in one chat {share}: by meaning"
    if content.word_weight < 1:
        return (
            f"Some of your words occur together in one chat {share}: words count {content.word_weight:.2f} of their "
            "weight, and a third of the places goes by meaning"
        )
    return f"Your words occur together in one chat {share}: by meaning and words"
