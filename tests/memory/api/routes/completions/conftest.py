"""One known fact for the tests of chat completions."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import events
from memory.events import Message
from memory.models import AuditRow, PersonalFact
from memory.text.normalising import Claim


@pytest.fixture
def beans() -> None:
    """The operator said once that the dog is called Beans."""
    now = timezone.now() - timedelta(days=3)
    chat = AuditRow.objects.record(
        events.ChatCompleted(messages=[Message(role="user", content="x")], new_messages=[]), now=now
    )
    PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=chat, now=now)
