"""What the operator asks for on a chat's page: read or sum up the chat again, delete its episode."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.shared.addresses import address
from dashboard.shared.jobs import JOBS
from dashboard.shared.pages import PageRequest, operator_page, refusal
from memory import learning
from memory.learning import wake
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
        return refusal(request, f"There is no worker {name}.", status=404, section="audit")
    try:
        learning.retry(job, row_id, now=timezone.now())
    except learning.NothingToRetry:
        problem = f"Chat {row_id} has not failed, or was done meanwhile."
        return refusal(request, problem, status=409, section="audit")
    wake(job)
    paused = " It waits until you resume learning." if LearningSwitch.current().is_paused else ""
    messages.success(request, _DONE[name].format(row_id) + paused)
    return redirect("event", row_id)


@operator_page("POST")
def forget_episode(request: PageRequest, row_id: int) -> HttpResponse:
    """Delete the summary of a chat. The message that says so has a button to undo it."""
    episode = EpisodeSummary.objects.filter(audit_log=row_id).first()
    deletion = episode.forget(now=timezone.now()) if episode else None
    if deletion is None:
        problem = f"Chat {row_id} has no episode to delete. It is gone already."
        return refusal(request, problem, status=404, section="audit")
    undo = address("episodes-restore", deletions=deletion.pk, at=row_id)
    messages.success(request, f"Deleted the episode of chat {row_id}. It is not recalled any more.", extra_tags=undo)
    return redirect("event", row_id)
