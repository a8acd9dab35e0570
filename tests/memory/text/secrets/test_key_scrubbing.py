"""Known keys are taken out of texts in whatever form they come back (decision 24)."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from memory.text.secrets.key_scrubbing import without_keys
from tests.growth import LINEAR_AT_MOST, growth, of_unit

KEY = "sk-proj-aB3/x+Y=&<z>\u00e90123456789wxyz"


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        quote(KEY, safe=""),
        quote_plus(KEY),
        quote(quote(KEY, safe="")),
        json.dumps(KEY)[1:-1],
        json.dumps(json.dumps(KEY))[3:-3],
        KEY.replace("/", "\\/"),
        "".join(f"\\u{ord(character):04X}" for character in KEY),
        html.escape(KEY),
        html.escape(html.escape(KEY)),
        "".join(f"&#{ord(character)};" for character in KEY),
        "".join(f"&#x{ord(character):X};" for character in KEY),
        "".join(quote(character, safe="") if place % 2 else character for place, character in enumerate(KEY)),
        base64.b64encode(KEY.encode()).decode(),
        base64.b64encode(f"user:{KEY}".encode()).decode(),
        base64.b64encode(f":{KEY}".encode()).decode(),
        base64.urlsafe_b64encode(f"Bearer {KEY} and more".encode()).decode(),
        KEY[:8],
        KEY[:15],
        KEY[-8:],
        quote(KEY[:12], safe=""),
        "sk-proj...wxyz",
        "sk-...wxyz",
        "sk-pro\u2026wxyz",
        "sk-p****",
        "****wxyz",
        "...wxyz",
    ],
)
def test_a_key_is_removed_in_every_form(written: str) -> None:
    assert without_keys(f"before {written} after", [KEY]) == "before [removed] after"


def test_plain_words_stay() -> None:
    text = "ok so... wait, sky... %73 &amp; \\n sk-learn [...] 2023... d3h5eg== wxyz"
    assert without_keys(text, [KEY, "abc", ""]) == text


def test_several_keys_are_removed_the_longer_first() -> None:
    assert without_keys("one-long-key-2 one-long-key", ["one-long-key", "one-long-key-2"]) == "[removed] [removed]"


@pytest.mark.parametrize(
    "unit", ["sk-", "sk-proj-", "%73", ".", "a", "&#115;", "c2st", "\\", "%25", "*", "&", "...wxy"]
)
def test_the_time_grows_with_the_length(unit: str) -> None:
    found = growth(lambda text: without_keys(text, [KEY]), of_unit(unit), size=16_000)
    assert found < LINEAR_AT_MOST
