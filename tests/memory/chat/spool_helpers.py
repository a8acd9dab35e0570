"""Turns that the database refuses, and what is on record of them."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
from django.db import OperationalError, connection

from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream
from tests.memory.llm.scripted import completion, scripted_llm

HELLO: dict[str, Any] = {"messages": [{"role": "user", "content": "My dog's name is Beans."}]}
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
COMPLETIONS = "/v1/chat/completions"
WORDS = "A fine name \ud83c, caf\u00e9."


@contextmanager
def refusing(error: Exception | None = None, *, when: Callable[[str], bool] | None = None) -> Iterator[None]:
    """While open, the database takes no row of the log (or no statement that `when` is true of)."""

    def refuse(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if (when or (lambda sql: sql.startswith("INSERT INTO audit_log") or 'INTO "audit_log"' in sql))(sql):
            raise error or OperationalError("database is locked")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


def say(api: ApiClient, path: str = "/v1/chat", *, headers: Mapping[str, str] | None = None, **body: Any) -> Any:
    answer = event_stream(chunk(WORDS), chunk(finish_reason="stop")) if body.get("stream") else None
    with scripted_llm(answer or httpx.Response(200, content=json.dumps(completion(WORDS)))):
        response = api.post(path, json={**HELLO, **body}, headers=headers or {})
        if response.streaming:
            response.told = b"".join(response.streaming_content).decode()
            response.close()
        return response


def chats() -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().chats().order_by("id"))
