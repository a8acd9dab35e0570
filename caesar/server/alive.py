"""Whether this machine's web server answers: `python -m caesar.server.alive`, exit code 0 if so. Needs no Django."""

import http.client
import sys
from collections.abc import Sequence

from caesar.conf import ConfigurationError, load_settings

EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (read, not bound)
_TIMEOUT_SECONDS = 3.0


def status(host: str, port: int, *, allowed_hosts: Sequence[str]) -> int | None:
    """The HTTP status of `/healthz` at this address, under a name that the server answers to; None for no answer."""
    probe = http.client.HTTPConnection(EVERY_ADDRESS.get(host, host), port, timeout=_TIMEOUT_SECONDS)
    named = next((name.lstrip(".") for name in allowed_hosts if name != "*"), "localhost")
    try:
        probe.request("GET", "/healthz", headers={"Host": named})
        return probe.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        probe.close()


def main() -> str | None:
    """What is wrong, on one line; None where all is well."""
    try:
        tree = load_settings()
    except ConfigurationError as error:
        return str(error)
    found = status(tree.server.host, tree.server.port, allowed_hosts=tree.allowed_hosts)
    return None if found == http.client.OK else f"/healthz answers {found or 'nothing'} at port {tree.server.port}."


if __name__ == "__main__":
    sys.exit(main())
