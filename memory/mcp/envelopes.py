"""Which version a request speaks, and who it says asks: from its headers and its `_meta`, which must agree. Pure."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from memory.mcp import versions
from memory.mcp.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    JsonObject,
    Message,
    RpcError,
)
from memory.text.lines import one_line, shorten

VERSION_HEADER: Final = "MCP-Protocol-Version"
METHOD_HEADER: Final = "Mcp-Method"
NAME_HEADER: Final = "Mcp-Name"

_META: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = f"{_META}protocolVersion"
CLIENT_KEY: Final = f"{_META}clientInfo"
CAPABILITIES_KEY: Final = f"{_META}clientCapabilities"
SERVER_KEY: Final = f"{_META}serverInfo"

_NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Method -> its parameter that the header `Mcp-Name` repeats."""
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_MOST_NAME_CHARS = 100


@dataclass(frozen=True)
class Client:
    """What a client calls itself."""

    name: str
    version: str = ""

    @classmethod
    def of(cls, info: JsonValue) -> "Client | None":
        """From `clientInfo`; None where it has no name."""
        name, version = (info.get("name"), info.get("version")) if isinstance(info, dict) else (None, None)
        if not isinstance(name, str) or not one_line(name):
            return None
        return cls(_short(name), _short(version) if isinstance(version, str) else "")


def _short(text: str) -> str:
    return shorten(one_line(text), _MOST_NAME_CHARS)


def version_named(headers: Mapping[str, str]) -> str:
    """The version that the header names; without it, that of clients which do not know it.

    Raises `RpcError` for one that is not served.
    """
    named = headers.get(VERSION_HEADER, "").strip()
    if named and named not in versions.SUPPORTED:
        raise _unsupported(named)
    return named or versions.UNNAMED


def check_envelope(message: Message, version: str, headers: Mapping[str, str]) -> Client | None:
    """Hold the headers of a request against its body; returns who it says asks. Raises `RpcError`."""
    meta = message.params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    claimed = meta.get(VERSION_KEY)
    if not versions.is_stateless(version) and claimed is None:
        return None
    _require(meta)
    _check_agreement(message, headers, claimed)
    if claimed not in versions.SUPPORTED:
        raise _unsupported(str(claimed))
    return Client.of(meta.get(CLIENT_KEY))


def _require(meta: JsonObject) -> None:
    """Raises `RpcError` where a request of the stateless version does not say what it must."""
    if not isinstance(meta.get(VERSION_KEY), str):
        raise RpcError(INVALID_PARAMS, f'params._meta must hold "{VERSION_KEY}", such as "{versions.STATELESS}".')
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise RpcError(INVALID_PARAMS, f'params._meta must hold "{CAPABILITIES_KEY}", an object; empty for none.')


def _check_agreement(message: Message, headers: Mapping[str, str], claimed: JsonValue) -> None:
    name = message.params.get(_NAMED_BY.get(message.method, ""))
    wanted = {VERSION_HEADER: claimed, METHOD_HEADER: message.method}
    if name is not None:
        wanted[NAME_HEADER] = name
    for header, value in wanted.items():
        if _decoded(headers.get(header)) != value:
            raise RpcError(HEADER_MISMATCH, f"The header {header} must say the same as the request's body.")


def _decoded(value: str | None) -> str | None:
    """A header's text: what is not ASCII comes as `=?base64?...?=`. None where there is none, or it cannot be read."""
    encoded = _ENCODED.fullmatch(value) if value is not None else None
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None


def _unsupported(named: str) -> RpcError:
    data: JsonObject = {"supported": list(versions.SUPPORTED), "requested": named[:_MOST_NAME_CHARS]}
    return RpcError(
        UNSUPPORTED_VERSION, f"This version of the protocol is not served. Use one of {versions.SUPPORTED}.", data=data
    )
