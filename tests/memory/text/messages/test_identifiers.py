"""Ids of conversations and people: what counts as none, and what says that a chat is temporary."""

import pytest

from memory.text.messages.identifiers import is_temporary, normal_conversation_id, normal_person_id


def test_it_works() -> None:
    assert normal_conversation_id("  kitchen   7 ") == "kitchen 7"
    assert normal_person_id(" Anna@Example.org") == "anna@example.org"


@pytest.mark.parametrize(
    "unfilled",
    [
        *(
            "",
            "  ",
            "\u200b",
            "null",
            "NULL",
            "undefined",
            "None",
            "none",
            "nil",
            "NaN",
            "new",
            "n/a",
            '"null"',
            "'undefined'",
        ),
        *("{{LIBRECHAT_BODY_CONVERSATIONID}}", "{{ chat_id }}", "chat-{{id}}", "${conversation_id}", "$CHAT_ID"),
        *(
            "<conversation_id>",
            "<%= id %>",
            "{% id %}",
            "%CONVERSATION_ID%",
            "%(id)s",
            "%s",
            "{conversation_id}",
            "[[id]]",
        ),
        *(
            "[object Object]",
            "[object Undefined]",
            "chat-undefined",
            "#{id}",
            "$(uuidgen)",
            ":conversation_id",
            "__CHAT_ID__",
        ),
        *("00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000"),
    ],
)
def test_a_template_that_stayed_unfilled_is_no_id(unfilled: str) -> None:
    assert normal_conversation_id(unfilled) is None
    assert normal_person_id(unfilled) == ""


@pytest.mark.parametrize(
    "real",
    [
        *(
            "kitchen-7",
            "0",
            "1",
            "2f1c0e9a-0000-4000-8000-000000000000",
            "chat_01HX",
            "newest",
            "new-york",
            "none-of-us",
            "Anna",
        ),
        *(
            "50% off",
            "a<b",
            "null-island",
            "undefined behaviour",
            "50%_and_60%",
            "temporary:8f1c",
            "thread_abc[1]",
            "#general",
        ),
        "conv:2026-05-20T09:00:00Z",
    ],
)
def test_a_real_id_stays(real: str) -> None:
    assert normal_conversation_id(real) == real


def test_long_ids_keep_apart_what_differs_at_their_end() -> None:
    assert normal_conversation_id("x" * 500 + "a") != normal_conversation_id("x" * 500 + "b")
    assert len(normal_person_id("x" * 500)) == 64


@pytest.mark.parametrize("id_", ["temporary:8f1c", "local:8f1c", " LOCAL:1", '"temporary:1"', "Temporary:"])
def test_temporary_chats(id_: str) -> None:
    assert is_temporary(id_)


@pytest.mark.parametrize("id_", ["", "temporary", "locale:1", "my-temporary:1", "local chat"])
def test_other_chats(id_: str) -> None:
    assert not is_temporary(id_)
