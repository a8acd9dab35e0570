"""Every episode is of another embedder than the one in use: told everywhere, and mended by `reembed` (decision 13)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.checks import CheckMessage, run_checks
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from memory.events import ContextServed, Message
from memory.models import Embedded, EpisodeSummary
from tests.conftest import Configure
from tests.dashboard.helpers import get_page, visible_text
from tests.memory.chat_helpers import record_chat
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

REASON = (
    f"3 past conversations have vectors of another embedder, none of {fake.MODEL_ID}, which is in use now, "
    "and cannot be recalled. Run manage.py reembed."
)


@pytest.fixture
def now() -> datetime:
    """The time by the clock: pages and checks read it."""
    return timezone.now()


@pytest.fixture(autouse=True)
def embedder(configure: Configure) -> Iterator[ScriptedEmbedder]:
    configure(memory__episodes_recall__similarity_threshold=0.3, memory__facts_extract__enabled=False)
    with scripted_embedder() as embedder:
        yield embedder


def episodes(count: int, now: datetime, *, model: str = "voyage:voyage-3", age_days: int = 1) -> None:
    for number in range(count):
        chat = record_chat(f"{model} {number} {age_days}", now - timedelta(days=age_days, hours=number))
        summary = f"We spoke of the thermostat, time {number}."
        EpisodeSummary.objects.summarise(chat, summary, Embedded(fake.word_vector(summary), model), now=now)


def receipt(now: datetime) -> ContextServed:
    return compose_turn([Message(role="user", content="What about the thermostat?")], now=now).receipt


def warnings(*, databases: list[str] | None) -> list[CheckMessage]:
    return [message for message in run_checks(databases=databases) if message.id == "caesar.W009"]


def test_it_works(now: datetime, client: Client, operator: Client, caplog: pytest.LogCaptureFixture) -> None:
    episodes(3, now)
    before = receipt(now)
    assert before.episodes == []
    assert [left.reason for left in before.left_out if left.part == "episodes"] == [REASON]
    assert REASON in caplog.text
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["checks"]["embedder"]) == (503, {"ok": False, "detail": REASON})
    assert REASON in visible_text(get_page(operator, "/dashboard/"))
    (warning,) = warnings(databases=["default"])
    assert warning.msg == REASON
    assert "manage.py reembed" in str(warning.hint)

    call_command("reembed", stdout=StringIO(), stderr=StringIO())
    after = receipt(now)
    assert (len(after.episodes), after.left_out) == (3, [])
    assert "embedder" not in client.get("/readyz").json()["checks"]
    assert REASON not in visible_text(get_page(operator, "/dashboard/"))
    assert warnings(databases=["default"]) == []


def test_where_some_can_be_found_there_is_no_trouble(now: datetime, client: Client) -> None:
    episodes(3, now)
    episodes(1, now, model=fake.MODEL_ID, age_days=2)
    served = receipt(now)
    assert (len(served.episodes), served.left_out) == (1, [])
    assert [miss.reason for miss in served.near_misses] == ["other_model"] * 3
    assert "embedder" not in client.get("/readyz").json()["checks"]


def test_what_is_older_than_the_window_is_not_missed(now: datetime, client: Client) -> None:
    episodes(3, now, age_days=91)
    assert receipt(now).left_out == []
    assert "embedder" not in client.get("/readyz").json()["checks"]


def test_own_ones_that_are_older_than_the_window_do_not_hide_it(now: datetime) -> None:
    episodes(3, now)
    episodes(1, now, model=fake.MODEL_ID, age_days=91)
    assert [left.reason for left in receipt(now).left_out] == [REASON]


def test_without_episodes_nothing_is_told(now: datetime, client: Client) -> None:
    assert receipt(now).left_out == []
    assert "embedder" not in client.get("/readyz").json()["checks"]


def test_where_recall_is_off_nothing_is_told(now: datetime, client: Client, configure: Configure) -> None:
    episodes(3, now)
    configure(memory__episodes_recall__enabled=False)
    assert "embedder" not in client.get("/readyz").json()["checks"]
    assert warnings(databases=["default"]) == []


def test_a_check_without_the_database_does_not_ask_it(now: datetime) -> None:
    episodes(3, now)
    assert warnings(databases=None) == []


def test_a_check_before_the_tables_are_there_says_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE episode_summaries RENAME TO elsewhere")
    assert warnings(databases=["default"]) == []
