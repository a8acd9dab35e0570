"""The operator's own words of a message: without documents, code, mails and reminders that were put into it. Pure.

Left out are, wherever they stand: pairs of tags that clients and people put around pasted matter, with all that is
between them; fenced code and text in triple quotes; quoted lines, and the mail below the line that introduces it. What
is not closed, or is only mentioned in a sentence, stays. All of it is linear in the length of the text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from memory.text.lines import encodable
from memory.text.messages import quoted_mail

_TOKEN = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z][\w.:-]{0,63})(?P<rest>\s[^<>]*)?/?>"
    r"|(?P<comment><!--)|(?P<fence>`{3,}|~{3,})|(?P<triple>\"\"\")"
)
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_PASTED_WORDS = (
    "abstract article articles attached attachment attachments background backgrounds blockquote browser caption "
    "cell chat chunk chunks citation citations clipboard codebase command commands content contents context "
    "contexts conversation data dialogue diff directory doc docs document documents editor email emails env "
    "environment error errors example examples excerpt excerpts file files folder history info knowledge "
    "letter letters listing log logs mail memories memory metadata news observation observations ocr page pages "
    "paragraph paragraphs passage passages pre quotation quote quoted record records reference references "
    "reminder reminders repo repository result results retrieval retrieved screenshot search selection "
    "snippet snippets source sources state status stderr stdout structure system table terminal text "
    "thread tool tools transcript transcription upload uploaded uploads url urls web webpage webpages website "
    "workspace "
)
_PASTED = frozenset(_PASTED_WORDS.split())
"""A tag with one of these among the words of its name holds pasted matter: `attached_files`, `system-reminder`."""

_PASTED_IN_COMPOUND = frozenset({"code", "custom", "instructions", "rules", "summary", "output", "notes", "local"})
"""The same where the name has more words: alone, these are also what people mark up themselves."""

_QUESTION = frozenset(
    f"{who}{what}"
    for who in ("user", "human", "operator")
    for what in ("query", "question", "message", "input", "request", "prompt")
)
"""Tags between which a client puts the operator's question, written in one word; its own words stand around them."""

_MARKERS = frozenset({"query", "question", "task", "feedback", "answer", "message", "prompt", "request", "input"})
"""Tags that may stand around the operator's words; what stands around them may be the operator's, too."""

_SENTENCE_END = frozenset(".!?:;\N{HORIZONTAL ELLIPSIS}>)]}*#|-。！？：；\"'”»")
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "(": ")"}
_LOOK_BACK = 80
_FENCE_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_TEMPLATE_HEADING = re.compile(
    r"\s*#{1,6}[ \t]*(?:task|instructions?|guidelines?|rules|system)\b[^\n]{0,40}(?:\n|\Z)", re.I
)
_TOOL_RESULT = re.compile(r"\s*\[[a-z_]{2,40}(?: for [^\n]{0,300})?\] Result:")
_SIGNS = ("<", "```", "~~~", '"""')
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
_DELIMITER = re.compile(r"<(?![\s\d=])|-->|`{3,}|~{3,}|\"{3,}")
_LOOK_ALIKES = str.maketrans(
    {
        "<": "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}",
        ">": "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}",
        "`": "\N{MODIFIER LETTER GRAVE ACCENT}",
        "~": "\N{SMALL TILDE}",
        '"': "\N{DOUBLE PRIME}",
    }
)


def own_words(text: str) -> str:
    """What the operator wrote in `text`, stripped; "" where all of it was pasted. As it is where nothing was."""
    if _TOOL_RESULT.match(text):  # coding agents report what a tool gave in the operator's name
        return ""
    kept = _Scan(text).own() if any(sign in text for sign in _SIGNS) else text
    kept = quoted_mail.without_quotes(kept)
    return text.strip() if kept == text else _BLANK_LINES.sub("\n\n", kept).strip()


def without_delimiters(text: str) -> str:
    """`text` for between two tags: whatever could close them, or open or close another block, looks like itself only.

    It is `encodable`: a delimiter with a character inside that is dropped later is one, too.
    """
    return _DELIMITER.sub(lambda found: found[0].translate(_LOOK_ALIKES), encodable(text))


def around_blocks(text: str) -> str:
    """What stands around the documents and code in a text, be it the operator's or a client's; their tags stay."""
    return _Scan(text, keeps_template=True).around() if any(sign in text for sign in _SIGNS) else text


def is_filled_template(text: str) -> bool:
    """Whether a client's heading stands above documents, or marks the operator's question among other words."""
    return "<" in text and _Scan(text).is_template


@dataclass(frozen=True)
class _Token:
    """One tag or delimiter. `kind`: "pasted", "question" or "marker" for tags, else the delimiter's own name."""

    start: int
    end: int
    kind: str
    name: str
    is_close: bool = False
    is_empty: bool = False


@dataclass
class _Places:
    """Where the tags of one name stand, in order: their tokens, and the closing ones' starts."""

    tokens: list[_Token] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    last_close: int = -1


class _Scan:
    """One reading of a text from left to right: what is outermost and begins first counts."""

    def __init__(self, text: str, *, keeps_template: bool = False) -> None:
        self._text, self._keeps_template = text, keeps_template
        self._tokens = list(_tokens(text))
        self._by_name: dict[str, _Places] = {}
        for token in self._tokens:
            places = self._by_name.setdefault(token.name, _Places())
            places.tokens.append(token)
            places.starts.append(token.start)
            if token.is_close:
                places.last_close = token.start
        self._not_found: dict[str, int] = {}
        self._has_block = self.is_template = False
        self._template_block = ""
        self._pieces: list[str] = []
        self._question: list[str] = []
        self._read()

    def own(self) -> str:
        """The operator's words: those between question tags where there are any, else all that is left."""
        question = "\n".join(self._question)
        return question if question.strip() else self.around()

    def around(self) -> str:
        """All that is not in a block."""
        return "".join(self._pieces)

    def _read(self) -> None:
        place, question_end = 0, -1
        for token in self._tokens:
            if token.start < place:
                continue
            self._keep(place, token.start, question_end)
            place = token.start
            if token.kind == "marker" or (token.kind == "question" and token.is_close):
                place = token.end if token.start == question_end or self._is_paired(token) else place
            elif token.kind == "question":
                is_outermost = question_end < token.start and self._opens(token)
                if is_outermost and (closing := self._closing_tag(token)) is not None:
                    question_end, place = closing.start, token.end
                    self.is_template = True
                    self._question.clear()  # the last one is the operator's: one before it was planted in a document
            elif (end := self._end_of(token)) is not None:
                self._leave_out(token)
                place = end
        self._keep(place, len(self._text), question_end)

    def _keep(self, start: int, end: int, question_end: int) -> None:
        if start < end:
            self._pieces.append(self._text[start:end])
            if start < question_end:
                self._question.append(self._text[start : min(end, question_end)])

    def _leave_out(self, token: _Token) -> None:
        """A block goes. Below a client's heading all that is above it goes, too.

        The operator's words come last there: what stands between two blocks of one name was planted in a document.
        """
        if token.kind == "pasted" and token.name == (self._template_block or token.name):
            is_below_heading = self._template_block or (not self._has_block and _TEMPLATE_HEADING.match(self._text))
            self._has_block = True
            if is_below_heading and not self._question:
                self.is_template, self._template_block = True, token.name
                if not self._keeps_template:
                    self._pieces.clear()
        if self._keeps_template:
            self._pieces.append(f"<{token.name}>")
        self._pieces.append("\n" if self._text[token.start - 1 : token.start] in ("", "\n") else " ")

    def _end_of(self, token: _Token) -> int | None:
        """Where what begins with `token` ends; None where it begins nothing."""
        if token.kind == "pasted":
            if token.is_close or not self._opens(token):
                return None
            if token.is_empty:
                return token.end
            closing = self._closing_tag(token)
            return closing.end if closing else None
        if token.kind == "fence":
            return self._fence_end(token)
        return self._delimiter_end(token)

    def _delimiter_end(self, token: _Token) -> int | None:
        closer = "-->" if token.kind == "comment" else '"""'
        if token.kind in self._not_found:
            return None
        found = self._text.find(closer, token.end)
        if found < 0:
            self._not_found[token.kind] = 0
            return None
        return found + len(closer)

    # --- tags -----------------------------------------------------------------------------------------------------

    def _is_paired(self, token: _Token) -> bool:
        """Whether a tag that only marks words has its other half, and opens or closes as a block does."""
        places = self._by_name[token.name]
        if token.is_close:
            first = places.tokens[0]
            return not first.is_close and first.start < token.start and self._opens(first)
        return places.last_close > token.start and self._opens(token)

    def _closing_tag(self, opening: _Token) -> _Token | None:
        """The tag that closes a block: nested ones counted, and a closing one too many is believed to be inside.

        Where nested ones stay open, the last closing tag counts: what is between was hardly said by the operator.
        """
        places = self._by_name[opening.name]
        if places.last_close < opening.end:
            return None
        depth = 1
        closed: _Token | None = None
        last: _Token | None = None
        for index in range(bisect_left(places.starts, opening.end), len(places.tokens)):
            token = places.tokens[index]
            if closed is not None and not token.is_close:
                break
            if closed is not None:
                closed = token if self._closes(token) else closed
            elif token.is_close:
                depth, last = depth - 1, token
                closed = None if depth else token
            elif not token.is_empty:
                depth += 1
        return closed or last

    def _opens(self, token: _Token) -> bool:
        """Whether a tag begins a block, and is not merely mentioned in a sentence."""
        if self._is_quoted(token):
            return False
        before = self._line_before(token.start)
        if not before or before[-1] in _SENTENCE_END:
            return True
        after = self._text[token.end : token.end + 2]
        if after[:1].isspace():
            first = after[1:]
            if after[0] in "\r\n" or first.isupper() or first in tuple('<"[{#'):
                return True
        elif after[:1].isalnum() or after[:1] in tuple('<"[{`#'):
            return True
        places = self._by_name[token.name]
        following = bisect_right(places.starts, token.start)
        nearest = places.tokens[following] if following < len(places.tokens) else None
        return nearest is not None and nearest.is_close and self._ends_sentence_before(nearest.start)

    def _closes(self, token: _Token) -> bool:
        if self._is_quoted(token):
            return False
        return not self._text[token.start - 1 : token.start].isspace() or self._ends_sentence_before(token.start)

    def _ends_sentence_before(self, place: int) -> bool:
        before = self._line_before(place)
        return not before or before[-1] in _SENTENCE_END

    def _is_quoted(self, token: _Token) -> bool:
        before, after = self._text[token.start - 1 : token.start], self._text[token.end : token.end + 1]
        return bool(before) and _QUOTES.get(before) == after

    def _line_before(self, place: int) -> str:
        """The end of what stands before a place on its line, without spaces at its end."""
        return self._text[max(place - _LOOK_BACK, 0) : place].rpartition("\n")[2].rstrip()

    # --- fences ---------------------------------------------------------------------------------------------------

    def _fence_end(self, opening: _Token) -> int | None:
        """The end of fenced code: the fence again on its line, else a line with nothing but it, else any."""
        is_line = self._begins_line(opening.start)
        if opening.name == "~" and not is_line:
            return None
        nearest = self._fence_after(opening, alone=False)
        if nearest is None:
            return None
        if not is_line or self._text.find("\n", opening.end, nearest.start) < 0:
            return nearest.end
        return (self._fence_after(opening, alone=True) or nearest).end

    def _fence_after(self, opening: _Token, *, alone: bool) -> _Token | None:
        """The next fence that is long enough; `alone`: and has a line to itself. A search in vain is not repeated."""
        length, search = opening.end - opening.start, f"{opening.name} {alone}"
        if length >= self._not_found.get(search, length + 1):
            return None
        places = self._by_name[opening.name]
        for index in range(bisect_left(places.starts, opening.end), len(places.tokens)):
            token = places.tokens[index]
            if token.end - token.start >= length and (not alone or self._is_alone(token)):
                return token
        self._not_found[search] = length
        return None

    def _begins_line(self, place: int) -> bool:
        line_start = self._text.rfind("\n", max(place - _LOOK_BACK, 0), place) + 1
        return bool(_FENCE_PREFIX.fullmatch(self._text, max(line_start, place - _LOOK_BACK), place))

    def _is_alone(self, token: _Token) -> bool:
        rest = self._text[token.end : token.end + _LOOK_BACK].partition("\n")[0]
        return not rest.strip() and self._begins_line(token.start)


def _tokens(text: str) -> Iterator[_Token]:
    """Every delimiter that may matter, in order."""
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        if name := found["name"]:
            kind = _kind(name)
            if kind:
                is_empty = text[end - 2] == "/" and not found["slash"]
                yield _Token(start, end, kind, name.lower(), is_close=bool(found["slash"]), is_empty=is_empty)
        elif found["fence"]:
            yield _Token(start, end, "fence", text[start])
        else:
            kind = "comment" if found["comment"] else "triple"
            yield _Token(start, end, kind, kind)


def _kind(name: str) -> str:
    """What a tag's name says about what it holds; "" for any other tag."""
    parts = [part.lower() for part in _NAME_PART.findall(name)]
    word = "".join(parts)
    if word in _QUESTION:
        return "question"
    if word in _MARKERS:
        return "marker"
    is_pasted = not _PASTED.isdisjoint(parts) or (len(parts) > 1 and not _PASTED_IN_COMPOUND.isdisjoint(parts))
    return "pasted" if is_pasted else ""
