"""What was typed into a form and sent after the session had ended: kept for an hour, for the same account alone.

It stands in the session of the visitor who is not logged in yet, which the login takes over. Only a browser that knows
an account of this server leaves one, so that strangers store nothing here.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.http import HttpRequest
from pydantic import TypeAdapter, ValidationError

from dashboard.shared.session.known_account import known_account
from memory.text.lines import encodable, one_line

KEPT = timedelta(hours=1)
MOST_CHARS = 40_000
TYPED = ("key", "value", "message", "until", "label")
"""The fields that an operator types into."""
HELD = ("seen", "held")
"""The fields that say what such a field held, or what it would replace, when the page was made."""

_SESSION_KEY = "draft"


@dataclass(frozen=True)
class Draft:
    """A form as it was sent to `action`, from the page `back`, with every field but its CSRF token, in order."""

    account: str
    action: str
    back: str
    fields: Sequence[tuple[str, str]]
    at: datetime

    @property
    def typed(self) -> list[tuple[str, str]]:
        """The fields with the operator's own text."""
        return [(name, text) for name, text in self.fields if name in TYPED]

    @property
    def other(self) -> list[tuple[str, str]]:
        """The fields that the page had filled in."""
        return [(name, text) for name, text in self.fields if name not in TYPED]


_stored = TypeAdapter(Draft)


def keep(request: HttpRequest, *, back: str, now: datetime) -> None:
    """Keep what this form brought, if the operator typed something into it and it is not too long."""
    account = known_account(request)
    fields = [
        (name, encodable(text))
        for name, texts in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for text in map(str, texts)
    ]
    draft = Draft(account, request.get_full_path(), back, fields, now)
    if not account or not _is_typed(draft):
        return
    if sum(map(len, (draft.action, back, *chain.from_iterable(fields)))) > MOST_CHARS:
        return
    request.session[_SESSION_KEY] = asdict(draft) | {"at": now.isoformat()}
    request.session.set_expiry(KEPT)
    request.session.clear_expired()


def _is_typed(draft: Draft) -> bool:
    """Whether the form brought text that is not the page's own: a button has a fact's key, a field what it held."""
    own = {"", *(one_line(text).strip() for name, text in draft.fields if name in HELD)}
    has_typed_key = not any(name in HELD for name, _ in draft.fields) and any(name != "key" for name, _ in draft.typed)
    return any(one_line(text).strip() not in own for name, text in draft.typed if name != "key" or has_typed_key)


def waiting(request: HttpRequest, *, now: datetime) -> Draft | None:
    """The draft in this session, or None where there is none, it is too old, or another account is logged in."""
    try:
        draft = _stored.validate_python(request.session.get(_SESSION_KEY))
    except ValidationError:
        return None
    is_theirs = not request.user.is_authenticated or str(request.user.pk) == draft.account
    return draft if is_theirs and now - draft.at <= KEPT else None


def drop(request: HttpRequest) -> None:
    """Forget the draft, if there is one."""
    if _SESSION_KEY in request.session:
        del request.session[_SESSION_KEY]


def drop_sent(request: HttpRequest) -> None:
    """Forget the draft once its form has been sent again."""
    stored = request.session.get(_SESSION_KEY)
    if stored and request.method == "POST" and stored["action"] == request.get_full_path():
        drop(request)
