"""The settings of the server around memory: database, web, API, clients, backups, messages."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from caesar.conf.section import Section
from caesar.setting_types import (
    CallSeconds,
    DatabaseUrl,
    MailUrl,
    Network,
    Origin,
    SecretUrl,
    lower,
    one_star,
    person_ids,
    split,
)

MemoryTool = Literal["off", "on"]


class DatabaseSettings(Section):
    """Where the rows are."""

    url: DatabaseUrl = SecretStr("sqlite:///var/caesar.sqlite3")
    """Database: `sqlite:///file` (a relative file lies in the project) or `postgresql://user:password@host/name`."""
    spool_path: Path | None = None
    """Folder for answered turns that the database could not take; unset, beside the SQLite file, else `var/turns`."""


class ServerSettings(Section):
    """Where the web process listens."""

    host: str = "127.0.0.1"
    """Address the server listens on; `0.0.0.0` for all."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 8000
    """Port the server listens on."""
    threads: Annotated[int, Field(ge=2, le=1_000)] = 64
    """Requests that each of the two web processes answers at once; all but eight of them may wait for a model."""
    https: bool = False
    """A TLS proxy stands in front and sets X-Forwarded-Proto: secure cookies, redirect to https, HSTS."""
    trusted_proxies: Annotated[tuple[Network, ...], BeforeValidator(split)] = ()
    """Addresses or networks of proxies, with commas between them, whose X-Forwarded-For names the client."""
    connections_per_address: Annotated[int, Field(ge=1, le=1_000_000)] = 256
    """Connections that one address may hold open at each web process; trusted proxies have no limit."""
    receive_silence_seconds: CallSeconds = 10.0
    """Longest silence of a client that is sending a request."""
    receive_seconds: CallSeconds = 60.0
    """How long a whole request may take to arrive."""
    max_form_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] = 1024 * 1024
    """Largest body that a page takes; the API has its own limit."""


class ApiSettings(Section):
    """The HTTP API."""

    max_body_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] = 16 * 1024 * 1024
    """Largest request body; a larger one is answered with 413."""
    max_messages: Annotated[int, Field(ge=1, le=30_000)] = 4_000
    """Most messages of one chat; a longer one is answered with 422."""
    cors_origins: Annotated[tuple[Origin, ...], BeforeValidator(split), AfterValidator(one_star)] = ()
    """Origins of web pages whose scripts may call the API with a key, with commas between; `*` for all; unset, none."""


class MetricsSettings(Section):
    """What Prometheus reads at `/metrics`."""

    token: SecretStr | None = None
    """What a caller has to send as `Authorization: Bearer ...`; unset, only this machine may ask."""


class OperatorSettings(Section):
    """Who is remembered, where several people use one key."""

    ids: Annotated[tuple[str, ...], BeforeValidator(person_ids)] = ()
    """The operator's ids or mail addresses in chat clients, with commas between; unset, the first person seen."""


class ProxySettings(Section):
    """Chat clients that speak OpenAI's API."""

    task_beginnings: str = ""
    """How further errands of clients begin, with `;` between: passed through, beside those that are recognised."""

    @property
    def beginnings(self) -> tuple[str, ...]:
        """Each of them; none where there is nothing but a `;`."""
        return tuple(part.strip() for part in self.task_beginnings.split(";") if part.strip())


class BackupSettings(Section):
    """Copies of all of memory, made each night."""

    enabled: bool = True
    """Make a backup each night, and try the newest once a week; the worker does it."""
    path: Path | None = None
    """Folder of the backups; unset, `var/backups`."""
    keep: Annotated[int, Field(ge=1, le=10_000)] = 14
    """How many backups are kept; older ones are deleted after a new one is complete."""
    least_free_megabytes: Annotated[int, Field(ge=0, le=100_000_000)] = 1024
    """Space that a backup leaves free on its disk; where it would not, none is made, and the overview says so."""


class AlertsSettings(Section):
    """Messages about what needs somebody: once when it begins, once when it is over."""

    webhook_url: SecretUrl | None = None
    """Address that is sent a POST of JSON (`kind`, `state`, `text`, `since`); it may hold a secret."""
    mail_to: Annotated[tuple[str, ...], BeforeValidator(split)] = ()
    """Mail addresses, with commas between them."""
    mail_from: str = "caesar@localhost"
    """Sender of the mails."""
    mail_url: MailUrl = SecretStr("smtp://localhost")
    """Mail server: `smtp://user:password@host:587` (with STARTTLS where a user is named), or `smtps://...`."""
    least_free_megabytes: Annotated[int, Field(ge=0, le=100_000_000)] = 1024
    """Free space on the disk of `var/` below which somebody is told."""

    @property
    def is_wanted(self) -> bool:
        """Whether a way is set."""
        return self.webhook_url is not None or bool(self.mail_to)


class ChatSettings(Section):
    """What turns of chat clients may do."""

    memory_tool: Annotated[MemoryTool, BeforeValidator(lower)] = "off"
    """`on`: the model is offered a tool, `search_memory`, to ask memory itself, three times in a turn at most."""


class ProactiveSettings(Section):
    """Prompts that run by the clock."""

    triggers_path: Path | None = None
    """YAML file of prompts that run by the clock; where it is set, CAESAR_MEMORY__FACTS__ENABLED is true if unset."""
