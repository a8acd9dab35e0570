"""From a model's answer to the next prompt: whatever it says, nothing raises and nothing odd is stored or shown."""

from contextlib import suppress
from datetime import datetime

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from memory import transcript
from memory.events import Message
from memory.learning import extraction
from memory.llm import BadAnswer
from memory.models import AuditRow, PersonalFact
from memory.text import normalising, wording
from memory.text.lines import one_line
from memory.text.normalising import Claim
from tests.fuzz.strategies import answers, odd_text
from tests.growth import LINEAR_AT_MOST, growth, of_unit
from tests.turns import record_turn


def claims_in(answer: str) -> list[Claim]:
    try:
        read = extraction.parse_answer(answer)
    except BadAnswer:
        return []
    assert read.rejected >= 0
    return list(read.claims)


def is_clean(value: object, max_chars: int) -> bool:
    """One line of text that UTF-8 and every database take."""
    assert isinstance(value, str)
    value.encode()
    return 0 < len(value) <= max_chars and value == one_line(value)


@hypothesis_settings(deadline=None, max_examples=250)
@given(answers())
def test_a_claim_is_clean_text_with_a_confidence(answer: str) -> None:
    for claim in claims_in(answer):
        assert is_clean(claim.key, normalising.MAX_KEY_CHARS)
        assert is_clean(claim.value, normalising.MAX_VALUE_CHARS)
        assert type(claim.confidence) is float
        assert 0.0 <= claim.confidence <= 1.0


@hypothesis_settings(deadline=None, max_examples=150)
@given(answers(), odd_text)
def test_no_answer_can_open_a_second_block(answer: str, operator_prompt: str) -> None:
    sentences = [wording.sentence(claim.key, claim.value) for claim in claims_in(answer)]
    block = wording.facts_block(sentences, max_facts=30, max_chars=2048).text
    memory = wording.memory_block(block, wording.episodes_block([("today", answer)] if answer.strip() else []))
    prompt = wording.join_prompt(operator_prompt, memory, position="top")
    assert prompt.endswith(operator_prompt)
    lines = memory.split("\n")
    assert memory.splitlines() == (lines if memory else [])
    assert all(lines.count(head) <= 1 for head in (wording.PREFACE, wording.FACTS_HEADING, wording.EPISODES_HEADING))
    heads = ("", wording.PREFACE, wording.FACTS_HEADING, wording.EPISODES_HEADING)
    assert all(line.startswith("  - ") for line in lines if line not in heads)
    assert transcript.without_memory_block(memory).strip() == ""


@pytest.mark.django_db
def test_what_is_stored_is_text_in_every_column(now: datetime) -> None:
    row = AuditRow.objects.get(pk=record_turn([Message(role="user", content="Hi")], "ok", now=now).audit_log_id)

    @hypothesis_settings(
        deadline=None, max_examples=40, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(answers())
    def learned(answer: str) -> None:
        claims = claims_in(answer)
        with transaction.atomic():
            PersonalFact.objects.learn(claims, chat=row, now=now)
            stored = {fact.key: fact for fact in PersonalFact.objects.all()}
            assert set(stored) == {claim.key for claim in claims}
            assert all(is_clean(fact.value, normalising.MAX_VALUE_CHARS) for fact in stored.values())
            written = AuditRow.objects.filter(chat=row, fact_key__isnull=False)
            assert {entry.fact_key for entry in written} == set(stored)
            transaction.set_rollback(True)

    learned()


@pytest.mark.parametrize(
    "shape",
    [
        '{"key": "dog.name", "value": "Beans"} and ',
        '[{"key": "dog.name", "value": "Beans"}]\nFinal answer: []\n',
        "<think>[",
        "answer: [] ",
        "\u0301",
        "4111 1111 1111 1111 ",
        "sk-" + "a" * 40 + " ",
        "[[[[",
    ],
)
def test_a_long_answer_is_read_in_linear_time(shape: str) -> None:
    def read(answer: str) -> None:
        with suppress(BadAnswer):
            extraction.parse_answer(answer)

    for before, after in (("", ""), ('[{"key": "k", "value": "', '"}]'), ('{"facts": [', "")):
        assert growth(read, of_unit(shape, before=before, after=after), size=10_000) <= LINEAR_AT_MOST
