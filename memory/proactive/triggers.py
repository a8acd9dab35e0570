"""The triggers file: prompts that run by the clock. Reads YAML and says, line by line, what in it cannot be used.

Pure but for the reading. Only plain values are taken: no tags, no anchors, nothing nested, a bounded size. The file
may hold a list, or that list under the one key `triggers`.
"""

import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

import yaml
from croniter import croniter
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from caesar.environment import ROOT

MAX_BYTES = 64 * 1024
MAX_NAME_CHARS = 64
MAX_CRON_CHARS = 100  # of the column in the queue's table
FIELDS = ("name", "cron", "prompt", "enabled")
REQUIRED = ("name", "cron", "prompt")

_KEY = "triggers"
_MOST_LEVELS = 8
_MOST_FAULTS = 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CRON_ALIASES = frozenset(("@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"))
_CRON_BY_CHANCE = re.compile(r"[hr](?![a-z])", re.IGNORECASE)  # H and R: another time at each look, or none at all
_SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_UNSENDABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_ESCAPE_TOO_HIGH = re.compile(r"\\U(?!00(?:0|10))")
_TAG = "tag:yaml.org,2002:"
_TRUE = frozenset(("yes", "true", "on"))


class TriggersError(ValueError):
    """The file cannot be used. `problems` holds one line each: file, line, what is wrong, the cure."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        more = f" ({len(self.problems) - 1} more like it)" if len(self.problems) > 1 else ""
        super().__init__(self.problems[0] + more)


@dataclass(frozen=True)
class Trigger:
    """A prompt that runs by the clock. `line`: where it stands in its file."""

    name: str
    cron: str
    prompt: str
    enabled: bool = True
    line: int = field(default=0, compare=False)

    @property
    def has_fixed_hours(self) -> bool:
        """Whether it names its hours. Such a time of day means one run, also where the clock shows it twice."""
        return bool(croniter.expand(self.cron)[0][1] != ["*"])


class _Fault(Exception):
    """What is wrong at one line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def read(path: Path) -> list[Trigger]:
    """The triggers in a file, in its order; a relative one lies in the project. Raises `TriggersError`."""
    source, raw = str(path), _content(ROOT / path, named=path)
    try:
        return parse(raw.decode("utf-8-sig"), source=source)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise TriggersError([f"{source}, line {line}: is not UTF-8."]) from None


def _content(path: Path, *, named: Path) -> bytes:
    """What a regular file holds: a pipe would be waited for, a device never end."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise TriggersError([f"{named}: is no file."])
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TriggersError([f"{named}: {error.strerror or 'cannot be read'}."]) from None
    if len(raw) > MAX_BYTES:
        raise TriggersError([f"{named}: is larger than {MAX_BYTES // 1024} KiB. It holds triggers and nothing else."])
    return raw


def parse(text: str, *, source: str) -> list[Trigger]:
    """The triggers in a file's text. Raises `TriggersError`, with the first fault of each trigger."""
    triggers: list[Trigger] = []
    faults: list[_Fault] = []
    try:
        entries = _entries(_root(text))
    except _Fault as fault:
        entries, faults = [], [fault]
    for node in entries:
        try:
            triggers.append(_trigger(node))
        except _Fault as fault:
            faults.append(fault)
    faults += _namesakes(triggers)
    if faults:
        ordered = sorted(faults, key=lambda fault: fault.line)
        raise TriggersError(f"{source}, line {fault.line}: {fault}" for fault in ordered[:_MOST_FAULTS])
    return triggers


def find(triggers: Sequence[Trigger], name: str) -> Trigger | None:
    """The trigger of that name."""
    return next((trigger for trigger in triggers if trigger.name == name), None)


# --- YAML -----------------------------------------------------------------------------------------------------------


def _root(text: str) -> Node:
    """The file's one document. Raises `_Fault` for what is no YAML, and for what of YAML has no place here."""
    try:
        _refuse_extras(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _Fault(line, "holds a character that is no text.") from None
    except yaml.MarkedYAMLError as error:
        raise _yaml_fault(error) from None
    except (ValueError, OverflowError):  # the library's own, for an escape beyond the last character there is
        escape = _ESCAPE_TOO_HIGH.search(text)
        line = text.count("\n", 0, escape.start()) + 1 if escape else 1
        raise _Fault(line, "holds an escape (\\U...) that is no character.") from None
    if root is None:
        raise _Fault(1, "holds no list of triggers. For none write [].")
    return root


def _refuse_extras(text: str) -> None:
    """Look through the file before any of it is built: what is refused here costs nothing, however often repeated."""
    level = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = _line_at(event.start_mark)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Fault(line, "anchors (&) and aliases (*) are not taken. A value that begins so goes in quotes.")
        if getattr(event, "tag", None):
            raise _Fault(line, "tags (!) are not taken. A value that begins so goes in quotes.")
        level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if level > _MOST_LEVELS:
            raise _Fault(line, "is nested too deeply. A value that begins with [ or { goes in quotes.")


def _yaml_fault(error: yaml.MarkedYAMLError) -> _Fault:
    line = _line_at(error.problem_mark or error.context_mark)
    if error.context == "while scanning an alias":  # what every second cron line does to YAML
        return _Fault(line, 'a value that begins with * goes in quotes: "*/5 * * * *".')
    began = _line_at(error.context_mark) if error.context_mark else line
    context = f"{error.context} from line {began} on" if error.context and began != line else error.context
    said = ", ".join(part for part in (context, error.problem) if part)
    return _Fault(line, f"is no YAML: {' '.join(said.split())}.")


def _line(node: Node) -> int:
    return _line_at(node.start_mark)


class _Mark(Protocol):
    """A place in the file, of either of the library's two readers; counted from 0."""

    @property
    def line(self) -> int: ...


def _line_at(mark: _Mark | None) -> int:
    return mark.line + 1 if mark else 1


def _type(node: Node) -> str:
    return str(node.tag).removeprefix(_TAG)


# --- triggers -------------------------------------------------------------------------------------------------------


def _entries(root: Node) -> list[Node]:
    """The nodes of the list, whether it stands alone or under its key."""
    if isinstance(root, MappingNode) and any(key.value == _KEY for key, _ in root.value):
        fields = _fields(root, known=(_KEY,))
        root = fields[_KEY]
    if not isinstance(root, SequenceNode):
        raise _Fault(_line(root), "is no list of triggers. Begin each with a hyphen: - name: ... For none write [].")
    return list(root.value)


def _trigger(node: Node) -> Trigger:
    if not isinstance(node, MappingNode):
        raise _Fault(_line(node), "is no trigger. Write name:, cron: and prompt:, each on a line of its own.")
    fields = _fields(node, known=FIELDS)
    missing = [name for name in REQUIRED if name not in fields]
    if missing:
        raise _Fault(_line(node), f"this trigger lacks its {' and its '.join(missing)}.")
    return Trigger(
        name=_name(fields["name"]),
        cron=_cron(fields["cron"]),
        prompt=_prompt(fields["prompt"]),
        enabled=_enabled(fields["enabled"]) if "enabled" in fields else True,
        line=_line(fields["name"]),
    )


def _fields(node: MappingNode, *, known: Sequence[str]) -> dict[str, Node]:
    """The values of a mapping by their keys. Raises `_Fault` for a key that is not known or stands twice."""
    fields: dict[str, Node] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        if name not in known:
            close = get_close_matches(name[:100], known, n=1)
            cure = f"Did you mean {close[0]}?" if close else f"Take {', '.join(known)}."
            raise _Fault(_line(key), f"there is no field {_shown(name)}. {cure}")
        if name in fields:
            raise _Fault(_line(key), f"{name} stands twice.")
        fields[name] = value
    return fields


def _text(node: Node, field_name: str) -> str:
    """A value that must be text, and not blank."""
    kind = _type(node)
    if kind == "str" and node.value.strip():
        return str(node.value).strip()
    if kind in ("null", "str"):
        raise _Fault(_line(node), f"{field_name} is empty.")
    if isinstance(node, ScalarNode):
        raise _Fault(_line(node), f"{field_name} must be text: put it in quotes.")
    raise _Fault(_line(node), f"{field_name} must be text, not a list or a mapping.")


def _name(node: Node) -> str:
    name = _text(node, "name")
    if len(name) > MAX_NAME_CHARS:
        raise _Fault(_line(node), f"name is longer than {MAX_NAME_CHARS} characters.")
    if not _NAME.fullmatch(name):
        cure = "Take letters from a to z, digits, dots, hyphens and underscores, a letter or digit first."
        raise _Fault(_line(node), f"name {_shown(name)} holds odd characters. {cure}")
    return name


def _prompt(node: Node) -> str:
    prompt = _text(node, "prompt")
    if _UNSENDABLE.search(prompt):
        raise _Fault(_line(node), "prompt holds a character that is no text.")
    return prompt


def _enabled(node: Node) -> bool:
    if _type(node) != "bool":
        raise _Fault(_line(node), "enabled must be true or false, without quotes.")
    return str(node.value).lower() in _TRUE


def _cron(node: Node) -> str:
    """A cron line of five fields, with single spaces between them; or one of its usual names, such as @daily."""
    cron = " ".join(_text(node, "cron").split())
    if len(cron) > MAX_CRON_CHARS:
        raise _Fault(_line(node), f"cron is longer than {MAX_CRON_CHARS} characters.")
    parts = cron.split(" ")
    if cron.lower() not in _CRON_ALIASES:
        if len(parts) != 5:
            cure = 'Write minute, hour, day, month and weekday: "0 7 * * *".'
            raise _Fault(_line(node), f"cron {_shown(cron)} has not five fields. {cure}")
        if any(_CRON_BY_CHANCE.match(part) for part in parts):
            raise _Fault(_line(node), f"cron {_shown(cron)} names no fixed time: H and R are not taken.")
    if why := _unusable(cron):
        raise _Fault(_line(node), f"cron {_shown(cron)} {why}")
    return cron


def _unusable(cron: str) -> str:
    """Why the queue could not go by this cron line, "" where it can. One that never comes would stop its clock."""
    try:
        croniter.expand(cron)
    except ValueError as error:
        return f"is no cron line: {ascii(str(error))[1:-1]}."
    try:
        croniter(cron, _SOME_DAY).get_next(datetime)
    except ValueError:
        return "never comes: there is no such day."
    return ""


def _namesakes(triggers: Sequence[Trigger]) -> Iterator[_Fault]:
    first: dict[str, int] = {}
    for trigger in triggers:
        if trigger.name in first:
            yield _Fault(trigger.line, f"name {trigger.name} stands already at line {first[trigger.name]}.")
        first.setdefault(trigger.name, trigger.line)


def _shown(value: str) -> str:
    """A value as a message shows it: one line, not long, nothing in it that a terminal would obey."""
    return ascii(value if len(value) <= 60 else value[:60] + "...")
