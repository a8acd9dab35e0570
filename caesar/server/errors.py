"""Why a request could not be received.

TooSlow, NoPlace    on the socket, where gunicorn or a view reads
BodyTooSlow, Busy   what a view sees of them, as Django's own error for a body that cannot be read
"""

import errno

from django.http import UnreadablePostError


class ReceiveError(ConnectionResetError):
    """Reading from a client was given up. The errno is one that gunicorn passes over without a traceback."""

    def __init__(self) -> None:
        super().__init__(errno.ECONNRESET, type(self).__doc__)


class TooSlow(ReceiveError):
    """The client was silent for too long, or its request took too long."""


class NoPlace(ReceiveError):
    """As many threads wait for slow clients as may."""


class BodyTooSlow(UnreadablePostError):
    """The body did not arrive in time."""


class Busy(UnreadablePostError):
    """The server has no room for this body now."""
