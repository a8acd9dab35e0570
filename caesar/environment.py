"""The process environment as a source of settings: `.env`, `..._FILE` values, and all errors in one message.

pydantic-settings does not notice a mistyped section name, prints values in its errors and reads no `..._FILE`; this
source closes those gaps. No message ever holds a value, since it may be a secret.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "CAESAR_"
ENV_FILE = "CAESAR_ENV_FILE"
FILE_SUFFIX = "_FILE"

# Variables of other programs: our setting, the provider for which it is used, the exported variable.
EXPORTED_BY_OTHERS = {
    "CAESAR_LLM__ANTHROPIC__API_KEY": ("anthropic", "ANTHROPIC_API_KEY"),
    "CAESAR_LLM__OPENAI__API_KEY": ("openai", "OPENAI_API_KEY"),
    "CAESAR_LLM__OLLAMA__BASE_URL": ("ollama", "OLLAMA_HOST"),
    "CAESAR_SEMANTIC__API_KEY": ("openai", "OPENAI_API_KEY"),
    "CAESAR_SEMANTIC__BASE_URL": ("ollama", "OLLAMA_HOST"),
}
PLAIN_WORDS = {
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "too_short": "must hold at least one",
}


class ConfigurationError(Exception):
    """The settings cannot be used. `problems` holds one line each: the variable's name, what is wrong, the cure."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n  ".join(["CAESAR cannot start, its settings need attention:", *self.problems]))


def is_testing() -> bool:
    """Whether this process runs tests. A server that a test has started is a server like any other."""
    return "pytest" in sys.modules


def load_env_file(environ: MutableMapping[str, str] = os.environ) -> None:
    """Put `.env` (or the file named by CAESAR_ENV_FILE) into the environment; what is there already wins.

    Raises `ConfigurationError` for a named file that is missing and for a line that is
    no `NAME=value`.
    """
    named = environ.get(ENV_FILE, "").strip()
    path = Path(named) if named else ROOT / ".env"
    if named or path.exists():
        for name, value in read_env_file(path).items():
            environ.setdefault(name, value)


def read_env_file(path: Path) -> dict[str, str]:
    """The names and values in an env file, values taken as they stand (a `$` in a password is a `$`)."""
    values: dict[str, str] = {}
    broken: list[str] = []
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for binding in parse_stream(lines):
                if binding.error or (binding.key and binding.value is None):
                    broken.append(f"{path}, line {binding.original.line}: write it as NAME=value, or start it with #.")
                elif binding.key and binding.value is not None:
                    values[binding.key] = binding.value
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: {_reason(error)}. Correct the file, or {ENV_FILE}."]) from None
    if broken:
        raise ConfigurationError(broken)
    return values


def setting_names(section: type[BaseModel], prefix: str = PREFIX) -> dict[str, FieldInfo]:
    """Every setting of a tree by the name of its variable, in the order of the classes."""
    names: dict[str, FieldInfo] = {}
    for field_name, field in section.model_fields.items():
        name = prefix + field_name.upper()
        branches = list(_branches(name, field.annotation))
        for branch, model in branches:
            names |= setting_names(model, f"{branch}__")
        if not branches:
            names[name] = field
    return names


def _branches(name: str, annotation: Any) -> Iterator[tuple[str, type[BaseModel]]]:
    """The sections below a field: the one it holds, or one for each key of a `dict[Literal[...], Section]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield name, annotation
    elif get_origin(annotation) is dict:
        keys, model = get_args(annotation)
        yield from ((f"{name}__{key.upper()}", model) for key in get_args(keys))


class EnvironmentSource(PydanticBaseSettingsSource):
    """The `CAESAR_*` variables as a nested dict.

    A name that is no setting, or a `..._FILE` that cannot be read, is returned under its full name with the reason in
    place of its value: `extra="forbid"` then refuses it together with all other mistakes.
    """

    def __init__(self, settings_cls: type[BaseSettings], environ: Mapping[str, str] = os.environ) -> None:
        super().__init__(settings_cls)
        self.names = setting_names(settings_cls)
        self.environ = environ

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Not used: `__call__` reads all of them at once."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The tree of what is set; blank values count as not set."""
        values: dict[str, str] = {}
        refused: dict[str, Any] = {}
        for name, text in self._written().items():
            try:
                target, value = self._read(name, text)
                if target in values:
                    raise ValueError(f"is set beside {target}{FILE_SUFFIX}. Keep one of the two.")
                values[target] = value
            except ValueError as error:
                refused[name] = str(error)
        return refused | _nested(exported_values(values, self.environ) | values)

    def _written(self) -> dict[str, str]:
        """Our variables that are not blank, names in upper case, `X_FILE` before `X`."""
        ours = {name.upper(): text.strip() for name, text in self.environ.items() if name.upper().startswith(PREFIX)}
        in_order = sorted(ours, key=lambda name: (not name.endswith(FILE_SUFFIX), name))
        return {name: ours[name] for name in in_order if ours[name] and name != ENV_FILE}

    def _read(self, name: str, text: str) -> tuple[str, str]:
        """The setting a variable stands for, and its value. Raises ValueError with the cure."""
        target = name.removesuffix(FILE_SUFFIX)
        if name not in self.names and target not in self.names:
            raise ValueError(_no_such_setting(name, self.names))
        value = text if name in self.names else _content(Path(text))
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("is not UTF-8 text.") from None
        return (name if name in self.names else target), value


def _no_such_setting(name: str, names: Mapping[str, FieldInfo]) -> str:
    inside = [known for known in names if known.startswith(f"{name}__")]
    if inside:
        return f"is a section. Set one of its settings, such as {inside[0]}."
    suffix = FILE_SUFFIX if name.endswith(FILE_SUFFIX) else ""
    close = get_close_matches(name.removesuffix(suffix), names, n=1, cutoff=0.75)
    return f"no such setting. Did you mean {close[0]}{suffix}?" if close else "no such setting. See .env.example."


def _content(path: Path) -> str:
    """The stripped content of a `..._FILE`. Raises ValueError when there is nothing to read.

    The path is not part of the message: it may be the secret itself, set by mistake.
    """
    try:
        content = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read the file it names: {_reason(error)}.") from None
    if not content:
        raise ValueError("the file it names is empty.")
    return content


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or "cannot be read") if isinstance(error, OSError) else "not UTF-8 text"


def _nested(values: Mapping[str, str]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in values.items():
        *sections, last = name.removeprefix(PREFIX).lower().split("__")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[last] = value
    return tree


def exported_values(values: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Keys and addresses exported for other programs, for the chosen providers. They never choose a provider."""
    found: dict[str, str] = {}
    for name, (provider, exported) in EXPORTED_BY_OTHERS.items():
        section = name.split("__")[0]
        chosen = {v.lower() for n, v in values.items() if n.startswith(section) and n.endswith("__PROVIDER")}
        value = environ.get(exported, "").strip()
        if value and provider in chosen:
            found[name] = ollama_url(value) if exported == "OLLAMA_HOST" else value
    return found


def ollama_url(host: str) -> str:
    """The address to call for an OLLAMA_HOST, where Ollama also takes `host`, `:port` and `0.0.0.0`."""
    address = urlsplit(host if "://" in host else f"http://{host}")
    try:
        port = address.port or (11434 if "://" not in host else None)
    except ValueError:
        return host
    name = address.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)  # noqa: S104 (read, not bound)
    name = f"[{name}]" if ":" in name else name
    return f"{address.scheme}://{name}{f':{port}' if port else ''}{address.path}"


def problems(error: ValidationError, section: type[BaseModel], environ: Mapping[str, str] = os.environ) -> list[str]:
    """Each mistake that pydantic found, as one line without its value."""
    names = setting_names(section)
    found = [_problem(detail, names, environ) for detail in error.errors(include_url=False)]
    return list(dict.fromkeys(found))


def _problem(detail: ErrorDetails, names: Mapping[str, FieldInfo], environ: Mapping[str, str]) -> str:
    if detail["type"] == "extra_forbidden" and str(detail["loc"][0]).startswith(PREFIX):
        return f"{detail['loc'][0]}: {detail['input']}"
    name = PREFIX + "__".join(part.upper() for part in detail["loc"] if isinstance(part, str))
    message = PLAIN_WORDS.get(detail["type"]) or detail["msg"].replace("Input should be", "must be", 1)
    message = message.removeprefix("Value error, ")
    default = written(names[name].default) if name in names else ""
    return f"{_variable(name, environ)}: {message}." + (f" Left out, it is {default}." if default else "")


def _variable(name: str, environ: Mapping[str, str]) -> str:
    """The variable that a setting came from: our own, or one that another program exports."""
    exported = EXPORTED_BY_OTHERS[name][1] if name in EXPORTED_BY_OTHERS else name
    is_own = name in environ or name + FILE_SUFFIX in environ or exported not in environ
    return name if is_own else exported


def written(default: object) -> str:
    """A default as it stands in an env file; empty where nothing is set."""
    match default:
        case None:
            return ""
        case bool():
            return str(default).lower()
        case float():
            return f"{default:g}"
        case tuple():
            return ",".join(default)
        case SecretStr():
            return default.get_secret_value()
    return str(default)
