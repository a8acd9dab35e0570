"""Add, edit, delete, undo: with htmx and without script, one audit row for each change (ADR-0033 §5, decision 4)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import (
    HTMX,
    delete_form_url,
    event_types,
    fact_url,
    find_elements,
    get_page,
    learn_fact,
    newest_row_id,
    visible_text,
)

pytestmark = pytest.mark.django_db

EDIT = "/dashboard/facts/edit?key=dog.name"
DELETE = "/dashboard/facts/delete?key=dog.name"


@pytest.fixture
def beans(db: None, now: datetime) -> PersonalFact:
    return learn_fact("dog.name", "Beans", now=now - timedelta(days=3), confidence=0.9)


def value(key: str = "dog.name") -> str:
    return PersonalFact.objects.get(key=key).value


# --- edit -------------------------------------------------------------------------------------------------------


def test_it_works(operator: Client, beans: PersonalFact, now: datetime) -> None:
    before = newest_row_id()
    response = operator.post(EDIT, {"value": "Bowser", "seen": "Beans"}, headers=HTMX)
    assert response.status_code == 200
    assert response["HX-Retarget"] == "#facts-table"
    assert "Your dog's name is Bowser." in visible_text(response)
    assert "Saved dog.name." in visible_text(response)
    fact = PersonalFact.objects.get()
    assert (fact.value, fact.confidence, fact.last_confirmed_at) == ("Bowser", 1.0, now)
    assert fact.source_audit_id == beans.source_audit_id
    assert event_types(after=before) == ["memory.fact.user_edited"]


def test_the_form_takes_the_place_of_the_row(operator: Client, beans: PersonalFact) -> None:
    response = operator.get(EDIT, headers=HTMX)
    assert find_elements(response)[0].tag == "tr"
    field = find_elements(response, "input", name="value")[0]
    assert field["value"] == "Beans"
    assert "autofocus" in field.attributes
    assert find_elements(response, "label", for_=field["id"])
    assert find_elements(response, "form")[0]["hx-post"] == EDIT
    assert not event_types(after=newest_row_id())


def test_the_form_has_a_page_of_its_own_without_script(operator: Client, beans: PersonalFact) -> None:
    response = get_page(operator, EDIT)
    assert len(find_elements(response, "h1")) == 1
    assert find_elements(response, "form", action=EDIT, method="post")
    assert not find_elements(response, "form", hx_post=EDIT), "there is no row here for htmx to swap"
    posted = operator.post(EDIT, {"value": "Bowser", "seen": "Beans"})
    assert posted["Location"] == f"/dashboard/facts#fact-row-{beans.pk}"
    assert "Saved dog.name." in visible_text(get_page(operator))
    assert "Saved dog.name." not in visible_text(get_page(operator)), "said once"


def test_after_saving_the_focus_is_on_the_edit_control(operator: Client, beans: PersonalFact) -> None:
    response = operator.post(EDIT, {"value": "Bowser", "seen": "Beans"}, headers=HTMX)
    assert [element["aria-label"] for element in find_elements(response) if "autofocus" in element.attributes] == [
        "Edit fact dog.name"
    ]


def test_cancel_brings_the_row_back(operator: Client, beans: PersonalFact) -> None:
    before = newest_row_id()
    response = operator.get("/dashboard/facts/row?key=dog.name", headers=HTMX)
    assert find_elements(response)[0]["id"] == f"fact-row-{beans.pk}"
    assert [e["aria-label"] for e in find_elements(response) if "autofocus" in e.attributes] == ["Edit fact dog.name"]
    assert operator.get("/dashboard/facts/row?key=dog.name")["Location"] == f"/dashboard/facts#fact-row-{beans.pk}"
    assert event_types(after=before) == []


def test_saving_the_same_value_writes_nothing(operator: Client, beans: PersonalFact) -> None:
    before = newest_row_id()
    response = operator.post(EDIT, {"value": " Beans ", "seen": "Beans"}, headers=HTMX)
    assert response.status_code == 200
    assert "says that already" in visible_text(response)
    assert event_types(after=before) == []
    assert PersonalFact.objects.get().confidence == 0.9


@pytest.mark.parametrize(("typed", "message"), [("  ", "The value is empty"), ("x" * 501, "has 501 characters")])
@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])
def test_a_value_that_cannot_be_kept_is_refused_in_its_place(
    operator: Client, beans: PersonalFact, typed: str, message: str, headers: dict[str, str]
) -> None:
    before = newest_row_id()
    response = operator.post(EDIT, {"value": typed, "seen": "Beans"}, headers=headers)
    assert response.status_code == 422
    assert message in visible_text(response)
    field = find_elements(response, "input", name="value")[0]
    assert field["value"] == typed, "what was typed is not lost"
    assert field["aria-invalid"] == "true"
    error = next(e for e in find_elements(response, "p") if e.attributes.get("id") in field["aria-describedby"].split())
    assert error["class"] == "error"
    assert "HX-Retarget" not in response
    assert (value(), event_types(after=before)) == ("Beans", [])


def test_an_edit_of_a_fact_that_changed_meanwhile_shows_both_values(operator: Client, beans: PersonalFact) -> None:
    learn_fact("dog.name", "Rex", now=beans.last_confirmed_at + timedelta(days=1))
    before = newest_row_id()
    response = operator.post(EDIT, {"value": "Bowser", "seen": "Beans"}, headers=HTMX)
    assert response.status_code == 422
    assert "“Rex”" in visible_text(response)
    assert "“Bowser”" in visible_text(response)
    assert find_elements(response, "input", name="value")[0]["value"] == "Bowser"
    seen = find_elements(response, "input", name="seen")[0]["value"]
    assert (seen, value(), event_types(after=before)) == ("Rex", "Rex", [])
    again = operator.post(EDIT, {"value": "Bowser", "seen": seen}, headers=HTMX)
    assert again.status_code == 200
    assert (value(), event_types(after=before)) == ("Bowser", ["memory.fact.user_edited"])


def test_an_edit_of_a_fact_that_vanished_can_be_added_again(operator: Client, beans: PersonalFact) -> None:
    beans.forget(now=beans.last_confirmed_at)
    before = newest_row_id()
    response = operator.post(EDIT, {"value": "Bowser", "seen": "Beans"}, headers=HTMX)
    assert response.status_code == 422
    assert "was deleted meanwhile" in visible_text(response)
    assert "“Beans”" in visible_text(response)
    assert "“Bowser”" in visible_text(response)
    assert event_types(after=before) == []
    form = find_elements(response, "form")[0]
    added = operator.post(form["hx-post"], {"key": "dog.name", "value": "Bowser"}, headers=HTMX)
    assert added.status_code == 200
    assert (value(), event_types(after=before)) == ("Bowser", ["memory.fact.user_added"])


def test_a_value_with_line_breaks_from_before_can_be_corrected(operator: Client, now: datetime) -> None:
    PersonalFact.objects.create(key="dog.name", value="Be\nans", first_seen_at=now, last_confirmed_at=now)
    form = operator.get(EDIT, headers=HTMX)
    assert find_elements(form, "input", name="value")[0]["value"] == "Be ans", "a field would swallow the break"
    assert operator.post(EDIT, {"value": "Beans", "seen": "Be\r\nans"}, headers=HTMX).status_code == 200
    assert value() == "Beans"


# --- delete and undo --------------------------------------------------------------------------------------------


def test_delete_takes_the_row_away_and_offers_undo(operator: Client, beans: PersonalFact) -> None:
    before = newest_row_id()
    response = operator.post(delete_form_url(operator, "dog.name"), headers=HTMX)
    assert response.status_code == 200
    assert not find_elements(response, "tr", id=f"fact-row-{beans.pk}")
    assert "Deleted dog.name." in visible_text(response)
    assert event_types(after=before) == ["memory.fact.user_deleted"]
    status = find_elements(response, "div", id="status")[0]
    assert (status["role"], status["aria-live"], status["hx-swap-oob"]) == ("status", "polite", "innerHTML")
    undo = find_elements(response, "form", action=f"/dashboard/audit/{newest_row_id()}/undo")[0]
    assert undo["hx-target"] == "#facts-table"


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])
def test_undo_brings_the_fact_back_as_it_was(operator: Client, beans: PersonalFact, headers: dict[str, str]) -> None:
    operator.post(DELETE, headers=headers)
    before = newest_row_id()
    response = operator.post(f"/dashboard/facts/restore/{before}", headers=headers)
    back = PersonalFact.objects.get()
    assert (back.value, back.confidence, back.source_audit_id) == ("Beans", 0.9, beans.source_audit_id)
    assert (back.first_seen_at, back.last_confirmed_at) == (beans.first_seen_at, beans.last_confirmed_at)
    if headers:
        assert response.status_code == 200
        assert find_elements(response, "tr", id=f"fact-row-{back.pk}")
    else:
        assert response["Location"] == f"/dashboard/facts#fact-row-{back.pk}"
    assert event_types(after=before) == ["memory.fact.user_added"]
    assert operator.post(f"/dashboard/facts/restore/{before}", headers=headers).status_code in (200, 302)
    assert event_types(after=before) == ["memory.fact.user_added"], "a second time writes nothing"


def test_without_script_the_next_page_offers_undo(operator: Client, beans: PersonalFact) -> None:
    assert operator.post(DELETE)["Location"] == "/dashboard/facts"
    response = get_page(operator)
    assert "Deleted dog.name." in visible_text(response)
    assert find_elements(response, "form", action=f"/dashboard/audit/{newest_row_id()}/undo", method="post")


def test_undo_of_a_fact_learned_anew_says_so_and_changes_nothing(
    operator: Client, beans: PersonalFact, now: datetime
) -> None:
    operator.post(DELETE)
    deletion = newest_row_id()
    PersonalFact.objects.add("dog.name", "Rex", now=now)
    before = newest_row_id()
    response = operator.post(f"/dashboard/facts/restore/{deletion}", headers=HTMX)
    assert response.status_code == 409
    assert "“Rex”" in visible_text(response)
    assert "“Beans”" in visible_text(response)
    assert find_elements(response, "div", id="problem")
    assert operator.post(f"/dashboard/facts/restore/{deletion}").status_code == 409
    assert (value(), event_types(after=before)) == ("Rex", [])


def test_undo_of_what_is_no_deletion_is_404(operator: Client, beans: PersonalFact) -> None:
    added = AuditRow.objects.get(event_type="memory.fact.added")
    foreign = AuditRow.objects.create(ts=beans.last_confirmed_at, event_type="something.else", payload={})
    broken = AuditRow.objects.create(ts=beans.last_confirmed_at, event_type="memory.fact.user_deleted", payload={})
    for number in (added.pk, foreign.pk, broken.pk, 999_999, 10**30):
        assert operator.post(f"/dashboard/facts/restore/{number}").status_code == 404
    assert operator.get(f"/dashboard/facts/restore/{added.pk}").status_code == 405


def test_a_deletion_can_be_taken_back_from_its_own_page(operator: Client, beans: PersonalFact) -> None:
    operator.post(DELETE)
    response = get_page(operator, f"/dashboard/audit/{newest_row_id()}")
    assert find_elements(response, "form", action=f"/dashboard/audit/{newest_row_id()}/undo")
    operator.post(f"/dashboard/facts/restore/{newest_row_id()}")
    assert "Bring it back" not in visible_text(get_page(operator, f"/dashboard/audit/{newest_row_id() - 1}"))


# --- add --------------------------------------------------------------------------------------------------------


def test_add_writes_one_row(operator: Client, db: None) -> None:
    response = operator.post("/dashboard/facts/add", {"key": "Sister Birthday", "value": "3 June"}, headers=HTMX)
    assert response.status_code == 200
    assert "sister_birthday: 3 June" in visible_text(response)
    fact = PersonalFact.objects.get()
    assert (fact.key, fact.value, fact.confidence) == ("sister_birthday", "3 June", 1.0)
    assert event_types() == ["memory.fact.user_added"]
    form = find_elements(response, "details", id="fact-add")[0]
    assert form["hx-swap-oob"] == "true"
    assert "open" not in form.attributes, "the form folds, empty"


def test_add_works_without_script(operator: Client, db: None) -> None:
    response = operator.post("/dashboard/facts/add", {"key": "dog.name", "value": "Beans"})
    assert response["Location"] == f"/dashboard/facts#fact-row-{PersonalFact.objects.get().pk}"
    assert "Added dog.name." in visible_text(get_page(operator))


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])
def test_errors_of_add_stand_at_their_fields(operator: Client, db: None, headers: dict[str, str]) -> None:
    response = operator.post("/dashboard/facts/add", {"key": "", "value": " "}, headers=headers)
    assert response.status_code == 422
    for name, message in (("key", "The key is empty"), ("value", "The value is empty")):
        field = find_elements(response, "input", name=name)[0]
        assert f"new-{name}-error" in field["aria-describedby"]
        assert find_elements(response, "p", id=f"new-{name}-error")
        assert message in visible_text(response)
        assert find_elements(response, "label", for_=field["id"])
    assert "open" in find_elements(response, "details", id="fact-add")[0].attributes
    assert event_types() == []


def test_add_of_a_known_key_says_what_it_is(operator: Client, beans: PersonalFact) -> None:
    before = newest_row_id()
    response = operator.post("/dashboard/facts/add", {"key": "Dog.Name", "value": "Rex"}, headers=HTMX)
    assert response.status_code == 422
    assert "already known as “Beans”" in visible_text(response)
    assert find_elements(response, "input", name="value")[0]["value"] == "Rex"
    assert (value(), event_types(after=before)) == ("Beans", [])


def test_the_address_of_a_refused_add_can_be_opened_again(operator: Client, db: None) -> None:
    response = get_page(operator, "/dashboard/facts/add")
    assert "open" in find_elements(response, "details", id="fact-add")[0].attributes


# --- any key ----------------------------------------------------------------------------------------------------

ODD_KEYS = [
    "a/b",
    "/",
    "..",
    "../../admin",
    ".",
    "a//b",
    "100%",
    "%2f",
    "%",
    "what?",
    "a#b",
    "a&key=b",
    "a+b",
    "it's",
    'say_"hi"',
    "dog.🐶",
    "naïve.ключ",
    "<b>",
    "a;b",
    "a\\b",
    "add",
    "edit",
]
RAW_KEYS = ["Dog Name", " spaced ", "a\nb", "a\tb"]


@pytest.mark.parametrize("key", ODD_KEYS + RAW_KEYS)
def test_every_link_of_any_key_leads_to_it(operator: Client, now: datetime, key: str) -> None:
    PersonalFact.objects.create(key=key, value="first", first_seen_at=now, last_confirmed_at=now)
    response = get_page(operator)
    edit = next(a["href"] for a in find_elements(response, "a") if "facts/edit" in a.attributes.get("href", ""))
    assert edit == fact_url("fact-edit", key)
    assert operator.get(edit, headers=HTMX).status_code == 200
    assert operator.post(edit, {"value": "second", "seen": "first"}, headers=HTMX).status_code == 200
    assert value(key) == "second"
    own_page = next(
        a["href"] for a in find_elements(get_page(operator), "a") if "facts/one" in a.attributes.get("href", "")
    )
    assert own_page == fact_url("fact", key)
    assert "from “first” to “second”" in visible_text(get_page(operator, own_page))
    assert operator.post(delete_form_url(operator, key), headers=HTMX).status_code == 200
    assert not PersonalFact.objects.exists()
    deletion = newest_row_id()
    assert operator.post(f"/dashboard/facts/restore/{deletion}", headers=HTMX).status_code == 200
    assert operator.get(edit, headers=HTMX).status_code == 200, "the address of a fact survives delete and undo"
    assert PersonalFact.objects.get().key == key


@pytest.mark.parametrize("key", ["nothing", "", "%00", "x" * 5000, "%ff%fe"])
@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])
def test_a_key_that_is_not_there_is_404_everywhere(operator: Client, key: str, headers: dict[str, str]) -> None:
    assert operator.get(f"/dashboard/facts/edit?key={key}", headers=headers).status_code == 404
    assert operator.get(f"/dashboard/facts/row?key={key}", headers=headers).status_code == 404
    assert operator.post(f"/dashboard/facts/delete?key={key}", headers=headers).status_code == 404
    assert operator.get("/dashboard/facts/edit").status_code == 404
