"""Values that stand for any other, such as John Doe."""

import re

_PLACEHOLDERS = re.compile(
    r"(?:test(?:er|ing)?(?: ?user| ?name| ?person)?\w{0,3}|(?:john|jane|joe) (?:doe|bloggs|q public)"
    r"|foo(?: ?bar)?|bar|baz"
    r"|asdf\w*|qwerty\w*|xxx+|yyy+|lorem(?: ipsum)?|max mustermann|erika mustermann|user(?: name)?|username"
    r"|your name|name"
    r"|sample(?: \w+)?|example(?: \w+)?|placeholder)",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """Whether a value stands for any other: "Test User", "John Doe", "foo"."""
    return bool(_PLACEHOLDERS.fullmatch(value))
