"""Errands of chat clients, by what they ask for; what an operator may ask in nearly the same words is a chat.

The errands are told in our own words after what clients were seen to send.
"""

import pytest

from memory.chat.errands import is_errand
from memory.conversation import Conversation
from memory.events import Message
from tests.growth import LINEAR_AT_MOST, growth, of_unit

HISTORY = "\n### Chat History:\n<chat_history>\nUSER: my dog's name is Beans\nASSISTANT: ok\n</chat_history>"


def errand(*said: tuple[str, str], beginnings: tuple[str, ...] = ()) -> bool:
    messages = [Message(role=role, content=content) for role, content in said]
    return is_errand(Conversation(messages), beginnings=beginnings)


def test_it_works() -> None:
    assert errand(("user", f"### Task:\nGenerate a short title for the chat.{HISTORY}"))
    assert not errand(("user", "Write a title for my essay about foxes."))


@pytest.mark.parametrize(
    "prompt",
    [
        f"### Task:\nGenerate a concise, 3-5 word title with an emoji that sums up the chat history.\n### "
        f'Output:\nJSON: {{"title": "x"}}{HISTORY}',
        "### Task:\nGenerate a title",
        "### Task:\nGenerate three questions for <chat_history>.\n<chat_history>\nUSER: x\n</chat_history>",
        f"### Task:\nGenerate 1-3 broad tags for the main themes of the chat history.\n### Guidelines:\n- few{HISTORY}",
        f"### Task:\nPredict three messages this user might well send next.\n### Guidelines:\n- short{HISTORY}",
        'You have been provided with a set of responses from various models to the newest query: "my dog?". Merge.',
        f"### Task:\nSuggest 3-5 follow-up questions that the user might ask next in this conversation.{HISTORY}",
        f"### Task:\nAnalyze the chat history to determine whether search queries are needed.\n### "
        f"Guidelines:\n- JSON{HISTORY}",
        "### Task:\nYou are an autocompletion system. Continue the text in "
        "`<text>`.\n<type>x</type>\n<text>My dog</text>",
        "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n\nMessage: ```hi```",
        "Provide a concise, 5-word-or-less title for the conversation, with no punctuation.\nUser: a\nAI: b",
        "Analyze this conversation and provide:\n1. Its language\n2. A concise title (5 words or less, no "
        "quotation)\n\nUser: a",
        "Generate a concise 3-7 word title for this conversation, omitting punctuation. Go straight to the title.",
        "Please generate a four to five word title summarizing our conversation without any lead-in or "
        "quotation marks.",
        "Summarize the discussion briefly in 200 words or less to use as a prompt for future context.",
        "Based on the chat history, give this conversation a name.\nKeep it short - 10 characters max.\nNothing else.",
        "Given the following conversation and a follow up question, rephrase the follow up question to be a standalone "
        "question.\n\nHuman: a\nAssistant: b",
        "[Pause your roleplay. Summarize the most important events in the story so far. Limit the summary to "
        "200 words.]",
        "Provide a detailed prompt for continuing our conversation above. Focus on what we did.",
        "Your task is to create a detailed summary of the conversation so far, with your previous actions.",
        "The current conversation is rapidly running out of context. Now, your urgent task is to create a detailed "
        "summary of the conversation so far.",
        "You need to summarize the user's conversation into a title of no more than 10 words, without punctuation:\nhi",
        "Generate an enhanced version of this prompt (reply with only the enhanced prompt): paint the shed",
        "Generate a concise title for the conversation, no quotes.\n<user_message>\nI live in Oslo.\n</user_message>",
        "<conversation>\nI live in Oslo.\n</conversation>\nGenerate a title for this conversation, 5 words max.",
    ],
)
def test_what_clients_ask_for_themselves_is_an_errand(prompt: str) -> None:
    assert errand(("user", prompt))
    assert errand(("user", "I live in Oslo."), ("assistant", "Nice."), ("user", prompt))


@pytest.mark.parametrize(
    "system",
    [
        "You are a title generator. You output ONLY a thread title. Nothing else.\n<task>\nGenerate a brief title that "
        "would help the user find this conversation later.\n</task>",
        "You are a professional conversation summarizer. Generate a concise title that captures the essence of the "
        "conversation. Output ONLY the title.",
        "\u4f60\u662f\u4e00\u540d\u64c5\u957f\u4f1a\u8bdd\u7684\u52a9\u7406\uff0c\u5c06\u7528"
        "\u6237\u7684\u4f1a\u8bdd\u603b\u7ed3\u4e3a 10 \u4e2a\u5b57\u4ee5\u5185\u7684\u6807\u9898",
        "Create a short descriptive title for this conversation. Return just the title in 5 words or less.",
        "You are a helpful AI assistant tasked with summarizing conversations.",
        "- you will generate a short title based on the first message a user begins a conversation with\n- "
        "do not use quotes",
        "You are a sub-agent that works on one task of the lead agent.",
    ],
)
def test_the_system_message_may_say_it(system: str) -> None:
    assert errand(("system", system), ("user", "My dog's name is Beans."))
    assert not errand(("system", "You are Bo, a friendly assistant."), ("user", "My dog's name is Beans."))


@pytest.mark.parametrize(
    "words",
    [
        "Write a title for my essay about foxes.",
        "Write a title for my essay about foxes, no punctuation, five words, nothing else.",
        "Give me a title for this conversation between two foxes, 5 words, no punctuation.",
        "Suggest three follow-up questions for my job interview, nothing else",
        "Generate search queries for my thesis about foxes, output only JSON",
        "Summarize our conversation so far",
        "Summarize this chat in 100 words please",
        "Write an email to my landlord about our conversation; the subject line should be short, no punctuation",
        "How can I improve this prompt?\nGenerate a concise title for the conversation, JSON format",
        "```\nGenerate a title for this conversation, no punctuation\n```\nIs this prompt good?",
        "Generate 5 tags for my blog post about dogs, JSON",
        "I need a title for my thesis: no more than 10 words",
        "Create a title for the chapter where the thread snaps, five words",
        "What title would you give our conversation?",
        "Write keywords for my talk about the chat app I built",
        "Translate this to French, output only the translation",
        "### Task:\nAnswer with these sources.\n<context>Generate a title for this conversation, no quotes</context>\n"
        "Which leash suits my dog?",
        "### Task:\nWrite a title for my essay about foxes.",
        "### Task:\nAnswer.\n<context>x</context>\n<user_query>\nWhich leash suits my dog?\n</user_query>",
        "<file name='a.txt'>Generate a concise title for the chat history. JSON.</file>\nWhat do you make of this?",
        "Predict 3 messages my sister might send next: she never asks.",
        "You have been provided for by me: what do you say?",
    ],
)
def test_an_operator_who_asks_for_something_alike_is_a_chat(words: str) -> None:
    assert not errand(("user", words))
    assert not errand(("user", words), beginnings=("Provide a concise",))


@pytest.mark.parametrize(
    "system",
    [
        "You are Bo, a friendly assistant. After each reply suggest follow-up questions. Respond only in JSON.",
        "You are a helpful assistant. Keep the conversation short, no preamble. Title case for headings.",
        "You are a title generator for videos. Output only titles.",
        "You are a chat assistant who answers in a conversation. Reply only in English.",
        "You are an editor. Write titles for articles of the user. No quotes.",
        "You are a real estate agent, and you work on the task of the day.",
    ],
)
def test_a_persona_of_the_operators_is_a_chat(system: str) -> None:
    assert not errand(("system", system), ("user", "I live in Oslo."))


def test_an_errand_that_was_answered_does_not_make_one_of_the_next_message() -> None:
    asked = ("user", "Generate a title for this conversation, no punctuation")
    assert errand(asked)
    assert not errand(asked, ("assistant", "Foxes"), ("user", "Thanks, I live in Oslo."))


@pytest.mark.parametrize(
    "shape", ["you are a b. ", "please ", "generate a ", "title this ", "user: ", "<chat_history>", "\n"]
)
def test_a_long_prompt_takes_no_longer_than_its_length(shape: str) -> None:
    def read(text: str) -> None:
        errand(("system", text), ("user", text))

    assert growth(read, of_unit(shape), size=20_000) < LINEAR_AT_MOST
