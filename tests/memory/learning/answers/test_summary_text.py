"""A summariser's answer as one clean line, whatever stands before and around it (ADR-0034 §2)."""

import pytest

from memory.learning.answers.summary_text import MAX_SUMMARY_CHARS, parse_summary
from memory.llm import BadAnswer
from tests.growth import LINEAR_AT_MOST, growth, of_unit

WALK = "The operator planned a walk; CAESAR suggested a park."


@pytest.mark.parametrize(
    "answer",
    [
        f"Certainly! {WALK}",
        f"Sure, here's the summary:\n\n{WALK}",
        f"Here is a one-sentence summary: {WALK}",
        f"Summary of the conversation: {WALK}",
        f"Okay, here is the summary.\n{WALK}",
        f"Of course!\n\n**Summary**\n{WALK}",
        f"# Summary\n\n{WALK}",
        f"- {WALK}",
        f"(1) {WALK}",
        f"I'd be happy to help! Here's a summary: {WALK}",
        f"As requested, here is the summary: {WALK}",
        f"The summary is: {WALK}",
        f"1. {WALK}",
        f"> {WALK}",
        f"**Summary:** {WALK}",
        f"<summary>{WALK}</summary>",
        f"Here you go: <summary>\n{WALK}\n</summary>",
        f"\u201c{WALK}\u201d",
        f"```text\n{WALK}\n```",
        f"<think>Third person.</think>Great, here's a recap: {WALK}",
        f"Gerne! Hier ist eine Zusammenfassung: {WALK}",
        f"Bien sûr ! Voici un résumé de la conversation : {WALK}",
        f"¡Claro! Aquí tienes el resumen: {WALK}",
        f"Certo! Ecco il riassunto: {WALK}",
        f"Claro! Aqui está o resumo: {WALK}",
        f"Natuurlijk! Hier is een samenvatting: {WALK}",
        f"Oczywiście! Oto podsumowanie: {WALK}",
        f"Конечно! Вот краткое содержание: {WALK}",
        f"Tabii! İşte özet: {WALK}",
        f"当然！以下是对话摘要：{WALK}",
        f"もちろんです。以下は会話の要約です：{WALK}",
        f"물론입니다! 다음은 요약입니다: {WALK}",
        f"<|im_start|>{WALK}<|im_end|>",
    ],
)
def test_what_is_no_summary_is_taken_off(answer: str) -> None:
    assert parse_summary(answer) == WALK


@pytest.mark.parametrize(
    "summary",
    [
        "Certainly the operator wanted shade, and CAESAR agreed.",
        "Certainly, the operator preferred Rome over Paris.",
        "Sure enough, the operator came back to the roof.",
        "Of course the operator asked about tides.",
        "Here the operator asked about tides.",
        "Great Danes were discussed: the operator wanted one.",
        "Summary statistics were discussed: mean and median.",
        '"Beans" is the dog, and "Rex" the cat: both were fed.',
        "The operator asked what `</think>` means.",
    ],
)
def test_a_sentence_that_begins_so_is_kept(summary: str) -> None:
    assert parse_summary(summary) == summary


@pytest.mark.parametrize(
    "answer",
    [
        "Certainly!",
        "Certainly! Here is a summary of the conversation:",
        "Sure.",
        "<summary></summary>",
        "Voici le résumé :",
    ],
)
def test_preface_alone_is_a_failure(answer: str) -> None:
    with pytest.raises(BadAnswer, match="announced a summary and then gave none"):
        parse_summary(answer)


@pytest.mark.parametrize(
    "answer", ["NONE", "Here is the summary: NONE", "none.", '""', "(empty)", "NONE - small talk only"]
)
def test_none_is_none_behind_a_preface_too(answer: str) -> None:
    assert parse_summary(answer) == ""


def test_an_essay_is_cut() -> None:
    assert len(parse_summary("word " * 100_000)) <= MAX_SUMMARY_CHARS


@pytest.mark.parametrize(
    "unit",
    [
        "a", "*", "Certainly! ", "here is ", "summary of ", "- ", "\n- ", "'", "<summary>", "_x_", "_", ".", '"', "[] ",
        "“a”", "none", "NONE ", "sorry ", "<think>",
    ],
)  # fmt: skip
def test_the_time_grows_with_the_length(unit: str) -> None:
    def read(text: str) -> None:
        try:
            parse_summary(text)
        except BadAnswer:
            return

    assert growth(read, of_unit(unit), size=20_000) <= LINEAR_AT_MOST
