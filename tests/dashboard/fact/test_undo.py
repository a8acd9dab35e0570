"""Undo on the pages: from the message after a change, the timeline, an event's page, and a fact's history."""

from datetime import timedelta

import pytest
from django.urls import reverse

from memory.models import AuditRow, PersonalFact, WaitingFact
from tests.dashboard.helpers import fact_url, get_page, htmx_headers
from tests.memory.models.fact_helpers import claim_that_waits, fact, learn

pytestmark = pytest.mark.django_db


def undo_url(row):
    return reverse("event-undo", args=[row.pk])


def test_it_works(operator, now):
    learn("dog.name", "Rex", now=now)
    answer = operator.post(fact_url("fact-edit", "dog.name"), {"value": "Max", "seen": "Rex"}, follow=True)
    edit = AuditRow.objects.get(event_type="memory.fact.user_edited")
    assert undo_url(edit) in answer.content.decode()

    answer = operator.post(undo_url(edit), {"next": "/dashboard/audit?family=facts"}, follow=True)

    assert answer.redirect_chain == [("/dashboard/audit?family=facts", 302)]
    assert "Undone: dog.name is “Rex” again." in answer.content.decode()
    assert fact("dog.name").value == "Rex"
    again = AuditRow.objects.order_by("-id").first()
    assert undo_url(again) in answer.content.decode(), "an undo can be undone"


def verbs(operator, now):
    """(name, what is posted) of every verb, each leaving one row that can be undone."""
    day = (now + timedelta(days=90)).date().isoformat()
    yield fact_url("fact-edit", "dog.name"), {"value": "Max", "seen": "Rex"}
    yield reverse("fact-confirm"), {"key": "dog.name"}
    yield reverse("fact-keep"), {"key": "dog.name"}
    yield fact_url("fact-date", "dog.name"), {"until": day}
    yield reverse("fact-add"), {"key": "cat.name", "value": "Tom"}
    yield fact_url("fact-delete", "dog.name"), {}


def test_the_message_after_every_verb_offers_to_undo_it(operator, now):
    learn("dog.name", "Rex", now=now)
    for url, posted in verbs(operator, now):
        page = operator.post(url, posted, follow=True).content.decode()
        row = AuditRow.objects.order_by("-id").first()
        assert undo_url(row) in page, url
        operator.post(undo_url(row))
    assert list(PersonalFact.objects.values_list("key", "value", "kept_at", "valid_until")) == [
        ("dog.name", "Rex", None, None)
    ]


def test_the_list_swaps_its_table(operator, now):
    learn("dog.name", "Rex", now=now)
    headers = htmx_headers("/dashboard/facts") | {"HX-Target": "facts-table"}
    page = operator.post(reverse("fact-keep"), {"key": "dog.name"}, headers=headers)
    assert 'id="facts-table"' in page.content.decode()
    row = AuditRow.objects.get(event_type="memory.fact.user_kept")
    page = operator.post(undo_url(row), headers=headers)
    assert 'id="facts-table"' in page.content.decode()
    assert fact("dog.name").kept_at is None


def test_another_page_is_loaded_anew(operator, now):
    learn("dog.name", "Rex", now=now)
    answer = operator.post(
        reverse("fact-confirm"), {"key": "dog.name", "next": "/dashboard/"}, headers=htmx_headers("/dashboard/")
    )
    assert answer.headers["HX-Redirect"] == "/dashboard/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "facts"])
def test_it_leads_to_no_other_server(operator, now, elsewhere):
    learn("dog.name", "Rex", now=now)
    answer = operator.post(reverse("fact-confirm"), {"key": "dog.name", "next": elsewhere})
    assert answer.headers["Location"] == fact_url("fact", "dog.name")


def test_a_conflict_says_both_values(operator, now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    fact("dog.name").edit("Bello", now=now)
    answer = operator.post(undo_url(edit))
    assert answer.status_code == 409
    assert "changed meanwhile to “Bello”. Edit that fact if “Rex” is right." in answer.content.decode()


def test_one_too_many_kept_is_refused_with_the_cure(operator, now, configure):
    configure(memory={"facts": {"max_injected": 2}})
    learn("a.b", "x", now=now)
    learn("a.c", "y", now=now)
    fact("a.b").keep(now=now)
    answer = operator.post(reverse("fact-keep"), {"key": "a.c"})
    assert answer.status_code == 409
    assert "Keep another one no longer" in answer.content.decode()


def test_done_twice_it_changes_nothing(operator, now):
    learn("dog.name", "Rex", now=now)
    edit = fact("dog.name").edit("Max", now=now)
    operator.post(undo_url(edit))
    rows = AuditRow.objects.count()
    page = operator.post(undo_url(edit), follow=True).content.decode()
    assert "undone already" in page
    assert AuditRow.objects.count() == rows


def test_a_dropped_claim_waits_again(operator, now):
    drop = claim_that_waits("dog.name", "Rex", now=now).drop(now=now)
    operator.post(undo_url(drop))
    assert WaitingFact.objects.open().exists()


def test_the_timeline_offers_it_at_what_can_be_undone(operator, now):
    learn("dog.name", "Rex", now=now)
    first = fact("dog.name").edit("Max", now=now)
    second = fact("dog.name").edit("Bello", now=now)
    page = get_page(operator, "/dashboard/audit").content.decode()
    assert undo_url(second) in page
    assert undo_url(first) not in page


def test_the_events_page_offers_it(operator, now):
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").confirm(now=now)
    assert undo_url(row) in get_page(operator, f"/dashboard/audit/{row.pk}").content.decode()
    operator.post(undo_url(row))
    assert undo_url(row) not in get_page(operator, f"/dashboard/audit/{row.pk}").content.decode()


def test_through_time_leads_back_to_an_earlier_value(operator, now):
    learn("dog.name", "Rex", now=now)
    learn("dog.name", "Max", now=now + timedelta(days=1))
    first = AuditRow.objects.get(event_type="memory.fact.added")
    latest = AuditRow.objects.get(event_type="memory.fact.updated")
    page = get_page(operator, fact_url("fact", "dog.name")).content.decode()
    assert reverse("event-back-to", args=[first.pk]) in page
    assert reverse("event-back-to", args=[latest.pk]) not in page, "it is so now"

    answer = operator.post(reverse("event-back-to", args=[first.pk]), {"seen": "Max"}, follow=True)

    assert "dog.name is “Rex” again." in answer.content.decode()
    assert fact("dog.name").value == "Rex"


def test_through_time_refuses_where_it_changed_meanwhile(operator, now):
    learn("dog.name", "Rex", now=now)
    learn("dog.name", "Max", now=now + timedelta(days=1))
    first = AuditRow.objects.get(event_type="memory.fact.added")
    answer = operator.post(reverse("event-back-to", args=[first.pk]), {"seen": "Bello"})
    assert answer.status_code == 409
    assert fact("dog.name").value == "Max"


@pytest.mark.parametrize("name", ["event-undo", "event-back-to"])
def test_a_row_that_is_gone_is_not_found(operator, name):
    assert operator.post(reverse(name, args=[999])).status_code == 404


def test_a_message_can_be_closed_without_script(operator, now):
    learn("dog.name", "Rex", now=now)
    page = operator.post(reverse("fact-confirm"), {"key": "dog.name"}, follow=True).content.decode()
    assert f'class="close" href="{fact_url("fact", "dog.name")}"' in page
    assert 'aria-label="Close this message"' in page
    assert "Close this message" not in get_page(operator, fact_url("fact", "dog.name")).content.decode()


def test_the_facts_page_offers_to_keep_what_should_not_fade_first(operator, now):
    learn("health.allergy", "penicillin", now=now)
    learn("dog.name", "Rex", now=now)
    allergy = get_page(operator, fact_url("fact", "health.allergy")).content.decode()
    dog = get_page(operator, fact_url("fact", "dog.name")).content.decode()
    assert allergy.index("Keep fact health.allergy") < allergy.index("Still true: fact health.allergy")
    assert dog.index("Still true: fact dog.name") < dog.index("Keep fact dog.name")
    fact("dog.name").keep(now=now)
    dog = get_page(operator, fact_url("fact", "dog.name")).content.decode()
    assert "Stop keeping fact dog.name" in dog
    assert "You keep it: it comes first" in dog
