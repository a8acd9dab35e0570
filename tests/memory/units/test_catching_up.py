"""Episodes without units of the embedder in use get them by `manage.py reembed`, in mode hybrid alone."""

from collections.abc import Callable, Iterator
from datetime import datetime
from io import StringIO

import pytest
from django.core.management import call_command

from memory import learning
from memory.events import Message
from memory.learning.summaries import SUMMARY
from memory.models import EpisodeSummary, EpisodeUnits, Units
from memory.recall.hybrid import snapshots
from memory.units import catching_up
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import record_turn

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def embedder(memory_on: None) -> Iterator[ScriptedEmbedder]:
    snapshots.forget()
    with scripted_llm("We spoke of the boat.", "NONE") as model, scripted_embedder(beside=model) as vectors:
        yield vectors


@pytest.fixture
def summed_up(embedder: ScriptedEmbedder, now: datetime) -> Callable[[str], EpisodeSummary]:
    """A chat that was summed up in mode record."""

    def of(text: str) -> EpisodeSummary:
        recorded = record_turn([Message(role="user", content=text)], "I see.", now=now)
        learning.run(SUMMARY, clock=lambda: now)
        return EpisodeSummary.objects.get(audit_log=recorded.audit_log_id)

    return of


def reembed(*arguments: str) -> str:
    out = StringIO()
    call_command("reembed", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_works(summed_up: Callable[[str], EpisodeSummary], configure: Configure) -> None:
    episode = summed_up("My boat leaks at the stern.")
    assert not EpisodeUnits.objects.exists()
    configure(memory__episodes_recall__mode="hybrid")
    assert "1 chats can be found by what was said in them" in reembed()
    assert EpisodeUnits.objects.get().episode_id == episode.pk
    assert EpisodeUnits.objects.get().model == fake.MODEL_ID
    episode.refresh_from_db()
    assert episode.embedded_again == 1, "other processes see by it that there is something new"
    assert "Nothing to do" in reembed()


def test_mode_record_has_no_use_for_them(summed_up: Callable[[str], EpisodeSummary], configure: Configure) -> None:
    summed_up("My boat leaks at the stern.")
    assert "Nothing to do" in reembed()
    assert not EpisodeUnits.objects.exists()


def test_counting_makes_none(summed_up: Callable[[str], EpisodeSummary], configure: Configure) -> None:
    summed_up("My boat leaks at the stern.")
    configure(memory__episodes_recall__mode="hybrid")
    assert "1 chats would be made ready" in reembed("--dry-run")
    assert not EpisodeUnits.objects.exists()


def test_a_chat_too_trivial_for_a_summary_is_taken_up_too(
    summed_up: Callable[[str], EpisodeSummary], configure: Configure
) -> None:
    summed_up("My boat leaks at the stern.")
    trivial = summed_up("My sister lives in Turku.")
    assert trivial.summary == ""
    configure(memory__episodes_recall__mode="hybrid")
    reembed()
    assert EpisodeUnits.objects.filter(episode=trivial).exists()


def test_what_the_operator_deleted_stays_deleted(
    summed_up: Callable[[str], EpisodeSummary], configure: Configure, now: datetime
) -> None:
    episode = summed_up("My boat leaks at the stern.")
    configure(memory__episodes_recall__mode="hybrid")
    reembed()
    assert episode.forget(now=now) is not None
    assert not catching_up.waiting(0).exists()
    assert "Nothing to do" in reembed()
    assert not EpisodeUnits.objects.exists()


def test_a_deletion_meanwhile_wins(
    summed_up: Callable[[str], EpisodeSummary], configure: Configure, now: datetime
) -> None:
    summed_up("My boat leaks at the stern.")
    configure(memory__episodes_recall__mode="hybrid")
    reembed()
    seen = EpisodeSummary.objects.get()
    stored = EpisodeUnits.objects.values().get()
    del stored["episode_id"]
    EpisodeSummary.objects.get(pk=seen.pk).forget(now=now)
    assert not EpisodeSummary.objects.put_units(seen, Units(**stored))
    assert not EpisodeUnits.objects.exists()


def test_units_of_another_embedder_are_made_anew(
    summed_up: Callable[[str], EpisodeSummary], configure: Configure
) -> None:
    summed_up("My boat leaks at the stern.")
    configure(memory__episodes_recall__mode="hybrid")
    reembed()
    EpisodeUnits.objects.update(model="openai:an-older-one")
    assert "1 chats can be found" in reembed()
    assert EpisodeUnits.objects.get().model == fake.MODEL_ID
