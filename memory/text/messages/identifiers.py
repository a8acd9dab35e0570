"""Names that clients give to conversations and people: in one form, or none where a template stayed unfilled. Pure."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.text.lines import one_line

MAX_ID_CHARS = 128

_NOTHING = frozenset(
    "null undefined none nil nan new n/a () [] {} - -- 00000000000000000000000000000000".split()  # noqa: SIM905
)
_UNFILLED = re.compile(
    r"\{\{.*\}\}|\$\{.*\}|\$\(.*\)|\{%.*%\}|<%.*%>|\[\[.*\]\]|\[object \w+\]|#\{.*\}|@\{.*\}|%\(\w+\)s"
)
"""What a template leaves where it was not filled, wherever in the name: every conversation would be called that."""

_UNFILLED_WHOLE = re.compile(
    r"\{[\w. :-]+\}|<[^<>]*>|%.*%|\[[\w. :-]+\]|\$[a-z_]\w*|:[a-z_]+|__\w+__|%[a-z]|(?:.*[-_:/. ])?undefined"
)
_ULID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
_ULID_DIGITS = {digit: value for value, digit in enumerate("0123456789abcdefghjkmnpqrstvwxyz")}
_FRESH = timedelta(days=1)
_LOOKED_AT = 500  # characters: a name is short, and looking for templates takes the square of its length
_QUOTES = "\"'`\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_AGENT_USER = re.compile(r"user_\w*?_account_(?P<account>[\w-]*?)_session_(?P<session>[\w-]+)", re.ASCII)
_MAX_JSON_CHARS = 4_000
_TEMPORARY = ("temporary:", "local:")


def given_name(raw: str) -> str:
    """A name on one line; "" where it is blank, says that there is none, or is a template that stayed unfilled."""
    name = one_line(raw)
    bare = name.strip(_QUOTES + " ").casefold()
    if bare in _NOTHING or bare.replace("-", "") in _NOTHING or not bare:
        return ""
    is_template = _UNFILLED.search(name[:_LOOKED_AT]) or _UNFILLED_WHOLE.fullmatch(bare[:_LOOKED_AT])
    return "" if is_template else name


def normal_conversation_id(raw: str) -> str | None:
    """A client's id for a conversation on one line: hashed where it is over 128 characters, None where it is none."""
    return _bounded(given_name(raw)) or None


def is_temporary(raw: str) -> bool:
    """Whether a client's id says that its conversation is not to be kept (`temporary:...`, `local:...`)."""
    return one_line(raw).strip(_QUOTES + " ").casefold().startswith(_TEMPORARY)


@dataclass(frozen=True)
class AgentUser:
    """What coding agents put together in the one id of a user that Anthropic's API has; "" for what is missing."""

    account: str = ""
    session: str = ""


def agent_user(raw: str) -> AgentUser | None:
    """The account and the session in `user_..._account_..._session_...`, or in JSON; None where it is a plain id.

    What else is in it (the device) is nobody's name.
    """
    if found := _AGENT_USER.fullmatch(raw.strip()[:_LOOKED_AT]):
        return AgentUser(found["account"], found["session"])
    if not raw.lstrip().startswith("{") or len(raw) > _MAX_JSON_CHARS:
        return None
    try:
        fields = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    account, session = (_first_text(fields, f"{name}_uuid", f"{name}_id", name) for name in ("account", "session"))
    return AgentUser(account, session) if account or session else None


def _first_text(fields: dict[str, object], *names: str) -> str:
    return next((value for name in names if isinstance(value := fields.get(name), str) and value), "")


def normal_person_id(raw: str) -> str:
    """A person's id or mail address in lower case, hashed where it is over 128 characters; "" where it is none."""
    name = given_name(raw).casefold()
    return _bounded(name.removeprefix("mailto:").strip("<> "))


def is_fresh_ulid(name: str, now: datetime) -> bool:
    """Whether a name in lower case is a ULID that was made within the last day, as its first ten digits say.

    Home Assistant gives one to each conversation, and some of its integrations send it where a person's id belongs.
    """
    if not _ULID.fullmatch(name):
        return False
    milliseconds = 0
    for digit in name[:10]:
        milliseconds = 32 * milliseconds + _ULID_DIGITS[digit]
    return abs(now.timestamp() - milliseconds / 1000) <= _FRESH.total_seconds()


def _bounded(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest() if len(name) > MAX_ID_CHARS else name
