"""How chat clients connect: API keys, and calls to copy."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.connect.forms import SCOPE_WORDS, read_limits
from dashboard.connect.key_page import read_brought
from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template, wants_partial
from memory.models import SCOPES, ApiKey, KeyDay, KeyLimits, KeyUsed
from memory.models.access import NEW_KEY_SCOPES, IssuedKey
from memory.text.lines import encodable

PLACEHOLDER = "YOUR_KEY"
ASKED_FOR = timedelta(minutes=30)
"""How long after a key was made its page asks whether it was used."""


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The API keys, and calls to copy."""
    return _page(request)


@operator_page("GET", "HEAD", "POST")
def make(request: PageRequest) -> HttpResponse:
    """Make a key and show it in this one answer. It is stored nowhere, so a redirect could not show it."""
    if request.method != "POST":
        return redirect("connect")
    label = encodable(request.POST.get("label", ""))
    try:
        limits = read_limits(request.POST) if "limits" in request.POST else KeyLimits(NEW_KEY_SCOPES)
        issued = ApiKey.objects.issue(
            label,
            scopes=limits.scopes,
            expires_at=limits.expires_at,
            requests_per_minute=limits.requests_per_minute,
            tokens_per_day=limits.tokens_per_day,
        )
    except ValueError as error:
        return _page(request, problem=str(error))
    return _page(request, issued=issued)


@operator_page("GET", "HEAD")
def first_call(request: PageRequest, key_id: int) -> HttpResponse:
    """Whether a key has been used yet, on the page; for htmx, which asks until it was, that line alone or 204."""
    key = ApiKey.objects.filter(pk=key_id).first()
    if key is None:
        return refusal(request, "There is no such key.", status=404, section="connect")
    if not wants_partial(request):
        return _page(request, watched=key)
    if _is_asking(key, timezone.now()):
        return HttpResponse(status=204)  # nothing to swap, so nothing is read out again
    return render_template(request, "dashboard/connect/_first_call.html", {"key": key})


@operator_page("POST")
def change(request: PageRequest, key_id: int) -> HttpResponse:
    """Let a key do more or less from now on."""
    key = ApiKey.objects.filter(pk=key_id, revoked_at=None).first()
    if key is None:
        return refusal(request, "There is no such key.", status=404, section="connect")
    try:
        key.change(read_limits(request.POST), now=timezone.now())
    except ValueError as error:
        return _page(request, problem=str(error), refused=key)
    messages.success(request, f"{key.label} may now {', '.join(key.limits.scopes)}.")
    return redirect("connect") if not request.htmx else _page(request)


@operator_page("POST")
def revoke(request: PageRequest, key_id: int) -> HttpResponse:
    """Refuse a key from now on. That cannot be undone."""
    key = ApiKey.objects.filter(pk=key_id).first()
    if key is None:
        return refusal(request, "There is no such key.", status=404, section="connect")
    key.revoke(now=timezone.now())
    stays = read_brought(key).staying
    messages.success(request, f"Revoked {key.label}. Whoever uses it is refused from now on. {stays}")
    return redirect("connect") if not request.htmx else _page(request)


def _is_asking(key: ApiKey, now: datetime) -> bool:
    """Whether the page goes on asking for the first call: a page left open does not ask for ever."""
    return key.last_used_at is None and key.revoked_at is None and now - key.created_at < ASKED_FOR


def _page(
    request: PageRequest,
    *,
    issued: IssuedKey | None = None,
    watched: ApiKey | None = None,
    problem: str = "",
    refused: ApiKey | None = None,
) -> HttpResponse:
    """The page. `watched`: the key whose first call is waited for; the one just made is.

    `problem`: what was refused, said at the form of the new key, or at that of `refused`.
    """
    watched, now = issued.row if issued else watched, timezone.now()
    template = "dashboard/connect/_connect_changed.html" if request.htmx else "dashboard/connect/connect.html"
    llm = settings.CAESAR.llm
    keys, used = list(ApiKey.objects.order_by("-created_at", "-id")), KeyDay.objects.this_month(now=now)
    context = {
        "section": "connect",
        "live": [(key, used.get(key.pk, KeyUsed())) for key in keys if key.revoked_at is None],
        "scopes": [(scope, SCOPE_WORDS[scope], scope in NEW_KEY_SCOPES) for scope in SCOPES],
        "revoked": [key for key in keys if key.revoked_at is not None],
        "issued": issued,
        "watched": watched,
        "is_asking": watched is not None and _is_asking(watched, now),
        "problem": "" if refused else problem,
        "refused": refused,
        "refused_because": problem,
        "server": request.build_absolute_uri("/").rstrip("/"),
        "is_loopback": request.get_host().partition(":")[0] in ("127.0.0.1", "localhost"),
        "key": issued.secret if issued else PLACEHOLDER,
        "is_offline": (llm.route("chat").provider or llm.provider) == "offline",
        "now": now,
        "is_swap": bool(request.htmx),
    }
    return render_template(request, template, context, status=422 if problem else 200)
