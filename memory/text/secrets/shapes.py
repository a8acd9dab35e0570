"""The shapes of what must never be learned: card numbers, keys, tokens, passwords (decision 5). Standard library only.

A secret is recognised by the value alone (a card number, a token), by the words around it ("the password is ..."), or
by the key it would be stored under (`wifi.password`). Linear in the length of the value.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from memory.text.marks import normalised

MASK = "[secret masked]"
"""What stands in the place of a secret in a text that is kept. It is none itself, and nothing to learn."""


def is_secret(value: str, *, key: str = "") -> bool:
    """Whether a value has the shape of something that must never be learned: card numbers, keys, tokens, passwords."""
    value = " ".join(normalised(value, "NFKC").split())
    return (
        MASK in value
        or is_secret_key(key)
        or any(shape.search(value) for shape in _UNMISTAKABLE)
        or _states_password(value)
        or _contains_token(value, key)
        or _contains_card_number(value)
        or _contains_iban(value)
        or _contains_seed_phrase(value, key)
    )


# --- keys -------------------------------------------------------------------------------------------------------

_HARMLESS_SUFFIX = (
    r"(?:managers?|management|generators?|polic(?:y|ies)|hygiene|protect(?:ion|ed)|reset|strength|security|less|apps?)"
)
_CREDENTIAL_WORD = (
    r"(?:passwords?|passwd|passcodes?|passphrases?|pass (?:word|code|phrase)s?|passw[oö]rt\w{0,3}|kennw[oö]rt\w{0,3}"
    r"|mots? de passe|motdepasse|contrase[nñ]as?|salasan\w{1,7}|lösenord\w{0,4}|losenord|wachtwoord\w{0,2}|senhas?"
    r"|passord\w{0,2}|adgangskode\w{0,2}|has[lł][oa]|hesl[oa]|jelszó\w{0,4}|jelszavam|parola d'ordine|şifre\w{0,3}"
    r"|парол\w{1,3}|密码|密碼|口令|パスワード|暗証番号|비밀번호|pwd)"
)
_SECRET_KEY = re.compile(
    r"(?:^| )(?:"
    rf"\w{{0,20}}{_CREDENTIAL_WORD}(?! ?{_HARMLESS_SUFFIX}(?: |$))"
    r"|pw|pins? ?(?:code|number|nummer|koodi|kod)\w{0,3}|(?:bank|card|sim|phone|door|atm|alarm|debit|credit) pins?"
    r"|(?:wi ?fi|wlan|router|network|hotspot|e?mail|gmail|login|admin|db|database|user|account|netflix|root"
    r"|vpn|server|ssh) (?:pass|key|psk|code|pin)"
    r"|(?:api|access|private|secret|encryption|signing|master|recovery|ssh|gpg|pgp|deploy|client|session|auth|jwt|hmac"
    r"|openai|anthropic|claude|aws|azure|google|gemini|github|gitlab|stripe|slack|telegram|discord|deepl|mistral|groq|hf"
    r"|huggingface|openrouter|wireguard|wallet|license|licence|product|bitlocker) ?(?:private |secret |api )?keys?"
    r"|(?:api|access|auth|bot|refresh|session|bearer|github|gitlab|slack|telegram|discord|security) ?tokens?"
    r"|credentials?|cv[vc]2?s?|card security code|ssns?|social security|ibans?|passport (?:number|no|nr)"
    r"|(?:credit|debit|payment|bank) ?cards?|(?:card|visa|mastercard|amex) ?(?:number|numbers|no|nr|num)"
    r"|(?:recovery|backup|seed|mnemonic) ?(?:codes?|phrases?|words?|keys?)|mnemonics?|wallet seed|totp|otp|2fa"
    r"|(?:door|gate|alarm|safe|lock|entry|garage|access|security|verification|unlock|vault) ?(?:codes?|combination"
    r"|pins?)|tunnuslu\w{1,6}|geheimzahl|kortnummer"
    r")(?: |$)"
    r"|(?:^| )(?:pins?|token|secret)$"
)
_NON_WORD = re.compile(r"[\W_]+")


def is_secret_key(key: str) -> bool:
    return bool(_SECRET_KEY.search(_NON_WORD.sub(" ", normalised(key, "NFKC").casefold()[:200])))


# --- shapes that need no context --------------------------------------------------------------------------------

_UNMISTAKABLE = (
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY|PRIVATE KEY-----|PuTTY-User-Key-File|AGE-SECRET-KEY-"
        r"|\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct)[-_][A-Za-z0-9_-]{8,}"
        r"|\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|hf_|npm_|pypi-|AIza|ya29\.|GOCSPX-|whsec_|dop_v1_|shpat_"
        r"|SG\.)[A-Za-z0-9_-]{10,}"
        r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
        r"|\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,}"
        r"|\b\d{6,12}:[A-Za-z0-9_-]{30,}"
        r"|\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}"
        r"|\bssh-(?:rsa|ed25519)\s+AAAA"
        r"|\botpauth:"
        r"|[?&;](?:secret|token|key|api_?key|access_?token|auth|signature|sig|password|pwd)=[^\s&]{6}"
        r"|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,200}:[^\s/@]{1,200}@",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\d-])"),
    re.compile(r"\b(?:ssn|social security)\b\D{0,40}\d{3}[ -]?\d\d[ -]?\d{4}\b", re.IGNORECASE),
    re.compile(
        r"\b(?:passport|pass[ -]?n(?:r|o|umber|ummer)|reisepass|passeport|pasaporte|passaporto?|paspoort"
        r"|passin?)\w{0,9}\W{1,3}"
        r"(?:\w{1,12}\W{1,3}){0,4}?"
        r"(?:[A-Z]{1,3}\d{5,9}[A-Z]?|\d{2}[A-Z]{2}\d{5}|\d{7,9}|[A-Z]\w{0,2}\d\w{3,7})\b",
        re.IGNORECASE,
    ),
)

# --- passwords and PINs by context ------------------------------------------------------------------------------

_IS_VERB = (
    r"(?:is|was|are|equals|ist|lautet|lauten|war|est|es|era|é|è|on|oli|är|er|var|jest|to|becomes|means|это|是|为|は)"
)
_POSSESSIVE = r"(?:my|the|our|his|her|their|your|a|an)"
_NOT_HARMLESS = rf"(?![ -]?{_HARMLESS_SUFFIX}\b)"
_SECRET_NOUN = (
    rf"(?:{_CREDENTIAL_WORD}|pw|pin[ -]?codes?|api[ _-]?keys?|(?:secret|private|access|license|licence|product) keys?"
    r"|(?:access|api|auth|bearer|bot|refresh) tokens?|cv[vc]2?|geheimzahl|tunnuslu\w{1,6})"
)
_PIN_DIGITS = r"\d(?:[ .-]?\d){3,7}\b|(?:(?:zero|one|two|three|four|five|six|seven|eight|nine|oh)[ ,-]{1,2}){3}"
_HARMLESS_AFTER = (
    r"(?:and|or|but|for|to|in|on|with|of|at|from|by|that|which|because|so|when|while|if|as|every|often|regularly|again"
    r"|too|twice|once|weekly|monthly|yearly|daily|easily|always|never|und|oder|für|et|ou|y|o|och|en|is|was|are)"
)
_LOCK_NOUN = r"(?:door|gate|alarm|safe|lock|entry|garage|access|security|verification|unlock|vault|building|house)"
_PASSWORD_STATEMENTS = (
    # the password is X, the wifi password at home is X, password for the router: X
    re.compile(
        rf"\b{_SECRET_NOUN}\b{_NOT_HARMLESS}[^.!?:=]{{0,60}}?(?:[:=]|->|→| [-–—~] |\s{_IS_VERB}\s)\s*\S", re.IGNORECASE
    ),
    # password hunter2: a word with a digit or a sign in it
    re.compile(
        rf"\b{_SECRET_NOUN}\b{_NOT_HARMLESS}\W{{1,3}}(?=[^\s,.;]{{0,60}}[\d@#$%^&*_+~|\\<>])\S{{3}}", re.IGNORECASE
    ),
    # password sunflower, my wifi password sunflower
    re.compile(
        rf"^(?:[\w-]{{1,20}}[ -]){{0,3}}?{_SECRET_NOUN}\b{_NOT_HARMLESS}\W{{1,3}}(?!{_HARMLESS_AFTER}\b)\w",
        re.IGNORECASE,
    ),
    # sunflower is my password, uses sunflower as the wifi password
    re.compile(
        rf"\b(?:(?:is|was|ist|est|es|är|é|on)\s{_POSSESSIVE}|as(?:\s{_POSSESSIVE})?|als|como|comme)\s"
        rf"(?:[\w-]{{1,20}} ){{0,2}}{_SECRET_NOUN}\b{_NOT_HARMLESS}",
        re.IGNORECASE,
    ),
    # words without spaces between them
    re.compile(
        r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호)(?!管理|マネ|生成|관리)"
        r"[\s:=是为はが는은]{0,4}[^\s,.。、]",
        re.IGNORECASE,
    ),
    # PIN 1234, PIN of my card: 1234, 1234 is my PIN
    re.compile(
        r"\bpin(?:[ -]?(?:code|number|nummer|koodi|kod))?\b(?:\s(?:of|for|to|on|von|de|für)(?:\s[\w'-]{1,20}){1,5}?)?"
        rf"(?:\s{_IS_VERB}|\s?[:=,–—-])?\s?(?:{_PIN_DIGITS})",
        re.IGNORECASE,
    ),
    re.compile(r"\b\d{4,8}\s(?:is|as|for|ist|als)\s(?:[\w-]{1,20} ){0,3}pin\b", re.IGNORECASE),
    re.compile(r"\b(?:cv[vc]2?|csc|security code)\b\W{0,3}(?:\w{1,12}\W{1,3}){0,3}?\d{3,4}\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:{_LOCK_NOUN}|backup|recovery|sim)"
        r" ?(?:codes?|combination|pin)\b\D{0,40}\d[\d -]{2}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bcodes? (?:for|to|of|on) (?:the |my |our )?(?:\w{{1,20}} )?{_LOCK_NOUN}\b\D{{0,30}}\d[\d -]{{2}}",
        re.IGNORECASE,
    ),
    # pass is hunter2; user bob, pass sunflower; login: bob / sunflower
    re.compile(r"\bpass (?:is |was )?(?=[^\s,.;]{0,60}[\d@#$%^&*])(?=[^\s,.;]{0,60}[a-z])\S{6}", re.IGNORECASE),
    re.compile(r"\b(?:user(?:name)?|login|log-in)\b.{1,40}?[ ,;/|]pass\b\W{1,3}\w", re.IGNORECASE),
    re.compile(r"\b(?:login|log-in|credentials)\s?[:=]\s?\S{1,60}\s?[/:,|]\s?\S", re.IGNORECASE),
    re.compile(r"\bparol[aă]\s?[:=]\s?\S", re.IGNORECASE),
)
_PASS_COLON = re.compile(r"(?:([\w-]{1,20})\s)?\bpass\s?[:=]\s?\S", re.IGNORECASE)
TICKET = (
    r"ski|bus|boarding|season|day|week(?:ly)?|month(?:ly)?|annual|year(?:ly)?|travel|rail|train|mountain|museum|city"
    r"|lift|guest|visitor|hall|transit|tram|ferry|metro|swim|gym|park|festival|interrail|eurail"
)
"""What is before a pass that is no password."""
_TICKET_WORDS = re.compile(TICKET, re.IGNORECASE)


def _states_password(value: str) -> bool:
    if any(statement.search(value) for statement in _PASSWORD_STATEMENTS):
        return True
    return any(not _TICKET_WORDS.fullmatch(found[1] or "") for found in _PASS_COLON.finditer(value))


# --- tokens -----------------------------------------------------------------------------------------------------

_TOKEN_WORD = re.compile(r"[A-Za-z0-9_+/=-]{12,}")
_PART_SEPARATOR = re.compile(r"[/_+=-]+")
WORDLIKE = re.compile(r"[A-Z]?[a-z]*(?:[A-Z][a-z]+)*|[A-Z]+|[A-Za-z]+\d{1,4}|\d{1,8}|\d{1,4}(?:st|nd|rd|th|[a-z])")
_KEY_CONTEXT = re.compile(
    r"\b(?:\w{0,20}keys?|tokens?|secrets?|bearer|basic|credentials?|licen[cs]e|schlüssel|clé|clave|llave|chiave|sleutel"
    r"|nyckel|avain|chave|ключ|auth\w*)\b|密钥|鍵",
    re.IGNORECASE,
)
_HEX = re.compile(r"\b(?:0x)?[0-9a-f]{16,}\b", re.IGNORECASE)
_PREFIXED = re.compile(r"\b(?:sk|pk|rk)[-_]([A-Za-z0-9_-]{12,})", re.IGNORECASE)
_BEARER_TOKEN = re.compile(r"\bbearer\s+\S{20}", re.IGNORECASE)


def _contains_token(value: str, key: str) -> bool:
    if any(_non_word_parts(found[1]) or _longest_part(found[1]) >= 16 for found in _PREFIXED.finditer(value)):
        return True
    if _BEARER_TOKEN.search(value):
        return True
    is_announced = bool(_KEY_CONTEXT.search(value) or _KEY_CONTEXT.search(_NON_WORD.sub(" ", key[:200])))
    words = _TOKEN_WORD.findall(value)
    if is_announced and _HEX.search(value):
        return True
    return any((len(word) >= 32 and _looks_random(word)) or (is_announced and _is_key_like(word)) for word in words)


def _non_word_parts(word: str) -> str:
    """The parts that are neither words nor numbers, joined: "2024/05/my-post" -> "", "a8f3-bees" -> "a8f3"."""
    return "".join(part for part in _PART_SEPARATOR.split(word) if not WORDLIKE.fullmatch(part))


def _longest_part(word: str) -> int:
    return max(map(len, _PART_SEPARATOR.split(word)))


def _looks_random(word: str) -> bool:
    """Whether a long word mixes letters with digits, or capitals with small letters, as tokens do and words do not."""
    rest = _non_word_parts(word)
    digits = sum(character.isdigit() for character in rest)
    if len(rest) < 20 or len(set(rest)) < 10:
        return False
    if digits >= 4 and len(rest) - digits >= 4:
        return True
    capitals = sum(character.isupper() for character in rest)
    small = sum(character.islower() for character in rest)
    return capitals >= 5 and small >= 5 and len(set(rest)) >= 14


def _is_key_like(word: str) -> bool:
    """Whether a word of 12 or more characters can be the key that its context speaks of."""
    rest = _non_word_parts(word)
    has_digit = any(character.isdigit() for character in rest)
    return len(rest) >= 12 and (has_digit or not (rest.islower() or rest.isupper()))


_SEED_WORDS = re.compile(r"(?:\b[a-z]{3,8}\b[ ,;.0-9)]{1,6}){11}[a-z]{3,8}\b")
_SEED_CONTEXT = re.compile(r"\b(?:seed|mnemonic|recovery|backup|wallet|bip-?39)\b", re.IGNORECASE)
_BARE_SEED = re.compile(r"(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}")
_PROSE_WORD = re.compile(
    r"\b(?:the|and|for|with|are|was|has|have|but|not|from|his|her|that|this|they|who|when|you|she)\b"
)


def _contains_seed_phrase(value: str, key: str) -> bool:
    """Twelve short words in a row that the context calls a seed; or nothing but 12 to 24 of them, none of prose."""
    value = value.lower()
    if _SEED_WORDS.search(value) and (
        _SEED_CONTEXT.search(value) or _SEED_CONTEXT.search(_NON_WORD.sub(" ", key[:200]))
    ):
        return True
    return bool(_BARE_SEED.fullmatch(value) and not _PROSE_WORD.search(value))


# --- card and account numbers -----------------------------------------------------------------------------------

_DIGIT_GROUP = re.compile(r"[0-9]+")
_GROUP_SEPARATOR = re.compile(r" ?[()]? ?[-\u2010-\u2015\u2212_./,;\u00b7:|\\*]? ?[()]? ?")
_SCIENTIFIC = re.compile(r"\b\d\.\d{9,18}e\+?(1[2-8])\b", re.IGNORECASE)
_CARD_CONTEXT = re.compile(
    r"\b(?:credit|debit|card|visa|mastercard|maestro|amex|american express|\w{0,10}kart\w{0,2}|carte|cart[aã]o|tarjeta"
    r"|carta|\w{0,10}kort\w{0,4}|карт\w{0,2})\b",
    re.IGNORECASE,
)


def with_ascii_digits(text: str) -> str:
    """The text with the digits of every script as 0 to 9; as long as it was."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(mark)) if mark.isdecimal() else mark for mark in text)


def _contains_card_number(value: str) -> bool:
    """Whether some run of whole digit groups is the number of a payment card."""
    value = with_ascii_digits(value)
    is_announced = bool(_CARD_CONTEXT.search(value))
    if any(passes_luhn(str(int(float(found[0])))) for found in _SCIENTIFIC.finditer(value)):
        return True
    return any(
        _may_be_a_card(groups, gaps, is_announced=is_announced) and passes_luhn("".join(groups))
        for groups, gaps in _digit_windows(value)
    ) or any(map(_embeds_card_number, _DIGIT_GROUP.findall(value)))


def _digit_windows(value: str) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Each run of neighbouring digit groups with 13 to 19 digits in all, and the separators between the groups."""
    found = list(_DIGIT_GROUP.finditer(value))
    gaps = [value[one.end() : other.start()] for one, other in zip(found, found[1:], strict=False)]
    for first in range(len(found)):
        count = 0
        for last in range(first, len(found)):
            count += len(found[last][0])
            if count > 19 or (last > first and not _GROUP_SEPARATOR.fullmatch(gaps[last - 1])):
                break
            if count >= 13:
                yield [group[0] for group in found[first : last + 1]], [gap.strip() for gap in gaps[first:last]]


def _may_be_a_card(groups: Sequence[str], gaps: Sequence[str], *, is_announced: bool) -> bool:
    """Whether digits are grouped like a card number, and not like dates, telephone numbers or ISBNs."""
    digits, sizes = "".join(groups), [len(group) for group in groups]
    if is_announced:
        return True
    if set(sizes) == {1}:
        return len(groups) in (15, 16) and len(set(gaps)) == 1 and has_card_prefix(digits)
    if not has_card_prefix(digits) and (len(digits) < 16 or "," in gaps):
        return False
    if len(groups) == 1 or sizes in ([4, 6, 5], [4, 6, 4]):
        return True
    if "," in gaps and max(sizes) > 4:
        return False
    if all(size % 4 == 0 for size in sizes[:-1]):
        return True
    is_even_set = len({_same_dash(gap) for gap in gaps}) == 1 and sizes != [3, 7, 7]
    return is_even_set and min(sizes) > 1 and has_card_prefix(digits)


def _same_dash(gap: str) -> str:
    return "-" if gap and gap in "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212" else gap


def has_card_prefix(digits: str) -> bool:
    """Whether a number of this length begins as one of the card brands' does."""
    if len(digits) == 13:
        return digits[0] == "4"
    if len(digits) == 14:
        return digits[:2] in ("30", "36", "38", "39")
    if len(digits) == 15:
        return digits[:2] in ("34", "37") or digits[0] in "56"
    return digits[0] in "3456" or "2221" <= digits[:4] <= "2720"


def _embeds_card_number(group: str) -> bool:
    """Whether a longer number without separators contains a card number of one of the large brands."""
    if len(group) <= 16:
        return False
    return any(
        (group[start] == "4" or "51" <= group[start : start + 2] <= "55") and passes_luhn(group[start : start + 16])
        for start in range(len(group) - 15)
    )


def passes_luhn(digits: str) -> bool:
    """Whether 13 to 19 digits carry the check digit of a payment card (ISO/IEC 7812)."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


_IBAN = re.compile(r"\b[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]){11,40}", re.IGNORECASE)


def _contains_iban(value: str) -> bool:
    return any(is_iban(found[0]) for found in _IBAN.finditer(value))


def is_iban(text: str) -> bool:
    """Whether `text` begins with an international account number, by its check digits (ISO 13616)."""
    words = re.split("[ -]", text)
    account = ""
    for word in words:
        account += word.upper()
        if 15 <= len(account) <= 34:
            moved = account[4:] + account[:4]
            if int("".join(str(int(character, 36)) for character in moved)) % 97 == 1:
                return True
    return False
