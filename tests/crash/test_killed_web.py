"""Web processes killed while they answer `POST /v1/chat`: a turn is written whole, with its receipt, or not at all."""

import itertools
import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import httpx
import pytest
from django.db.models import Sum
from django.utils import timezone

from memory.models import ApiKey, AuditRow, EpisodeSummary, ExtractCursor, HeardMessage
from tests.crash.conftest import environ
from tests.crash.model import CountingModel
from tests.crash.numbered_chats import mark, record_chats, said
from tests.crash.processes.fork_client import ForkServer
from tests.crash.processes.web_server import WebServer, web_server

pytestmark = pytest.mark.django_db(transaction=True)

TURN = ["memory.episode.recalled", "memory.context.served", "chat.completed"]


def turn(number: int) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": said(number)}]}


@dataclass(frozen=True)
class Standing:
    """What a turn changes, counted."""

    rows: int
    recalls: int
    heard: int

    @classmethod
    def now(cls) -> "Standing":
        recalls = EpisodeSummary.objects.aggregate(Sum("recall_count"))["recall_count__sum"]
        return cls(AuditRow.objects.count(), recalls, HeardMessage.objects.count())

    def with_step(self) -> "Standing":
        """The same after a turn was sent once more: it goes on, and what it was given is counted already."""
        return Standing(self.rows + 1, self.recalls, self.heard)

    def with_turn(self, *, times: int = 1, heard: bool = True) -> "Standing":
        """The same after one whole turn, or several, in each of which one episode was recalled."""
        return Standing(self.rows + times * len(TURN), self.recalls + times, self.heard + times * heard)


@pytest.fixture
def key(fork_server: ForkServer, model: CountingModel) -> str:
    """An API key, and one episode of today that every message brings back."""
    now = timezone.now()
    record_chats([0], now=now)
    fork_server.start("work", job="summarise", now=now.isoformat()).answer()
    return ApiKey.objects.issue("a chat backend").secret


def assert_newest_turn_is_whole() -> None:
    """The newest turn has its rows, tied together, and no other turn has half of them."""
    decision = AuditRow.objects.get_queryset().turns().order_by("-id").values_list("decision_id", flat=True)[0]
    rows = AuditRow.objects.filter(decision_id=decision).order_by("id")
    assert list(rows.values_list("event_type", flat=True)) == TURN


def test_a_web_process_killed_at_any_step_of_a_turn_writes_all_of_it_or_nothing(
    fork_server: ForkServer, model: CountingModel, key: str
) -> None:
    whole = 0
    for step in itertools.count(1):
        number = 100 + step
        clear_nudge()
        before = Standing.now()
        child = fork_server.start("call", path="/v1/chat", key=key, body=turn(number), dies_at=step)
        if (ending := child.exit_status()) == 0:
            break
        assert ending == -signal.SIGKILL, fork_server.tracebacks()
        after = Standing.now()
        is_there = after != before
        assert after == (before.with_turn() if is_there else before), step
        whole += is_there
        again = fork_server.start("call", path="/v1/chat", key=key, body=turn(number)).answer()
        assert again["status"] == 200, again
        assert Standing.now() == (after.with_step() if is_there else after.with_turn()), step
        assert_newest_turn_is_whole()
    kills = step - 1
    assert 0 < whole < kills, "kills on either side of the commit"
    fork_server.start("work", job="extract", now=timezone.now().isoformat()).answer()
    taught = [mark(number) for number in (0, *range(101, 101 + step))]
    assert {one: model.paid["extract", one] for one in taught} == dict.fromkeys(taught, 1)
    print(f"{kills} kills, one at each step: {whole} turns whole, {kills - whole} not there; all retries well")


def test_a_killed_call_with_an_idempotency_key_is_done_once_when_it_is_sent_again(
    fork_server: ForkServer, model: CountingModel, key: str
) -> None:
    """Sent at once it may be told to come back, as if the first were under way; once that ran out it is done."""
    for step in itertools.count(1):
        call = {"path": "/v1/chat", "key": key, "body": turn(500 + step), "once": f"turn {step}"}
        before = Standing.now()
        child = fork_server.start("call", dies_at=step, **call)
        if (ending := child.exit_status()) == 0:
            break
        assert ending == -signal.SIGKILL, fork_server.tracebacks()
        at_once = fork_server.start("call", **call).answer()
        assert at_once["status"] == 200 or at_once["body"]["error"]["code"] == "idempotency_key_in_use", at_once
        later = fork_server.start("call", later_seconds=600, **call).answer()
        assert later["status"] == 200, (step, later)
        assert Standing.now() == before.with_turn(), step
        assert_newest_turn_is_whole()
    assert step > 10


def clear_nudge() -> None:
    """As after a worker has looked: the next chat nudges it again, which takes some more steps."""
    now = timezone.now()
    assert ExtractCursor.claim(now=now, until=now)
    ExtractCursor.release(now)


@pytest.fixture(scope="module")
def web(
    django_db_setup: None, one_model: CountingModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    with web_server(environ(one_model), tmp_path_factory.mktemp("web") / "log") as web:
        yield web


def post(web: WebServer, key: str, number: int) -> httpx.Response | None:
    """One turn over a connection of its own; None where the server hung up."""
    try:
        return httpx.post(
            f"{web.url}/v1/chat", json=turn(number), headers={"Authorization": f"Bearer {key}"}, timeout=60
        )
    except httpx.TransportError:
        return None


def posted(pool: ThreadPoolExecutor, web: WebServer, key: str, number: int) -> Future[httpx.Response | None]:
    return pool.submit(post, web, key, number)


def test_a_web_process_killed_while_it_waits_for_the_model_writes_nothing_and_the_other_goes_on(
    web: WebServer, model: CountingModel, key: str
) -> None:
    kills, others = 6, 0
    with ThreadPoolExecutor() as pool:
        for number in range(200, 200 + kills):
            before, turns = Standing.now(), [number + 100 * more for more in range(5)]
            held = [model.hold(mark(one)) for one in turns]
            answers = [posted(pool, web, key, one) for one in turns]
            assert all(one.asked.wait(60) for one in held)
            holders = [web.holder_of(one.client, model.url) for one in held]
            web.kill(holders[0])
            for one in held:
                one.free.set()
            results = [answer.result() for answer in answers]
            told = [None if result is None else (result.status_code, result.text) for result in results]
            answered = [result is not None for result in results]
            assert answered == [holder != holders[0] for holder in holders], f"the other process goes on: {told}"
            assert Standing.now() == before.with_turn(times=sum(answered))
            others += sum(answered)
            retry(web, key, number)
    assert others, "never was there a turn in the other process"
    print(f"{kills} processes killed, no turn half written; {others} turns in the other process answered; retries well")


def retry(web: WebServer, key: str, number: int) -> None:
    result = post(web, key, number)
    assert result is not None
    assert result.status_code == 200
    assert_newest_turn_is_whole()


def test_a_web_process_killed_at_any_moment_after_the_answer_writes_all_of_the_turn_or_nothing(
    web: WebServer, model: CountingModel, key: str, chance: random.Random
) -> None:
    kills, whole, told = 20, 0, 0
    with ThreadPoolExecutor() as pool:
        for number in range(1000, 1000 + kills):
            before, held, answer = Standing.now(), model.hold(mark(number)), posted(pool, web, key, number)
            assert held.asked.wait(60)
            victim = web.holder_of(held.client, model.url)
            held.free.set()
            time.sleep(chance.uniform(0, 0.02))  # for nothing: it is the random moment itself
            os.kill(victim, signal.SIGKILL)
            result, after = answer.result(), Standing.now()
            is_there = after != before
            assert after == (before.with_turn() if is_there else before)
            assert result is None or (result.status_code == 200 and is_there), "what was answered is written down"
            whole, told = whole + is_there, told + (result is not None)
            retry(web, key, number)
    print(f"{kills} kills: {whole} turns whole ({told} answered), {kills - whole} not there; all retries well")
