"""The words of a search, marked in every kind of row of /dashboard/audit, in any script."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from pydantic import JsonValue

from dashboard.timeline.marking import mark_in_html
from memory import events
from memory.models import AuditRow
from tests.dashboard.helpers import find_elements, get_page

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
SCORE = {"cosine": 0.5, "freshness": 1.0, "recall_weight": 1.0, "score": 0.5}

# A payload of each event with free text in it; WORDS stands for that text.
WORDS = "WORDS"
FACT: dict[str, JsonValue] = {"key": "dog.name", "value": WORDS, "confidence": 1.0, "said_at": "2026-05-20T09:00:00Z"}
PAYLOADS: dict[type[events.Event], dict[str, JsonValue]] = {
    events.ChatCompleted: {"messages": [{"role": "user", "content": WORDS}], "reply": "I see."},
    events.ChatFailed: {"error": WORDS, "kind": "x"},
    events.ChatPassedThrough: {"reason": "task_prompt", "beginning": WORDS},
    events.ContextServed: {
        "block": WORDS,
        "facts": [
            {"key": "a", "sentence": WORDS, "importance": 1, "freshness": 1, "confidence": 1, "edit_count": 0},
        ],
    },
    events.MemorySearched: {"door": "api", "query": WORDS, "found": 1},
    events.FactAdded: FACT,
    events.FactUpdated: {
        "key": "a",
        "old_value": "x",
        "new_value": WORDS,
        "old_confidence": 1,
        "confidence": 1,
        "said_at": "2026-05-20T09:00:00Z",
    },
    events.FactConfirmed: FACT | {"value": "x", "quote": WORDS},
    events.FactUserEdited: {"key": "a", "old_value": WORDS, "new_value": "x"},
    events.FactUserAdded: {"key": "a", "value": WORDS},
    events.FactUserDeleted: {"key": "a", "value": WORDS},
    events.FactRetired: FACT | {"value": "x", "quote": WORDS},
    events.FactUserDated: {"key": "a", "value": WORDS},
    events.FactUserConfirmed: {"key": "a", "value": WORDS},
    events.FactUserKept: {"key": "a", "value": WORDS},
    events.FactUserUnkept: {"key": "a", "value": WORDS},
    events.FactUserLetGo: {"key": "a", "value": WORDS},
    events.FactWaiting: FACT | {"value": "x", "quote": WORDS},
    events.FactUserDropped: FACT | {"value": "x", "quote": WORDS},
    events.EpisodeSummarised: {"audit_log_id": 1, "summary": WORDS, "model": "m"},
    events.EpisodeReplaced: {"audit_log_id": 1, "summary": "x", "model": "m", "replaced": WORDS},
    events.EpisodeFailed: {"audit_log_id": 1, "error": WORDS, "kind": "x"},
    events.EpisodeRecalled: {"audit_log_id": 1, "summary": WORDS, **SCORE},
    events.EpisodeUserDeleted: {"audit_log_id": 1, "summary": WORDS},
    events.EpisodeUserRestored: {"audit_log_id": 1, "summary": WORDS},
    events.ExtractFailed: {"error": WORDS, "kind": "x"},
    events.ExtractAbandoned: {"error": WORDS, "attempts": 3, "reason": "bad_answer"},
    events.KeyCreated: {"key_label": WORDS, "prefix": "caesar_x"},
    events.KeyChanged: {"key_label": WORDS, "prefix": "caesar_x"},
    events.KeyRevoked: {"key_label": WORDS, "prefix": "caesar_x"},
}
SEARCHES = [
    ("thermostat", "please turn the Thermostat down", "Thermostat"),
    ("kase", "Ich mag Käse sehr", "Käse"),
    ("爬山", "我想周末去爬山看日出", "爬山"),
    ("散歩", "毎朝公園で犬と散歩をしています", "散歩"),
    ("カメラ", "新しいカメラが欲しい", "カメラ"),
    ("犬", "毎朝公園で犬と散歩をしています", "犬"),
]


def with_words(value: Any, words: str) -> Any:
    if isinstance(value, dict):
        return {key: with_words(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [with_words(item, words) for item in value]
    return words if value == WORDS else value


@pytest.mark.parametrize(("search", "words", "mark"), SEARCHES)
def test_every_kind_of_row_is_found_and_marked(
    operator: Client, now: datetime, search: str, words: str, mark: str
) -> None:
    rows = {
        AuditRow.objects.create(ts=now, event_type=kind.name, payload=with_words(payload, words)).pk: kind
        for kind, payload in PAYLOADS.items()
    }
    html = ""
    for family in ("", "family=served&"):
        response = get_page(operator, f"{TIMELINE}?{family}q={search}")
        html += response.content.decode()
    for row_id, kind in rows.items():
        _, began, row = html.partition(f'<li id="event-{row_id}"')
        assert began, f"{kind.__name__} is not found"
        assert f"<mark>{mark}</mark>" in row.partition("</li>")[0], kind.__name__


def test_every_event_with_text_is_tried() -> None:
    without = {"EpisodeSkipped", "ExtractRecovered", "ExtractShortened", "ClaimsRefused", "ExtractAsked"}
    without |= {"EpisodeAsked", "RetentionSweep", "SweepAllowed", "LearningPaused", "LearningResumed", "ModelTried"}
    tried = {kind.__name__ for kind in PAYLOADS} | without
    later = {kind.__name__ for kind in events.EVENTS.values()} - tried
    assert not later, "a new event: add a payload of it above, or to those without text"


def test_what_the_page_says_itself_is_not_marked(operator: Client, now: datetime) -> None:
    chat = AuditRow.objects.record(events.ChatCompleted(), now=now)
    AuditRow.objects.record(
        events.EpisodeSummarised(audit_log_id=chat.pk, summary="A chat of cats", model="m"), now=now
    )
    response = get_page(operator, f"{TIMELINE}?q=chat")
    assert "A <mark>chat</mark> of cats" in response.content.decode()
    assert len(find_elements(response, "mark")) == 1


def test_marking_leaves_tags_and_entities_alone() -> None:
    html = (
        '<a href="/a?q=bean&amp;x">Beans &amp; &lt;beans&gt;</a> <span class="muted">of beans <b>beans</b></span> beans'
    )
    assert mark_in_html(html, "bean") == (
        '<a href="/a?q=bean&amp;x"><mark>Beans</mark> &amp; &lt;<mark>beans</mark>&gt;</a> '
        '<span class="muted">of beans <b>beans</b></span> <mark>beans</mark>'
    )
    assert mark_in_html("<mark>beans</mark> &lt;script&gt;", "beans script") == (
        "<mark>beans</mark> &lt;<mark>script</mark>&gt;"
    )


def test_found_words_cannot_be_markup(operator: Client, now: datetime) -> None:
    AuditRow.objects.record(events.ChatFailed(error="<b>beans</b> & <i>more</i>", kind="x"), now=now)
    response = get_page(operator, f"{TIMELINE}?q=beans")
    assert "&lt;b&gt;<mark>beans</mark>&lt;/b&gt; &amp;" in response.content.decode()
