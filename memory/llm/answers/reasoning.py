"""What a model thought, taken out of what it said: tags, brackets, Harmony's channels. Pure, linear in time."""

import re

_NAMES = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|inner_monologue|antthinking|seed:think)"
_TAG = re.compile(
    r"(?P<line_start>^[ \t]*)?(?<!`)"
    rf"(?:<(?P<closing>/?){_NAMES}\s*+>|(?-i:\[(?P<closing_mark>/?)THINK\])|\u25c1(?P<closing_kimi>/?)think\u25b7"
    r"|<\|(?P<side>begin|end)_of_thought\|>)",
    re.IGNORECASE | re.MULTILINE,
)
_DETAILS = re.compile(r"<details\b[^<>]{0,200}\btype=[\"']?reasoning\b[^<>]{0,200}>", re.IGNORECASE)
_DETAILS_END = "</details>"

_CHANNEL = re.compile(
    r"(?:<\|start\|>\w{0,40})?<\|channel\|>(?P<channel>\w{0,40})[^<\n]{0,200}?(?:<\|constrain\|>\w{0,40})?<\|message\|>"
    r"|<\|(?:end|return|call)\|>(?:<\|start\|>\w{0,40}(?!\w*<\|channel\|>))?"
)
_SAID_ALOUD = ("final", "")
_STRIPPED_CHANNELS = re.compile(r"\A\s*analysis(?=\S)(?s:.*?)assistant\s?final(?=\S)")


def without_reasoning(text: str) -> str:
    """`text` without its reasoning blocks, stripped.

    A closing tag without an opening one ends reasoning that began before the text. An opening tag that is never closed
    removes all that follows, but only at the start of a line: within a sentence, or after a backquote, it is a mention
    of the tag.
    """
    return _without_tags(_without_details(_without_channels(text))).strip()


def _without_tags(text: str) -> str:
    kept: list[str] = []
    position, opening = 0, None
    for tag in _TAG.finditer(text):
        if tag["closing"] or tag["closing_mark"] or tag["closing_kimi"] or (tag["side"] or "").lower() == "end":
            if opening:
                kept.append(text[position : opening.start()])
            else:
                kept.clear()
            position, opening = tag.end(), None
        elif opening is None or (opening["line_start"] is None and tag["line_start"] is not None):
            opening = tag
    unclosed = opening is not None and opening["line_start"] is not None
    kept.append(text[position : opening.start()] if opening and unclosed else text[position:])
    return "".join(kept)


def _without_details(text: str) -> str:
    """Without the folded reasoning that chat clients put into an assistant's turn (`<details type="reasoning">`)."""
    kept: list[str] = []
    position = 0
    while opening := _DETAILS.search(text, position):
        kept.append(text[position : opening.start()])
        end = text.find(_DETAILS_END, opening.end())
        position = len(text) if end < 0 else end + len(_DETAILS_END)
    return "".join([*kept, text[position:]])


def _without_channels(text: str) -> str:
    """Of an answer in Harmony's channels what is in `final`; a text without channels as it is."""
    if "<|channel|>" not in text:
        return _STRIPPED_CHANNELS.sub("", text) if "analysis" in text[:40] else text
    kept: list[str] = []
    position, is_aloud = 0, True
    for mark in _CHANNEL.finditer(text):
        if is_aloud:
            kept.append(text[position : mark.start()])
        is_aloud = mark["channel"] is None or mark["channel"].lower() in _SAID_ALOUD
        position = mark.end()
    return "".join([*kept, text[position:] if is_aloud else ""])
