"""What the operator asks for on a chat's page, each by the domain's own verb: read or sum it up again, delete its
episode."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.shared.health import JOBS
from dashboard.shared.pages import PageRequest, answer, operator_page
from memory import learning, queue
from memory.models import EpisodeSummary, LearningSwitch

_DONE = {
    "extract": "Chat {} will be read again.",
    "summarise": "Chat {} will be summed up again.",
}


@operator_page("POST")
def again(request: PageRequest, row_id: int, name: str) -> HttpResponse:
    """Have a chat that was given up read again (`extract`), or summed up again (`summarise`)."""
    job = JOBS.get(name)
    if job is None:
        return _refused(request, f"There is no worker {name}.", status=404)
    try:
        learning.retry(job, row_id, now=timezone.now())
    except learning.NothingToRetry:
        return _refused(request, f"Chat {row_id} has not failed, or was done meanwhile.", status=409)
    if job.cursor.nudge():
        queue.nudge(job.task)
    paused = " It waits until you resume learning." if LearningSwitch.current().is_paused else ""
    messages.success(request, _DONE[name].format(row_id) + paused)
    return redirect("event", row_id)


@operator_page("POST")
def forget_episode(request: PageRequest, row_id: int) -> HttpResponse:
    """Delete what a chat was summed up as, for good."""
    episode = EpisodeSummary.objects.filter(audit_log=row_id).first()
    if episode is None or episode.forget(now=timezone.now()) is None:
        return _refused(request, f"Chat {row_id} has no episode to delete. It is gone already.", status=404)
    messages.success(request, f"Deleted the episode of chat {row_id}. It is never recalled again.")
    return redirect("event", row_id)


def _refused(request: PageRequest, problem: str, *, status: int) -> HttpResponse:
    return answer(request, "refused.html", {"problem": problem, "status": status, "section": "audit"}, status=status)
