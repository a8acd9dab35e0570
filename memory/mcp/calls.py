"""One call: who asks, in which version, and the row that says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from pydantic import JsonValue

from memory import events
from memory.api.auth import ApiRequest
from memory.api.people import leaves_no_words
from memory.mcp.envelopes import Client
from memory.mcp.jsonrpc import JsonObject
from memory.mcp.versions import is_stateless
from memory.models import ApiKey, AuditRow, Scope
from memory.models.masks import speech_masker
from memory.text.lines import one_line, shorten
from memory.text.secrets.masking import Masker

MOST_SHOWN_CHARS: Final = 300
_MOST_READ_CHARS: Final = 4_000
_MOST_ARGUMENTS: Final = 20
_LOOKED_THROUGH: Final = 50
_NOT_KEPT: Final = "Not kept: the client had switched memory off."
_VALUES: Final = frozenset(("value", "expected"))
"""Arguments that hold what a fact says. The row of the change has it, and loses it with the fact's own."""


@dataclass(frozen=True)
class Call:
    """A request that was let in. `client`: what it calls itself; None where the request does not say."""

    request: ApiRequest
    version: str
    client: Client | None = None

    @property
    def key(self) -> ApiKey:
        """The key it came with."""
        return self.request.auth.key

    @property
    def now(self) -> datetime:
        """The moment of the request."""
        return self.request.auth.now

    @property
    def leaves_no_words(self) -> bool:
        """Whether the client says that what it asks is not kept."""
        return leaves_no_words(self.request)

    def may(self, *scopes: Scope) -> bool:
        """Whether the key has one of these scopes."""
        return any(map(self.key.may, scopes))

    def page(self, name: str, *args: int, **query: str) -> str:
        """The whole address of a page of the dashboard."""
        address = reverse(name, args=args) + (f"?{urlencode(query)}" if query else "")
        return self.request.build_absolute_uri(address)

    def record(
        self,
        kind: events.McpKind,
        what: str,
        arguments: Mapping[str, JsonValue] | None = None,
        *,
        problem: str = "",
    ) -> AuditRow:
        """Write the row that says who asked what. `problem`: why it was refused.

        Where no words are to be left, it says only that something of this kind was asked.
        """
        if self.leaves_no_words and kind != "connection":
            what, arguments = ("" if problem or kind == "resource" else what), None
            problem = _NOT_KEPT if problem else ""
        client, shown = self._caller(), _Shown(speech_masker())
        called = events.McpCalled(
            kind=kind,
            what=shown.text(what),
            arguments=shown.arguments(arguments or {}),
            client=client.name if client else "",
            client_version=client.version if client else "",
            protocol=self.version,
            outcome="refused" if problem else "done",
            problem=shown.text(problem),
            masked=shown.masker.count,
        )
        return AuditRow.objects.record(called, now=self.now)

    def connected(self) -> None:
        """Note which client connected, so that its later calls can say so. One query where it is the same as before."""
        if self.client is not None and self.client != self._connected():
            self.record("connection", "initialize")

    @property
    def client_name(self) -> str:
        """What the client calls itself, with its version; "" where nobody knows."""
        client = self._caller()
        return f"{client.name} {client.version}".strip() if client else ""

    def _caller(self) -> Client | None:
        return self.client or (None if is_stateless(self.version) else self._connected())

    def _connected(self) -> Client | None:
        """Who introduced itself last with this key; its later calls carry that on. One query."""
        rows = AuditRow.objects.get_queryset().of_type(events.McpCalled).filter(api_key=self.key).order_by("-id")
        payloads = rows.values_list("payload", flat=True)[:_LOOKED_THROUGH]
        said = (payload for payload in payloads if not is_stateless(payload.get("protocol", "")))
        newest: JsonObject = next(said, {})
        return Client.of({"name": newest.get("client", ""), "version": newest.get("client_version", "")})


@dataclass(frozen=True)
class _Shown:
    """What was asked, as the row keeps it: short, and without secrets, wherever in it they stand."""

    masker: Masker

    def text(self, text: str) -> str:
        return shorten(self.masker.text(one_line(text[:_MOST_READ_CHARS])), MOST_SHOWN_CHARS)

    def arguments(self, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The arguments: few, short and flat."""
        given = [(name, value) for name, value in arguments.items() if value not in (None, "")][:_MOST_ARGUMENTS]
        return {self.text(name): self._value(name, value) for name, value in given}

    def _value(self, name: str, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return f"({len(value)} character{'s' * (len(value) != 1)})" if name in _VALUES else self.text(value)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return self.text(", ".join(str(item) for item in value[:_MOST_ARGUMENTS]))
        if isinstance(value, list | dict):
            return f"({len(value)} items)"
        return self._number(value)

    def _number(self, value: JsonValue) -> JsonValue:
        """A number, or one of the words of JSON. A card's number is one, too."""
        if isinstance(value, int) and abs(value) >= 2**53:
            return "(a huge number)"
        digits = str(value)
        shown = self.masker.text(digits)
        return value if shown == digits else shown
