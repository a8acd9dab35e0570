"""Whose address a client has, behind trusted proxies too, and how many connections it holds open."""

import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_HOME_PREFIX_V6 = 64  # what one IPv6 customer has at least


def client_address(peer: str, forwarded_for: str, trusted: Sequence[str]) -> str:
    """The address that a request comes from. `peer` is "" for a socket file, which only this machine reaches.

    `X-Forwarded-For` counts only where a trusted proxy sent it: each proxy appends whom it saw, so the last address
    that is no trusted proxy's is the client's. What stands before it anybody could have written.
    """
    networks = _networks(tuple(trusted))
    if not networks or (peer and not _is_in(_parsed(peer), networks)):
        return peer
    client = peer
    for hop in reversed(forwarded_for.split(",")):
        address = _parsed(hop)
        if address is None:
            break
        client = str(address)
        if not _is_in(address, networks):
            break
    return client


def is_trusted(peer: str, trusted: Sequence[str]) -> bool:
    """Whether a connection comes from a trusted proxy."""
    return _is_in(_parsed(peer), _networks(tuple(trusted)))


@lru_cache
def _networks(names: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(name) for name in names)


def _is_in(address: Address | None, networks: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in networks)


def _parsed(text: str) -> Address | None:
    """The address in `text`, which may have a port behind it; IPv4 in IPv6's clothes as what it is."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class ConnectionCounter:
    """The connections that each address holds open at this process, up to `most`. Trusted proxies have no limit."""

    def __init__(self, most: int, trusted: Sequence[str]) -> None:
        self._most, self._trusted = most, tuple(trusted)
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def enter(self, peer: str) -> Callable[[], None] | None:
        """Count one more; call what comes back when it is closed. None where the address has as many as it may."""
        if not peer or is_trusted(peer, self._trusted):
            return _nothing
        holder = _holder(peer)
        with self._lock:
            if self._open[holder] >= self._most:
                return None
            self._open[holder] += 1
        return lambda: self._leave(holder)

    def _leave(self, holder: str) -> None:
        with self._lock:
            self._open[holder] -= 1
            if not self._open[holder]:
                del self._open[holder]


def _nothing() -> None:
    return None


def _holder(peer: str) -> str:
    """Who is counted as one: an IPv4 address, or the network of an IPv6 address."""
    address = _parsed(peer)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, _HOME_PREFIX_V6), strict=False))
    return str(address or peer)
