"""The line about a conversation that was found: up to two sentences that fit, or the summary that covers them."""

from memory.events import ChatCompleted, Message
from memory.recall.hybrid import quotation
from memory.recall.hybrid.quotation import Place
from memory.text import terms

MODEL_SUMMARY = "The operator could not sleep and tried a cooler bedroom."
CHAT = ChatCompleted(
    messages=[
        Message(role="user", content="Hello there. My bike was stolen from the station yesterday."),
        Message(role="assistant", content="Sorry to hear it. Report it to the police and ask for the footage."),
        Message(role="user", content="The lock cost forty euros. I keep waking up at three in the morning, too."),
    ],
    reply="Try lowering the bedroom thermostat to eighteen degrees.",
)
LAST_WORDS = Place(window=0, turn=1, by_words=True)


def weights(message: str) -> dict[int, float]:
    return dict.fromkeys(terms.hashed(terms.terms(message, language="en")).tolist(), 1.0)


def line(message: str, summary: str = "", place: Place = LAST_WORDS) -> str:
    return quotation.line(CHAT, summary, place, weights(message))


def test_it_works() -> None:
    assert line("the thermostat") == (
        'The assistant answered: "Try lowering the bedroom thermostat to eighteen degrees."'
    )


def test_a_second_sentence_has_other_words_of_the_message() -> None:
    assert line("waking up, and the thermostat in the bedroom") == (
        'The operator wrote: "I keep waking up at three in the morning, too."; '
        'the assistant answered: "Try lowering the bedroom thermostat to eighteen degrees."'
    )


def test_two_sentences_of_one_speaker_are_one_quotation() -> None:
    assert line("lock that cost euros, waking in the morning") == (
        'The operator wrote: "The lock cost forty euros. I keep waking up at three in the morning, too."'
    )


def test_a_summary_of_a_model_stands_where_it_has_the_words() -> None:
    assert line("sleep bedroom", MODEL_SUMMARY) == MODEL_SUMMARY
    assert line("police footage", MODEL_SUMMARY).startswith('The assistant answered: "Report it')


def test_a_summary_of_a_model_stands_where_the_chat_was_found_by_meaning() -> None:
    assert line("insomnia", MODEL_SUMMARY, Place(0, 0, by_words=False)) == MODEL_SUMMARY


def test_a_chat_without_a_summary_is_always_quoted() -> None:
    said = line("insomnia", "", Place(0, 0, by_words=False))
    assert said.startswith("The operator wrote: ")


def test_a_summary_in_quotations_is_none() -> None:
    quoted = 'The operator wrote: "My bike was stolen."; the assistant answered: "Report it."'
    assert "thermostat" in line("thermostat", quoted)


def test_a_long_sentence_is_cut() -> None:
    chat = ChatCompleted(messages=[Message(role="user", content="My harbour " + "very " * 200 + "end.")], reply="")
    said = quotation.line(chat, "", Place(0, 0, by_words=True), weights("harbour"))
    assert len(said) < quotation.MAX_SENTENCE_CHARS + 30
    assert said.endswith('…"')


def test_a_window_that_is_no_more_there_leaves_the_whole_chat() -> None:
    assert "thermostat" in line("thermostat", "", Place(99, 99, by_words=True))
