"""Every shape of client API with every provider: the table in `docs/clients.md` says what these tests see."""

import json
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow
from tests.clients.shapes import PICTURE, SHAPES, Refused, Shape
from tests.clients.standins.providers import PROVIDERS, Behind
from tests.servers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

COLUMNS = ("client", "provider", "plain", "stream", "tools", "pictures", "memory once", "learned once")
PAIRS = [(shape, provider) for shape in SHAPES for provider in PROVIDERS]


def rows_of_the_table() -> Iterator[list[str]]:
    """The cells of each row below the table's head."""
    text = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
    _, has_table, below = text.partition(f"| {' | '.join(COLUMNS)} |\n")
    assert has_table, "the table is not there"
    for line in below.splitlines()[1:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_has_a_row_for_every_pair() -> None:
    assert [tuple(row[:2]) for row in rows_of_the_table()] == [(shape.name, provider) for shape, provider in PAIRS]


@pytest.mark.parametrize(("shape", "provider"), PAIRS, ids=lambda value: getattr(value, "name", value))
def test_the_table_says_what_is_seen(shape: Shape, provider: str, behind: Callable[[str], Behind]) -> None:
    there = behind(provider)
    memory = [remembered(shape, there), learned(shape, there)]
    seen = [outcome(find, shape, there) for find in (plain, stream, tools, pictures)] + memory
    assert dict(zip(COLUMNS[2:], seen, strict=True)) == expected(shape, provider)


def expected(shape: Shape, provider: str) -> dict[str, str]:
    row = next(row for row in rows_of_the_table() if row[:2] == [shape.name, provider])
    return dict(zip(COLUMNS[2:], row[2:], strict=True))


def outcome(find: Callable[[Shape, Behind], str], shape: Shape, there: Behind) -> str:
    """What a test found, "refused" where the server said that it cannot do it, and why."""
    try:
        return find(shape, there)
    except Refused as refusal:
        return "refused" if there.provider in str(refusal) else str(refusal)


def plain(shape: Shape, there: Behind) -> str:
    return "yes" if shape.say(there, f"What is new with you ({shape.name})?") else "no"


def stream(shape: Shape, there: Behind) -> str:
    words = f"What else is new with you ({shape.name})?"
    return "yes" if shape.say(there, words, stream=True) == shape.say(there, words) else "no"


def tools(shape: Shape, there: Behind) -> str:
    called = [shape.use_tool(there, f"Look at it ({shape.name}, {live}).", stream=live) for live in (False, True)]
    return {"look look": "yes", "": "not called"}[" ".join(name for names in called for name in names)]


def pictures(shape: Shape, there: Behind) -> str:
    there.model.requests.clear()
    shape.show(there, f"What is on it ({shape.name})?")
    return "yes" if PICTURE in json.dumps(there.model.requests) else "not seen"


def remembered(shape: Shape, there: Behind) -> str:
    """Whether what was said once is in the next prompt, once."""
    shape.say(there, f"By the way, my {shape.pet}'s name is Beans.")
    learning.run(EXTRACTION, clock=timezone.now)
    there.model.requests.clear()
    reply = shape.say(there, f"What should I get for my {shape.pet}?", stream=True)
    learning.run(EXTRACTION, clock=timezone.now)
    if there.provider == "offline":  # nobody is asked
        return "yes" if "1 remembered line" in reply else "no"
    sentence = f"Your {shape.pet}'s name is Beans."
    times = json.dumps(there.model.requests).count(sentence)
    return "yes" if times == 1 and sentence in reply else f"{times} times"


def learned(shape: Shape, there: Behind) -> str:
    """Whether it was learned once, and no word of memory or of the model's confirmed it."""
    kinds = AuditRow.objects.filter(fact_key=f"{shape.pet}.name").values_list("event_type", flat=True)
    return "yes" if list(kinds) == ["memory.fact.added"] else ", ".join(kinds)
