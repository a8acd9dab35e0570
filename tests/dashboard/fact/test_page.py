"""/dashboard/facts/one: one fact through time, where it was said, how it stands, what will become of it."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import events, retention
from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, ExtractCursor, PersonalFact, SummariseCursor
from memory.text import normalising
from tests.conftest import Configure
from tests.dashboard.helpers import (
    HEAD_QUERIES,
    HTMX,
    event_types,
    fact_url,
    find_elements,
    get_page,
    learn_fact,
    newest_row_id,
    record_chat,
    visible_text,
)
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

ONE = "/dashboard/facts/one?key=dog.name"


def said(key: str, value: str, words_said: str, *, now: datetime, confidence: float = 0.9) -> AuditRow:
    """A chat with these words, and what was learned from it."""
    source = record_chat(words_said, now=now)
    learn_fact(key, value, now=now, confidence=confidence, source=source)
    return source


def quotes(response: Any) -> list[str]:
    """What stands in the quotes of a page, marks in brackets."""
    html = response.content.decode().replace("<mark>", "[").replace("</mark>", "]")
    parts = html.split('<blockquote class="quote"><p>')[1:]
    return [part.partition("</p>")[0] for part in parts]


def test_it_works(operator: Client, now: datetime) -> None:
    source = said("dog.name", "Beans", "My dog's name is Beans, you know.", now=now - timedelta(days=6))
    response = get_page(operator, ONE)
    shown = visible_text(response)
    assert find_elements(response, "h1")
    assert "Your dog's name is Beans." in shown
    assert "known since 14 May 2026 · confirmed 6 days ago" in shown
    assert "Learned “Beans” 0.90 sure" in shown
    assert quotes(response) == ["My dog&#x27;s name is [Beans], you know."]
    assert find_elements(response, "a", href=f"/dashboard/audit/{source.pk}")
    assert find_elements(response, "a", href="/dashboard/audit?fact=dog.name")
    assert "Importance 0.81" in shown, "exp(-6/60) x 0.9 = 0.8144"
    assert "Yes: place 1 of 1." in shown


def test_the_sentence_in_the_table_leads_here(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    assert find_elements(get_page(operator), "a", href=ONE)


# --- through time -----------------------------------------------------------------------------------------------


def test_every_change_is_told_newest_first(operator: Client, now: datetime) -> None:
    said("dog.name", "Beans", "Beans it is", now=now - timedelta(days=9), confidence=0.7)
    said("dog.name", "beans", "still beans", now=now - timedelta(days=8), confidence=0.8)
    said("dog.name", "Rex", "no, Rex", now=now - timedelta(days=7), confidence=0.6)
    PersonalFact.objects.get().edit("Bowser", now=now - timedelta(days=3))
    deletion = PersonalFact.objects.get().forget(now=now - timedelta(days=2))
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now - timedelta(days=1))
    response = get_page(operator, ONE)
    shown = visible_text(response)
    history = [
        "You took back the deletion: “Bowser” it is there again",
        "You deleted when it said “Bowser” 1.00 sure",
        "You edited from “Rex” to “Bowser” 1.00 sure",
        "Updated from “Beans” to “Rex” 0.60 sure",
        "Confirmed “Beans” 0.80 sure",
        "Learned “Beans” 0.70 sure",
    ]
    assert [shown.index(step) for step in history] == sorted(shown.index(step) for step in history)
    assert quotes(response) == ["no, [Rex]", "still [beans]", "[Beans] it is"]
    assert find_elements(response, "a", href=f"/dashboard/audit/{deletion.pk}")
    for row in AuditRow.objects.filter(fact_key="dog.name"):
        assert find_elements(response, "a", href=f"/dashboard/audit/{row.pk}")


def test_a_typed_fact_was_not_said(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    shown = visible_text(get_page(operator, ONE))
    assert "typed by you" in shown
    assert "You added “Beans” 1.00 sure" in shown
    assert "chat" not in shown.partition("Through time")[2].partition("On the timeline")[0]


def test_other_words_are_marked_and_said_to_be_other(operator: Client, now: datetime) -> None:
    said("preference.coffee", "coffee black, no sugar", "I take my coffee black, without sugar", now=now)
    response = get_page(operator, fact_url("fact", "preference.coffee"))
    assert quotes(response) == ["I take my [coffee] [black], without [sugar]"]
    assert ", in other words." in visible_text(response)


def test_words_that_are_not_there_are_said_to_be_worked_out(operator: Client, now: datetime) -> None:
    said("diet", "vegetarian", "I never eat animals", now=now)
    response = get_page(operator, fact_url("fact", "diet"))
    assert quotes(response) == ["I never eat animals"]
    assert "Its words are not there as they are: the model worked them out." in visible_text(response)


def test_what_was_said_is_text(operator: Client, now: datetime) -> None:
    said("note", "<b>x</b>", "<script>alert(1)</script> <b>x</b> \u202e![a](http://b/c.png)", now=now)
    response = get_page(operator, fact_url("fact", "note"))
    assert quotes(response) == ["&lt;script&gt;alert(1)&lt;/script&gt; [&lt;b&gt;x&lt;/b&gt;] ![a](http://b/c.png)"]
    assert not find_elements(response, "img")
    assert not find_elements(response, "b")
    assert "\u202e" not in response.content.decode()


def test_a_chat_sent_in_later_says_when_it_was(operator: Client, now: datetime) -> None:
    messages = [events.Message(role="user", content="Beans is my dog")]
    recorded = record_turn(messages, "ok", now=now, occurred_at=now - timedelta(days=40))
    source = AuditRow.objects.get(pk=recorded.audit_log_id)
    learn_fact("dog.name", "Beans", now=now, source=source)
    assert f"You said so in chat {source.pk} of 10 April 2026." in visible_text(get_page(operator, ONE))


def test_a_swept_chat_leaves_the_page_whole(operator: Client, now: datetime) -> None:
    said("dog.name", "Beans", "Beans", now=now - timedelta(days=100))
    fact = PersonalFact.objects.get()
    fact.edit("Bowser", now=now - timedelta(days=95))
    said("dog.name", "Bowser", "Bowser!", now=now - timedelta(days=1))
    ExtractCursor.objects.update_or_create(pk=1, defaults={"last_audit_id": newest_row_id()})
    SummariseCursor.objects.update_or_create(pk=1, defaults={"last_audit_id": newest_row_id()})
    assert retention.sweep(now=now)
    response = get_page(operator, ONE)
    shown = visible_text(response)
    assert "its chat is no longer kept" in shown
    assert "You edited" in shown
    assert "What happened before is no longer kept: events older than 90 days are swept." in shown
    assert quotes(response) == ["[Bowser]!"]


def test_a_change_whose_chat_is_gone_says_so(operator: Client, now: datetime) -> None:
    said("dog.name", "Beans", "Beans", now=now)
    with connection.cursor() as cursor:  # as the sweep leaves it
        cursor.execute("UPDATE audit_log SET chat_id = NULL WHERE event_type = 'memory.fact.added'")
    assert "The chat it was said in is no longer kept." in visible_text(get_page(operator, ONE))


def test_a_chat_that_cannot_be_read_is_named_without_a_quote(operator: Client, now: datetime) -> None:
    source = AuditRow.objects.create(ts=now, event_type="chat.completed", payload={"messages": "broken"})
    event = events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now)
    AuditRow.objects.record(event, now=now, chat=source)
    AuditRow.objects.create(ts=now, event_type="memory.fact.added", fact_key="dog.name", payload={})
    AuditRow.objects.create(ts=now, event_type="memory.fact.unheard_of", fact_key="dog.name", payload={"a": 1})
    response = get_page(operator, ONE)
    assert f"Said in chat {source.pk} , which holds no words of yours" in visible_text(response)
    assert quotes(response) == []


def test_a_long_history_comes_in_pages(operator: Client, now: datetime) -> None:
    for days in range(30, 0, -1):
        said("dog.name", "Beans", f"Beans, day {days}", now=now - timedelta(days=days))
    first = get_page(operator, ONE)
    assert len(quotes(first)) == 25
    older = next(a["href"] for a in find_elements(first, "a", rel="next"))
    last = get_page(operator, older)
    assert quotes(last)[-1] == "[Beans], day 30"
    assert len(quotes(last)) == 5
    assert find_elements(last, "a", href=ONE)
    assert "no longer kept" not in visible_text(last)


# --- how it stands ----------------------------------------------------------------------------------------------


def test_the_parts_of_the_importance_are_explained(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=9))
    for value in ("Rex", "Bowser"):
        PersonalFact.objects.get().edit(value, now=now - timedelta(days=6))
    shown = visible_text(get_page(operator, ONE))
    assert "Importance 1.81" in shown, "exp(-6/60) x 1 x 2 = 1.8097"
    assert "confirmed 6 days ago; it is 0.37 after 60 days 0.90" in shown
    assert "Edited twice 1 + 0.5 for each edit of yours × 2" in shown
    bump = AuditRow.objects.filter(event_type="memory.fact.user_edited").order_by("-id")[0]
    assert find_elements(get_page(operator, ONE), "a", href=f"/dashboard/audit/{bump.pk}")


def test_undo_does_not_move_the_date_it_was_confirmed(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=3))
    added = AuditRow.objects.get(event_type="memory.fact.added")
    deletion = PersonalFact.objects.get().forget(now=now)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now)
    for shown in (get_page(operator), get_page(operator, ONE)):
        links = [a["href"] for a in find_elements(shown, "a") if a["href"].startswith("/dashboard/audit/")]
        assert links[0] == f"/dashboard/audit/{added.pk}"


def test_nothing_falls_out_by_age_alone(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=3)
    learn_fact("dog.name", "Beans", now=now - timedelta(days=300))
    shown = visible_text(get_page(operator, ONE))
    assert "Nothing falls out by age alone: all facts age alike" in shown
    assert "3 newer facts would push it out." in shown
    assert "No other fact was learned in the last 30 days" in shown
    assert not find_elements(get_page(operator, ONE), "line", class_="leaves")


def test_the_day_it_may_fall_out_is_drawn_and_said(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    learn_fact("cat.name", "Tom", now=now)
    learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator, ONE)
    assert "One newer fact would push it out." in visible_text(response)
    assert "1 other was learned in the last 30 days" in visible_text(response)
    assert "around 19 June 2026" in visible_text(response)
    assert "In the prompt until the two lines meet, about 19 June 2026" in visible_text(response)
    assert find_elements(response, "circle", class_="meet")
    assert find_elements(response, "polyline", class_="cut-off")


def test_a_fact_that_is_out_says_what_would_bring_it_in(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=1)
    learn_fact("cat.name", "Tom", now=now)
    learn_fact("dog.name", "Beans", now=now - timedelta(days=60), confidence=0.9)
    shown = visible_text(get_page(operator, ONE))
    assert "No: place 2 of 2." in shown
    assert "The prompt takes the first 1" in shown
    assert "Said again today it would count 0.90 (place 2); edited by you, 1.50 (place 1)." in shown


def test_injection_switched_off_is_said(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    learn_fact("dog.name", "Beans", now=now)
    assert "Facts are not put into prompts." in visible_text(get_page(operator, ONE))


def test_the_curve_is_a_picture_with_its_numbers_beside_it(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator, ONE)
    picture = find_elements(response, "svg", role="img")[0]
    assert find_elements(response, "figcaption", id=picture["aria-labelledby"])
    assert "1.00 today, 0.61 in a month, 0.22 in 3 months, 0.05 in 6 months, 0.00 in a year" in visible_text(
        response
    ).replace(" ,", ",")
    assert not [element for element in find_elements(response) if "style" in element.attributes]


# --- from here --------------------------------------------------------------------------------------------------


def test_edit_from_here_comes_back_here(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    form = next(f for f in find_elements(get_page(operator, ONE), "form") if "facts/edit" in f["action"])
    assert form["action"] == "/dashboard/facts/edit?key=dog.name&at=fact"
    before = newest_row_id()
    posted = operator.post(form["action"], {"value": "Bowser", "seen": "Beans"})
    assert posted["Location"] == ONE
    response = get_page(operator, ONE)
    assert "Saved dog.name." in visible_text(response)
    assert "You edited from “Beans” to “Bowser”" in visible_text(response)
    assert event_types(after=before) == ["memory.fact.user_edited"]


def test_a_refused_edit_from_here_keeps_what_was_typed(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    response = operator.post("/dashboard/facts/edit?key=dog.name&at=fact", {"value": " ", "seen": "Beans"})
    assert response.status_code == 422
    assert find_elements(response, "form", action="/dashboard/facts/edit?key=dog.name&at=fact")
    assert [a["href"] for a in find_elements(response, "a") if "data-cancel" in a.attributes] == [ONE]


def test_two_tabs_here_are_told_of_each_other(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    address = "/dashboard/facts/edit?key=dog.name&at=fact"
    operator.post(address, {"value": "Rex", "seen": "Beans"})
    response = operator.post(address, {"value": "Bowser", "seen": "Beans"})
    assert response.status_code == 422
    assert "“Rex”" in visible_text(response)
    assert "“Bowser”" in visible_text(response)
    assert PersonalFact.objects.get().value == "Rex"


def test_delete_and_bring_back_from_here(operator: Client, now: datetime) -> None:
    fact = learn_fact("dog.name", "Beans", now=now, confidence=0.8)
    before = newest_row_id()
    delete = next(f["action"] for f in find_elements(get_page(operator, ONE), "form") if "delete" in f["action"])
    assert operator.post(delete)["Location"] == ONE
    response = get_page(operator, ONE)
    shown = visible_text(response)
    assert "There is no such fact now. You deleted it today , when it said “Beans”." in shown
    assert "You deleted when it said “Beans” 0.80 sure" in shown
    assert not find_elements(response, "svg", role="img")
    forms = [f for f in find_elements(response, "form") if "restore" in f["action"]]
    assert [f["action"] for f in forms] == [f"/dashboard/facts/restore/{newest_row_id()}?at=fact"]
    assert find_elements(response, "form", action=f"/dashboard/audit/{newest_row_id()}/undo?at=fact")
    assert not [f for f in forms if "hx-post" in f.attributes], "there is no table here to swap"
    assert operator.post(forms[0]["action"])["Location"] == ONE
    assert "dog.name is back." in visible_text(get_page(operator, ONE))
    assert PersonalFact.objects.get().confidence == fact.confidence
    assert event_types(after=before) == ["memory.fact.user_deleted", "memory.fact.user_added"]


def test_the_last_deletion_is_the_one_to_take_back(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=2)).forget(now=now - timedelta(days=1))
    PersonalFact.objects.add("dog.name", "Rex", now=now).forget(now=now)
    response = get_page(operator, ONE)
    assert "when it said “Rex”" in visible_text(response)
    assert find_elements(response, "form", action=f"/dashboard/facts/restore/{newest_row_id()}?at=fact")


def test_a_deletion_older_than_the_retention_reads_well_and_offers_nothing(operator: Client, now: datetime) -> None:
    then = now - timedelta(days=100)
    fact = PersonalFact.objects.add("dog.name", "Beans", now=then)
    fact.edit("Bowser", now=then)
    deletion = fact.forget(now=then)
    assert deletion is not None
    for number in range(10):
        record_chat(f"hello {number}", now=now)  # a log that is written to: the sweep need not ask
    assert retention.sweep(now=now)
    response = get_page(operator, ONE)
    shown = visible_text(response)
    assert "There is no such fact now. You deleted it" in shown
    assert "; what it said is no longer kept." in shown
    assert "You deleted what it said is no longer kept" in shown
    assert "Bring it back" not in shown
    assert "“" not in shown.partition("Through time")[2]
    refused = operator.post(f"/dashboard/facts/restore/{deletion.pk}")
    assert refused.status_code == 409
    assert "dog.name cannot be brought back: what it said is no longer kept. Add it again." in visible_text(refused)
    several = operator.post("/dashboard/facts/restore-chosen", {"deletions": str(deletion.pk)})
    assert several.status_code == 409
    assert not PersonalFact.objects.exists()


def test_edits_older_than_the_retention_stand_in_the_history_without_values(operator: Client, now: datetime) -> None:
    then = now - timedelta(days=100)
    fact = PersonalFact.objects.add("dog.name", "Beans", now=then)
    fact.edit("Bowser", now=then)
    fact.edit("Rex", now=now)
    assert retention.sweep(now=now)
    shown = visible_text(get_page(operator, ONE)).partition("Through time")[2]
    assert "You edited from “Bowser” to “Rex”" in shown
    assert "You edited what it said is no longer kept 1.00 sure" in shown
    assert "You added what it said is no longer kept" in shown
    assert "Beans" not in shown


def test_a_deletion_that_cannot_be_read_offers_nothing(operator: Client, now: datetime) -> None:
    AuditRow.objects.create(ts=now, event_type="memory.fact.user_deleted", fact_key="dog.name", payload={})
    response = get_page(operator, ONE)
    assert "There is no such fact now." in visible_text(response)
    assert "Bring it back" not in visible_text(response)


def test_fifteen_queries_are_enough_beside_those_of_the_head(
    operator: Client, now: datetime, configure: Configure
) -> None:
    PersonalFact.objects.bulk_create(
        PersonalFact(key=f"note.{number}", value="x", first_seen_at=now, last_confirmed_at=now)
        for number in range(1000)
    )
    for days in range(40, 0, -1):
        said("dog.name", f"Beans {days}", f"it is Beans {days}", now=now - timedelta(days=days))
    PersonalFact.objects.add("typed", "x", now=now)
    learn_fact("gone", "x", now=now).forget(now=now)
    PersonalFact.objects.filter(key="note.5").update(source_audit=None)
    for key in ("dog.name", "typed", "gone", "note.5"):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, fact_url("fact", key))
        assert len(queries) <= 15 + HEAD_QUERIES, [query["sql"][:90] for query in queries]
    configure(memory__facts__max_injected=5000, memory__facts__max_chars=1_000_000)
    with CaptureQueriesContext(connection) as queries:
        get_page(operator, fact_url("fact", "note.5"))
    assert len(queries) <= 15 + HEAD_QUERIES


def test_claims_that_do_not_change_it_are_not_in_its_history(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    old = record_chat("it was Rex", now=now - timedelta(days=5))
    PersonalFact.objects.learn([normalising.Claim("dog.name", "Rex", 1.0)], chat=old, now=now)
    assert "Rex" not in visible_text(get_page(operator, ONE))
    assert operator.get(ONE, headers=HTMX).status_code == 200


def test_it_says_which_client_brought_it(operator: Client, now: datetime) -> None:
    key = ApiKey.objects.issue("kitchen tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        chat = record_chat("My dog's name is Beans.", now=now)
    learn_fact("dog.name", "Beans", now=now, source=chat)
    response = get_page(operator, fact_url("fact", "dog.name"))
    assert f"from chat {chat.pk} , by kitchen tablet" in visible_text(response)
    assert find_elements(response, "a", href=f"/dashboard/connect/keys/{key.pk}")
