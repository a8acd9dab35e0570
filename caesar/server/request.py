"""Django's request, whose body is received only when it is read, so that the API key is checked first."""

from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.request import RawPostDataException

from caesar.server.bodies import SMALL, IncomingBody, large_bodies, received
from caesar.server.client_socket import ClientSocket
from caesar.server.heap import give_back
from caesar.server.unpacking import UNPACKED, coding_of

INCOMING: Final = "caesar.incoming_body"


class Request(WSGIRequest):
    """A request whose body comes with a length or in chunks. A large one is in memory only while it may be."""

    def __init__(self, environ: dict[str, Any]) -> None:
        super().__init__(environ)
        self._incoming = IncomingBody(environ, most=_most_bytes(self.path_info))
        self._stream: Any = self._incoming
        self._read_started = False
        self._held_bytes = 0
        environ[INCOMING] = self._incoming

    @property
    def body(self) -> bytes:
        """All of it. Raises `RequestDataTooBig` and `UnreadablePostError`."""
        if not hasattr(self, "_body"):
            if self._read_started:
                raise RawPostDataException("You cannot access body after reading from request's data stream")
            self._body = self._receive()
            self._stream = BytesIO(self._body)
        return self._body

    def close(self) -> None:
        """At the end of the answer: let the body go, and its place."""
        super().close()
        if self._held_bytes:
            self._body, self._stream = b"", BytesIO()
            large_bodies.give(self._held_bytes)
            self._held_bytes = 0
            give_back.soon()

    def _receive(self) -> bytes:
        connection = self.META.get("gunicorn.socket")
        if isinstance(connection, ClientSocket):
            connection.has_key = hasattr(self, "auth")  # set by the API once the key was good
        coding = coding_of(self.META.get("HTTP_CONTENT_ENCODING", "")) if _is_api(self.path_info) else ""
        self.META[UNPACKED] = True
        with received(self._incoming, coding=coding) as (spool, size):
            if size > SMALL:
                large_bodies.take(size)
                self._held_bytes = size
            self.META["CONTENT_LENGTH"] = str(size)  # forms of several parts want it, however they were sent
            data: bytes = spool.read()
            return data

    def _load_post_and_files(self) -> None:
        if self._incoming.is_chunked and not self._read_started:
            _ = self.body
        super()._load_post_and_files()


class Handler(WSGIHandler):
    """Django's WSGI application with this request."""

    request_class = Request


def _most_bytes(path: str) -> int:
    """The largest body at an address."""
    most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return most if _is_api(path) else min(most, settings.CAESAR.server.max_form_bytes)


def _is_api(path: str) -> bool:
    return path.startswith(("/v1/", "/mcp/")) or path == "/mcp"
