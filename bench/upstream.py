"""A model server for the benchmarks: streams chunks at an even pace, each with the moment it was sent.

Its own process: `python -m bench.upstream`; the first line it prints is its port. The request says what it wants:
`{"bench": {"chunks": 20, "pause_seconds": 0.005}}`. It speaks chat completions, and at `/messages` Anthropic's events.
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
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"]))).get("bench") or _UNASKED
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        began = time.monotonic()
        is_messages = self.path.endswith("/messages")
        for event in _BEGINNING if is_messages else ():
            self._send(json.dumps(event), str(event["type"]))
        for number in range(asked["chunks"]):
            time.sleep(max(0.0, began + number * asked["pause_seconds"] - time.monotonic()))
            moment = f"{time.monotonic():.6f} "
            self._send(*(_delta(moment) if is_messages else (_chunk(moment), "")))
        for data, name in _MESSAGE_END if is_messages else ((_chunk("", finish_reason="stop"), ""), ("[DONE]", "")):
            self._send(data, name)
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, data: str, name: str) -> None:
        head = f"event: {name}\n" if name else ""
        event = f"{head}data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def _chunk(text: str, *, finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish_reason}
    return json.dumps({"id": "bench", "object": "chat.completion.chunk", "model": "bench", "choices": [choice]})


_UNASKED: dict[str, Any] = {"chunks": 20, "pause_seconds": 0.005}
"""For a request that was translated on its way, and does not say."""
_MESSAGE = {"id": "bench", "type": "message", "role": "assistant", "model": "bench", "content": [], "usage": {}}
_BEGINNING = (
    {"type": "message_start", "message": _MESSAGE},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
)
_MESSAGE_END = tuple(
    (json.dumps({"type": kind, **fields}), kind)
    for kind, fields in (
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}),
        ("message_stop", {}),
    )
)


def _delta(text: str) -> tuple[str, str]:
    event = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return json.dumps(event), "content_block_delta"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = _Server(("127.0.0.1", 0), _Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
