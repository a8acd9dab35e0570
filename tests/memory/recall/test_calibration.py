"""`manage.py calibrate`: what a threshold does to the operator's own chats (decision 14). It changes nothing."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import httpx
import numpy as np
import pytest
from django.core.management import CommandError, call_command

from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision
from memory.recall import calibration
from memory.recall.calibration import Cosines
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

SETTING = "CAESAR_MEMORY__EPISODES_RECALL__SIMILARITY_THRESHOLD"
OLD = "voyage:voyage-3"
DIMENSIONS = 128


def axis(number: int) -> list[float]:
    vector = [0.0] * DIMENSIONS
    vector[number] = 1.0
    return vector


def leaning(cosine: float, number: int) -> list[float]:
    """A vector with this cosine to `axis(number)`, and none to any other message's or summary's."""
    vector = [0.0] * DIMENSIONS
    vector[number], vector[number + DIMENSIONS // 2] = cosine, math.sqrt(1 - cosine * cosine)
    return vector


def tell(words: str, summary: str, *, now: datetime, model: str = OLD, vector: Sequence[float] = (1.0,)) -> AuditRow:
    recorded = record_turn([Message(role="user", content=words)], "ok", now=now)
    row = AuditRow.objects.get(pk=recorded.audit_log_id)
    EpisodeSummary.objects.summarise(row, summary, Embedded(list(vector), model), now=now)
    return row


def told(cosines: Sequence[float], now: datetime) -> dict[str, list[float]]:
    """Chats, newest first, each with this cosine to its own summary and 0 to every other; the embedder's table."""
    table: dict[str, list[float]] = {}
    for number, cosine in enumerate(cosines):
        tell(f"Message {number}.", f"Summary {number}.", now=now - timedelta(hours=number))
        table |= {f"Message {number}.": axis(number), f"Summary {number}.": leaning(cosine, number)}
    return table


def calibrate(*arguments: str) -> str:
    out = StringIO()
    call_command("calibrate", *arguments, stdout=out)
    return out.getvalue()


def row_of(out: str, threshold: str) -> str:
    """A line of the table of thresholds, with single spaces."""
    table = out[out.index("threshold  related kept") :].splitlines()
    return next(" ".join(line.split()) for line in table if line.strip().startswith(threshold))


def test_it_works(now: datetime) -> None:
    with scripted_embedder(table=told([0.605] * 15 + [0.405] * 10, now)):
        out = calibrate()
    assert "the chat's own summary, 25 pairs" in out
    assert "of other conversations, 250 pairs" in out
    assert row_of(out, "0.40") == "0.40 100.0 % 0.0 %"
    assert row_of(out, "0.45") == "0.45 60.0 % 0.0 %"
    assert "In force now: 0.45, which keeps 60.0 % and lets in 0.0 %." in out
    assert "Would choose: 0.40, which keeps 100.0 % and lets in 0.0 %" in out
    assert out.endswith(f"To use it: {SETTING}=0.40\nNothing was changed.\n")


def test_the_table_goes_from_15_to_60_hundredths(now: datetime) -> None:
    with scripted_embedder(table=told([0.5] * 20, now)):
        out = calibrate()
    lines = out[out.index("threshold  related kept") :].split("\n\n")[0].splitlines()[1:]
    assert [line.split()[0] for line in lines] == [f"{number / 100:.2f}" for number in range(15, 61, 5)]


def test_both_distributions_are_drawn(now: datetime) -> None:
    with scripted_embedder(table=told([0.52] * 15 + [0.42] * 5, now)):
        out = calibrate()
    drawn = [" ".join(line.split()) for line in out.splitlines() if ".." in line]
    assert drawn[0] == f"0.00 .. 0.05 {'#' * 30} 100.0 %"
    assert drawn[-3:] == [f"0.40 .. 0.45 {'#' * 8} 25.0 %", "0.45 .. 0.50", f"0.50 .. 0.55 {'#' * 22} 75.0 %"]
    assert all(len(line) <= 120 for line in out.splitlines() if ".." in line)


def test_the_threshold_in_force_is_the_one_that_is_set(now: datetime, configure: Configure) -> None:
    table = told([0.5] * 20, now)
    configure(memory__episodes_recall__similarity_threshold=0.3)
    with scripted_embedder(table=table):
        assert "In force now: 0.3, which keeps 100.0 %" in calibrate()


def test_it_changes_nothing(now: datetime) -> None:
    table = told([0.5] * 20, now)

    def everything() -> list[Any]:
        tables = (EpisodeSummary, AuditRow, MemoryRevision)
        return [list(model._default_manager.order_by("id").values()) for model in tables]

    before = everything()
    with scripted_embedder(table=table):
        calibrate()
    assert everything() == before


def test_the_same_chats_give_the_same_answer(now: datetime) -> None:
    with scripted_embedder(table=told([0.1 + number / 40 for number in range(25)], now)):
        assert calibrate() == calibrate()


# --- what is compared -----------------------------------------------------------------------------------------------


def test_the_vector_of_a_summary_is_used_where_it_is_of_this_embedder(now: datetime) -> None:
    table = told([0.5] * 20, now)
    for row in EpisodeSummary.objects.filter(summary__in=["Summary 3.", "Summary 7."]):
        EpisodeSummary.objects.embed_again(row.pk, Embedded(axis(60), fake.MODEL_ID), seen_summary=row.summary)
    with scripted_embedder(table=table) as embedder:
        out = calibrate()
    assert embedder.texts.count("Message 3.") == 1
    assert "Summary 3." not in embedder.texts
    assert len(embedder.texts) == 20 + 18
    assert row_of(out, "0.50") == "0.50 90.0 % 0.0 %"


def test_a_stored_vector_that_cannot_be_compared_is_made_anew(now: datetime) -> None:
    table = told([0.5] * 20, now)
    EpisodeSummary.objects.filter(summary="Summary 3.").update(model=fake.MODEL_ID, embedding=[0.0] * DIMENSIONS)
    with scripted_embedder(table=table) as embedder:
        calibrate()
    assert "Summary 3." in embedder.texts


def test_the_newest_message_of_the_operator_is_what_is_compared(now: datetime) -> None:
    messages = [
        Message(role="user", content="Earlier words."),
        Message(role="assistant", content="Yes."),
        Message(role="user", content="Newest words."),
    ]
    row = AuditRow.objects.get(pk=record_turn(messages, "ok", now=now).audit_log_id)
    EpisodeSummary.objects.summarise(row, "Their summary.", Embedded([1.0], OLD), now=now)
    with scripted_embedder():
        (sample,) = calibration.load_samples(9)
    assert (sample.message, sample.summary, sample.stored_vector) == ("Newest words.", "Their summary.", None)


def test_the_sample_is_the_newest_chats_with_a_summary(now: datetime) -> None:
    table = told([0.5] * 30, now)
    silent = record_turn([Message(role="user", content="Hi")], "ok", now=now + timedelta(days=1))
    EpisodeSummary.objects.skip(AuditRow.objects.get(pk=silent.audit_log_id), reason="trivial", now=now)
    with scripted_embedder(table=table) as embedder:
        out = calibrate("--sample", "22")
    assert "own summary, 22 pairs" in out
    assert set(embedder.texts) == {f"{kind} {number}." for kind in ("Message", "Summary") for number in range(22)}


def test_chats_without_words_or_sense_are_passed_over(now: datetime) -> None:
    for payload in ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, {"messages": "no"}, []):
        row = AuditRow(event_type="chat.completed", ts=now, payload=payload)
        AuditRow.objects.bulk_create([row])
        EpisodeSummary.objects.create(audit_log=row, summary="x", embedding=[1.0], model=OLD, created_at=now)
    with scripted_embedder():
        assert calibration.load_samples(9) == []


def test_unrelated_pairs_are_never_of_one_conversation() -> None:
    conversations = ["a", "a", "b", "c", "a", "b"]
    pairs = calibration.unrelated_pairs(conversations)
    assert all(conversations[one] != conversations[other] for one, other in pairs)
    assert len(pairs) == len(set(pairs)) == 36 - (9 + 4 + 1)  # every pair but those of 3 a's, 2 b's and the c


def test_unrelated_pairs_are_shuffled_and_the_same_each_time() -> None:
    conversations = [str(number) for number in range(100)]
    pairs = calibration.unrelated_pairs(conversations)
    assert pairs == calibration.unrelated_pairs(conversations)
    assert len(set(pairs)) == 1_000
    assert len({other - one for one, other in pairs}) > 100
    for number in range(100):
        assert sum(one == number for one, _ in pairs) == sum(other == number for _, other in pairs) == 10


@pytest.mark.parametrize("count", [0, 1])
def test_one_chat_alone_has_no_unrelated_pair(count: int) -> None:
    assert calibration.unrelated_pairs(["a"] * count) == []


def test_chats_that_begin_alike_are_one_conversation(now: datetime) -> None:
    for texts in (["I sleep badly."], ["I  sleep badly.", "Since May."], ["Boats."]):
        messages = [Message(role="user", content=words) for words in texts]
        row = AuditRow.objects.get(pk=record_turn(messages, "ok", now=now).audit_log_id)
        EpisodeSummary.objects.summarise(row, texts[-1], Embedded([1.0], OLD), now=now)
    with scripted_embedder():
        boats, longer, first = calibration.load_samples(9)
    assert longer.conversation == first.conversation != boats.conversation


# --- the choice -----------------------------------------------------------------------------------------------------


def cosines(related: Sequence[float], unrelated: Sequence[float]) -> Cosines:
    return Cosines(np.array(related, np.float32), np.array(unrelated, np.float32))


def test_a_threshold_may_let_in_one_percent() -> None:
    related = [0.3] * 10 + [0.6] * 10
    assert cosines(related, [0.105] * 99 + [0.9]).best_threshold() == 0.30
    assert cosines(related, [0.105] * 98 + [0.9, 0.505]).best_threshold() == 0.60
    assert cosines([0.2] * 20, [0.105] * 99 + [0.9]).best_threshold() == 0.20


def test_of_several_that_keep_as_many_the_highest_is_chosen() -> None:
    assert cosines([0.455] * 20, [0.0] * 100).best_threshold() == 0.45


def test_a_cosine_that_equals_the_threshold_passes() -> None:
    both = cosines([0.25, 0.75], [0.5, 0.125])
    assert [both.true_positive_rate(threshold) for threshold in (0.25, 0.75, 0.76)] == [1.0, 0.5, 0.0]
    assert [both.false_positive_rate(threshold) for threshold in (0.5, 0.51)] == [0.5, 0.0]


def test_where_even_1_lets_in_too_much_none_is_chosen() -> None:
    assert cosines([1.0] * 20, [1.0] * 100).best_threshold() is None


def test_each_pair_is_in_one_bin() -> None:
    bins = calibration.histogram(cosines([-0.01, 0.0, 0.05, 0.12], [0.2]))
    assert [round(part.low, 2) for part in bins] == [-0.05, 0.0, 0.05, 0.1, 0.15, 0.2]
    assert [part.related for part in bins] == [0.25, 0.25, 0.25, 0.25, 0, 0]
    assert [part.unrelated for part in bins] == [0, 0, 0, 0, 0, 1.0]


def test_an_embedder_that_cannot_tell_chats_apart_is_said_to(now: datetime) -> None:
    table = dict.fromkeys(told([0.0] * 20, now), [1.0, 0.0])
    with scripted_embedder(table=table):
        out = calibrate()
    assert "No threshold would do" in out
    assert SETTING not in out


def test_a_choice_that_keeps_little_is_said_to(now: datetime) -> None:
    table = told([0.0] * 20, now)
    table |= {f"Summary {number}.": leaning(0.9, number) for number in range(5)}
    table |= {f"Summary {number}.": leaning(0.5, number - 1) for number in range(5, 20)}
    with scripted_embedder(table=table):
        out = calibrate()
    assert "which keeps 25.0 %" in out
    assert "hardly tells your chats apart" in out


# --- too few, and what goes wrong -----------------------------------------------------------------------------------


def test_fewer_than_20_chats_are_too_few_to_judge_and_nobody_is_asked(now: datetime) -> None:
    with scripted_embedder(table=told([0.5] * 19, now)) as embedder:
        out = calibrate()
    assert out.startswith("Too few to judge: 19 chats")
    assert SETTING not in out
    assert embedder.requests == []


def test_no_chat_at_all_is_too_few() -> None:
    with scripted_embedder():
        assert calibrate().startswith("Too few to judge: 0 chats")


def test_chats_of_one_conversation_only_are_too_few(now: datetime) -> None:
    said: list[Message] = []
    for number in range(30):
        said += [Message(role="user", content=f"Message {number}."), Message(role="assistant", content="Yes.")]
        recorded = record_turn(said[:-1], "Yes.", now=now)
        row = AuditRow.objects.get(pk=recorded.audit_log_id)
        EpisodeSummary.objects.summarise(row, f"Summary {number}.", Embedded([1.0], OLD), now=now)
    with scripted_embedder():
        assert calibrate().startswith("Too few to judge: 30 chats with a summary make 0 unrelated pairs")


def test_what_cannot_be_embedded_is_left_out(now: datetime) -> None:
    table = told([0.5] * 22, now)

    def respond(body: dict[str, Any]) -> httpx.Response:
        if "Message 3." in body["input"]:
            return httpx.Response(500, json={"error": "unsupported value: NaN"})
        missing = [text for text in body["input"] if text not in table]
        return httpx.Response(200, json=fake.openai_answer(*[axis(0) if missing else table[t] for t in body["input"]]))

    with scripted_embedder(*[respond] * 50, table=table):
        assert "own summary, 21 pairs" in calibrate()


def test_too_few_that_can_be_embedded_are_too_few(now: datetime) -> None:
    table = told([0.5] * 20, now)
    EpisodeSummary.objects.filter(summary="Summary 3.").update(model=fake.MODEL_ID, embedding=[1.0, 0.0])
    with scripted_embedder(table=table):
        assert calibrate().startswith("Too few to judge: 19 chats")


@pytest.mark.parametrize("outage", [httpx.ConnectError("refused"), httpx.Response(401, text="no")])
def test_an_outage_is_one_line_and_exit_code_1(now: datetime, outage: httpx.Response | Exception) -> None:
    table = told([0.5] * 20, now)
    with (
        scripted_embedder(outage, outage, table=table),
        pytest.raises(CommandError, match="Nothing was changed") as caught,
    ):
        calibrate()
    assert caught.value.returncode == 1


def test_an_embedder_that_is_off_is_said_with_the_cure() -> None:
    with scripted_embedder(enabled=False), pytest.raises(CommandError, match="CAESAR_SEMANTIC__ENABLED=true"):
        calibrate()


@pytest.mark.parametrize("count", ["0", "-1", "x", "1.5", "9" * 9])
def test_a_sample_of_another_size_than_a_number_is_refused(count: str) -> None:
    with pytest.raises(CommandError, match="whole number from 1"):
        calibrate(f"--sample={count}")
