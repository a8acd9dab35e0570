"""System checks of the settings: at every start, and by `manage.py check`.

caesar.W001  a worker's interval is no whole number of minutes
caesar.E002  summaries without an embedder
caesar.W003  facts are learned that no prompt will hold
caesar.W004  DEBUG on a server that others can reach
caesar.W006  a provider without what it needs
caesar.I007  no language model is connected; said by `check --deploy` only, since nothing is wrong
caesar.E008  the file of proactive runs cannot be used
caesar.W009  no past conversation can be recalled with this embedder; said where the database is asked, too
"""

import ipaddress
import math
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.db import DEFAULT_DB_ALIAS
from django.db import Error as DatabaseError
from django.utils import timezone

from caesar.conf import EpisodesSummariseSettings, FactsExtractSettings, Task
from memory import llm
from memory.learning import reembedding
from memory.proactive.triggers import TriggersError, read

_TAG = "caesar"


@register(_TAG)
def intervals(**kwargs: Any) -> list[CheckMessage]:
    """W001: django-q2's unit is the minute (decision 9)."""
    memory = settings.CAESAR.memory
    found = [
        _interval("CAESAR_MEMORY__FACTS_EXTRACT__INTERVAL_SECONDS", memory.facts_extract),
        _interval("CAESAR_MEMORY__EPISODES_SUMMARISE__INTERVAL_SECONDS", memory.episodes_summarise),
    ]
    return [message for message in found if message is not None]


def _interval(name: str, worker: FactsExtractSettings | EpisodesSummariseSettings) -> CheckMessage | None:
    seconds = worker.interval_seconds
    if not worker.enabled or seconds % 60 == 0:
        return None
    minutes = math.ceil(seconds / 60)
    return Warning(
        f"{name} is {seconds:g}; the worker's clock knows only minutes, so it looks every {60 * minutes} seconds.",
        hint=f"Set it to {60 * minutes}. A finished chat wakes the worker at once in any case.",
        id="caesar.W001",
    )


@register(_TAG)
def summaries_have_an_embedder(**kwargs: Any) -> list[CheckMessage]:
    """E002: an episode is a summary and its vector (ADR-0034 §2)."""
    caesar = settings.CAESAR
    if not caesar.memory.episodes_summarise.enabled or caesar.semantic.enabled:
        return []
    return [
        Error(
            "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED is true, but CAESAR_SEMANTIC__ENABLED is false: "
            "a summary without its vector could never be recalled.",
            hint="Set CAESAR_SEMANTIC__ENABLED=true, or CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED=false.",
            id="caesar.E002",
        )
    ]


@register(_TAG)
def learned_facts_are_used(**kwargs: Any) -> list[CheckMessage]:
    """W003: learning and injection have a switch each (decision 20)."""
    caesar = settings.CAESAR
    if not caesar.memory.facts_extract.enabled or caesar.facts_injection_enabled:
        return []
    return [
        Warning(
            "Facts are learned from chats, but no prompt will hold them.",
            hint="Set CAESAR_MEMORY__FACTS__ENABLED=true, or CAESAR_MEMORY__FACTS_EXTRACT__ENABLED=false.",
            id="caesar.W003",
        )
    ]


@register(_TAG)
def debug_is_local(**kwargs: Any) -> list[CheckMessage]:
    """W004: an error page with details shows settings and data to everyone who can reach it."""
    host = settings.CAESAR.server.host
    if not settings.CAESAR.debug or _is_loopback(host):
        return []
    return [
        Warning(
            f"CAESAR_DEBUG is true, and the server listens on {host}: others see error pages with details.",
            hint="Set CAESAR_DEBUG=false, or CAESAR_SERVER__HOST=127.0.0.1.",
            id="caesar.W004",
        )
    ]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@register(_TAG)
def providers_are_ready(**kwargs: Any) -> list[CheckMessage]:
    """W006, once for tasks with the same problem. Calls no provider."""
    found: dict[str, CheckMessage] = {}
    for task in _tasks():
        try:
            llm.route_for(task)
        except llm.NotConfigured as error:
            found.setdefault(str(error), Warning(f"Language model for {task}: {error}", id="caesar.W006"))
    return list(found.values())


def _tasks() -> Iterator[Task]:
    """The tasks that are switched on."""
    yield "chat"
    if settings.CAESAR.memory.facts_extract.enabled:
        yield "memory_extract"
    if settings.CAESAR.memory.episodes_summarise.enabled:
        yield "memory_summarise"


@register(_TAG, deploy=True)
def a_model_is_connected(**kwargs: Any) -> list[CheckMessage]:
    """I007: `offline` answers from rules, which is fine to try the server and too little for daily use."""
    offline = [
        task
        for task in _tasks()
        if (settings.CAESAR.llm.route(task).provider or settings.CAESAR.llm.provider) == "offline"
    ]
    if not offline:
        return []
    return [
        Info(
            f"No language model is connected for {' and '.join(offline)}: hand-written rules stand in.",
            hint="Set CAESAR_LLM__PROVIDER, CAESAR_LLM__MODEL and the provider's key.",
            id="caesar.I007",
        )
    ]


@register(_TAG)
def triggers_can_be_read(**kwargs: Any) -> list[CheckMessage]:
    """E008, once for each wrong line: a trigger that never runs could go unnoticed for long."""
    path = settings.CAESAR.proactive.triggers_path
    try:
        if path is not None:
            read(path)
    except TriggersError as error:
        hint = "Correct that file, or unset CAESAR_PROACTIVE__TRIGGERS_PATH. The README shows one: Proactive runs."
        return [Error(problem, hint=hint, id="caesar.E008") for problem in error.problems]
    return []


@register(_TAG, Tags.database)
def episodes_are_of_the_embedder(*, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """W009: by `migrate` and `check --database default`. Says nothing where the tables are not there yet."""
    if DEFAULT_DB_ALIAS not in (databases or ()):
        return []
    try:
        outgrown = reembedding.outgrown(timezone.now())
    except DatabaseError:
        return []
    if outgrown is None:
        return []
    hint = "Run manage.py reembed, or set CAESAR_SEMANTIC__PROVIDER and CAESAR_SEMANTIC__MODEL back."
    return [Warning(str(outgrown), hint=hint, id="caesar.W009")]
