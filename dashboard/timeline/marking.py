"""Marks the words of a search in a sentence that is HTML already: in what it says, not in the words around that.

Text of `.muted` elements, of marks that are there and of links to chats is the page's own, and left alone. Pure.
"""

import re
from collections.abc import Iterable
from html import unescape

from django.utils.html import escape, format_html

from dashboard.shared.highlights import TextSegment, mark_search

_TAG = re.compile(r"(<[^>]*>)")
_OWN_WORDS = re.compile(r"""<mark\b|<\w+[^>]*\bclass=["'](?:[^"']*\s)?muted\b""")
_LINK_TEXT = re.compile(r"(chat|event)\s\d+")
_VOID = ("<br", "<img", "<input", "<wbr", "<hr")


def mark_in_html(html: str, search: str) -> str:
    """The HTML with the words of the search marked. Every `<` and `>` in it has to be of a tag."""
    parts: list[str] = []
    own_depth = 0
    for piece in _TAG.split(html):
        if not piece.startswith("<"):
            is_own = own_depth or _LINK_TEXT.fullmatch(unescape(piece).strip())
            parts.append(piece if is_own else segments_html(mark_search(unescape(piece), search)))
            continue
        parts.append(piece)
        if piece.startswith("</"):
            own_depth = max(0, own_depth - 1)
        elif not piece.startswith(_VOID) and (own_depth or _OWN_WORDS.match(piece)):
            own_depth += 1
    return "".join(parts)


def segments_html(segments: Iterable[TextSegment]) -> str:
    """Segments as HTML, those that are marked in `<mark>`."""
    return "".join(_marked(one.text) if one.is_marked else escape(one.text) for one in segments)


def _marked(text: str) -> str:
    return format_html("<mark>{}</mark>", text)
