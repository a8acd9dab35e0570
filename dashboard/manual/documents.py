"""The Markdown files that ship with the server, as HTML."""

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

PICTURES = "docs"
"""Where the pictures of `docs/pictures` stand among the static files."""

_NOT_FOR_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Document:
    """One file: `name` without its ending, the `title` of its first heading, and its text in Markdown."""

    name: str
    title: str
    text: str

    @classmethod
    def read(cls, path: Path) -> Self:
        """The document in a file."""
        text = path.read_text(encoding="utf-8")
        heading = next((line for line in text.splitlines() if line.startswith("# ")), f"# {path.stem}")
        return cls(path.stem, heading.removeprefix("# ").replace("`", ""), text)

    @property
    def html(self) -> SafeString:
        """The text as HTML. HTML inside the Markdown is shown as text, so nothing but our own elements comes out."""
        rendered: str = _markdown().render(self.text, {"names": set(_paths())})
        return mark_safe(rendered)  # noqa: S308 (html is off)


def documents() -> Sequence[Document]:
    """All of them, README first, then by name."""
    return [Document.read(path) for path in _paths().values()]


def document(name: str) -> Document | None:
    """The document of that name; None where there is none."""
    path = _paths().get(name)
    return Document.read(path) if path else None


def _paths() -> Mapping[str, Path]:
    root = Path(settings.BASE_DIR)
    found = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    return {path.stem: path for path in found if path.is_file()}


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables; each heading has the anchor that GitHub gives it, so that links work in both places."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    anchors_plugin(markdown, max_level=4, slug_func=_slug)
    markdown.core.ruler.push("addresses", _resolve_addresses)
    markdown.add_render_rule("table_open", _scrolling_table)
    markdown.add_render_rule("table_close", _end_of_scrolling_table)
    for block in ("fence", "code_block"):
        markdown.add_render_rule(block, _scrolling_code)
    return markdown


def _slug(heading: str) -> str:
    """GitHub's anchor of a heading: "The way of a page" -> "the-way-of-a-page"."""
    return _NOT_FOR_ANCHORS.sub("", heading.strip().lower()).replace(" ", "-")


def _scrolling_table(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    """A wide table scrolls by itself, by keyboard too, instead of the page."""
    return '<div class="manual-table" role="region" aria-label="Table" tabindex="0"><table>\n'


def _end_of_scrolling_table(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    return "</table></div>\n"


def _scrolling_code(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    """Code as it is written, line by line; a long line scrolls by itself, by keyboard too."""
    return f'<pre tabindex="0" aria-label="Code"><code>{escape(tokens[place].content)}</code></pre>\n'


def _resolve_addresses(state: Any) -> None:
    """Links between documents lead to their pages, pictures to the static files; a file that is not served is text."""
    for token in _inline(state.tokens):
        if token.type == "image":
            token.attrs["src"] = _picture(str(token.attrs["src"]))
        elif token.type == "link_open":
            address = _page(str(token.attrs["href"]), state.env["names"])
            if address is None:
                token.tag, token.attrs = "span", {}
            else:
                token.attrs["href"] = address


def _inline(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens inside of paragraphs, headings and cells; the end of a link follows the tag of its beginning."""
    for block in tokens:
        opened: list[Token] = []
        for token in block.children or []:
            if token.type == "link_close":
                token.tag = opened.pop().tag
                continue
            if token.type == "link_open":
                opened.append(token)
            yield token


def _picture(source: str) -> str:
    return source if urlsplit(source).scheme else static(f"{PICTURES}/{Path(source).name}")


def _page(address: str, names: set[str]) -> str | None:
    """Where a link leads; None where to a file that no page shows."""
    parts = urlsplit(address)
    if parts.scheme or not parts.path:
        return address
    name = Path(parts.path).stem
    if not parts.path.endswith(".md") or name not in names:
        return None
    return reverse("manual-page", args=[name]) + (f"#{parts.fragment}" if parts.fragment else "")
