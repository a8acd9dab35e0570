"""The triggers file: prompts that run on a schedule. Reads YAML and reports, line by line, what cannot be used.

Pure except for reading the file. Only plain values are accepted: no tags, no anchors, nothing nested, a bounded size.
The file holds a list, or that list under the single key `triggers`.
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
MAX_CRON_CHARS = 100  # the size of the column in the queue's table
FIELDS = ("name", "cron", "prompt", "enabled")
REQUIRED = ("name", "cron", "prompt")

_LIST_KEY = "triggers"
_MAX_NESTING = 8
_MAX_PROBLEMS = 20
_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CRON_ALIASES = frozenset(("@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"))
_RANDOM_CRON_FIELD = re.compile(
    r"[hr](?![a-z])", re.IGNORECASE
)  # H and R stand for a hashed or a random time: not fixed
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_ESCAPE_TOO_HIGH = re.compile(r"\\U(?!00(?:0|10))")
_YAML_TAG_PREFIX = "tag:yaml.org,2002:"
_YAML_TRUE = frozenset(("yes", "true", "on"))


class TriggersError(ValueError):
    """The file cannot be used. `problems` holds one line each: file, line, what is wrong, the cure."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        more = f" ({len(self.problems) - 1} more like it)" if len(self.problems) > 1 else ""
        super().__init__(self.problems[0] + more)


@dataclass(frozen=True)
class Trigger:
    """A prompt that runs on a schedule. `line`: its line in the file."""

    name: str
    cron: str
    prompt: str
    enabled: bool = True
    line: int = field(default=0, compare=False)

    @property
    def has_fixed_hours(self) -> bool:
        """Whether it names its hours. Such a time of day means one run, even where the clock shows it twice."""
        return bool(croniter.expand(self.cron)[0][1] != ["*"])


class _Problem(Exception):
    """What is wrong at one line of the file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def read(path: Path) -> list[Trigger]:
    """The triggers in a file, in its order. A relative path starts at the project. Raises `TriggersError`."""
    source, raw = str(path), _read_bytes(ROOT / path, named=path)
    try:
        return parse(raw.decode("utf-8-sig"), source=source)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise TriggersError([f"{source}, line {line}: is not UTF-8."]) from None


def _read_bytes(path: Path, *, named: Path) -> bytes:
    """The content of a regular file. Others are refused: reading a pipe would block, and a device may never end."""
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
    """The triggers in a file's text. Raises `TriggersError`, with the first problem of each trigger."""
    triggers: list[Trigger] = []
    problems_found: list[_Problem] = []
    try:
        entries = _trigger_nodes(_compose(text))
    except _Problem as problem:
        entries, problems_found = [], [problem]
    for node in entries:
        try:
            triggers.append(_parse_trigger(node))
        except _Problem as problem:
            problems_found.append(problem)
    problems_found += _duplicate_names(triggers)
    if problems_found:
        ordered = sorted(problems_found, key=lambda problem: problem.line)
        raise TriggersError(f"{source}, line {problem.line}: {problem}" for problem in ordered[:_MAX_PROBLEMS])
    return triggers


def find(triggers: Sequence[Trigger], name: str) -> Trigger | None:
    """The trigger of that name."""
    return next((trigger for trigger in triggers if trigger.name == name), None)


# --- YAML -----------------------------------------------------------------------------------------------------------


def _compose(text: str) -> Node:
    """The root node of the file's one document. Raises `_Problem` for invalid YAML and for what is not accepted."""
    try:
        _reject_unsupported(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _Problem(line, "holds a character that is no text.") from None
    except yaml.MarkedYAMLError as error:
        raise _yaml_problem(error) from None
    except (ValueError, OverflowError):  # raised by PyYAML for an escape beyond the last code point
        escape = _ESCAPE_TOO_HIGH.search(text)
        line = text.count("\n", 0, escape.start()) + 1 if escape else 1
        raise _Problem(line, "holds an escape (\\U...) that is no character.") from None
    if root is None:
        raise _Problem(1, "holds no list of triggers. For none write [].")
    return root


def _reject_unsupported(text: str) -> None:
    """Check the events of the file before any node is built, so that a refused file costs next to nothing."""
    level = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = _line_at(event.start_mark)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Problem(line, "anchors (&) and aliases (*) are not taken. A value that begins so goes in quotes.")
        if getattr(event, "tag", None):
            raise _Problem(line, "tags (!) are not taken. A value that begins so goes in quotes.")
        level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if level > _MAX_NESTING:
            raise _Problem(line, "is nested too deeply. A value that begins with [ or { goes in quotes.")


def _yaml_problem(error: yaml.MarkedYAMLError) -> _Problem:
    line = _line_at(error.problem_mark or error.context_mark)
    if error.context == "while scanning an alias":  # a cron line that begins with * is an alias to YAML
        return _Problem(line, 'a value that begins with * goes in quotes: "*/5 * * * *".')
    began = _line_at(error.context_mark) if error.context_mark else line
    context = f"{error.context} from line {began} on" if error.context and began != line else error.context
    said = ", ".join(part for part in (context, error.problem) if part)
    return _Problem(line, f"is no YAML: {' '.join(said.split())}.")


def _line_of(node: Node) -> int:
    return _line_at(node.start_mark)


class _Mark(Protocol):
    """A position in the file, of either of PyYAML's two readers. Lines count from 0."""

    @property
    def line(self) -> int: ...


def _line_at(mark: _Mark | None) -> int:
    return mark.line + 1 if mark else 1


def _yaml_type(node: Node) -> str:
    return str(node.tag).removeprefix(_YAML_TAG_PREFIX)


# --- triggers -------------------------------------------------------------------------------------------------------


def _trigger_nodes(root: Node) -> list[Node]:
    """The nodes of the list, whether it is the document itself or under its key."""
    if isinstance(root, MappingNode) and any(key.value == _LIST_KEY for key, _ in root.value):
        fields = _parse_fields(root, known=(_LIST_KEY,))
        root = fields[_LIST_KEY]
    if not isinstance(root, SequenceNode):
        raise _Problem(
            _line_of(root), "is no list of triggers. Begin each with a hyphen: - name: ... For none write []."
        )
    return list(root.value)


def _parse_trigger(node: Node) -> Trigger:
    if not isinstance(node, MappingNode):
        raise _Problem(_line_of(node), "is no trigger. Write name:, cron: and prompt:, each on a line of its own.")
    fields = _parse_fields(node, known=FIELDS)
    missing = [name for name in REQUIRED if name not in fields]
    if missing:
        raise _Problem(_line_of(node), f"this trigger lacks its {' and its '.join(missing)}.")
    return Trigger(
        name=_parse_name(fields["name"]),
        cron=_parse_cron(fields["cron"]),
        prompt=_parse_prompt(fields["prompt"]),
        enabled=_parse_enabled(fields["enabled"]) if "enabled" in fields else True,
        line=_line_of(fields["name"]),
    )


def _parse_fields(node: MappingNode, *, known: Sequence[str]) -> dict[str, Node]:
    """The values of a mapping by their keys. Raises `_Problem` for an unknown key or one that occurs twice."""
    fields: dict[str, Node] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        if name not in known:
            close = get_close_matches(name[:100], known, n=1)
            cure = f"Did you mean {close[0]}?" if close else f"Take {', '.join(known)}."
            raise _Problem(_line_of(key), f"there is no field {_quoted(name)}. {cure}")
        if name in fields:
            raise _Problem(_line_of(key), f"{name} stands twice.")
        fields[name] = value
    return fields


def _parse_text(node: Node, field_name: str) -> str:
    """A value that must be text and not blank, stripped."""
    kind = _yaml_type(node)
    if kind == "str" and node.value.strip():
        return str(node.value).strip()
    if kind in ("null", "str"):
        raise _Problem(_line_of(node), f"{field_name} is empty.")
    if isinstance(node, ScalarNode):
        raise _Problem(_line_of(node), f"{field_name} must be text: put it in quotes.")
    raise _Problem(_line_of(node), f"{field_name} must be text, not a list or a mapping.")


def _parse_name(node: Node) -> str:
    name = _parse_text(node, "name")
    if len(name) > MAX_NAME_CHARS:
        raise _Problem(_line_of(node), f"name is longer than {MAX_NAME_CHARS} characters.")
    if not _NAME_PATTERN.fullmatch(name):
        cure = "Take letters from a to z, digits, dots, hyphens and underscores, a letter or digit first."
        raise _Problem(_line_of(node), f"name {_quoted(name)} holds odd characters. {cure}")
    return name


def _parse_prompt(node: Node) -> str:
    prompt = _parse_text(node, "prompt")
    if _CONTROL_CHARACTERS.search(prompt):
        raise _Problem(_line_of(node), "prompt holds a character that is no text.")
    return prompt


def _parse_enabled(node: Node) -> bool:
    if _yaml_type(node) != "bool":
        raise _Problem(_line_of(node), "enabled must be true or false, without quotes.")
    return str(node.value).lower() in _YAML_TRUE


def _parse_cron(node: Node) -> str:
    """A cron line of five fields with single spaces between them, or one of the usual aliases, such as @daily."""
    cron = " ".join(_parse_text(node, "cron").split())
    if len(cron) > MAX_CRON_CHARS:
        raise _Problem(_line_of(node), f"cron is longer than {MAX_CRON_CHARS} characters.")
    parts = cron.split(" ")
    if cron.lower() not in _CRON_ALIASES:
        if len(parts) != 5:
            cure = 'Write minute, hour, day, month and weekday: "0 7 * * *".'
            raise _Problem(_line_of(node), f"cron {_quoted(cron)} has not five fields. {cure}")
        if any(_RANDOM_CRON_FIELD.match(part) for part in parts):
            raise _Problem(_line_of(node), f"cron {_quoted(cron)} names no fixed time: H and R are not taken.")
    if why := _cron_problem(cron):
        raise _Problem(_line_of(node), f"cron {_quoted(cron)} {why}")
    return cron


def _cron_problem(cron: str) -> str:
    """Why the queue cannot use this cron line, "" where it can. A time that never comes would stop its scheduler."""
    try:
        croniter.expand(cron)
    except ValueError as error:
        return f"is no cron line: {ascii(str(error))[1:-1]}."
    try:
        croniter(cron, _ANY_DAY).get_next(datetime)
    except ValueError:
        return "never comes: there is no such day."
    return ""


def _duplicate_names(triggers: Sequence[Trigger]) -> Iterator[_Problem]:
    first: dict[str, int] = {}
    for trigger in triggers:
        if trigger.name in first:
            yield _Problem(trigger.line, f"name {trigger.name} stands already at line {first[trigger.name]}.")
        first.setdefault(trigger.name, trigger.line)


def _quoted(value: str) -> str:
    """A value as a message shows it: in quotes, one short line, without terminal control characters."""
    return ascii(value if len(value) <= 60 else value[:60] + "...")
