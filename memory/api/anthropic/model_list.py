"""Models in Anthropic's shape."""

from collections.abc import Sequence

from memory.api.anthropic.conversation import Block
from memory.api.errors import invalid

_UNKNOWN_DATE = "1970-01-01T00:00:00Z"  # their documentation's word for a date that nobody knows
_MOST = 1_000


def model_entry(name: str) -> Block:
    """One model. When it was made is not known here."""
    return {
        "type": "model",
        "id": name,
        "display_name": name,
        "created_at": _UNKNOWN_DATE,
        "lifecycle": "active",
        "deprecated_at": None,
        "retires_at": None,
    }


def model_page(names: Sequence[str], *, after: str, before: str, limit: str) -> Block:
    """The models behind `after`, or ahead of `before`: as many as `limit` says, all of them where it is "".

    Raises the refusal of a `limit` that is no number from 1 to 1,000.
    """
    most = _limit(limit)
    found = list(names)
    if after in found:
        found = found[found.index(after) + 1 :]
    if before in found:
        found = found[: found.index(before)]
    page = found[-most:] if before else found[:most]
    return {
        "data": [model_entry(name) for name in page],
        "has_more": len(page) < len(found),
        "first_id": page[0] if page else None,
        "last_id": page[-1] if page else None,
    }


def _limit(limit: str) -> int:
    if not limit:
        return _MOST
    if not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:9]) <= _MOST):
        raise invalid(f"limit must be a whole number from 1 to {_MOST:,}.", param="limit")
    return int(limit)
