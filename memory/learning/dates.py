"""How old the evidence of each claim is, where a chat holds words that were said before it (decision 25)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.events import ChatCompleted
from memory.text.normalising import Claim


def dated(completed: ChatCompleted, claims: Sequence[Claim]) -> list[Claim]:
    """The claims, each that is older than its chat with the time after which it was said, None where nobody knows.

    A claim is as old as the message that its words stand in; where none say it, as the oldest of those that are older:
    rather a change too few than one that undoes what was said later.
    """
    after = {message.message: message.said_after for message in completed.earlier}
    return [_dated(claim, after) for claim in claims] if after else [*claims]


def _dated(claim: Claim, after: Mapping[int, datetime | None]) -> Claim:
    if claim.said is None:
        return replace(claim, is_older=True, said_after=_oldest([*after.values()]))
    index = claim.said.message
    return replace(claim, is_older=True, said_after=after[index]) if index in after else claim


def _oldest(dates: Sequence[datetime | None]) -> datetime | None:
    known = [date for date in dates if date is not None]
    return min(known) if len(known) == len(dates) else None
