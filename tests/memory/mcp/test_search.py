"""Searching by MCP: facts, conversations and words of chats; the pair that research clients ask for; one row each."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from memory import events
from memory.models import AuditRow, EpisodeSummary, PersonalFact
from memory.recall import retrieval
from tests.conftest import Configure
from tests.content_chats import take_up
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.memory.mcp.speaking import HANDSHAKES, Speaker

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def embedder(configure: Configure, memory_on: None) -> Iterator[ScriptedEmbedder]:
    retrieval.forget()
    configure(semantic__enabled=True, memory__episodes_recall__mode="hybrid")
    with scripted_embedder() as scripted:
        yield scripted


@pytest.fixture
def episode(now: datetime) -> EpisodeSummary:
    """A fact and two conversations; the one that is looked for."""
    PersonalFact.objects.add("home.thermostat", "set to 19 degrees", now=now - DAY)
    take_up("My violin is out of tune.", now=now - DAY)
    return take_up("The thermostat man comes on Thursday.", now=now - 2 * DAY)


def test_everything_that_fits_is_found_with_its_reason_its_date_and_its_page(
    client: Speaker, episode: EpisodeSummary
) -> None:
    given = client.call("search_memories", query="thermostat on Thursday")
    by_kind = {hit["kind"]: hit for hit in reversed(given["results"])}
    assert set(by_kind) == {"fact", "conversation", "message"}
    chat_page = f"http://testserver/dashboard/audit/{episode.audit_log_id}"
    assert by_kind["fact"]["url"] == "http://testserver/dashboard/facts/one?key=home.thermostat"
    assert by_kind["conversation"]["url"] == by_kind["message"]["url"] == chat_page
    for hit in given["results"]:
        assert hit["why"]
        assert hit["when"].endswith("Z")
        assert client.call("get_memory", id=hit["id"])["id"] == hit["id"]
    scores = [hit["score"] for hit in given["results"]]
    assert scores == sorted(scores, reverse=True)
    assert given["mode"] == "hybrid"


def test_it_is_bound_to_kinds_days_and_number(client: Speaker, episode: EpisodeSummary, now: datetime) -> None:
    facts = client.call("search_memories", query="thermostat", kinds=["fact"])["results"]
    assert {hit["kind"] for hit in facts} == {"fact"}
    assert len(client.call("search_memories", query="thermostat", limit=1)["results"]) == 1
    today = now.date().isoformat()
    assert client.call("search_memories", query="thermostat", since=today)["results"] == []


def test_a_search_leaves_one_row_and_counts_as_no_recall(client: Speaker, episode: EpisodeSummary) -> None:
    before = AuditRow.objects.count()
    given = client.call("search_memories", query="thermostat", kinds=["conversation"], since="2026-05-01")
    row = AuditRow.objects.order_by("-id")[0]
    assert AuditRow.objects.count() == before + 1
    searched = row.event
    assert isinstance(searched, events.MemorySearched)
    assert (searched.door, searched.client, searched.kinds) == ("mcp", "probe 1.30", ["conversation"])
    assert (searched.query, searched.ids) == ("thermostat", [hit["id"] for hit in given["results"]])
    assert row.actor == "key test"
    assert EpisodeSummary.objects.get(pk=episode.pk).recall_count == 0


@pytest.mark.parametrize("version", ["2026-07-28", HANDSHAKES[0]])
def test_the_pair_of_research_clients(client: Speaker, version: str, episode: EpisodeSummary) -> None:
    research = Speaker(client.api, version)
    results = research.call("search", query="thermostat")["results"]
    assert all(set(result) == {"id", "title", "url"} for result in results)
    ids = [result["id"] for result in results]
    assert len(ids) == len(set(ids)) > 1
    texts = [research.call("fetch", id=id_)["text"] for id_ in ids]
    assert any("19 degrees" in text for text in texts)
    assert any("comes on Thursday" in text for text in texts)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": " \u200b "}, "query"),
        ({"query": "x", "since": "yesterday"}, "since"),
        ({"query": "x", "since": "2026-05-02", "until": "2026-05-01"}, "exchange"),
        ({"query": "x", "kinds": ["dream"]}, "kinds"),
        ({"query": "x", "kinds": []}, "kinds"),
        ({"query": "x", "limit": 51}, "limit"),
        ({"query": "x" * 100_000}, "query"),
    ],
    ids=str,
)
def test_what_cannot_be_searched_is_said_with_the_cure(
    client: Speaker, arguments: dict[str, object], said: str
) -> None:
    assert said in client.refusal("search_memories", **arguments)  # type: ignore[arg-type]
    (row,) = AuditRow.objects.all()
    assert (row.event_type, row.payload["outcome"]) == ("mcp.called", "refused")
