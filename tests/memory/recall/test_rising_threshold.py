"""The embedded embedder's threshold rises with the store (decision 14), and everything speaks of the one in force."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import llm
from memory.events import ContextServed, Message
from memory.models import Embedded, EpisodeSummary
from memory.ranking import Threshold
from memory.recall import index
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, visible_text
from tests.memory.chat_helpers import record_chat
from tests.memory.recall.reference_recall import DAY, MODEL, add, query
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db
committing = pytest.mark.django_db(transaction=True)  # inside a transaction no matrix is kept

PREVIEW = "/dashboard/preview"
QUESTION = "What about the thermostat?"
RISING = Threshold(0.25, rise=0.085, most_rise=0.04)
UNLIKE = [-0.2, 0.0, 1.0]


@pytest.fixture(autouse=True)
def embedded(configure: Configure, memory_on: None) -> None:
    configure(semantic__enabled=True, semantic__provider="embedded", memory__episodes_recall__similarity_threshold=None)


@pytest.fixture
def now() -> datetime:
    """The time by the clock: pages and commands read it."""
    return timezone.now()


def at_cosine(cosine: float, *, across: int = 1) -> Sequence[float]:
    """A vector of three numbers at this cosine to [1, 0, 0]."""
    vector = [cosine, 0.0, 0.0]
    vector[across] = math.sqrt(1 - cosine**2)
    return vector


def episodes(count: int, cosine: float, *, now: datetime) -> None:
    """Episodes at this cosine to the question, of the embedder in use."""
    question, other = llm.embed([QUESTION, "An entirely different subject."]).rows
    across = other - question * float(question @ other)
    across /= float(across @ across) ** 0.5
    vector = (cosine * question + math.sqrt(1 - cosine**2) * across).tolist()
    for number in range(count):
        chat = record_chat(f"Message {number} at {cosine}", now - timedelta(hours=number + 1))
        summary = f"Summary {number} at {cosine}."
        EpisodeSummary.objects.summarise(chat, summary, Embedded(vector, llm.embedder_model()), now=now)


def receipt(now: datetime) -> ContextServed:
    return compose_turn([Message(role="user", content=QUESTION)], now=now).receipt


def calibrated() -> str:
    out = StringIO()
    call_command("calibrate", stdout=out)
    return out.getvalue()


def slider(operator: Client) -> Any:
    page = get_page(operator, f"{PREVIEW}?{urlencode({'message': QUESTION})}")
    return find_elements(page, "input", name="threshold")[0]["value"], visible_text(page)


def test_it_works(now: datetime, operator: Client) -> None:
    episodes(1, 0.27, now=now)
    assert [round(episode.cosine, 3) for episode in receipt(now).episodes] == [0.27]
    assert slider(operator)[0] == "0.25"

    episodes(99, -0.2, now=now)
    served = receipt(now)
    assert served.episodes == []
    nearest = served.near_misses[0]
    assert (nearest.reason, nearest.short_by) == ("below_threshold", pytest.approx(0.02, abs=1e-6))
    value, text = slider(operator)
    assert value == "0.29"
    assert "not near enough by 0.02" in text
    assert "SIMILARITY_THRESHOLD=" not in text
    assert "In force now: 0.29," in calibrated()


def test_a_threshold_that_is_set_stays(now: datetime, operator: Client, configure: Configure) -> None:
    configure(memory__episodes_recall__similarity_threshold=0.25)
    episodes(1, 0.27, now=now)
    episodes(99, -0.2, now=now)
    assert len(receipt(now).episodes) == 1
    assert slider(operator)[0] == "0.25"
    assert "In force now: 0.25," in calibrated()


def test_hosted_embedders_keep_the_records_threshold(configure: Configure) -> None:
    for provider in ("openai", "voyage", "ollama"):
        configure(semantic__provider=provider)
        assert llm.default_threshold() == Threshold(0.45)


@committing
def test_only_episodes_of_the_window_raise_it(now: datetime) -> None:
    add(at_cosine(0.27))
    for _ in range(99):
        add(UNLIKE, age=91 * DAY)
    wanted = query([1.0, 0.0, 0.0], threshold=RISING)
    assert index.search(wanted).threshold == 0.25
    wide = query([1.0, 0.0, 0.0], threshold=RISING, max_age_days=100)
    assert (index.search(wide).threshold, index.search(wide).hits) == (0.29, [])
    assert index.search(wanted).threshold == 0.25, "although the matrix holds them now"


@committing
def test_deleted_episodes_do_not_raise_it(now: datetime) -> None:
    ids = [add(UNLIKE) for _ in range(99)]
    wanted = query([1.0, 0.0, 0.0], threshold=RISING)
    assert index.search(wanted).threshold == 0.29
    for episode in EpisodeSummary.objects.filter(pk__in=ids[:80]):
        episode.forget(now=now)
    assert index.search(wanted).threshold == 0.25


@committing
def test_to_know_how_many_there_are_costs_a_search_no_query() -> None:
    for _ in range(40):
        add(at_cosine(0.1))
    counts = []
    for threshold in (Threshold(0.25), RISING):
        wanted = query([1.0, 0.0, 0.0], threshold=threshold)
        index.search(wanted)
        with CaptureQueriesContext(connection) as captured:
            index.search(wanted)
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_count_is_the_one_of_the_search(now: datetime) -> None:
    for number in range(40):
        add(at_cosine(0.1), age=number * 3 * DAY)
    add(at_cosine(0.1), model="another")
    wanted = query([1.0, 0.0, 0.0], threshold=RISING)
    counted = index.count(MODEL, max_age_days=wanted.max_age_days, now=wanted.now)
    assert counted == 31
    assert index.search(wanted).threshold == RISING.among(counted)
