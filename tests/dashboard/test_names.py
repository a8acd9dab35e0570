"""Names of buttons and links begin with the words that one sees: who speaks to the browser says those."""

import re
from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
NAMED = re.compile(r"<(button|a|summary)\b((?:{%(?:(?!%}).)*%}|{{(?:(?!}}).)*}}|[^>{])*)>([^<]*)</", re.S)
LABEL = re.compile(r'aria-label="((?:{%(?:(?!%}).)*%}|{{(?:(?!}}).)*}}|[^"])*)"')


def test_a_name_begins_with_the_words_one_sees() -> None:
    found = 0
    for path in sorted(TEMPLATES.rglob("*.html")):
        for tag, attributes, seen in NAMED.findall(path.read_text(encoding="utf-8")):
            label = LABEL.search(attributes)
            if label and re.search(r"\w", seen):
                found += 1
                assert label[1].startswith(seen.strip()), f"{path.name}: <{tag}> {seen!r} is named {label[1]!r}"
    assert found >= 10


def test_the_pattern_sees_what_it_should() -> None:
    (button,) = NAMED.findall(
        '<button {% if x > 1 %}a{% endif %} aria-label="Try chat {{ n }} again">Try again</button>'
    )
    label = LABEL.search(button[1])
    assert (button[0], button[2], label and label[1]) == ("button", "Try again", "Try chat {{ n }} again")
