"""Where in a text passwords, card numbers, keys, tokens, private keys and seed phrases stand. Standard library only.

Stricter than `shapes`, which keeps facts clean and may refuse too much: here a text is read that people and
programs wrote, and numbers of orders, books, telephones and commits, dates, times and UUIDs are none of these. Each
pattern is bounded, so the time grows with the length of the text.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memory.text.secrets import statements
from memory.text.secrets.bip39 import WORDS
from memory.text.secrets.shapes import has_card_prefix, is_iban, passes_luhn, with_ascii_digits

Span = tuple[int, int]


def secret_spans(text: str) -> list[Span]:
    """Start and end of each secret in `text`, in order and without overlaps.

    Clients send a conversation's history with each message, so what was found in a longer text is remembered for a
    while, by its hash.
    """
    if len(text) < _REMEMBERED_CHARS:
        return _found(text)
    digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
    known = _remembered.get(digest)
    if known is None:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        known = _remembered[digest] = _found(text)
    return known


_REMEMBERED_CHARS = 200
_MOST_REMEMBERED = 20_000
_remembered: dict[bytes, list[Span]] = {}


def _found(text: str) -> list[Span]:
    found = [*_tokens(text), *_cards(text), *_ibans(text), *_seeds(text), *statements.spans(text)]
    return _merged(found)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


# --- keys and tokens that are known by how they begin ---------------------------------------------------------------

_TOKEN = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\\[nr]|\s){0,4}(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Comment|Version|Charset): [^\n\\]{0,200}))*"
    r"(?:(?:\\[nr]|\s){0,4}[A-Za-z0-9+/=]{1,15}(?=\s|\\|-))?(?:(?:\\[nr]|\s){0,4}-----END [A-Z ]{0,40}[A-Z]-{0,5})?"
    r"|Private-Lines: \d+(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{16,})+"
    r"|AGE-SECRET-KEY-1[A-Z0-9]{20,80}"
    r"|(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct|admin)[-_][A-Za-z0-9_-]{8,}"
    r"|sk[-_][A-Za-z0-9]{20,}"
    r"|(?:gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt)-|xox[a-z]-|xapp-|hf_|npm_|pypi-|AIza|ya29\.|GOCSPX-|whsec_|dop_v1_"
    r"|shp(?:at|ca|pa|ss)_|SG\.|gsk_|xai-|pplx-|r8_|lin_api_|ntn_|dckr_pat_|sq0[a-z]{3}-|caesar_|figd_|tskey-|nvapi-)"
    r"[A-Za-z0-9._-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|(?:(?<![_-])eyJ[A-Za-z0-9_-]{8,}|eyJ[A-Za-z0-9_-]{8,512})\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{0,})?"
    r"|\d{6,12}:[A-Za-z0-9_-]{30,}"
    r"|[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}"
    r"|otpauth://[^\s\"'<>]+"
    r")"
)
_SLACK_HOOK = re.compile(r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}")
_URL_PASSWORD = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@", re.IGNORECASE)
_URL_PARAMETER = re.compile(
    r"[?&;#](?:[a-z_-]{0,20}(?:secret|token|api_?key|access_?key|password|passwd|pwd)|auth|signature|sig|x-amz-signature"
    r"|key)=([^\s&#\"'<>]{6,})",
    re.IGNORECASE,
)
_AWS_SECRET = re.compile(r"(?:^|(?<=[\s\"'=:`(]))[A-Za-z0-9/+]{40}(?=$|[\s\"'`,;)\\])")


def _tokens(text: str) -> Iterator[Span]:
    yield from (found.span() for found in _TOKEN.finditer(text) if _is_no_word(found[0]))
    yield from (found.span() for found in _SLACK_HOOK.finditer(text))
    if "://" in text:
        yield from (found.span(1) for found in _URL_PASSWORD.finditer(text) if not _is_example(found[1]))
    if "=" in text:
        yield from (found.span(1) for found in _URL_PARAMETER.finditer(text) if any(map(str.isdigit, found[1])))
    yield from (found.span() for found in _AWS_SECRET.finditer(text) if _is_aws_secret(found[0]))


def _is_example(password: str) -> bool:
    """Whether it stands for a password in a description of addresses."""
    return password.lower() in ("password", "passwd", "pass", "pw", "pwd", "secret") or password[0] in "<$%{*["


def _is_no_word(token: str) -> bool:
    """Whether a token has a digit or both cases, as all of them do, and "sk-learn-contributor" does not."""
    has_long_part = any(len(part) >= 16 for part in re.split("[-_.]", token))
    return has_long_part or any(map(str.isdigit, token)) or not (token.islower() or token.isupper())


def _is_aws_secret(word: str) -> bool:
    """Whether 40 characters of base64 are as mixed as a random key: no path, no hash, no word."""
    kinds = (any(map(test, word)) for test in (str.isdigit, str.isupper, str.islower))
    return all(kinds) and word.count("/") < 4 and len(set(word)) >= 20


# --- card and account numbers ---------------------------------------------------------------------------------------

_DIGITS = re.compile(r"[0-9]+")
_GAP = re.compile(r"\s?[()]?\s?[-\u2010-\u2015\u2212_./,;\u00b7:|\\*]?\s?[()]?\s?")
_CARD_NEAR = re.compile(
    r"\b(?:credit|debit|card|visa|mastercard|maestro|amex|american express|\w{0,10}karte|carte|cart[aã]o|tarjeta|carta"
    r"|\w{0,10}kort\w{0,4}|карт\w{0,2})\b|信用卡|カード",
    re.IGNORECASE,
)
_NO_CARD_NEAR = re.compile(
    r"\b(?:orders?|tracking|invoice|isbn|ean|gtin|upc|imei|iccid|phone|tel|mobile|fax|ticket|serial|case|booking|parcel"
    r"|shipment|reference|ref|ids?|uid|number of|timestamp|(?:bestell|rechnung|auftrag|sendung|tilaus)\w{0,12}|pedido"
    r"|commande)\b",
    re.IGNORECASE,
)
_NEAR_CHARS = 40
_MOST_GROUPS = 8  # more of them are single digits


class _Number(NamedTuple):
    """Groups of digits, the separators between them, and where they stand."""

    groups: Sequence[str]
    gaps: Sequence[str]
    span: Span

    @property
    def digits(self) -> str:
        return "".join(self.groups)


def _cards(text: str) -> Iterator[Span]:
    text = with_ascii_digits(text)
    after = 0
    for number in _numbers(text):
        if number.span[0] >= after and passes_luhn(number.digits) and _is_card(number, text):
            after = number.span[1]
            yield number.span


def _numbers(text: str) -> Iterator[_Number]:
    """Each run of neighbouring groups with 13 to 19 digits in all."""
    found = list(_DIGITS.finditer(text))
    gaps = [text[one.end() : other.start()][:9] for one, other in zip(found, found[1:], strict=False)]
    for first in range(len(found)):
        count = 0
        for last in range(first, len(found)):
            count += found[last].end() - found[last].start()
            if count > 19 or (last > first and not _GAP.fullmatch(gaps[last - 1])):
                break
            if count >= 13 and (last - first < _MOST_GROUPS or last - first + 1 in (15, 16)):
                groups = [group[0] for group in found[first : last + 1]]
                yield _Number(groups, gaps[first:last], (found[first].start(), found[last].end()))


def _is_card(number: _Number, text: str) -> bool:
    start, end = number.span
    line_start = text.rfind("\n", max(0, start - _NEAR_CHARS), start) + 1 or max(0, start - _NEAR_CHARS)
    before, after = text[line_start:start], text[end : end + _NEAR_CHARS // 2].partition("\n")[0]
    if before.endswith("+") or _is_inside_a_word(text, start, end):
        return False
    if _CARD_NEAR.search(before) or _CARD_NEAR.search(after):
        return True
    if not has_card_prefix(number.digits) or all("\n" in gap for gap in number.gaps) is bool(number.gaps):
        return False
    if len(number.groups) > 1:
        return _is_grouped_like_a_card(number)
    is_decimal = before[-1:] in (".", ",") and before[-2:-1].isdigit()
    return _is_brand(number.digits) and not is_decimal and not _NO_CARD_NEAR.search(before)


def _is_grouped_like_a_card(number: _Number) -> bool:
    """Whether groups have the sizes that are printed on cards, or are all of one or two digits; no list of numbers."""
    sizes = [len(group) for group in number.groups]
    if any(mark in gap for gap in number.gaps for mark in ",;|"):
        return False
    if set(sizes) in ({1}, {2}):
        return len(number.digits) in (15, 16) and len({gap.strip() for gap in number.gaps}) == 1
    return sizes in ([4, 6, 5], [4, 6, 4], [8, 8]) or (set(sizes[:4]) == {4} and len(sizes) <= 5 and sizes[-1] <= 4)


def _is_inside_a_word(text: str, start: int, end: int) -> bool:
    """Whether letters touch the digits, as in a hash or a UUID; "\\n" that was escaped is no letter."""
    before, after = text[max(0, start - 2) : start], text[end : end + 1]
    return (before[-1:].isalpha() and before[:1] != "\\") or (after.isalpha() and after.isascii())


def _is_brand(digits: str) -> bool:
    """Whether digits without separators have the length and the beginning of a large brand's card."""
    if len(digits) == 15:
        return digits[:2] in ("34", "37")
    if len(digits) == 14:
        return digits[:2] in ("36", "38") or "300" <= digits[:3] <= "305"
    return len(digits) == 16 and (
        digits[0] == "4" or "51" <= digits[:2] <= "55" or "2221" <= digits[:4] <= "2720" or digits[:2] in ("60", "65")
    )


_IBAN = re.compile(r"\b[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]){11,30}\b")


def _ibans(text: str) -> Iterator[Span]:
    for found in _IBAN.finditer(text):
        ends = [place.end() for place in re.finditer(r"[A-Z0-9]+", found[0])]
        for end in ends:
            if is_iban(found[0][:end]):
                yield found.start(), found.start() + end
                break


# --- seed phrases ---------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z]+")
_SEED_GAP = re.compile(r"[\s,;.:0-9)#\"'\\-]{1,10}")
_SEED_WORDS = 12


def _seeds(text: str) -> Iterator[Span]:
    """Twelve and more words in a row that are all of the list that wallets take theirs from, few of them twice."""
    if not _has_seed_words(text):
        return
    run: list[re.Match[str]] = []
    for found in [*_WORD.finditer(text), None]:
        if found is None or not (run and _SEED_GAP.fullmatch(text, run[-1].end(), found.start())):
            if _is_seed(run):
                yield run[0].start(), run[-1].end()
            run = []
        if found is not None and found[0].lower() in WORDS:
            run.append(found)
        elif _is_seed(run):
            yield run[0].start(), run[-1].end()
            run = []
        else:
            run = []


def _has_seed_words(text: str) -> bool:
    run = 0
    for word in re.findall("[a-z]+", text.lower()):
        run = run + 1 if word in WORDS else 0
        if run >= _SEED_WORDS:
            return True
    return False


def _is_seed(run: Sequence[re.Match[str]]) -> bool:
    words = {found[0].lower() for found in run}
    return len(run) >= _SEED_WORDS and len(words) >= _SEED_WORDS - 2
