"""Secrets in texts and in JSON put behind a mask, and counted (decision 33). Pure."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from pydantic import JsonValue

from memory.text.secrets.shapes import MASK, is_secret_key
from memory.text.secrets.spans import Span, secret_spans

_LONGEST_VALUE_UNDER_A_KEY = 4_096


def masked(text: str) -> str:
    """`text` with each secret in it as `MASK`."""
    return Masker().text(text)


@dataclass
class Masker:
    """Masks texts one after the other. `count`: how many secrets that were.

    `plain_keys`: keys of JSON objects whose values are left as they are, such as the names of models. `keep`: mask
    nothing.
    """

    plain_keys: Collection[str] = frozenset()
    keep: bool = False
    count: int = field(default=0, init=False)

    def text(self, text: str) -> str:
        """`text` with each secret in it as `MASK`; the same object where there is none."""
        spans = [] if self.keep else secret_spans(text)
        self.count += len(spans)
        return _put_masks(text, spans) if spans else text

    def parts(self, texts: Sequence[str]) -> list[str]:
        """The parts of one text, also where a secret goes over the end of a part: each with its share masked.

        They are read as they are written one after the other, and with a blank between them.
        """
        if len(texts) < 2 or self.keep:
            return [self.text(text) for text in texts]
        found: list[list[Span]] = [[] for _ in texts]
        for joined in (_Joined(texts, " "), _Joined(texts, "")):
            for span in secret_spans(joined.text):
                shares = list(joined.shares(span))
                if joined.separator or _is_new(shares, found):
                    self.count += 1
                    for place, share in shares:
                        found[place].append(share)
        return [_put_masks(text, sorted(spans)) for text, spans in zip(texts, found, strict=True)]

    def json(self, value: JsonValue, *, key: str = "") -> JsonValue:
        """A JSON value with its strings masked. What stands under the name of a secret is masked whole.

        The texts of an array's parts (`{"text": ...}`) are read as one text.
        """
        if self.keep or key in self.plain_keys:
            return value
        if isinstance(value, dict):
            return self.object(value)
        if isinstance(value, list):
            return self._array(value, key=key)
        if _is_hidden(value, key):
            self.count += 1
            return MASK
        return self.text(value) if isinstance(value, str) else value

    def object(self, value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The same for a JSON object."""
        return {name: self.json(item, key=name) for name, item in value.items()}

    def _array(self, values: Sequence[JsonValue], *, key: str) -> list[JsonValue]:
        places = [place for place, item in enumerate(values) if isinstance(item, dict) and _text_of(item) is not None]
        if len(places) < 2:
            return [self.json(item, key=key) for item in values]
        texts = dict(zip(places, self.parts([_text_of(values[place]) or "" for place in places]), strict=True))
        return [
            {name: texts[place] if name == "text" else self.json(part, key=name) for name, part in item.items()}
            if place in texts and isinstance(item, dict)
            else self.json(item, key=key)
            for place, item in enumerate(values)
        ]


def _text_of(part: JsonValue) -> str | None:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def _is_hidden(value: JsonValue, key: str) -> bool:
    """Whether a value is masked whole: a word or a number under the name of a secret, such as `wifi_password`."""
    if not key or isinstance(value, bool) or not isinstance(value, str | int | float) or value in ("", MASK):
        return False
    return len(str(value)) <= _LONGEST_VALUE_UNDER_A_KEY and is_secret_key(key)


def _put_masks(text: str, spans: Sequence[Span]) -> str:
    pieces, after = [], 0
    for start, end in spans:
        pieces += [text[after:start], MASK]
        after = end
    return "".join([*pieces, text[after:]])


class _Joined:
    """Texts as one, and where each of them begins in it."""

    def __init__(self, texts: Sequence[str], separator: str) -> None:
        self.text, self.separator = separator.join(texts), separator
        self._lengths = [len(text) for text in texts]
        self._starts = list(accumulate((length + len(separator) for length in self._lengths[:-1]), initial=0))

    def shares(self, span: Span) -> Iterator[tuple[int, Span]]:
        """The texts in which a span lies, each with its share of it."""
        for place in range(bisect_right(self._starts, span[0]) - 1, len(self._starts)):
            at = self._starts[place]
            share = max(0, span[0] - at), min(self._lengths[place], span[1] - at)
            if at >= span[1]:
                break
            if share[0] < share[1]:
                yield place, share


def _is_new(shares: Sequence[tuple[int, Span]], found: Sequence[Sequence[Span]]) -> bool:
    """Whether a secret goes over the end of a text and was not found before."""
    return len(shares) > 1 and not any(_overlaps(found[place], share) for place, share in shares)


def _overlaps(spans: Sequence[Span], span: Span) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)
