"""Values that stand for any other, such as John Doe."""

import re

_PLACEHOLDERS = re.compile(
    r"(?:test(?:er|ing)?(?: ?user| ?name| ?person)?\w{0,3}|(?:john|jane|joe) (?:doe|bloggs|q public)"
    r"|foo(?: ?bar)?|bar|baz"
    r"|asdf\w*|qwerty\w*|xxx+|yyy+|lorem(?: ipsum)?|max mustermann|erika mustermann|user(?: name)?|username"
    r"|your name|name"
    r"|sample(?: \w+)?|example(?: \w+)?|placeholder)",
    re.IGNORECASE,
)


_FIGURES = re.compile(
    r"(?:(?:der |the |el |il |le |o |de )?(?:batman|superman|süpermen|spider-?man|iron man|santa(?: claus)?"
    r"|father christmas"
    r"|weihnachtsmann|papá noel|père noël|pai natal|papai noel|babbo natale|sinterklaas|święty mikołaj|дед мороз"
    r"|noel baba"
    r"|julenissen|joulupukki|easter bunny|osterhase|da?rth? v[aá]d[eo]r|dark vador|napol[eé]on\w*|dracula|zorro|tarzan"
    r"|shrek|james bond|sherlock(?: holmes)?|harry potter|gandalf|dumbledore|elvis(?: presley)?|einstein|god|jesus"
    r"|cinderella|pinocchio|robin hood|hulk|thor|zeus|king kong|godzilla))",
    re.IGNORECASE,
)
"""Those whom everybody knows and nobody is."""


def is_figure(value: str) -> bool:
    """Whether a name is one that nobody bears in earnest: Batman, Santa Claus."""
    return bool(_FIGURES.fullmatch(value))


def is_placeholder(value: str) -> bool:
    """Whether a value stands for any other: "Test User", "John Doe", "foo"."""
    return bool(_PLACEHOLDERS.fullmatch(value))
