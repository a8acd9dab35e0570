"""gunicorn's threaded worker, made so that clients which send slowly or not at all hold few of its threads.

A connection gets a thread when the head of its request is there, and a form's body with it. Until then, and after an
answer that closes the connection, the loop that gunicorn runs anyway looks after it. What a thread then waits for, it
waits for in `ClientSocket`. TLS of gunicorn's own and its other protocols are served as gunicorn does.
"""

import errno
import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from selectors import EVENT_READ
from typing import Any, Final

from django.conf import settings
from gunicorn.http.message import Request
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

from caesar.server import heap
from caesar.server.addresses import ConnectionCounter
from caesar.server.client_socket import ClientSocket
from caesar.server.receiving import Deadlines, WaitingPlaces

MOST_AHEAD: Final = 64 * 1024
"""Bytes that the loop reads before a thread goes on."""

LINGER_SECONDS: Final = 2.0
"""How long a closing connection is read on, so that a client which still sends gets its answer and no reset."""

_SWEEP_SECONDS = 0.25
_SAY_SECONDS = 10.0
_HEAD_END = b"\r\n\r\n"
_FORM_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_API = re.compile(rb"[A-Z]+ /(?:v1/|mcp[/? ])")
_GONE = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)


@dataclass
class _Arrival:
    """A connection whose request is not there yet."""

    began: float
    last: float
    searched: int = 0


@dataclass
class _Leave:
    """A connection that was answered for the last time and is read on for a moment."""

    until: float
    bytes_left: int = field(default=0)


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """For `--worker-class`, or `worker_class` in gunicorn's configuration."""

    def run(self) -> None:
        """Serve until told to stop. Django is set up by now, under `--preload` or without."""
        server = settings.CAESAR.server
        self._deadlines = Deadlines(silence=server.receive_silence_seconds, whole=server.receive_seconds)
        self._places = WaitingPlaces(self.cfg.threads)
        self._counter = ConnectionCounter(server.connections_per_address, server.trusted_proxies)
        self._arriving: dict[TConn, _Arrival] = {}
        self._leaving: dict[TConn, _Leave] = {}
        self._next_sweep = self._next_word = 0.0
        heap.keep_small()
        super().run()

    # --- a connection begins ------------------------------------------------------------------------------------------

    def accept(self, listener: Any) -> None:
        """Take a connection, unless its address has as many as it may."""
        if self.cfg.is_ssl or getattr(self.cfg, "protocol", "http") != "http":
            super().accept(listener)
            return
        try:
            accepted, address = listener.accept()
        except OSError as error:
            if error.errno in _GONE:
                return
            raise
        peer = address[0] if isinstance(address, tuple) else ""
        leave = self._counter.enter(peer)
        if leave is None:
            accepted.close()
            self._say_too_many(peer)
            return
        client = ClientSocket(accepted, self._deadlines, self._places, on_close=leave)
        self.nr_conns += 1
        self._arrive(TConn(self.cfg, client, address, listener.getsockname()))

    def _say_too_many(self, peer: str) -> None:
        """One line in the log, not one for each."""
        now = time.monotonic()
        if now >= self._next_word:
            self._next_word = now + _SAY_SECONDS
            most = settings.CAESAR.server.connections_per_address
            words = "%s has %d connections open here, which is CAESAR_SERVER__CONNECTIONS_PER_ADDRESS; more are closed."
            self.log.warning(words, peer, most)

    # --- a request arrives --------------------------------------------------------------------------------------------

    def on_client_socket_readable(self, conn: TConn, client: Any) -> None:
        """The next request on a connection that was kept."""
        if not isinstance(conn.sock, ClientSocket):
            super().on_client_socket_readable(conn, client)
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._arrive(conn)

    def _arrive(self, conn: TConn) -> None:
        """Wait for a request, without a thread."""
        now = time.monotonic()
        conn.data_ready = True  # nor does the thread wait for a first byte
        conn.sock.expect_request()
        conn.sock.setblocking(False)
        self._arriving[conn] = _Arrival(now, now)
        self.poller.register(conn.sock, EVENT_READ, partial(self._on_arriving, conn))
        self._on_arriving(conn, conn.sock)

    def _on_arriving(self, conn: TConn, client: ClientSocket) -> None:
        arrival = self._arriving[conn]
        try:
            is_open = client.read_ahead()
        except BlockingIOError:
            is_open = True
        except OSError:
            is_open = False
        else:
            arrival.last = time.monotonic()
        if _is_ready(client.ahead, arrival):
            client.waited_seconds = time.monotonic() - arrival.began
            del self._arriving[conn]
            self.poller.unregister(client)
            self.enqueue_req(conn)
        elif not is_open:
            del self._arriving[conn]
            self._drop(conn)

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """gunicorn tells a client that waits to send its body at once; here whoever reads the body does."""
        if isinstance(conn.sock, ClientSocket):
            conn.sock.begin_answer(req, owes_continue=req._expected_100_continue)
            req._expected_100_continue = False
        return bool(super().handle_request(req, conn))

    # --- a connection ends, or is kept --------------------------------------------------------------------------------

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """After a thread: keep the connection for its next request, which may be here, or close it."""
        if not isinstance(conn.sock, ClientSocket) or fs.cancelled() or fs.exception() is not None:
            super().finish_request(conn, fs)
        elif not fs.result():
            self._leave(conn)
        elif conn.sock.ahead and not conn.parser.unreader.buf.getvalue():
            self._arrive(conn)
        else:
            conn.sock.expect_request()
            super().finish_request(conn, fs)

    def _leave(self, conn: TConn) -> None:
        """Say that no more will come, then read what the client still sends, without a thread and not for long."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, EVENT_READ, partial(self._on_leaving, conn))
        except (OSError, ValueError):
            self._drop(conn)
            return
        self._leaving[conn] = _Leave(time.monotonic() + LINGER_SECONDS, settings.CAESAR.api.max_body_bytes)

    def _on_leaving(self, conn: TConn, client: ClientSocket) -> None:
        leave = self._leaving[conn]
        client.ahead.clear()
        try:
            is_open = client.read_ahead()
        except BlockingIOError:
            return
        except OSError:
            is_open = False
        leave.bytes_left -= len(client.ahead)
        if not is_open or leave.bytes_left < 0:
            del self._leaving[conn]
            self._drop(conn)

    def _drop(self, conn: TConn) -> None:
        with suppress(OSError, KeyError, ValueError):  # it was not registered, or is not any more
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Close what has waited for too long. gunicorn's loop calls this again and again."""
        super().murder_pending()
        now = time.monotonic()
        if now < self._next_sweep:
            return
        self._next_sweep = now + _SWEEP_SECONDS
        silence = self._deadlines.silence if self.alive else min(self._deadlines.silence, STOP_KEEPALIVE_LINGER)
        late = [
            conn
            for conn, arrival in self._arriving.items()
            if now - arrival.last > silence or now - arrival.began > self._deadlines.whole
        ]
        for conn in late:
            del self._arriving[conn]
            self._drop(conn)
        for conn in [conn for conn, leave in self._leaving.items() if now > leave.until]:
            del self._leaving[conn]
            self._drop(conn)


def _is_ready(ahead: bytearray, arrival: _Arrival) -> bool:
    """Whether a thread can go on with what is there: the head, and the body where it is a small form."""
    end = ahead.find(_HEAD_END, max(0, arrival.searched - len(_HEAD_END)))
    if end < 0:
        arrival.searched = len(ahead)
        return len(ahead) >= MOST_AHEAD
    arrival.searched = end
    head = bytes(ahead[: end + 2])
    length = _FORM_LENGTH.search(head)
    if length is None or _API.match(head) or _EXPECTS.search(head):
        return True
    return len(ahead) >= min(end + len(_HEAD_END) + int(length[1]), MOST_AHEAD)
