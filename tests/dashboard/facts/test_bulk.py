"""Several facts deleted at once and taken back at once: one audit row for each, with htmx and without script."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import HTMX, event_types, find_elements, get_page, learn_fact, newest_row_id, visible_text

pytestmark = pytest.mark.django_db

DELETE = "/dashboard/facts/delete-chosen"
RESTORE = "/dashboard/facts/restore-chosen"
BOTH = pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])


@pytest.fixture
def three(db: None, now: datetime) -> list[PersonalFact]:
    return [learn_fact(f"dog.{name}", name, now=now - timedelta(days=1), confidence=0.9) for name in ("a", "b", "c")]


def ids(facts: Sequence[PersonalFact]) -> dict[str, list[str]]:
    return {"fact": [str(fact.pk) for fact in facts]}


def deletions() -> list[AuditRow]:
    return list(AuditRow.objects.filter(event_type="memory.fact.user_deleted").order_by("id"))


def test_it_works(operator: Client, three: list[PersonalFact]) -> None:
    before = newest_row_id()
    response = operator.post(DELETE, ids(three[:2]), headers=HTMX)
    assert response.status_code == 200
    assert response["HX-Retarget"] == "#facts-table"
    assert "Deleted 2 facts." in visible_text(response)
    assert [fact.key for fact in PersonalFact.objects.all()] == ["dog.c"]
    assert event_types(after=before) == ["memory.fact.user_deleted"] * 2, "one row for each"
    undo = find_elements(response, "form", action=RESTORE)[0]
    assert (undo["hx-post"], undo["hx-target"]) == (RESTORE, "#facts-table")
    numbers = find_elements(response, "input", name="deletions")[0]["value"]
    assert numbers == " ".join(str(row.pk) for row in deletions())


def test_every_row_has_its_box_in_one_form(operator: Client, three: list[PersonalFact]) -> None:
    response = get_page(operator)
    form = find_elements(response, "form", id="facts-chosen")[0]
    assert (form["action"], form["method"], form["hx-post"]) == (DELETE, "post", DELETE)
    boxes = find_elements(response, "input", type="checkbox", name="fact", form="facts-chosen")
    assert {box["value"] for box in boxes} == {str(fact.pk) for fact in three}
    for fact in three:
        assert find_elements(response, "input", aria_label=f"Select fact {fact.key}")
    assert find_elements(response, "button", type="reset")


def test_one_undo_takes_all_back(operator: Client, three: list[PersonalFact]) -> None:
    operator.post(DELETE, ids(three), headers=HTMX)
    before, numbers = newest_row_id(), " ".join(str(row.pk) for row in deletions())
    response = operator.post(RESTORE, {"deletions": numbers}, headers=HTMX)
    assert response.status_code == 200
    assert "3 facts are back." in visible_text(response)
    for fact in three:
        back = PersonalFact.objects.get(key=fact.key)
        assert (back.value, back.confidence, back.source_audit_id) == (fact.value, 0.9, fact.source_audit_id)
        assert (back.first_seen_at, back.last_confirmed_at) == (fact.first_seen_at, fact.last_confirmed_at)
    assert event_types(after=before) == ["memory.fact.user_added"] * 3
    again = operator.post(RESTORE, {"deletions": numbers}, headers=HTMX)
    assert again.status_code == 200
    assert event_types(after=before) == ["memory.fact.user_added"] * 3, "a second time writes nothing"


def test_it_works_without_script(operator: Client, three: list[PersonalFact]) -> None:
    listed = get_page(operator, "/dashboard/facts?q=dog")
    form = find_elements(listed, "form", id="facts-chosen")[0]
    posted = operator.post(form["action"], ids(three[:2]))
    assert posted["Location"] == "/dashboard/facts?q=dog"
    response = get_page(operator, "/dashboard/facts?q=dog")
    assert "Deleted 2 facts." in visible_text(response)
    undo = next(f for f in find_elements(response, "form", method="post") if f["action"].startswith(RESTORE))
    numbers = find_elements(response, "input", name="deletions")[0]["value"]
    assert operator.post(undo["action"], {"deletions": numbers})["Location"].startswith("/dashboard/facts?q=dog")
    assert "2 facts are back." in visible_text(get_page(operator))
    assert PersonalFact.objects.count() == 3


def test_one_chosen_fact_is_told_by_its_name(operator: Client, three: list[PersonalFact]) -> None:
    response = operator.post(DELETE, ids(three[:1]), headers=HTMX)
    assert "Deleted dog.a." in visible_text(response)
    assert find_elements(response, "form", action=f"/dashboard/audit/{newest_row_id()}/undo")


@BOTH
def test_nothing_chosen_says_so_and_changes_nothing(
    operator: Client, three: list[PersonalFact], headers: dict[str, str]
) -> None:
    before = newest_row_id()
    for data in ({}, {"fact": ["", "x", "-1", "9" * 40, "½"]}):
        response = operator.post(DELETE, data, headers=headers)
        assert response.status_code == 422
        assert "Nothing is selected." in visible_text(response)
        assert find_elements(response, "section", id="facts-table")
        assert "/dashboard/facts" not in response.headers.get("Location", "")
        if headers:
            assert (response["HX-Retarget"], response["HX-Reselect"]) == ("#status", "#problem")
    assert (PersonalFact.objects.count(), event_types(after=before)) == (3, [])


@BOTH
def test_what_is_gone_already_is_told(operator: Client, three: list[PersonalFact], headers: dict[str, str]) -> None:
    three[0].forget(now=three[0].last_confirmed_at)
    response = operator.post(DELETE, ids(three[:2]), headers=headers)
    told = visible_text(response if headers else get_page(operator))
    assert "Deleted dog.b. 1 was gone already." in told
    assert operator.post(DELETE, ids(three[:2]), headers=headers).status_code == 404
    assert PersonalFact.objects.count() == 1


def test_a_fact_learned_anew_meanwhile_is_not_the_one_chosen(
    operator: Client, three: list[PersonalFact], now: datetime
) -> None:
    three[0].forget(now=now)
    PersonalFact.objects.add("dog.a", "anew", now=now)
    operator.post(DELETE, ids(three[:2]), headers=HTMX)
    assert PersonalFact.objects.get(key="dog.a").value == "anew"


@BOTH
def test_undo_leaves_alone_what_was_learned_anew(
    operator: Client, three: list[PersonalFact], now: datetime, headers: dict[str, str]
) -> None:
    operator.post(DELETE, ids(three), headers=headers)
    PersonalFact.objects.add("dog.a", "Rex", now=now)
    numbers = " ".join(str(row.pk) for row in deletions())
    response = operator.post(RESTORE, {"deletions": numbers}, headers=headers)
    told = visible_text(response if headers else get_page(operator))
    assert "2 facts are back. 1 stayed as it is: dog.a was learned anew as “Rex”." in told
    assert PersonalFact.objects.get(key="dog.a").value == "Rex"
    only = str(deletions()[0].pk)
    assert operator.post(RESTORE, {"deletions": only}, headers=headers).status_code == 409


@BOTH
def test_undo_of_what_is_no_deletion_is_404(
    operator: Client, three: list[PersonalFact], headers: dict[str, str]
) -> None:
    added = AuditRow.objects.get(event_type="memory.fact.added", fact_key="dog.a")
    for numbers in ("", str(added.pk), "x", "999999", "1;2"):
        assert operator.post(RESTORE, {"deletions": numbers}, headers=headers).status_code == 404
    assert operator.post(RESTORE, headers=headers).status_code == 404
    assert operator.get(RESTORE).status_code == operator.get(DELETE).status_code == 405


def test_odd_keys_are_chosen_by_their_row(operator: Client, now: datetime) -> None:
    odd = ["a/b", "100%", "a\nb", 'say "hi"', "🐶", "<b>"]
    facts = [PersonalFact.objects.create(key=key, value="x", first_seen_at=now, last_confirmed_at=now) for key in odd]
    assert operator.post(DELETE, ids(facts), headers=HTMX).status_code == 200
    assert not PersonalFact.objects.exists()
    assert [row.fact_key for row in deletions()] == odd
    operator.post(RESTORE, {"deletions": " ".join(str(row.pk) for row in deletions())}, headers=HTMX)
    assert {fact.key for fact in PersonalFact.objects.all()} == set(odd)


def test_a_whole_page_can_be_chosen_and_taken_back(operator: Client, now: datetime) -> None:
    PersonalFact.objects.bulk_create(
        PersonalFact(key=f"note.{number}", value="x", first_seen_at=now, last_confirmed_at=now) for number in range(51)
    )
    boxes = [box["value"] for box in find_elements(get_page(operator), "input", name="fact")]
    assert len(boxes) == 50
    operator.post(DELETE, {"fact": boxes})
    assert PersonalFact.objects.count() == 1
    response = get_page(operator)
    assert "Deleted 50 facts." in visible_text(response)
    operator.post(RESTORE, {"deletions": find_elements(response, "input", name="deletions")[0]["value"]})
    assert PersonalFact.objects.count() == 51
    assert len(event_types()) == 100
