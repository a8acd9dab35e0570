"""What the operator asks of the workers: try again, skip, ask again, pause, resume."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.overview.responses import summary_changed
from dashboard.shared.jobs import JOBS
from dashboard.shared.pages import PageRequest, operator_page, refusal
from memory import learning, queue, retention
from memory.learning import Job, wake
from memory.models import LearningSwitch


@operator_page("POST")
def retry(request: PageRequest, name: str, chat_id: int) -> HttpResponse:
    """Have the stuck chat tried at once."""
    done = f"Chat {chat_id} is tried again now."
    return _command(request, name, lambda job, now: learning.retry(job, chat_id, now=now), done)


@operator_page("POST")
def skip(request: PageRequest, name: str, chat_id: int) -> HttpResponse:
    """Give up the stuck chat and go on with the next."""
    done = f"Chat {chat_id} is skipped. You can ask for it again."
    return _command(request, name, lambda job, now: learning.skip(job, chat_id, now=now), done)


@operator_page("POST")
def ask_again(request: PageRequest, name: str) -> HttpResponse:
    """Have every chat that was given up read once more."""
    done = "What was given up is read again, chat by chat."
    return _command(request, name, lambda job, now: learning.retry_all(job, now=now), done)


@operator_page("POST")
def pause(request: PageRequest) -> HttpResponse:
    """Stop learning until it is resumed, across restarts."""
    if LearningSwitch.pause(now=timezone.now()):
        messages.success(request, "Learning is paused. Chats are kept and wait.")
    else:
        messages.success(request, "Learning was paused already.")
    return _overview(request, keeps_focus=True)


@operator_page("POST")
def resume(request: PageRequest) -> HttpResponse:
    """Go on learning; chats that waited are read at once."""
    if LearningSwitch.resume(now=timezone.now()):
        for job in JOBS.values():
            wake(job)
        messages.success(request, "Learning goes on. Chats that waited are read now.")
    else:
        messages.success(request, "Learning was not paused.")
    return _overview(request, keeps_focus=True)


@operator_page("POST")
def sweep_anyway(request: PageRequest) -> HttpResponse:
    """Have the expired rows deleted that the last sweep held back."""
    if retention.allow(now=timezone.now()):
        queue.nudge("memory.sweep")
        messages.success(request, "The sweep goes on now, and deletes what it had held back.")
    else:
        messages.error(request, "No sweep holds anything back. Nothing was changed.")
    return _overview(request)


def _command(
    request: PageRequest, name: str, act: Callable[[Job[Any, Any], datetime], object], done: str
) -> HttpResponse:
    """Do one thing to the worker with this name, wake it, and say `done`; or say why it cannot be done."""
    job = JOBS.get(name)
    if job is None:
        return refusal(request, f"There is no worker {name}.", status=404, section="overview")
    try:
        act(job, timezone.now())
    except learning.NothingToRetry as error:
        messages.error(request, f"{error} Nothing was changed.")
    else:
        wake(job)
        messages.success(request, done)
    return _overview(request)


def _overview(request: PageRequest, *, keeps_focus: bool = False) -> HttpResponse:
    """The overview after a change: the changed part for htmx, else a redirect to the page."""
    if not request.htmx:
        return redirect("overview")
    return summary_changed(request, now=timezone.now(), keeps_focus=keeps_focus)
