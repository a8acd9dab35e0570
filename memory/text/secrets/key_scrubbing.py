r"""Known keys taken out of a text, in whatever form a server or a library wrote them. Standard library only.

Found are a key as it is, percent-encoded, escaped for JSON or HTML, each of its characters in a form of its own, and in
base64 (as in `Authorization: Basic`); and parts of it: from eight characters of its beginning or end on, and the form
in which servers show keys, `sk-abc...wxyz`.
"""

import base64
import html.entities
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

REMOVED = "[removed]"

_PART = 8
_SHORTEST_KEY = 4
_SHOWN = 3
_BASE64_BYTES = 12
_SHORTEST_IN_BASE64 = 6
_ELLIPSIS = r"(?:\.{2,8}|\u2026|\*{2,8}|\u2022{2,8}|\[\.\.\.\])"
_BASE64_WORD = re.compile(r"[A-Za-z0-9+/_=-]*")


def without_keys(text: str, keys: Collection[str]) -> str:
    """`text` with each of `keys`, and each part of one, as `REMOVED`. Keys of fewer than 4 characters are left."""
    for key in sorted(keys, key=len, reverse=True):
        if len(key) >= _SHORTEST_KEY:
            text = _KeyForms.of(key).removed_from(text)
    return text


class _KeyForms:
    """The patterns of one key."""

    def __init__(self, key: str) -> None:
        units = [_written(character) for character in key]
        self._units = [re.compile(unit) for unit in units]
        self._whole = re.compile("".join(units[:_PART]))
        self._end = re.compile("".join(units[-_PART:])) if len(key) > _PART else None
        self._shown = re.compile("|".join(_shown(key)), re.DOTALL) if len(key) >= _PART else None
        self._base64 = re.compile("|".join(map(re.escape, _base64_cores(key))) or "(?!)")

    @staticmethod
    @lru_cache(maxsize=64)
    def of(key: str) -> "_KeyForms":
        """The patterns, made once for each key."""
        return _KeyForms(key)

    def removed_from(self, text: str) -> str:
        """`text` without the key. Linear in its length."""
        text = "".join(self._without_beginnings(text))
        for pattern in filter(None, (self._end, self._shown)):
            text = pattern.sub(REMOVED, text)
        return "".join(self._without_base64(text))

    def _without_beginnings(self, text: str) -> Iterator[str]:
        """The pieces of a text around what begins like the key, as far as it goes on like it."""
        after = 0
        for found in self._whole.finditer(text):
            if found.start() < after:
                continue
            end = found.end()
            for unit in self._units[_PART:]:
                following = unit.match(text, end)
                if following is None:
                    break
                end = following.end()
            yield text[after : found.start()] + REMOVED
            after = end
        yield text[after:]

    def _without_base64(self, text: str) -> Iterator[str]:
        """The pieces of a text around the words in base64 that hold the beginning of the key."""
        after = 0
        for found in self._base64.finditer(text):
            if found.start() < after:
                continue
            start = found.start()
            while start > after and _BASE64_WORD.fullmatch(text[start - 1]):
                start -= 1
            yield text[after:start] + REMOVED
            rest = _BASE64_WORD.match(text, found.end())
            after = rest.end() if rest else found.end()
        yield text[after:]


def _written(character: str) -> str:
    """A pattern for one character in each of its forms."""
    number = ord(character)
    percent = "".join(f"%(?:25){{0,3}}{byte:02x}" for byte in character.encode(errors="replace"))
    forms = [f"(?i:{percent})", rf"(?i:\\{{1,8}}u{number:04x})", rf"(?i:\\{{1,8}}x{number:02x})"]
    forms += [f"&(?:amp;)?#0{{0,4}}{number};", f"(?i:&(?:amp;)?#x0{{0,4}}{number:x};)"]
    forms += [f"&(?:amp;)?{name}" for name in _ENTITIES.get(character, ())]
    if not character.isalnum():
        forms.append(rf"\\{{1,8}}{re.escape(character)}")
    forms.append(re.escape(character))  # last: the forms of "&" begin with it
    return f"(?:{'|'.join(forms)})"


_ENTITIES: dict[str, list[str]] = {}
for _name, _character in html.entities.html5.items():
    if _name.endswith(";") and len(_character) == 1 and _character.isascii():
        _ENTITIES.setdefault(_character, []).append(_name)


def _shown(key: str) -> Iterator[str]:
    """Patterns of a key of which a server shows the beginning, the end, or both: "sk-abc...wxyz", "****wxyz"."""
    beginning = "".join(f"(?:{re.escape(character)}" for character in key[_SHOWN:40])
    beginning += ")?" * len(key[_SHOWN:40])
    yield f"{re.escape(key[:_SHOWN])}{beginning}{_ELLIPSIS}[\\w-]{{0,12}}"
    yield f"{_ELLIPSIS}[\\w-]{{0,40}}?{re.escape(key[-_SHOWN:])}(?![\\w-])"


def _base64_cores(key: str) -> Iterator[str]:
    """What the beginning of a key is in base64, wherever it stands in what was encoded."""
    data = key[:_BASE64_BYTES].encode(errors="replace")
    if len(data) < _SHORTEST_IN_BASE64:
        return
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + data).decode()
        core = encoded[(before * 8 + 5) // 6 : (before + len(data)) * 8 // 6]
        yield from {core, core.replace("+", "-").replace("/", "_")}
