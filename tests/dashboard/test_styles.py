"""What holds of the style sheets: their layers, their size, and that rules and templates know the same names."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
STATIC = Path(settings.STATICFILES_DIRS[0])
CSS = STATIC / "css"
SHEETS = {str(path.relative_to(CSS).with_suffix("")): path for path in sorted(CSS.rglob("*.css"))}
"""{"facts": ..., "facts/map": ...}; the sheets of a folder are parts of its page's."""
ORDER = "@layer tokens, elements, shared, page;"
COMMON = {"base": {"tokens", "elements"}, "shared": {"shared"}, "frame": {"shared"}}
FOLDERS = sorted(path.name for path in (TEMPLATES / "dashboard").iterdir() if path.name != "shared")
PAGES = sorted(
    str(path.relative_to(TEMPLATES))
    for path in TEMPLATES.rglob("*.html")
    if path.name != "base.html" and re.search(r'{% extends "(base|problem)\.html" %}', path.read_text(encoding="utf-8"))
)
LOAD_NO_SHEET_OF_THEIR_OWN = {"dashboard/facts/fact_edit.html"}  # its form is shared with the page of a fact
SCRIPT_ONLY = {"all", "delete", "keep", "unkeep"}
NAMES_WITHOUT_A_LOOK = {"start", "outlook"}  # they say what stands there, and look like the rest
HTMX_SETS = {"htmx-request"}


@dataclass(frozen=True)
class Block:
    """A block by the preludes around it, outermost first, its own last."""

    preludes: tuple[str, ...]

    @property
    def layer(self) -> str:
        return self.preludes[0].removeprefix("@layer ")


def text_of(sheet: str) -> str:
    """A sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", SHEETS[sheet].read_text(encoding="utf-8"), flags=re.DOTALL)


@cache
def blocks(sheet: str) -> list[Block]:
    """Every block of a sheet, each nested one by itself."""
    found: list[Block] = []
    around: list[str] = []
    for prelude, end in re.findall(r"""((?:"[^"]*"|[^"{};])*)([{};])""", text_of(sheet)):
        words = " ".join(prelude.split())
        if end == "{":
            around.append(words)
        elif end == "}":
            assert not words, f"{sheet}: {words} has no semicolon"
            found.append(Block(tuple(around)))
            around.pop()
    assert not around
    return found


@cache
def classes(sheet: str) -> set[str]:
    """The classes that have a rule."""
    selectors = [prelude for block in blocks(sheet) for prelude in block.preludes if not prelude.startswith("@")]
    return {name for selector in selectors for name in re.findall(r"\.([a-z][\w-]*)", selector)}


def with_includes(template: str) -> Iterator[str]:
    """A template and all that stands in it, those it extends too."""
    yield template
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    for other in re.findall(r'{% (?:include|extends) "([^"]+)"', source):
        yield from with_includes(other)


def sheets_of(page: str) -> set[str]:
    """The sheets a page links."""
    sources = [(TEMPLATES / name).read_text(encoding="utf-8") for name in with_includes(page)]
    return {name for source in sources for name in re.findall(r"{% static 'css/([\w/]+)\.css' %}", source)}


def classes_in(template: str) -> set[str]:
    """The classes a template writes out; what a variable makes of them is left out."""
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    values = re.findall(r'(?<![\w-])class="((?:{%.*?%}|{{.*?}}|[^"])*)"', source)
    return {word for value in values for word in _words(value)}


def _words(value: str) -> list[str]:
    without_tags = re.sub(r"{%.*?%}", " ", value)
    return re.sub(r"\S*{{.*?}}\S*", " ", without_tags).split()


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_rule_stands_in_the_layer_of_its_sheet(sheet: str) -> None:
    expected = COMMON.get(sheet, {"page"})
    assert {block.preludes[0] for block in blocks(sheet)} == {f"@layer {name}" for name in expected}


def test_the_order_of_the_layers_is_said_once_and_first() -> None:
    assert text_of("base").strip().startswith(ORDER)
    assert [sheet for sheet in SHEETS if re.search(r"@layer[^{;]*;", text_of(sheet))] == ["base"]
    base = (TEMPLATES / "base.html").read_text(encoding="utf-8")
    assert re.findall(r"css/(\w+)\.css|{% block (styles)", base) == [
        ("base", ""),
        ("shared", ""),
        ("frame", ""),
        ("", "styles"),
    ]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_stays_short_and_asks_nobody(sheet: str) -> None:
    text = SHEETS[sheet].read_text(encoding="utf-8")
    assert len(text.splitlines()) < 500
    assert "url(" not in text
    assert "@import" not in text
    assert "!important" not in text


def test_no_block_stands_twice() -> None:
    """One block for each thing; what changes with the width or the theme is nested in it."""
    counted = Counter(
        (sheet if block.layer == "page" else block.layer, block.preludes)
        for sheet in SHEETS
        for block in blocks(sheet)
        if len(block.preludes) > 1
    )
    assert [place for place, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_media_are_nested_in_what_they_change(sheet: str) -> None:
    for block in blocks(sheet):
        if re.match(r"@(media|supports|container)", block.preludes[-1]):
            assert not block.preludes[-2].startswith("@layer"), block.preludes
        else:
            assert not any(re.match("@(media|container)", prelude) for prelude in block.preludes), block.preludes


SHARE_A_SHEET = {"event"}
"""Folders whose pages look like another's: an event like a row of the timeline."""


def test_every_folder_of_pages_has_its_sheet_and_every_sheet_its_pages() -> None:
    assert {sheet.partition("/")[0] for sheet in SHEETS} == {*FOLDERS, *COMMON, "problem"} - SHARE_A_SHEET
    assert set().union(*(sheets_of(page) for page in PAGES)) == set(SHEETS)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_links_what_it_needs(page: str) -> None:
    linked = sheets_of(page)
    assert linked > set(COMMON) or page in LOAD_NO_SHEET_OF_THEIR_OWN
    assert linked <= set(SHEETS)
    used = set().union(*(classes_in(template) for template in with_includes(page)))
    known = set().union(*(classes(sheet) for sheet in linked))
    assert used - known - SCRIPT_ONLY - NAMES_WITHOUT_A_LOOK == set()


def test_exceptions_are_needed() -> None:
    used = {name for path in TEMPLATES.rglob("*.html") for name in classes_in(str(path.relative_to(TEMPLATES)))}
    known = set().union(*(classes(sheet) for sheet in SHEETS))
    scripts = "".join(path.read_text(encoding="utf-8") for path in (STATIC / "js").glob("*.js"))
    assert used - known == SCRIPT_ONLY | NAMES_WITHOUT_A_LOOK
    assert {name for name in SCRIPT_ONLY if f".{name}" not in scripts} == set()


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_rule_is_for_something(sheet: str) -> None:
    """A class that has a rule is written by a template, by a script, or by a view (`is-late`, `added`)."""
    places = [*TEMPLATES.rglob("*.html"), *(STATIC / "js").glob("*.js")]
    places += (Path(settings.BASE_DIR) / "dashboard").rglob("*.py")
    written = {word for path in places for word in re.findall(r"[a-z][\w-]*", path.read_text(encoding="utf-8").lower())}
    unknown = {name for name in classes(sheet) if name not in written and name.removeprefix("is-") not in written}
    assert unknown - HTMX_SETS == set()
