"""The two ways out: a POST of JSON to a webhook, and a mail."""

import smtplib
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import unquote, urlsplit

import httpx
from django.conf import settings
from django.core.mail import EmailMessage, get_connection

_TIMEOUT_SECONDS = 10.0
_PORTS = {"smtp": 25, "smtps": 465}


class AlertNotSent(Exception):
    """A message could not be sent; the text says which way, and why."""


@dataclass(frozen=True)
class Alert:
    """`kind` names what it is about, and stays the same for as long as it lasts; `text` says it, with the cure."""

    kind: str
    state: Literal["began", "ended", "test"]
    text: str
    since: datetime

    @property
    def subject(self) -> str:
        """In a few words."""
        words = {"began": "needs you", "ended": "is well again", "test": "can reach you"}
        return f"CAESAR memory {words[self.state]}: {self.kind}"


def tell(alert: Alert) -> None:
    """Send it every way that is set. Raises `AlertNotSent` where one failed, after the other was tried."""
    alerts, failures = settings.CAESAR.alerts, []
    ways = [_post] * (alerts.webhook_url is not None) + [_mail] * bool(alerts.mail_to)
    for send in ways:
        try:
            send(alert)
        except (httpx.HTTPError, OSError, smtplib.SMTPException) as error:
            failures.append(f"{send.__name__.strip('_')}: {_said_of(error)}")
    if failures:
        raise AlertNotSent("; ".join(failures))


def _said_of(error: Exception) -> str:
    """What went wrong, without the address: a webhook's is its secret."""
    if isinstance(error, httpx.HTTPStatusError):
        return f"the address answered {error.response.status_code}"
    if isinstance(error, httpx.HTTPError):
        return f"the address did not answer ({type(error).__name__})"
    return f"{type(error).__name__}: {error}"


def send_test(now: datetime) -> None:
    """A message that says that messages arrive. Raises `AlertNotSent`."""
    if not settings.CAESAR.alerts.is_wanted:
        raise AlertNotSent("No way is set: CAESAR_ALERTS__WEBHOOK_URL or CAESAR_ALERTS__MAIL_TO.")
    tell(Alert("test", "test", "This is how CAESAR memory tells you that something needs you.", now))


def _post(alert: Alert) -> None:
    """`text` is what chat services show of a webhook."""
    body = asdict(alert) | {"since": alert.since.isoformat(), "text": f"{alert.subject}. {alert.text}"}
    url = settings.CAESAR.alerts.webhook_url
    httpx.post(url.get_secret_value() if url else "", json=body, timeout=_TIMEOUT_SECONDS).raise_for_status()


def _mail(alert: Alert) -> None:
    alerts = settings.CAESAR.alerts
    server = urlsplit(alerts.mail_url.get_secret_value())
    connection = get_connection(
        host=server.hostname,
        port=server.port or _PORTS[server.scheme],
        username=unquote(server.username or ""),
        password=unquote(server.password or ""),
        use_ssl=server.scheme == "smtps",
        use_tls=server.scheme == "smtp" and bool(server.username),
        timeout=_TIMEOUT_SECONDS,
    )
    message = EmailMessage(alert.subject, alert.text, alerts.mail_from, list(alerts.mail_to), connection=connection)
    message.send()
