"""The types of single settings: what a value may be, and the cure where it may not. Knows no Django and no tree."""

from difflib import get_close_matches
from ipaddress import ip_network
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, Field, SecretStr

_OWN_PORTS = {"http": 80, "https": 443}


def lower(value: Any) -> Any:
    """Text in lower case; anything else as it is."""
    return value.lower() if isinstance(value, str) else value


def upper(value: Any) -> Any:
    """Text in upper case; anything else as it is."""
    return value.upper() if isinstance(value, str) else value


def split(value: Any) -> Any:
    """The parts of a comma list without blanks; anything but text as it is."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def person_ids(value: Any) -> Any:
    """The ids of a comma list. Raises ValueError with the cure where they are written as JSON."""
    parts = split(value)
    if isinstance(value, str) and any(set(part) & set("[]{}\"'") for part in parts):
        raise ValueError("must be ids or mail addresses with commas between, such as anna@example.org, without quotes")
    return parts


class ModelPrice(NamedTuple):
    """What a million tokens of a model cost, those it reads and those it writes."""

    model: str
    input: float
    output: float


def model_prices(value: Any) -> Any:
    """The prices of a comma list `model=input/output`; anything but text as it is. Raises ValueError with the cure."""
    return [_model_price(part) for part in split(value)] if isinstance(value, str) else value


def _model_price(text: str) -> ModelPrice:
    model, _, prices = text.rpartition("=")
    try:
        read, written = (float(price) for price in prices.split("/"))
    except ValueError:
        read = written = -1.0
    if not model.strip() or not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise ValueError("must be prices of a million tokens such as gpt-4o-mini=0.15/0.60, with commas between")
    return ModelPrice(model.strip(), read, written)


def _base_url(value: str) -> str:
    """An http(s) address without its last slash. Raises ValueError with the cure."""
    try:
        parts = urlsplit(value)
        port_is_valid = parts.port != 0
        (parts.hostname or "").encode("idna")  # as every client does: an empty label is no host
    except ValueError:
        raise ValueError("is no valid address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_valid or any(map(str.isspace, value)):
        raise ValueError("must be an address such as https://llm.example.com/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user or password; use the API_KEY setting beside it")
    if parts.query or parts.fragment:
        raise ValueError("must end with its path: no ? and no #")
    return value.rstrip("/")


def _database_url(value: SecretStr) -> SecretStr:
    """A SQLite or PostgreSQL address. Raises ValueError with the cure."""
    url = value.get_secret_value()
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ValueError("is no valid address; quote special characters in its password, such as %40 for @") from None
    if parts.scheme not in ("sqlite", "postgres", "postgresql") or not parts.path.strip("/"):
        raise ValueError("must be sqlite:///path/to/file or postgresql://user:password@host:5432/name")
    if parts.scheme == "sqlite" and (parts.netloc or parts.path == "/:memory:"):
        raise ValueError("must name a file, which web and worker share, after three slashes (four if it starts at /)")
    return value


def _host_name(value: str) -> str:
    """A host as Django's ALLOWED_HOSTS takes it, in lower case. Raises ValueError with the cure."""
    if value.startswith("*."):
        raise ValueError("must be written .example.com, without the star, to allow every host of a domain")
    if "/" in value or ":" in (value if not value.startswith("[") else value.partition("]")[2]):
        raise ValueError("must be bare host names, such as caesar.example.com: no https://, no port, no path")
    return value.lower()


def _origin(value: str) -> str:
    """An origin as browsers send it, in lower case and without the port that goes without saying, or `*`.

    Raises ValueError with the cure.
    """
    if value == "*":
        return value
    try:
        parts = urlsplit(value.lower())
        port = parts.port
    except ValueError:
        raise ValueError("is no valid origin") from None
    if not parts.scheme or not parts.hostname or any(map(str.isspace, value)):
        raise ValueError("must be origins such as https://chat.example.com, with their https://, or * for all")
    if "*" in parts.netloc:
        raise ValueError("must name each origin in full: a star stands only alone, for all of them")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError(f"must end with the host and its port, such as {parts.scheme}://{parts.hostname}: no path")
    netloc = parts.netloc if port is None or port != _OWN_PORTS.get(parts.scheme) else parts.netloc.rpartition(":")[0]
    return f"{parts.scheme}://{netloc}"


def one_star(origins: tuple[str, ...]) -> tuple[str, ...]:
    """The origins. Raises ValueError with the cure where `*` stands beside others."""
    if "*" in origins and len(origins) > 1:
        raise ValueError("must be either * alone, or the origins: beside * they would mean nothing")
    return origins


def _network(value: str) -> str:
    """An address or network as it is compared. Raises ValueError with the cure."""
    try:
        return str(ip_network(value, strict=False))
    except ValueError:
        raise ValueError("must be addresses or networks, such as 10.0.0.2 or 172.16.0.0/12") from None


def _api_key(value: SecretStr) -> SecretStr:
    """A key that can stand in an HTTP header. Raises ValueError."""
    key = value.get_secret_value()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("holds characters that no key has: spaces, line breaks or letters with accents")
    return value


def _time_zone(value: str) -> str:
    """A name the time zone database knows. Raises ValueError, with the nearest name."""
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        close = get_close_matches(value, available_timezones(), n=1)
        hint = f", perhaps {close[0]}" if close else ", such as Europe/Rome"
        raise ValueError(f"must be a name of the time zone database{hint}") from None
    return value


def _secret_url(secret: SecretStr) -> SecretStr:
    """An address of the web. What is wrong is said without it."""
    parts = urlsplit(secret.get_secret_value())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("begins with http:// or https:// and names a host")
    return secret


def _mail_url(secret: SecretStr) -> SecretStr:
    """The address of a mail server."""
    parts = urlsplit(secret.get_secret_value())
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("reads smtp://user:password@host:587, or smtps://user:password@host")
    return secret


BaseUrl = Annotated[str, AfterValidator(_base_url)]
Origin = Annotated[str, AfterValidator(_origin)]
HostName = Annotated[str, AfterValidator(_host_name)]
Network = Annotated[str, AfterValidator(_network)]
ApiKey = Annotated[SecretStr, AfterValidator(_api_key)]
Days = Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
CallSeconds = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
BatchSize = Annotated[int, Field(ge=1, le=1_000)]
SecretUrl = Annotated[SecretStr, AfterValidator(_secret_url)]
MailUrl = Annotated[SecretStr, AfterValidator(_mail_url)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database_url)]
TimeZone = Annotated[str, AfterValidator(_time_zone)]
