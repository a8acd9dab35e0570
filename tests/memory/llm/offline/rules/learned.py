"""What the offline rules learn from a chat."""

from memory.llm.offline.rules import Turn, facts_in

NOTHING: dict[str, str] = {}


def learned(*texts: str, known: tuple[str, ...] = ()) -> dict[str, str]:
    """Key to value of what the rules learn from the last of `texts`, the others being earlier turns of the operator."""
    *earlier, last = texts
    turns = [*(Turn("operator", text, False) for text in earlier), Turn("operator", last, True)]
    return {claim.key: claim.value for claim in facts_in(turns, known)}
