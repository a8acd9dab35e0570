"""The protocol's versions, and what differs between them. Pure."""

from typing import Final

STATELESS: Final = "2026-07-28"
"""Each request names version, client and capabilities by itself; there is no handshake."""
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""A client introduces itself by `initialize`, and names the version in a header from then on."""
SUPPORTED: Final = (STATELESS, *HANDSHAKE)
UNNAMED: Final = "2025-03-26"
"""What a request without the header speaks, as the version after it says."""
_BATCHING: Final = ("2025-03-26", "2024-11-05")


def is_stateless(version: str) -> bool:
    """Whether requests of this version carry everything with them."""
    return version == STATELESS


def takes_batches(version: str) -> bool:
    """Whether several messages may come in one array."""
    return version in _BATCHING


def agreed(wanted: object) -> str:
    """The version that `initialize` answers with: the client's own where it is one of a handshake, else the newest."""
    return wanted if isinstance(wanted, str) and wanted in HANDSHAKE else HANDSHAKE[0]
