"""Whose address a client has: the last hop that is no trusted proxy, and nothing else."""

import pytest

from caesar.conf import ServerSettings
from caesar.server.addresses import ConnectionCounter, client_address

PROXY = "10.0.0.2"
TRUSTED = ("10.0.0.0/8",)


def test_it_works() -> None:
    assert client_address(PROXY, "203.0.113.7", TRUSTED) == "203.0.113.7"


def test_without_trusted_proxies_the_header_is_ignored() -> None:
    assert client_address(PROXY, "203.0.113.7", ()) == PROXY


def test_a_stranger_cannot_choose_an_address() -> None:
    assert client_address("198.51.100.1", "203.0.113.7", TRUSTED) == "198.51.100.1"
    assert client_address(PROXY, "1.1.1.1, 203.0.113.7", TRUSTED) == "203.0.113.7"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        (PROXY, "203.0.113.7, 10.1.1.1", "203.0.113.7"),
        (PROXY, "10.1.1.1", "10.1.1.1"),
        (PROXY, "", PROXY),
        (PROXY, "unknown", PROXY),
        (PROXY, "203.0.113.7, unknown, 10.1.1.1", "10.1.1.1"),
        (PROXY, "203.0.113.7:5678", "203.0.113.7"),
        (PROXY, "[2001:db8::7]:5678", "2001:db8::7"),
        (PROXY, "2001:db8::7", "2001:db8::7"),
        (PROXY, "::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:10.0.0.2", "203.0.113.7", "203.0.113.7"),
        ("", "203.0.113.7", "203.0.113.7"),
    ],
)
def test_hops_in_every_form(peer: str, forwarded: str, client: str) -> None:
    assert client_address(peer, forwarded, TRUSTED) == client


def test_settings_take_addresses_and_networks() -> None:
    section = ServerSettings.model_validate({"trusted_proxies": "10.0.0.2, 172.16.5.0/12,::1"})
    assert section.trusted_proxies == ("10.0.0.2/32", "172.16.0.0/12", "::1/128")
    with pytest.raises(ValueError, match="must be addresses or networks"):
        ServerSettings.model_validate({"trusted_proxies": "proxy.example.com"})


# --- connections ------------------------------------------------------------------------------------------------------


def test_an_address_holds_so_many_connections_and_gets_a_place_back() -> None:
    counter = ConnectionCounter(2, ())
    first, second = counter.enter("203.0.113.7"), counter.enter("203.0.113.7")
    assert first
    assert second
    assert counter.enter("203.0.113.7") is None
    assert counter.enter("203.0.113.8") is not None
    first()
    assert counter.enter("203.0.113.7") is not None


def test_an_ipv6_network_is_one_holder() -> None:
    counter = ConnectionCounter(1, ())
    assert counter.enter("2001:db8::1")
    assert counter.enter("2001:db8::2") is None
    assert counter.enter("2001:db8:0:1::1")


def test_trusted_proxies_and_socket_files_have_no_limit() -> None:
    counter = ConnectionCounter(1, TRUSTED)
    assert all(counter.enter(peer) for peer in (PROXY, PROXY, "", ""))
