"""A model server for the benchmarks: streams chunks at an even pace, each with the moment it was sent.

Its own process: `python -m bench.upstream`; the first line it prints is its port. The request says what it wants:
`{"bench": {"chunks": 20, "pause_seconds": 0.005}}`, or as `"service_tier": "20 0.005"` where other fields are not
handed on. It speaks chat completions, and at an address that ends in `/messages` Anthropic's events.
"""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """A stream of as many chunks as the request asks for."""
        chunks, pause_seconds = _asked(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        began = time.monotonic()
        is_messages = self.path.endswith("/messages")
        for event in _BEGINNING if is_messages else ():
            self._send(event)
        for number in range(chunks):
            time.sleep(max(0.0, began + number * pause_seconds - time.monotonic()))
            moment = f"{time.monotonic():.6f} "
            self._send(_delta(moment) if is_messages else f"data: {_chunk(moment)}")
        for event in _MESSAGE_END if is_messages else (f"data: {_chunk('', finish_reason='stop')}", "data: [DONE]"):
            self._send(event)
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, text: str) -> None:
        event = f"{text}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def _asked(body: dict[str, Any]) -> tuple[int, float]:
    """How many chunks, and how many seconds between two."""
    if "bench" in body:
        return body["bench"]["chunks"], body["bench"]["pause_seconds"]
    if "service_tier" not in body:  # a request that was translated on its way
        return 20, 0.005
    chunks, pause_seconds = body["service_tier"].split()
    return int(chunks), float(pause_seconds)


def _chunk(text: str, *, finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish_reason}
    return json.dumps({"id": "bench", "object": "chat.completion.chunk", "model": "bench", "choices": [choice]})


def _event(kind: str, **fields: Any) -> str:
    """One of Anthropic's events."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}"


def _delta(text: str) -> str:
    return _event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


_MESSAGE = {"id": "bench", "type": "message", "role": "assistant", "model": "bench", "content": [], "usage": {}}
_BEGINNING = (
    _event("message_start", message=_MESSAGE),
    _event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
)
_MESSAGE_END = (
    _event("content_block_stop", index=0),
    _event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 1}),
    _event("message_stop"),
)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = _Server(("127.0.0.1", 0), _Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
