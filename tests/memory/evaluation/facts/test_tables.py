"""The figures in print: a column a model, whatever the other one did."""

from memory.management.evaluation.facts import tables
from memory.management.evaluation.facts.cases import Case
from memory.management.evaluation.facts.outcome import LearnedFact, Outcome
from memory.management.evaluation.facts.tables import Column

CASE = Case.model_validate(
    {
        "id": "a",
        "messages": [{"role": "user", "content": "My cat is Miso, the dog Beans."}],
        "gold": [
            {"key_any": ["cat.name"], "value_any": ["Miso"]},
            {"key_any": ["dog.name"], "value_any": ["Beans"]},
        ],
        "forbidden": ["Osmo"],
    }
)


def column(route: str, *outcomes: Outcome) -> Column:
    return Column(route, total=2, read=[(CASE, outcome) for outcome in outcomes])


def fact(key: str, value: str) -> LearnedFact:
    return LearnedFact(key=key, value=value, confidence=1.0, op="add")


FIRST = Outcome(id="a", learned=[fact("cat.name", "Miso")], answers=1, input_tokens=1234, output_tokens=5, seconds=2.5)
SECOND = Outcome(id="a", refused={"no_quote": 2}, answers=1, unreported=1, seconds=0.25)


def test_columns_are_aligned_and_refusals_follow_by_reason() -> None:
    lines = tables.table([column("openai one", FIRST), column("ollama two", SECOND), column("")]).splitlines()
    places = [lines[0].index(name) for name in ("openai one", "ollama two", "(not asked)")]
    cells = {
        line[: places[0]].strip(): [line[places[0] : places[1]].strip(), line[places[1] : places[2]].strip()]
        for line in lines
    }
    assert cells["recall, value and key"] == ["50.0 % (1 of 2)", "0.0 % (0 of 2)"]
    assert cells["precision, value alone"] == ["100.0 % (1 of 1)", "-"]
    assert cells["input tokens"] == ["1,234", "-"]
    assert cells["seconds a chat"] == ["2.50", "0.25"]
    assert cells["refused: no_quote"] == ["0", "2"]


def test_mistakes_say_what_was_missed_misplaced_forbidden_or_too_much() -> None:
    learned = [fact("pet", "Miso"), fact("name", "Osmo"), fact("mood", "tired")]
    (line,) = tables.mistakes(column("x", Outcome(id="a", learned=learned)))
    assert line == (
        "a: 'Miso' under pet, expected cat.name; missed 'Beans'; forbidden name='Osmo'; also learned mood='tired'"
    )


def test_mistakes_name_what_is_still_known_and_what_ended() -> None:
    case = Case.model_validate(
        {
            "id": "a",
            "messages": [{"role": "user", "content": "I live in Kotka now, and left my job."}],
            "have": [{"key": "address.city", "value": "Tampere"}],
            "gold": [{"key_any": ["*.city"], "value_any": ["Kotka"], "op": "update"}],
            "retire": ["job*"],
        }
    )
    outcome = Outcome(
        id="a", learned=[fact("home.city", "Kotka")], kept={"address.city": "Tampere"}, retired=["cat.name"]
    )
    (line,) = tables.mistakes(Column("x", total=1, read=[(case, outcome)]))
    assert line == "a: address.city is still 'Tampere'; job* did not end; cat.name ended"


def test_a_case_without_a_mistake_is_not_listed() -> None:
    right = Outcome(id="a", learned=[fact("cat.name", "Miso"), fact("dog.name", "Beans")])
    assert tables.mistakes(column("x", right)) == []


def test_a_model_that_was_not_finished_says_so_in_json() -> None:
    (model,) = tables.as_json([column("x", FIRST)])
    assert model["complete"] is False
