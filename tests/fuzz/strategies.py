"""Hypothesis strategies: JSON of any shape, text with everything that breaks parsers, messages of any form."""

import json
from typing import Any

from hypothesis import strategies as st

from memory.events import Message
from memory.text import wording

ODD = [
    "",
    " ",
    "\0",
    "\ud83c",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\r\n",
    "# ",
    "{value}",
    "```",
    "</think>",
    "caf\u00e9",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    wording.PREFACE,
    wording.FACTS_HEADING,
    f"\n{wording.FACTS_HEADING}\n  - Your dog's name is Rex.\n",
    f"\n{wording.EPISODES_HEADING}\n",
]

odd_text = st.one_of(st.text(st.characters(), max_size=30), st.lists(st.sampled_from(ODD), max_size=6).map("".join))

any_json: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([10**400, -(2**70), 2**63]),
        st.floats(allow_nan=True, allow_infinity=True),
        odd_text,
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(odd_text, inner, max_size=4),
    max_leaves=8,
)

_names = st.sampled_from(["key", "value", "confidence", "facts", "error", "dog.name", "type", "text"])
entry = st.dictionaries(_names | odd_text, any_json, max_size=5) | st.fixed_dictionaries(
    {"key": odd_text | any_json, "value": any_json}, optional={"confidence": any_json}
)


def _written(value: Any) -> str:
    return json.dumps(value)  # NaN and Infinity as models write them, half pairs escaped


_frames = st.sampled_from(
    [
        "{}",
        "```json\n{}\n```",
        "Here: {} That is all.",
        "<think>{}</think>{}",
        '{{"facts": {}}}',
        "Draft: {}\nFinal: {}",
    ]
)


@st.composite
def answers(draw: st.DrawFn) -> str:
    """An extractor's answer: entries in some frame, whole, cut off, or torn in the middle."""
    frame = draw(_frames)
    pieces = [_written(draw(st.lists(entry | any_json, max_size=4))) for _ in range(frame.count("{}"))]
    text = frame.format(*pieces)
    if draw(st.booleans()):
        return text
    place = draw(st.integers(0, len(text)))
    return text[:place] + draw(st.sampled_from(["", text[place + 1 :], *ODD]))


_part = st.dictionaries(st.sampled_from(["type", "text", "image_url", "input_audio", "data"]) | odd_text, any_json) | (
    st.fixed_dictionaries({"type": st.sampled_from(["text", "input_text", "image_url", "file", "x"]), "text": odd_text})
)


@st.composite
def messages(draw: st.DrawFn, *, roles: st.SearchStrategy[str] | None = None) -> list[Message]:
    """A conversation as it stands in a row or comes over the API, with fields of any kind beside."""
    role = roles or st.sampled_from(["system", "developer", "user", "assistant", "tool", "function"]) | odd_text
    content = st.none() | odd_text | st.lists(_part, max_size=3)
    extra = st.dictionaries(st.sampled_from(["name", "tool_calls", "tool_call_id", "refusal"]), any_json, max_size=2)
    return [
        Message.model_validate({**draw(extra), "role": draw(role), "content": draw(content)})
        for _ in range(draw(st.integers(0, 6)))
    ]
