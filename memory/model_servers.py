"""Where each task goes, for pages: which server, which model, what is missing, what else its server offers.

Only `try_out` asks a model anything, and nothing that is given here holds a key.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args
from urllib.parse import urlsplit

from django.conf import settings

from caesar.conf import Task
from memory import events, llm, ranking
from memory.llm.gateway import chosen_route
from memory.llm.types import Route
from memory.models import AuditRow
from memory.text.lines import one_line, shorten

MOST_NAMES = 500
_MOST_NAME_CHARS = 200
_MOST_REPLY_CHARS = 200

TASKS: Sequence[Task] = get_args(Task)
TITLES: Mapping[Task, str] = {
    "chat": "Chat",
    "memory_extract": "Learning facts",
    "memory_summarise": "Summing up chats",
}
"""A task -> what it does."""


@dataclass(frozen=True)
class Destination:
    """Where a task goes by the settings now.

    `model` is "" where none is set or there is none to set, `host` is "" offline. `problem` is what is missing and the
    cure, "" where it is ready. `model_setting` decides the model now, `own_setting` for this task alone.
    """

    task: Task
    is_on: bool
    provider: str
    model: str
    host: str
    problem: str
    model_setting: str
    own_setting: str

    @property
    def title(self) -> str:
        """What the task does."""
        return TITLES[self.task]

    @property
    def is_offline(self) -> bool:
        """Whether rules stand in for a model."""
        return not self.host


@dataclass(frozen=True)
class Way:
    """The tasks that go to one server with one key and one model, in order. `env_lines` send them there."""

    destinations: Sequence[Destination]
    env_lines: Sequence[str]

    @property
    def first(self) -> Destination:
        """The task that stands for all of them."""
        return self.destinations[0]

    @property
    def is_on(self) -> bool:
        """Whether any of them is."""
        return any(each.is_on for each in self.destinations)

    @property
    def is_every_task(self) -> bool:
        """Whether there is no other way."""
        return len(self.destinations) == len(TASKS)

    def has(self, task: str) -> bool:
        """Whether this task goes this way."""
        return any(each.task == task for each in self.destinations)


@dataclass(frozen=True)
class EmbedderDestination:
    """Where messages and episodes are embedded. `model` is the id that stands beside each vector; `host` is "" where
    the embedder runs in this process. `threshold`: from which cosine on an episode counts as similar."""

    is_on: bool
    model: str
    host: str
    problem: str
    threshold: ranking.Threshold


@dataclass(frozen=True)
class Offer:
    """What a task's server says it offers, each name on one line; `left_out` more are not named. Or what went wrong."""

    names: Sequence[str] = ()
    left_out: int = 0
    problem: str = ""


def destinations() -> list[Destination]:
    """Every task's, whether or not its worker is on. Asks nobody."""
    return [_destination(task) for task in TASKS]


def ways() -> list[Way]:
    """The tasks by where they go: one way where all go the same. Asks nobody."""
    found: dict[tuple[str, str, str, str | None], list[Task]] = {}
    for task in TASKS:
        route = chosen_route(task)
        found.setdefault((route.provider, route.model, route.base_url, route.api_key), []).append(task)
    return [Way([_destination(task) for task in tasks], _env_lines(chosen_route(tasks[0]))) for tasks in found.values()]


def try_out(task: Task, *, now: datetime) -> AuditRow:
    """Have the task's model answer one short question, and write down what came of it. Does not raise `LLMError`."""
    there, began = chosen_route(task), time.monotonic()
    tried = events.ModelTried(task=task, provider=there.provider, model=there.model, milliseconds=0)
    try:
        completion = llm.try_out(task)
    except llm.LLMError as error:
        found: dict[str, object] = {"error": str(error), "kind": type(error).__name__}
    else:
        used = events.Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens)
        reply = shorten(one_line(completion.text), _MOST_REPLY_CHARS)
        found = {"model": completion.model, "usage": used, "reply": reply}
    found["milliseconds"] = round(1000 * (time.monotonic() - began))
    return AuditRow.objects.record(tried.model_copy(update=found), now=now)


def embedder() -> EmbedderDestination:
    """The embedder's. Asks nobody."""
    is_on = settings.CAESAR.semantic.enabled
    host, problem = "", ""
    try:
        host = urlsplit(llm.embedder_route().base_url).netloc
    except llm.NotConfigured as error:
        problem = str(error)
    return EmbedderDestination(is_on, llm.embedder_model(), host, problem, llm.default_threshold())


def offered(task: Task) -> Offer:
    """Asks the task's server, five seconds at most, which models it offers. Does not raise `LLMError`: it says it."""
    try:
        names = llm.list_models(task)
    except llm.LLMError as error:
        return Offer(problem=str(error))
    shown = [shorten(one_line(name), _MOST_NAME_CHARS) for name in names[:MOST_NAMES]]
    return Offer(shown, left_out=max(0, len(names) - MOST_NAMES))


def _destination(task: Task) -> Destination:
    route = chosen_route(task)
    return Destination(
        task=task,
        is_on=_is_on(task),
        provider=route.provider,
        model=route.model,
        host=urlsplit(route.base_url).netloc,
        problem=_problem(task),
        model_setting=f"{route.model_section}__MODEL",
        own_setting=f"CAESAR_LLM__TASK_ROUTING__{task.upper()}__MODEL",
    )


def _env_lines(route: Route) -> list[str]:
    """The settings that choose this way, without the key."""
    if not route.base_url:
        return []
    shared = route.server_section.removesuffix(f"__{route.provider.upper()}")
    provider = shared if route.server_section != shared else route.model_section
    lines = [f"{provider}__PROVIDER={route.provider}", f"{route.model_section}__MODEL={route.model or '...'}"]
    lines.append(f"{route.server_section}__BASE_URL={route.base_url}")
    return lines + [f"# {route.server_section}__API_KEY is set"] * bool(route.api_key)


def _problem(task: Task) -> str:
    try:
        llm.route_for(task)
    except llm.NotConfigured as error:
        return str(error)
    return ""


def _is_on(task: Task) -> bool:
    memory = settings.CAESAR.memory
    switches = {"memory_extract": memory.facts_extract.enabled, "memory_summarise": memory.episodes_summarise.enabled}
    return switches.get(task, True)
