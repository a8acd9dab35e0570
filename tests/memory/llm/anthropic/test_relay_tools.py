"""Relaying to Anthropic: tools, calls and results in its shape."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.llm import RequestRefused
from tests.memory.llm.anthropic.relaying import BARE, WALK, call, calling, result, sent, turns


def test_tools_go_out_in_its_shape() -> None:
    body = sent(tools=[WALK, BARE])
    assert body["tools"] == [
        {"name": "walk", "description": "Walks.", "input_schema": {"type": "object"}},
        {"name": "sit", "input_schema": {"type": "object"}},
    ]
    assert body["tool_choice"] == {"type": "auto"}


@pytest.mark.parametrize(
    ("body", "choice"),
    [
        ({"tool_choice": "auto"}, {"type": "auto"}),
        ({"tool_choice": "none", "parallel_tool_calls": False}, {"type": "none"}),
        ({"tool_choice": "required"}, {"type": "any"}),
        ({"tool_choice": {"type": "function", "function": {"name": "walk"}}}, {"type": "tool", "name": "walk"}),
        ({"parallel_tool_calls": False}, {"type": "auto", "disable_parallel_tool_use": True}),
        ({"parallel_tool_calls": True}, {"type": "auto"}),
    ],
)
def test_how_tools_are_to_be_used(body: dict[str, Any], choice: dict[str, Any]) -> None:
    assert sent(tools=[WALK], **body)["tool_choice"] == choice


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"tools": [WALK, {"type": "custom", "custom": {"name": "x"}}]}, "tools[1]"),
        ({"tools": [{"type": "function", "function": {}}]}, "tools[0]"),
        ({"tools": ["walk"]}, "tools[0]"),
        ({"tools": [WALK], "tool_choice": {"type": "allowed_tools"}}, "tool_choice"),
        ({"tools": [WALK], "tool_choice": "whatever"}, "tool_choice"),
    ],
)
def test_a_tool_of_another_kind_is_refused(body: dict[str, Any], place: str) -> None:
    with pytest.raises(RequestRefused) as raised:
        sent(**body)
    assert str(raised.value).startswith(place)


def test_calls_and_results_go_out_as_blocks() -> None:
    said = turns(
        {"role": "user", "content": "Walk where?"},
        calling(call("call_1", arguments='{"place": "river"}'), call("call 2", "sit", ""), content="Let me see."),
        result("call_1", "The river path."),
        result("call 2", [{"type": "text", "text": "Sat."}]),
        {"role": "user", "content": "And then?"},
        tools=[WALK, BARE],
    )
    assert said == [
        {"role": "user", "content": "Walk where?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "call_1", "name": "walk", "input": {"place": "river"}},
                {"type": "tool_use", "id": "call_2", "name": "sit", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "call_1",
                    "content": [{"type": "text", "text": "The river path."}],
                },
                {"type": "tool_result", "tool_use_id": "call_2", "content": [{"type": "text", "text": "Sat."}]},
                {"type": "text", "text": "And then?"},
            ],
        },
    ]


def test_without_tools_on_offer_calls_and_results_are_words() -> None:
    """Blocks of theirs are refused there."""
    said = turns({"role": "user", "content": "Walk?"}, calling(call("1")), result("1"))
    assert said == [
        {"role": "user", "content": "Walk?"},
        {"role": "assistant", "content": "[called the tool walk with {}]"},
        {"role": "user", "content": [{"type": "text", "text": "[result of a tool]"}, {"type": "text", "text": "42"}]},
    ]


def test_a_call_without_its_result_and_a_result_without_its_call_are_words() -> None:
    said = turns(
        result("0", "lost"),
        calling(call("1"), call("2")),
        result("2"),
        result("9", "whose?"),
        calling(call("3")),
        {"role": "user", "content": "Never mind."},
        result("3"),
        tools=[WALK],
    )
    blocks = [
        block for turn in said for block in ([turn["content"]] if isinstance(turn["content"], str) else turn["content"])
    ]
    used = [block["id"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_use"]
    given = [block["tool_use_id"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]
    assert used == given == ["2"]
    assert json.dumps(said).count("called the tool walk") == 2
    assert "lost" in json.dumps(said)
    assert "whose?" in json.dumps(said)


def test_results_stand_first_in_their_turn() -> None:
    said = turns(calling(call("1"), call("2")), result("1"), result("9"), result("2"), tools=[WALK])
    kinds = [block["type"] for block in said[-1]["content"]]
    assert kinds == ["tool_result", "tool_result", "text", "text"]


def test_an_id_that_comes_again_is_made_another() -> None:
    said = turns(calling(call("1")), result("1"), calling(call("1")), result("1"), tools=[WALK])
    used = [turn["content"][0]["id"] for turn in said if turn["role"] == "assistant"]
    given = [turn["content"][0]["tool_use_id"] for turn in said[1:] if turn["role"] == "user"]
    assert used == given == ["1", "1_2"]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("null", {}),
        ("[1]", {"arguments": [1]}),
        ("broken {", {"arguments": "broken {"}),
        ({"a": 1}, {"a": 1}),
        (None, {}),
    ],
)
def test_arguments_are_an_object_whatever_a_model_wrote(arguments: Any, given: dict[str, Any]) -> None:
    said = turns(calling(call("1", arguments=arguments)), result("1", ""), tools=[WALK])
    assert said[1]["content"][0]["input"] == given
    assert said[2]["content"] == [{"type": "tool_result", "tool_use_id": "1"}]


MESSAGES = st.lists(
    st.one_of(
        st.sampled_from(["1", "2", "3"]).map(result),
        st.lists(st.sampled_from(["1", "2", "3"]), unique=True, max_size=3).map(lambda ids: calling(*map(call, ids))),
        st.sampled_from([{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}]),
        st.sampled_from([{"role": "system", "content": "s"}, {"role": "user", "content": None}]),
    ),
    min_size=1,
    max_size=8,
)


@given(MESSAGES)
def test_any_history_of_calls_is_one_that_the_api_takes(messages: list[dict[str, Any]]) -> None:
    """By turns, a user's first and last; each call answered in the very next turn, before anything else there."""
    said = turns(*messages, tools=[WALK])
    assert [turn["role"] for turn in said] == [("user", "assistant")[place % 2] for place in range(len(said))]
    assert said[-1]["role"] == "user"
    asked, every = list[str](), list[str]()
    for turn in said:
        blocks = turn["content"] if isinstance(turn["content"], list) else [{"type": "text", "text": turn["content"]}]
        assert blocks
        kinds = [block["type"] for block in blocks]
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(answered) == sorted(asked)
        assert kinds[: len(answered)] == ["tool_result"] * len(answered)
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        every += asked
    assert not asked
    assert len(set(every)) == len(every)
