"""Bodies: received in small pieces, through a file where they are large, and few of those in memory at once."""

import io
import threading
from typing import Any

import pytest
from django.core.exceptions import RequestDataTooBig
from django.http import UnreadablePostError
from gunicorn.http.errors import InvalidChunkSize

from caesar.server.bodies import PIECE, SMALL, IncomingBody, LargeBodies, received
from caesar.server.errors import BodyTooSlow, Busy, NoPlace, TooSlow
from caesar.server.receiving import WaitingPlaces

CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked"}


class Source(io.BytesIO):
    """What gunicorn hands on; remembers the largest read, and may fail."""

    def __init__(self, data: bytes, failure: Exception | None = None) -> None:
        super().__init__(data)
        self.failure, self.largest = failure, 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        self.largest = max(self.largest, size)
        if self.failure and self.tell() == len(self.getvalue()):
            raise self.failure
        return super().read(size)


def incoming(source: Source, most: int = 10**9, **environ: str) -> IncomingBody:
    return IncomingBody({"wsgi.input": source, **environ}, most=most)


def length(data: bytes) -> dict[str, str]:
    return {"CONTENT_LENGTH": str(len(data))}


@pytest.mark.parametrize("size", [0, 1, SMALL, SMALL + 1, 3 * SMALL])
@pytest.mark.parametrize("chunked", [True, False])
def test_it_works(size: int, chunked: bool) -> None:
    data = b"0123456789" * (size // 10) + b"x" * (size % 10)
    source = Source(data)
    body = incoming(source, **(CHUNKED if chunked else length(data)))
    with received(body) as (file, received_size):
        assert received_size == size
        assert file.read() == data
        assert file._rolled == (size > SMALL), "what is large lies on disk"
    assert body.is_at_end
    assert source.largest <= PIECE


@pytest.mark.parametrize("environ", [CHUNKED, {"CONTENT_LENGTH": "1001"}])
def test_too_large_a_body_is_refused(environ: dict[str, str]) -> None:
    body = incoming(Source(b"x" * 1_001), most=1_000, **environ)
    with pytest.raises(RequestDataTooBig):
        body.read()
    assert not body.is_at_end


@pytest.mark.parametrize(
    ("failure", "seen"),
    [
        (TooSlow(), BodyTooSlow),
        (NoPlace(), Busy),
        (ConnectionResetError(), UnreadablePostError),
        (InvalidChunkSize(b"zz"), UnreadablePostError),
    ],
)
def test_what_goes_wrong_on_the_way(failure: Exception, seen: type[Exception]) -> None:
    body = incoming(Source(b"half", failure), **CHUNKED)
    with pytest.raises(seen) as raised:
        body.read()
    assert raised.type is seen


def test_a_body_that_ends_before_its_length_is_no_body() -> None:
    with pytest.raises(UnreadablePostError):
        incoming(Source(b"half"), CONTENT_LENGTH="400").read()


# --- places -----------------------------------------------------------------------------------------------------------


def test_large_bodies_wait_for_room_and_then_go_on() -> None:
    bodies = LargeBodies(most_bytes=lambda: 100, most_waiting=lambda: 1)
    bodies.take(60)
    bodies.take(40)
    went_on = threading.Event()

    def wait() -> None:
        bodies.take(50, wait_seconds=60)
        went_on.set()

    thread = threading.Thread(target=wait)
    thread.start()
    while not bodies._waiting:
        thread.join(0.01)
    with pytest.raises(Busy):  # one waits already
        bodies.take(50)
    bodies.give(60)
    assert went_on.wait(60)
    thread.join()


def test_a_body_larger_than_all_room_has_its_turn_alone() -> None:
    bodies = LargeBodies(most_bytes=lambda: 100, most_waiting=lambda: 1)
    bodies.take(500)
    with pytest.raises(Busy):
        bodies.take(1, wait_seconds=0)
    bodies.give(500)
    bodies.take(1)


def test_half_the_threads_wait_for_clients_a_quarter_for_those_without_a_key() -> None:
    places = WaitingPlaces(8)
    held: list[Any] = [places.one(has_key=False) for _ in range(2)]
    for place in held:
        place.__enter__()
    with pytest.raises(NoPlace), places.one(has_key=False):
        pass
    held += [places.one(has_key=True) for _ in range(2)]
    for place in held[2:]:
        place.__enter__()
    with pytest.raises(NoPlace), places.one(has_key=True):
        pass
    held[0].__exit__(None, None, None)
    with places.one(has_key=False):
        pass
