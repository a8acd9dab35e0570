"""An operator's browser without the network: `python -m bench.page_process 5000`, with a database of its own.

Fills the database with that many facts, then answers each line of its input, the name of an act, with a line of JSON:
how long the answer took in seconds, how long it is in bytes, and how long gzipped.
"""

import gzip
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import count
from typing import Any

_SAVES = count()
_PAGES = {
    "overview": "/dashboard/",
    "facts": "/dashboard/facts",
    "fact": "/dashboard/facts/one?key=bnote.number_1",
    "episodes": "/dashboard/episodes",
    "timeline": "/dashboard/audit",
    "chat": "/dashboard/audit/1",
    "whole preview": "/dashboard/preview?message=What+should+I+cook",
    "connect": "/dashboard/connect",
    "models": "/dashboard/models",
    "manual": "/dashboard/manual",
}
_ASSETS = re.compile(r'<link rel="(?:stylesheet|icon)"|<script src=')
"""What a browser asks for beside the page, where it keeps nothing."""


def main() -> None:
    """Do what is asked."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    client = Client(SERVER_NAME="localhost")
    _fill(int(sys.argv[1]), client)
    acts: Mapping[str, Callable[[Client], Any]] = {"preview": _preview, "save": _save}
    for line in sys.stdin:
        began = time.perf_counter()
        act = acts.get(line.strip())
        answer = act(client) if act else client.get(_PAGES[line.strip()])
        seconds = time.perf_counter() - began
        if answer.status_code != 200:
            raise SystemExit(f"{line.strip()} answered {answer.status_code}: {answer.content.decode()[:500]}")
        length, packed = len(answer.content), len(gzip.compress(answer.content, 6))
        requests = 1 + len(_ASSETS.findall(answer.content.decode()))
        print(json.dumps({"seconds": seconds, "bytes": length, "packed": packed, "requests": requests}), flush=True)


def _fill(facts: int, client: Any) -> None:
    """Facts of the ages and surenesses of a year, every 25th edited twice."""
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from memory.events import ChatCompleted, FactUserEdited, Message
    from memory.models import AuditRow, PersonalFact

    now = timezone.now()
    said = [Message(role="user", content="What should I cook tonight?")]
    AuditRow.objects.record(ChatCompleted(messages=said, reply="Perhaps a soup."), now=now)
    PersonalFact.objects.bulk_create(
        PersonalFact(
            key=f"{'abcdefghij'[number % 10]}note.number_{number}",
            value=f"a value of ordinary length, number {number}",
            confidence=(number % 60 + 40) / 100,
            first_seen_at=now - timedelta(days=400),
            last_confirmed_at=now - timedelta(minutes=number * 37 % 500_000),
        )
        for number in range(facts)
    )
    for number in range(0, facts, 25):
        edited = FactUserEdited(key=f"{'abcdefghij'[number % 10]}note.number_{number}", old_value="a", new_value="b")
        for _ in range(2):
            AuditRow.objects.record(edited, now=now)
    client.force_login(get_user_model()._default_manager.create_superuser("bench", password="bench"))  # noqa: S106


def _preview(client: Any) -> Any:
    """A step of a slider."""
    headers = {
        "HX-Request": "true",
        "HX-Target": "preview-result",
        "HX-Current-URL": "http://localhost/dashboard/preview",
    }
    step = 30 + next(_SAVES) % 50
    return client.get(f"/dashboard/preview?message=What+should+I+cook&fact_halflife={step}", headers=headers)


def _save(client: Any) -> Any:
    """A corrected value, saved in its row."""
    from memory.models import PersonalFact

    fact = PersonalFact.objects.get(key="bnote.number_1")
    headers = {
        "HX-Request": "true",
        "HX-Target": f"fact-row-{fact.pk}",
        "HX-Current-URL": "http://localhost/dashboard/facts",
    }
    body = {"value": f"another value, number {next(_SAVES)}", "seen": fact.value}
    return client.post(f"/dashboard/facts/edit?key={fact.key}", body, headers=headers)


if __name__ == "__main__":
    main()
