"""Confirm, keep and undo by the API: the same verbs as on the pages."""

import pytest

from memory.models import AuditRow, PersonalFact
from tests.memory.chat_helpers import past_episode
from tests.memory.models.fact_helpers import fact, learn

pytestmark = pytest.mark.django_db


def test_it_works(api, now):
    learn("health.allergy", "penicillin", now=now)

    confirmed = api.post("/v1/memory/confirmed-facts/health.allergy")

    assert confirmed.status_code == 200
    answer = confirmed.json()
    assert answer["fact"]["last_confirmed_at"] > "2026"
    assert answer["fact"]["edit_count"] == 0
    assert AuditRow.objects.get(pk=answer["audit_log_id"]).event_type == "memory.fact.user_confirmed"

    kept = api.put("/v1/memory/kept-facts/health.allergy").json()
    assert kept["fact"]["kept_at"] is not None
    assert api.put("/v1/memory/kept-facts/health.allergy").json()["audit_log_id"] is None

    undone = api.post(f"/v1/audit/{kept['audit_log_id']}/undo").json()
    assert undone["fact"]["kept_at"] is None
    assert api.post(f"/v1/audit/{kept['audit_log_id']}/undo").json()["audit_log_id"] is None
    assert api.post(f"/v1/audit/{undone['audit_log_id']}/undo").json()["fact"]["kept_at"] is not None
    assert api.delete("/v1/memory/kept-facts/health.allergy").json()["fact"]["kept_at"] is None


def test_a_key_that_ends_like_a_verb_is_found(api, now):
    learn("notes/keep", "yes", now=now)
    assert api.put("/v1/memory/kept-facts/notes/keep").json()["fact"]["key"] == "notes/keep"
    assert api.get("/v1/memory/facts/notes/keep").json()["key"] == "notes/keep"


@pytest.mark.parametrize(
    ("method", "collection"), [("post", "confirmed-facts"), ("put", "kept-facts"), ("delete", "kept-facts")]
)
def test_an_unknown_fact_is_not_found(api, method, collection):
    answer = getattr(api, method)(f"/v1/memory/{collection}/nobody")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_one_too_many_is_refused_with_the_cure(api, now, configure):
    configure(memory={"facts": {"max_injected": 2}})
    learn("a.b", "x", now=now)
    learn("a.c", "y", now=now)
    api.put("/v1/memory/kept-facts/a.b")
    answer = api.put("/v1/memory/kept-facts/a.c")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "too_many_kept")
    assert "CAESAR_MEMORY__FACTS__MAX_INJECTED" in answer.json()["error"]["message"]


def test_undo_of_an_edit_that_was_changed_says_both_values(api, now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    fact("dog.name").edit("Bello", now=now)
    answer = api.post(f"/v1/audit/{edit.pk}/undo")
    assert answer.status_code == 409
    assert answer.json()["conflict"] == {"wanted": "Rex", "current": "Bello"}


def test_undo_of_a_deletion_and_of_an_addition(api, now):
    learn("dog.name", "Rex", now=now)
    row = api.delete("/v1/memory/facts/dog.name").json()["audit_log_id"]
    back = api.post(f"/v1/audit/{row}/undo").json()
    assert back["fact"]["value"] == "Rex"
    gone = api.post(f"/v1/audit/{back['audit_log_id']}/undo").json()
    assert gone["fact"] is None
    assert not PersonalFact.objects.exists()


def test_what_cannot_be_undone_is_refused(api, now):
    learn("dog.name", "Rex", now=now)
    row = AuditRow.objects.get(event_type="memory.fact.added")
    answer = api.post(f"/v1/audit/{row.pk}/undo")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "cannot_undo")
    assert api.post("/v1/audit/999999/undo").status_code == 404


def test_undo_of_an_episodes_deletion(api, now):
    episode = past_episode("Sleep was the subject.", now)
    deletion = episode.forget(now=now)
    undone = api.post(f"/v1/audit/{deletion.pk}/undo").json()
    assert undone["fact"] is None
    assert AuditRow.objects.get(pk=undone["audit_log_id"]).event_type == "memory.episode.user_restored"
    episode.refresh_from_db()
    assert episode.summary == "Sleep was the subject."
    assert api.post(f"/v1/audit/{deletion.pk}/undo").json()["audit_log_id"] is None
