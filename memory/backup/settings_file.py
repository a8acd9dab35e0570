"""The settings of this server as an env file, for a backup."""

import re
from typing import Any

from pydantic import BaseModel, SecretStr

from caesar.conf import Settings
from caesar.environment import PREFIX, setting_names, written

_PLAIN = re.compile(r"[\w./:@,+=\-\[\]]+")


def lines(tree: Settings, *, with_secrets: bool) -> str:
    """What is not as it comes, a line each; of secrets only that they are set, unless they are asked for."""
    told = []
    for name, field in setting_names(Settings).items():
        value = _value(tree, name)
        if value is None or value == field.default:
            continue
        if isinstance(value, SecretStr) and not with_secrets:
            told.append(f"# {name}= (a secret, left out)")
        else:
            told.append(f"{name}={_quoted(written(value))}")
    return "".join(f"{line}\n" for line in told)


def _value(tree: Settings, name: str) -> Any:
    """What the tree has for the variable of that name; None where its branch is not there."""
    value: Any = tree
    for part in name.removeprefix(PREFIX).lower().split("__"):
        if isinstance(value, BaseModel):
            value = getattr(value, part)
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
