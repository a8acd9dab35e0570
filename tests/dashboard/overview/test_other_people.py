"""The overview says that memory is kept to one person, where several use the clients and no setting names one."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.models import OperatorId, PersonId
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, visible_text
from tests.memory.chat_helpers import record_chat

pytestmark = pytest.mark.django_db
OVERVIEW = "/dashboard/"


def comes(name: str, now: datetime) -> None:
    OperatorId.objects.is_operator([PersonId("mail", f"{name}@example.org")], named=[], now=now)


@pytest.mark.parametrize("has_chats", [False, True])
def test_it_works(operator: Client, now: datetime, has_chats: bool) -> None:
    if has_chats:
        record_chat("I like figs.", now=now)
    comes("anna", now)
    assert not find_elements(get_page(operator, OVERVIEW), "li", id="other-people")
    comes("bob", now + timedelta(minutes=1))
    response = get_page(operator, OVERVIEW)
    assert find_elements(response, "li", id="other-people")
    text = visible_text(response)
    assert "anna@example.org" in text
    assert "bob@example.org" not in text
    assert "CAESAR_OPERATOR__IDS" in text


def test_with_the_setting_there_is_nothing_to_say(operator: Client, now: datetime, configure: Configure) -> None:
    comes("anna", now)
    comes("bob", now)
    configure(operator__ids=("anna@example.org",))
    assert not find_elements(get_page(operator, OVERVIEW), "li", id="other-people")
