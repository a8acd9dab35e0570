"""`manage.py calibrate` in mode `hybrid`: how near messages come to chats. It changes nothing."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import httpx
import numpy as np
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command

from memory.recall import calibration, gate_calibration
from memory.recall.gate_calibration import GateValues
from tests.conftest import Configure
from tests.content_chats import take_up
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder

pytestmark = pytest.mark.django_db

SETTING = "CAESAR_MEMORY__EPISODES_RECALL__GATE"


@pytest.fixture(autouse=True)
def embedder(configure: Configure, memory_on: None) -> Iterator[ScriptedEmbedder]:
    with scripted_embedder() as scripted:
        configure(memory__episodes_recall__mode="hybrid")
        yield scripted


def told(count: int, now: datetime) -> None:
    """Chats that share no word but "about"."""
    for number in range(count):
        take_up(f"about thing{number} wish{number} road{number}", now=now - timedelta(hours=number), reply="Yes.")


def calibrate(*arguments: str) -> str:
    out = StringIO()
    call_command("calibrate", *arguments, stdout=out)
    return out.getvalue()


def values(unrelated: list[float], *, conversations: int, best_others: tuple[float, ...] = ()) -> GateValues:
    return GateValues(np.array([1.0]), np.array(unrelated), np.array(best_others), conversations)


def test_it_works(now: datetime) -> None:
    told(24, now)
    out = calibrate()
    assert out.startswith("Mode hybrid, embedder openai:scripted, 24 conversations.\n")
    assert "with the chat itself, 24 pairs" in out
    assert "with chats of other conversations, 240 pairs" in out
    assert "0.12 100.0 % " in " ".join(out.split())
    assert f"To use it: {SETTING}=" in out
    assert out.endswith("Nothing was changed.\n")


def test_both_distributions_are_drawn(now: datetime) -> None:
    told(24, now)
    lines = calibrate().splitlines()
    drawn = [line for line in lines if ".." in line]
    assert all(len(line) <= 120 for line in drawn)
    head = next(line for line in lines if line.startswith("nearness"))
    related = [float(line.split()[0]) for line in drawn if line[head.index("related") :].startswith("#")]
    unrelated = [float(line.split()[0]) for line in drawn if line[head.index("unrelated") :].startswith("#")]
    assert max(unrelated) < 0.5 < min(related)


def test_a_message_reaches_its_own_chat_first(now: datetime) -> None:
    told(24, now)
    found = gate_calibration.measure(calibration.load_content_samples(500), settings.CAESAR.zone)
    assert found.related.min() > found.unrelated.max()
    assert found.best_others.size == found.conversations == 24
    assert found.best_others.max() == pytest.approx(found.unrelated.max(), abs=0.05)


def test_it_changes_nothing(now: datetime) -> None:
    told(20, now)

    def everything() -> dict[str, list[dict[str, Any]]]:
        return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in apps.get_models()}

    before = everything()
    calibrate()
    assert everything() == before


def test_the_gate_in_force_is_the_one_that_is_set_or_measured(now: datetime, configure: Configure) -> None:
    """0.1 for 27 conversations."""
    told(27, now)
    assert "In force now: 0.1, which 100.0 % of own chats" in calibrate()
    configure(memory__episodes_recall__gate=0.3)
    assert "In force now: 0.3, which" in calibrate()


@pytest.mark.parametrize(("mode", "other"), [("record", "hybrid"), ("hybrid", "record")])
def test_the_mode_is_the_one_in_force_or_the_one_asked_for(
    now: datetime, configure: Configure, mode: str, other: str
) -> None:
    told(20, now)
    configure(memory__episodes_recall__mode=mode)
    assert ("Mode hybrid" in calibrate()) is (mode == "hybrid")
    assert ("Mode hybrid" in calibrate("--mode", other)) is (other == "hybrid")


def test_chats_that_nothing_was_taken_up_of_are_too_few(now: datetime, embedder: ScriptedEmbedder) -> None:
    told(19, now)
    embedder.requests.clear()
    out = calibrate()
    assert out.startswith("Too few to judge: 19 chats that mode hybrid searches")
    assert "manage.py reembed" in out
    assert SETTING not in out
    assert embedder.requests == []


def test_an_outage_is_one_line_and_exit_code_1(now: datetime, embedder: ScriptedEmbedder) -> None:
    told(20, now)
    embedder.add(*[httpx.Response(401, text="no")] * 3)
    with pytest.raises(CommandError, match="Nothing was changed"):
        calibrate()


# --- the choice -----------------------------------------------------------------------------------------------------


def test_the_choice_is_what_three_in_a_hundred_messages_open_for_nothing() -> None:
    """Quartiles .2 and .3 are a deviation of .1 / 1.349 = .0741; of 3 conversations 1 % each: .25 + 2.326 x .0741."""
    assert values([0.2, 0.2, 0.25, 0.3, 0.3], conversations=3).best_gate() == 0.43


def test_it_rises_with_the_number_of_conversations() -> None:
    gates = [values([0.2, 0.2, 0.25, 0.3, 0.3], conversations=count).best_gate() for count in (3, 30, 300, 3000)]
    assert gates == sorted(set(gates))


def test_a_few_pairs_about_the_same_thing_do_not_move_it() -> None:
    spread = [number / 1000 for number in range(200)]
    alone = values(spread, conversations=100).best_gate()
    assert values([*spread, *[0.9] * 4], conversations=100).best_gate() == pytest.approx(alone, abs=0.02)


def test_how_many_messages_open_for_any_other_chat() -> None:
    found = values([0.0], conversations=3, best_others=(0.1, 0.2, 0.2, 0.3))
    assert [found.opened_rate(gate) for gate in (0.1, 0.2, 0.25, 0.31)] == [1.0, 0.75, 0.25, 0.0]
