"""The summary without a model: each side's most telling sentence, quoted; small talk never where more was said."""

from itertools import cycle
from typing import Literal

import pytest

from memory.llm.offline.rules import Turn
from memory.llm.offline.summary import MAX_QUOTED_CHARS, summary_of

Speaker = Literal["operator", "assistant"]


def turn(text: str, *, speaker: Speaker = "operator", is_new: bool = True) -> Turn:
    return Turn(speaker=speaker, text=text, is_new=is_new)


def session(*texts: str) -> list[Turn]:
    """A chat in which operator and assistant take turns."""
    speakers: cycle[Speaker] = cycle(("operator", "assistant"))
    return [turn(text, speaker=speaker) for speaker, text in zip(speakers, texts, strict=False)]


def test_it_works() -> None:
    turns = session(
        "Hi Claude!",
        "Hello! How can I help you today?",
        "I keep waking up at three in the morning. It is awful.",
        "I'm sorry to hear that. Lower the bedroom thermostat to 18 degrees.",
        "Thanks a lot!",
        "You're welcome! Let me know if you need anything else.",
    )
    assert summary_of(turns) == (
        'The operator wrote: "I keep waking up at three in the morning."; '
        'the assistant answered: "Lower the bedroom thermostat to 18 degrees."'
    )


def test_a_session_of_many_turns_that_begins_with_greetings() -> None:
    small_talk = [
        "Hi!",
        "Hi! Good to see you.",
        "How are you?",
        "I'm fine, thank you. And you?",
        "Good, thanks.",
        "Nice!",
    ]
    turns = session(
        *small_talk,
        "Can I ask you something?",
        "Sure, anything.",
        "My aunt wants to sell her vineyard in Burgundy.",
        "That is a big decision.",
        "I know.",
        "What do you like about it?",
        "I love it there.",
        "Then ask her for the accounts of the last five years before you decide.",
        "That's a good idea.",
        "Thank you!",
        "ok",
        "Is there anything else?",
        "No, that was all. Thanks!",
        "You're welcome, have a nice evening!",
        "Bye",
        "Bye!",
    )
    assert len(turns) > 20
    assert summary_of(turns) == (
        'The operator wrote: "My aunt wants to sell her vineyard in Burgundy."; '
        'the assistant answered: "Then ask her for the accounts of the last five years before you decide."'
    )


@pytest.mark.parametrize(
    ("greeting", "said", "answer"),
    [
        ("Hallo Claude!", "Unser Keller ist feucht und riecht nach Schimmel.", "Ein Entfeuchter hilft ab 65 Prozent."),
        ("Bonjour, comment ça va ?", "Je prépare un entretien à l'hôpital de Lyon.", "Préparez trois situations."),
        ("Hola, ¿qué tal?", "Quiero cocinar una paella para doce personas.", "Necesitas 1,2 kilos de arroz bomba."),
        ("Ciao! Come stai?", "Il mio limone perde le foglie in veranda.", "Annaffialo poco fino a primavera."),
        ("Olá, tudo bem?", "Preciso cancelar o contrato da internet.", "Peça o cancelamento por escrito."),
        ("Hoi, hoe gaat het?", "De wasmachine lekt tijdens het centrifugeren.", "Vervang de afvoerslang."),
        ("Hej, hur mår du?", "Grannens hund skäller varje natt.", "Skriv till hyresvärden."),
        ("Dzień dobry!", "Mój kot nie chce jeść suchej karmy.", "Podaj mu podgrzaną mokrą karmę."),
        ("Привет! Как дела?", "Хочу бросить курить после пятнадцати лет.", "Замени вечернюю сигарету прогулкой."),
        ("Merhaba, nasılsın?", "Balkondaki domatesler sararıyor.", "Azotlu gübre kullan."),
        ("你好！", "我想学做四川火锅。", "先准备牛油和花椒。"),
        ("こんにちは。", "来月京都に引っ越します。", "下鴨が静かです。"),
        ("안녕하세요!", "다음 주에 부산으로 이사해요.", "해운대는 시끄러워요."),
    ],
)
def test_chats_in_several_languages(greeting: str, said: str, answer: str) -> None:
    turns = session(greeting, f"{greeting} ", f"{greeting} {said}", f"{answer} {greeting}", greeting)
    assert summary_of(turns) == f'The operator wrote: "{said}"; the assistant answered: "{answer}"'


@pytest.mark.parametrize(
    "said",
    ["That sounds really good.", "Yes, I think so too.", "Can you help me with something?", "I see what you mean."],
)
def test_words_of_everyday_lose_wherever_they_stand(said: str) -> None:
    for texts in ((said, "Hm.", "The boiler shows error F28."), ("The boiler shows error F28.", "Hm.", said)):
        assert summary_of(session(*texts)).startswith('The operator wrote: "The boiler shows error F28."')


def test_long_words_of_everyday_lose_too() -> None:
    said = "That definitely sounds interesting, everything actually probably works. The tap drips."
    assert summary_of(session(said)) == 'The operator wrote: "The tap drips."'


def test_sentences_of_scripts_without_blanks_are_told_apart() -> None:
    assert summary_of(session("それはとてもいいですね。京都駅前の家賃は七万円。")) == (
        'The operator wrote: "京都駅前の家賃は七万円。"'
    )


def test_without_anything_else_the_first_of_them_is_quoted() -> None:
    assert summary_of(session("Yes, I think so too. Yes, I think so too!")) == (
        'The operator wrote: "Yes, I think so too."'
    )


def test_names_and_numbers_tell_more_than_other_words_of_their_length() -> None:
    assert "Oslo" in summary_of(session("He will take the bike. He will take the Oslo. He will take the lift."))
    assert "1450" in summary_of(session("It does need tyre. It does need 1450. It does need salt."))


def test_a_word_of_every_sentence_tells_less_than_a_rare_one() -> None:
    assert "saddle" in summary_of(session("Garden garden. Garden candle. Garden candle. Garden saddle. Garden candle."))


def test_only_what_is_new_is_quoted() -> None:
    turns = [
        turn("The ladder in the garage at Ghent has a broken rung.", is_new=False),
        turn("Replace the broken rung by one of oak.", speaker="assistant"),
        turn("The tap drips."),
        turn("Replace the washer.", speaker="assistant"),
    ]
    assert summary_of(turns) == 'The operator wrote: "The tap drips."; the assistant answered: "Replace the washer."'


def test_a_plain_fact_is_not_quoted_however_telling() -> None:
    text = "My sister's name is Wilhelmina Featherstonehaugh. The tap drips."
    assert summary_of(session(text)) == 'The operator wrote: "The tap drips."'


def test_a_secret_is_not_quoted_by_either_side() -> None:
    secret = "The password is hunter2hunter2."
    turns = session(f"{secret} The tap drips.", f"{secret} Replace the washer.")
    assert summary_of(turns) == 'The operator wrote: "The tap drips."; the assistant answered: "Replace the washer."'


def test_a_question_is_called_one() -> None:
    assert summary_of([turn("Which washer fits a 15 mm tap?")]) == (
        'The operator asked: "Which washer fits a 15 mm tap?"'
    )


@pytest.mark.parametrize(
    "text",
    [
        "what time is it?",
        "What's the time in New York right now?",
        "what is the date today",
        "Hi!",
        "Hello there, good morning.\nThanks a lot!",
        "ok",
        "thank you so much for your help!",
        "Hola",
        "Hi Claude!",
        "Hallo, wie geht's dir?",
        "你好！谢谢。",
        "Can I ask you something?",
        "12 * 7",
        "What is 3 plus 4?",
        "how much is 1,250.50 / 3 = ?",
        "...",
        "",
        "my password is hunter2hunter2",
    ],
)
def test_a_trivial_chat_has_an_empty_summary(text: str) -> None:
    assert summary_of([turn(text), turn("Nine o'clock.", speaker="assistant")]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "No sugar in my coffee.",
        "Good news about the house!",
        "What time does the museum open?",
        "Call 3 people",
        "Okapis",
        "Hello from the other side",
        "How are you supposed to prune roses?",
    ],
)
def test_a_chat_about_something_has_a_summary(text: str) -> None:
    assert text in summary_of([turn(text)])


def test_nothing_new_has_an_empty_summary() -> None:
    turns = [turn("The tap drips.", is_new=False), turn("Replace the washer.", speaker="assistant")]
    assert summary_of(turns) == ""


def test_a_long_sentence_is_cut_and_quotes_and_lines_cannot_break_out() -> None:
    text = summary_of([turn('He said "stop" and\u2028went ' + "on and " * 200)])
    assert text.startswith("The operator wrote: \"He said 'stop' and went on")
    assert len(text) <= MAX_QUOTED_CHARS + 30
    assert text.count('"') == 2
