"""Where each task goes, for pages: which server, which model, what is missing, what else its server offers.

Nothing here asks a model anything, and nothing it gives holds a key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args
from urllib.parse import urlsplit

from django.conf import settings

from caesar.conf import Task
from memory import llm, ranking
from memory.llm.gateway import chosen_route
from memory.text.lines import one_line, shorten

MOST_NAMES = 500
_MOST_NAME_CHARS = 200

TASKS: Sequence[Task] = get_args(Task)


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
    def is_offline(self) -> bool:
        """Whether rules stand in for a model."""
        return not self.host


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
