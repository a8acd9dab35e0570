"""The case files about pages: H39 (delete), H40 (markup in facts), H48 (Chinese and Japanese on the timeline)."""

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.test import Client

from memory.models import ApiKey, AuditRow, PersonalFact
from memory.text import wording
from tests import cases
from tests.dashboard.helpers import HTMX, delete_form_url, fact_url, find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db


@cases.of_kind("dashboard")
def test_a_case(case: cases.Case, operator: Client) -> None:
    with time_machine.travel(case.clock, tick=False):
        operator.force_login(get_user_model().objects.get())
        cases.prepare(case)
        CASES[case.id](case, operator)


def delete_case(case: cases.Case, operator: Client) -> None:
    before = cases.last_row_id()
    target = delete_form_url(operator, "dog.name")
    guarded = Client(enforce_csrf_checks=True)
    guarded.force_login(get_user_model().objects.get())

    assert operator.get(target).status_code == 405
    refused = guarded.post(target, headers=HTMX)
    assert refused.status_code == 403
    assert "out of date" in visible_text(refused)
    assert PersonalFact.objects.count() == 1
    assert cases.new_rows(before) == []

    response = operator.post(target, headers=HTMX)
    assert response.status_code == case.expect["http"]["status"]
    assert not find_elements(response, "tr"), "the answer brings the table without the row"
    assert "Biscuit" not in visible_text(response)
    cases.check_tables(case.expect, rows=cases.new_rows(before))

    again = operator.post(target, headers=HTMX)
    assert again.status_code == 404
    assert find_elements(again, "section", id="facts-table"), "a row that is gone goes away on this page too"
    assert operator.get(target).status_code == 405
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    sentences = [item.fact.sentence for item in PersonalFact.objects.for_prompt(case.clock)]
    assert "dog" not in wording.facts_block(sentences, max_facts=30, max_chars=2048).text


def markup_case(case: cases.Case, operator: Client) -> None:
    facts = list(PersonalFact.objects.all())
    edits = {fact.key: operator.get(fact_url("fact-edit", fact.key), headers=HTMX) for fact in facts}
    for fact in facts:
        edit = edits[fact.key]
        assert find_elements(edit, "input", name="value")[0]["value"] == fact.value
        assert (
            operator.post(
                fact_url("fact-edit", fact.key), {"value": f"{fact.value}!", "seen": fact.value}, headers=HTMX
            ).status_code
            == 200
        )
    rows = [f"/dashboard/audit/{row.pk}" for row in AuditRow.objects.all()]
    plain = [get_page(operator, fact_url("fact-edit", fact.key)) for fact in facts]
    pages = [get_page(operator), get_page(operator, "/dashboard/audit"), *(get_page(operator, row) for row in rows)]
    for response in [*pages, *plain, *edits.values()]:
        for element in find_elements(response):
            assert element.tag != "img"
            assert element.tag != "script" or element["src"].startswith("/static/")
            assert not [name for name in element.attributes if name.startswith(("on", "hx-on"))]
            assert not element.attributes.get("href", "").startswith("javascript:")
            assert "alert" not in element.attributes.get("hx-vals", "") + element.attributes.get("hx-headers", "")
    for text in case.expect["html"]["text_present"]:
        assert text in visible_text(pages[0])


def search_case(case: cases.Case, operator: Client) -> None:
    """Each search on the page and in the API; and one in a language with blanks, beside them."""
    plain = AuditRow.objects.create(
        ts=case.clock, event_type="chat.completed", payload={"messages": [], "reply": "Beans, a dog of 3 years"}
    )
    key = {"Authorization": f"Bearer {ApiKey.objects.issue('reader', scopes=['read']).secret}"}
    wanted = {words: case.expect["found"][words] for words in case.given["searches"]}
    for words, ids in [*wanted.items(), ("dog bea", [plain.pk]), ("beans", [plain.pk]), ("eans", [])]:
        page = operator.get("/dashboard/audit", {"q": words})
        shown = [int(item["id"].removeprefix("event-")) for item in find_elements(page, "li")]
        answer = Client().get("/v1/audit", {"q": words}, headers=key).json()
        assert shown == [row["id"] for row in answer["data"]] == ids, words
        if words in wanted:
            assert list(find_elements(page, "mark")), "the words are marked where they stand"


CASES = {
    "H39-delete-removes-row": delete_case,
    "H40-markup-in-facts": markup_case,
    "H48-cjk-word-on-the-timeline": search_case,
}
