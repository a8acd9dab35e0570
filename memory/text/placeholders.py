"""Placeholders and echoes of a schema in a model's answer: `<name>`, `{city}`, `[NAME]`, `...`, `your name`. Pure.

`<3 sailing` and `C#` are none: a placeholder is a name in brackets, or a word that only a schema uses.
"""

import re

from memory.text.lines import one_line

_NAME = r"[^\W\d_][\w .,'’/|:*-]{0,60}"
_BRACKETED = re.compile(
    rf"<{_NAME}>|\{{+ ?{_NAME} ?\}}+|\[+ ?{_NAME} ?\]+|\$\{{?{_NAME}\}}?|\(\( ?{_NAME} ?\)\)"
    r"|%\(?[a-z_]{1,30}\)?[sd%]|%[sd]|__[a-z_]{1,40}__|[x_]{3,}|[.\u2026 ]+"
)
_ANGLE = re.compile(r"<(?!3)[^<>\s]{1,60}>")
_ATTRIBUTES = (
    "name|full name|first name|last name|city|town|country|age|birthday|birth date|date|date of birth|email|phone"
    "|address|job|job title|title|employer|company|value|key|text|answer|fact|hobby|location|number|username"
    "|user name|language"
)
_SOMEONES = (
    "your|my|the|the user's|user's|users|the operator's|operator's|the person's|insert|insert your|enter|enter your"
    "|add your|some|any|a|an|sample|example|actual|their|his|her|fill in|fill in your|specify|put your"
)
_OF_SOMEONE = re.compile(
    rf"(?:{_SOMEONES}) (?:{_ATTRIBUTES})(?: here)?|(?:{_ATTRIBUTES}) (?:goes )?here|fill me in|fill in"
)
_IN_OTHER_LANGUAGES = re.compile(
    r"(?:dein|ihr|mein)e? (?:name|stadt|alter|beruf|wert)|(?:votre|ton|ta|mon) (?:nom|ville|âge|valeur)"
    r"|(?:tu|su|mi) (?:nombre|ciudad|edad|valor)|(?:il )?(?:tuo|suo|mio) nome|(?:la )?(?:tua|sua) città"
    r"|(?:o )?(?:seu|teu|meu) nome|(?:a )?sua cidade|(?:jouw|je|uw) (?:naam|stad|leeftijd)|(?:twoje|pana|pani) imię"
    r"|ваше имя|ваш город|имя пользователя|(?:adınız|isminiz|şehriniz)|اسمك|اسم المستخدم|مدينتك|你的名字|您的姓名"
    r"|用户名|用戶名|您的城市|あなたの名前|ユーザー名|お名前|당신의 이름|사용자 이름|ชื่อของคุณ|ชื่อผู้ใช้"
)
_SCHEMA = re.compile(
    r"string|str|varchar|integer|int|boolean|bool|key|value|key ?[:=] ?value|\"?key\"? ?[:=].{0,60}|placeholder"
    r"|example|examples|sample|example value|value here|lorem ipsum.{0,200}|foo ?bar|key\.name"
    r"|short value|the value|a value|some value|text value|string value|value ?\d{1,2}|example ?\d{1,2}|todo|fixme"
)
_SCHEMA_KEYS = re.compile(
    r"key|keys|string|str|value|key\.?name|key_?\d{0,2}|example|example[._]key|some[._]key|your[._]key|fact|fact[._]?key"
    r"|placeholder|namespace[._](?:key|attribute|name)|category[._](?:key|attribute|name)|(?:topic|subject|entity)[._](?:attribute|property|key)|parent[._]child|foo(?:[._]bar)?"
    r"|a\.b|x\.y|lower_case"
)
_BARE_ATTRIBUTES = frozenset(
    {"name", "city", "age", "birthday", "email", "phone", "employer", "company", "username", "surname", "title"}
)
_SPEAKERS = frozenset({"user", "the user", "operator", "the operator", "human", "assistant", "the assistant"})
_LONGEST_CHARS = 240


def is_placeholder(key: str, value: str) -> bool:
    """Whether an entry of a model's answer holds a template that was not filled in, in its key or its value."""
    return _is_placeholder_key(one_line(key).casefold()) or _is_placeholder_value(one_line(value).casefold(), key=key)


def _is_placeholder_key(key: str) -> bool:
    if len(key) > _LONGEST_CHARS:
        return False
    if not re.search(r"\w", key) or _SCHEMA_KEYS.fullmatch(key):
        return True
    parts = key.replace("...", "\u2026").split(".")
    return any(part and (_BRACKETED.fullmatch(part) or _ANGLE.fullmatch(part)) for part in parts)


def _is_placeholder_value(value: str, *, key: str) -> bool:
    if len(value) > _LONGEST_CHARS:
        return False
    words = value.strip(" .\"'`")
    if not words:
        return bool(value.strip(" \"'`"))
    shapes = (_BRACKETED, _ANGLE, _SCHEMA, _OF_SOMEONE, _IN_OTHER_LANGUAGES)
    if any(shape.fullmatch(words) for shape in shapes):
        return True
    if _OF_SOMEONE.fullmatch(words.replace("_", " ")):
        return True
    attribute = one_line(key).casefold().replace(" ", "_").rpartition(".")[2]
    return (words in _BARE_ATTRIBUTES and attribute == words) or (words in _SPEAKERS and attribute.endswith("name"))
