"""The page on which the operator changes the password."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.dashboard.helpers import HTMX, find_elements, get_page, visible_text

OLD, NEW = "a long enough password", "quite another, longer one"
FIELDS = ["old_password", "new_password1", "new_password2"]


def sent(old: str = OLD, new: str = NEW, again: str = NEW) -> dict[str, str]:
    return dict(zip(FIELDS, (old, new, again), strict=True))


def test_it_works(operator: Client) -> None:
    assert find_elements(get_page(operator), "a", href="/password")
    assert [
        field["name"] for field in find_elements(get_page(operator, "/password"), "input", type="password")
    ] == FIELDS
    other = Client()
    other.force_login(get_user_model().objects.get())
    answer = operator.post("/password", sent())
    assert answer["Location"] == "/password/done"
    assert "Password changed" in visible_text(get_page(operator, "/password/done"))
    assert other.get("/dashboard/facts").status_code == 302
    assert get_user_model().objects.get().check_password(NEW)
    assert Client().post("/login", {"username": "operator", "password": NEW})["Location"] == "/dashboard/"


@pytest.mark.parametrize(
    ("form", "field", "problem"),
    [
        (sent(old="wrong"), "old-password", "old password was entered incorrectly"),
        (sent(again="something else"), "new-password2", "didn’t match"),
        (sent(new="12345678", again="12345678"), "new-password2", "too common"),
        (sent(new=""), "new-password1", "This field is required"),
    ],
)
def test_a_refusal_stands_at_its_field(operator: Client, form: dict[str, str], field: str, problem: str) -> None:
    answer = operator.post("/password", form)
    assert answer.status_code == 422
    assert problem in visible_text(answer)
    assert find_elements(answer, "p", id=f"{field}-error", role="alert")
    assert f"{field}-error" in find_elements(answer, "input", id=field)[0]["aria-describedby"].split()
    assert not [typed for typed in find_elements(answer, "input", type="password") if "value" in typed.attributes]
    assert get_user_model().objects.get().check_password(OLD)


def test_the_page_reads_well(operator: Client) -> None:
    answer = get_page(operator, "/password")
    ids = [element["id"] for element in find_elements(answer) if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    labelled = {label["for"] for label in find_elements(answer, "label")}
    for field in find_elements(answer, "input", type="password"):
        assert field["id"] in labelled
        assert set(field.attributes.get("aria-describedby", "").split()) <= set(ids)
    assert len(find_elements(answer, "h1")) == 1
    assert "at least 8 characters" in visible_text(answer)
    assert "no-store" in answer["Cache-Control"]
    assert len(find_elements(answer, "a", href="/password", aria_current="page")) == 1


@pytest.mark.parametrize("address", ["/password", "/password/done"])
def test_a_stranger_is_sent_to_the_login_and_then_back(db: None, client: Client, address: str) -> None:
    assert client.get(address)["Location"] == f"/login?next={address}"


def test_a_session_that_ended_leads_to_the_login_and_back_from_form_and_htmx(operator: Client) -> None:
    operator.logout()
    plain = operator.post("/password", sent(), headers={"Referer": "http://testserver/password"})
    assert plain["Location"] == "/login?next=/password"
    htmx = operator.get("/dashboard/facts/row?key=a", headers=HTMX)
    assert htmx["HX-Redirect"] == "/login?next=%2Fdashboard%2Ffacts"
    login = {"username": "operator", "password": OLD, "next": "/password"}
    assert operator.post("/login", login)["Location"] == "/password"
    assert get_user_model().objects.get().check_password(OLD)
