"""What the operator asks of the workers: try again, skip, ask again, pause, resume. Each by the domain's own verb."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.overview.views import board_context
from dashboard.shared.health import JOBS
from dashboard.shared.pages import PageRequest, answer, operator_page
from memory import learning, queue
from memory.learning import Job
from memory.models import LearningSwitch


@operator_page("POST")
def retry(request: PageRequest, name: str, chat_id: int) -> HttpResponse:
    """Have the stuck chat tried at once."""
    done = f"Chat {chat_id} is tried again now."
    return _steer(request, name, lambda job: learning.retry(job, chat_id, now=timezone.now()), done)


@operator_page("POST")
def skip(request: PageRequest, name: str, chat_id: int) -> HttpResponse:
    """Give up the stuck chat and go on with the next."""
    done = f"Chat {chat_id} is skipped. You can ask for it again."
    return _steer(request, name, lambda job: learning.skip(job, chat_id, now=timezone.now()), done)


@operator_page("POST")
def ask_again(request: PageRequest, name: str) -> HttpResponse:
    """Have every chat that was given up read once more."""
    done = "What was given up is read again, chat by chat."
    return _steer(request, name, lambda job: learning.retry_all(job, now=timezone.now()), done)


@operator_page("POST")
def pause(request: PageRequest) -> HttpResponse:
    """Stop learning until it is resumed, across restarts."""
    if LearningSwitch.pause(now=timezone.now()):
        messages.success(request, "Learning is paused. Chats are kept and wait.")
    else:
        messages.success(request, "Learning was paused already.")
    return _done(request, keeps_focus=True)


@operator_page("POST")
def resume(request: PageRequest) -> HttpResponse:
    """Go on learning; what waited is read at once."""
    if LearningSwitch.resume(now=timezone.now()):
        for job in JOBS.values():
            _wake(job)
        messages.success(request, "Learning goes on. Chats that waited are read now.")
    else:
        messages.success(request, "Learning was not paused.")
    return _done(request, keeps_focus=True)


def _steer(request: PageRequest, name: str, act: Callable[[Job[Any, Any]], object], done: str) -> HttpResponse:
    """Do one thing to a worker and wake it; what cannot be done is said."""
    job = JOBS.get(name)
    if job is None:
        problem = f"There is no worker {name}."
        return answer(request, "refused.html", {"problem": problem, "status": 404, "section": "overview"}, status=404)
    try:
        act(job)
    except learning.NothingToRetry as error:
        messages.error(request, f"{error} Nothing was changed.")
    else:
        _wake(job)
        messages.success(request, done)
    return _done(request)


def _wake(job: Job[Any, Any]) -> None:
    if job.cursor.nudge():
        queue.nudge(job.task)


def _done(request: PageRequest, *, keeps_focus: bool = False) -> HttpResponse:
    if not request.htmx:
        return redirect("overview")
    context = board_context(timezone.now(), keeps_focus=keeps_focus)
    return answer(request, "dashboard/overview/_board_changed.html", context)
