"""How recall by content came to its choice, in words: what a message reached, and what its words counted for."""

from memory.events import ContentRecall

_CLOSE = 0.01
"""Two numbers that are nearer to each other than this are told apart by four digits."""


def reached(content: ContentRecall | None) -> str:
    """How near the nearest conversation came, and how near it must: "0.08 of 0.12"; "" where none was searched."""
    if content is None or content.gate is None or content.gate_threshold is None:
        return ""
    gate, threshold = content.gate, content.gate_threshold
    digits = 4 if 0 < abs(gate - threshold) < _CLOSE else 2
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
