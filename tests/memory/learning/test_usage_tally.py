"""Every answer that this server asks a model for is counted to its task and day, and nothing else is."""

from datetime import datetime, timedelta

import pytest

from memory.llm import usage
from memory.models import ModelUsage, UsedOn
from tests.conftest import ApiClient, Configure
from tests.memory.learning.loop_helpers import Clock, record_chat, run
from tests.memory.llm.servers.model_server import Refusal, model_server

pytestmark = pytest.mark.django_db


def answer(text: str, *, count: bool = True) -> dict[str, object]:
    used = {"usage": {"prompt_tokens": 100, "completion_tokens": 7}} if count else {}
    return {"model": "m", "choices": [{"message": {"content": text}, "finish_reason": "stop"}], **used}


def counted() -> list[UsedOn]:
    return list(ModelUsage.objects.last_days(30, now=datetime.now().astimezone()))


def say(api: ApiClient, words: str = "My dog is called Beans.", path: str = "/v1/chat", **more: object) -> None:
    sent = {"messages": [{"role": "user", "content": words}], **more}
    assert api.post(path, json=sent).status_code < 300


def connect(configure: Configure, url: str) -> None:
    configure(llm__provider="openai", llm__model="m", llm__openai__base_url=f"{url}/v1")


def test_it_works(now: datetime) -> None:
    ModelUsage.objects.add_one("chat", now=now, input_tokens=10, output_tokens=2)
    ModelUsage.objects.add_one("chat", now=now, input_tokens=5, output_tokens=None)
    ModelUsage.objects.add_one("chat", now=now - timedelta(days=29), input_tokens=1, output_tokens=1)
    ModelUsage.objects.add_one("chat", now=now - timedelta(days=30), input_tokens=1, output_tokens=1)
    old, today = ModelUsage.objects.last_days(30, now=now)
    assert (today.calls, today.unreported, today.input_tokens, today.output_tokens) == (2, 1, 15, 2)
    assert old.day == (now - timedelta(days=29)).date()


def test_a_turn_counts(api: ApiClient, configure: Configure) -> None:
    with model_server(answer("Hello."), answer("Hello again.", count=False)) as server:
        connect(configure, server.url)
        say(api)
        say(api, "And my cat is Tom.")
    (used,) = counted()
    assert (used.task, used.calls, used.unreported, used.tokens) == ("chat", 2, 1, 107)


def test_a_call_that_is_passed_through_counts(api: ApiClient, configure: Configure) -> None:
    with model_server(answer("Hello.")) as server:
        connect(configure, server.url)
        api.post(
            "/v1/chat",
            json={"messages": [{"role": "user", "content": "hi"}]},
            headers={"X-Memory": "off"},
        )
    assert [(used.task, used.calls) for used in counted()] == [("chat", 1)]


def test_what_no_model_answered_does_not_count(api: ApiClient, configure: Configure) -> None:
    say(api)
    say(api, path="/v1/memory/chats", reply="I see.")
    with model_server(Refusal(400, {"error": {"message": "no"}})) as server:
        connect(configure, server.url)
        assert api.post("/v1/chat", json={"messages": [{"role": "user", "content": "hi"}]}).status_code >= 400
    assert counted() == []


def test_what_an_inner_meter_counts_reaches_the_outer_one() -> None:
    with usage.metered() as outer:
        usage.note(1, 1)
        with usage.metered() as inner:
            usage.note(10, None)
        assert outer.answers == 1
        usage.pass_on(inner)
    assert (outer.answers, outer.unreported, outer.input_tokens, outer.output_tokens) == (2, 1, 11, 1)
    usage.pass_on(inner)  # nobody counts


def test_a_worker_counts_what_it_was_answered(clock: Clock) -> None:
    record_chat("My dog is called Beans.", now=clock())
    run(clock, "[]")
    assert [(used.task, used.calls) for used in ModelUsage.objects.last_days(30, now=clock())] == [
        ("memory_extract", 1)
    ]
    run(clock)
    assert len(ModelUsage.objects.last_days(30, now=clock())) == 1, "nothing asked, nothing counted"
