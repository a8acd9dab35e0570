"""Only an account that may operate memory sees and changes it: asked on every page and verb."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import URLPattern, get_resolver

from memory.models import ApiKey, AuditRow

pytestmark = pytest.mark.django_db

OPEN = {"home", "login", "logout", "password", "password-done", "health", "theme", None}
"""What asks for no permission: the way in and out, an account's own password, and how pages look."""


@pytest.fixture
def stranger() -> Client:
    """A browser with an account of staff that was given no permission."""
    client = Client()
    client.force_login(User.objects.create_user("guest", password="a long enough password", is_staff=True))
    return client


def pages() -> list[URLPattern]:
    import dashboard.urls

    assert get_resolver().resolve("/dashboard/").url_name == "overview"
    return [page for page in dashboard.urls.urlpatterns if page.name not in OPEN]


def address(page: URLPattern) -> str:
    route = str(page.pattern)
    for placeholder in (
        "<row:chat_id>",
        "<row:key_id>",
        "<row:deletion_id>",
        "<row:row_id>",
        "<int:row_id>",
        "<row:claim_id>",
    ):
        route = route.replace(placeholder, "1")
    return "/" + route.replace("<str:name>", "extract").replace("<slug:name>", "README")


def test_it_works(stranger: Client) -> None:
    refused = stranger.get("/dashboard/facts")
    assert refused.status_code == 403
    assert "may not operate memory" in refused.content.decode()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_page_and_verb_asks_for_the_permission(stranger: Client, page: URLPattern) -> None:
    answers = [stranger.get(address(page)), stranger.post(address(page), {"label": "mine", "message": "hi"})]
    assert {answer.status_code for answer in answers} <= {403, 405}
    assert 403 in {answer.status_code for answer in answers}
    assert not ApiKey.objects.exists()
    assert not AuditRow.objects.exists()


def test_the_permission_is_all_it_takes(stranger: Client) -> None:
    User.objects.get().user_permissions.add(Permission.objects.get(codename="operate_memory"))
    assert stranger.get("/dashboard/facts").status_code == 200
    assert stranger.post("/dashboard/connect/keys", {"label": "mine"}).status_code == 200


def test_an_account_without_it_may_change_its_password(stranger: Client) -> None:
    assert stranger.get("/password").status_code == 200
