"""OpenAI's own Python package asks for Responses over HTTP, with each kind of provider behind the server."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import openai
import pytest

from caesar.conf import LLMSettings
from memory import events
from memory.models import SCOPES, ApiKey, AuditRow, PersonalFact
from tests.clients.standins.upstream import BREAKS_OFF, ENDLESS, Upstream, upstream
from tests.conftest import Configure
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.servers import eventually

pytestmark = pytest.mark.django_db(transaction=True)

WITH_MODEL = ("openai", "anthropic", "ollama")
ALL = (*WITH_MODEL, "offline")
TOOL: Any = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}, "strict": False}
PICTURE = "iVBORw0KGgo="


@pytest.fixture(scope="module")
def model() -> Iterator[Upstream]:
    """A model server that speaks every provider's shape."""
    with upstream() as running:
        yield running


@pytest.fixture
def client(request: pytest.FixtureRequest, model: Upstream, live_server: Any, settings: Any) -> Iterator[openai.OpenAI]:
    """The package, pointed at a server whose chats go to the provider that is the test's parameter."""
    name = request.param
    address = f"{model.url}/v1" if name == "openai" else model.url
    route = {} if name == "offline" else {"task_routing": {"chat": {"base_url": address}}}
    settings.CAESAR = settings.CAESAR.model_copy(
        update={"llm": LLMSettings.model_validate({"provider": name, "model": "large", **route})}
    )
    model.requests.clear()
    key = ApiKey.objects.issue("sdk", scopes=SCOPES).secret
    with openai.OpenAI(base_url=f"{live_server.url}/v1", api_key=key, max_retries=0) as package:
        yield package


def every(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("client", names, indirect=True)


def chats() -> list[events.ChatCompleted]:
    return [row.completed for row in AuditRow.objects.get_queryset().chats().order_by("id")]


@every(*ALL)
def test_plain(client: openai.OpenAI, now: datetime) -> None:
    answer = client.responses.create(model="caesar", input="hello there")
    assert (answer.status, answer.error) == ("completed", None)
    assert answer.output_text
    assert answer.usage is not None
    assert chats()[0].reply == answer.output_text


@every(*ALL)
def test_streamed(client: openai.OpenAI) -> None:
    with client.responses.stream(model="caesar", input="hello there") as stream:
        texts = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()
    assert final.output_text == "".join(texts) == chats()[0].reply
    assert len(texts) > 1


@every(*ALL)
@pytest.mark.parametrize("stream", [False, True])
def test_memory_goes_in_once_and_the_turn_is_learned_from_once(
    client: openai.OpenAI, model: Upstream, now: datetime, stream: bool
) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    asked = "What should I get for my dog?"
    answer = client.responses.create(model="caesar", instructions="Be kind.", input=asked, stream=stream)
    if stream:
        list(answer)  # type: ignore[call-overload]
    if model.requests:
        assert model.system_prompt().count("Your dog's name is Beans.") == 1
        assert model.system_prompt().endswith("Be kind.")
    (chat,) = chats()
    assert [message.content for message in chat.messages] == ["Be kind.", asked]
    assert chat.new_messages == [1]


@every(*WITH_MODEL)
@pytest.mark.parametrize("stream", [False, True])
def test_tools_there_and_back(client: openai.OpenAI, model: Upstream, stream: bool) -> None:
    asked: Any = [{"role": "user", "content": "look at the thermostat, please"}]
    options: Any = {"model": "caesar", "tools": [TOOL]}
    if stream:
        with client.responses.stream(input=asked, **options) as under_way:
            first: Any = under_way.get_final_response()
    else:
        first = client.responses.create(input=asked, **options)
    (call,) = (item for item in first.output if item.type == "function_call")
    assert (call.name, json.loads(call.arguments)) == ("look", {"at": "the thermostat"})
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "21 degrees"}
    answer = client.responses.create(input=[*asked, *first.output, result], **options)
    assert answer.output_text == "I know: nothing."
    assert "21 degrees" in json.dumps(model.requests[-1]["messages"])
    one, other = chats()
    assert (one.new_messages, other.new_messages) == ([0], [])


@every(*WITH_MODEL)
def test_pictures(client: openai.OpenAI, model: Upstream) -> None:
    picture: Any = {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}", "detail": "auto"}
    said: Any = {"type": "input_text", "text": "What is this?"}
    client.responses.create(model="caesar", input=[{"role": "user", "content": [said, picture]}])
    sent = model.requests[-1]["messages"][-1]
    assert PICTURE in json.dumps(sent)
    assert "What is this?" in json.dumps(sent)
    assert PICTURE not in AuditRow.objects.get_queryset().chats().get().payload_json


@every(*WITH_MODEL)
def test_a_provider_that_breaks_off_in_mid_stream_raises(client: openai.OpenAI) -> None:
    with pytest.raises(openai.APIError, match="connection|broke|closed|end"):
        list(client.responses.create(model="caesar", input=BREAKS_OFF, stream=True))
    assert AuditRow.objects.filter(event_type=events.ChatFailed.name).count() == 1
    assert not chats()


@every(*WITH_MODEL)
@pytest.mark.parametrize("stream", [False, True])
def test_a_providers_refusal_has_its_class(client: openai.OpenAI, model: Upstream, stream: bool) -> None:
    model.refusals[:] = [(429, {"Retry-After": "20"})]
    with pytest.raises(openai.RateLimitError, match="Rate limit reached"):
        client.responses.create(model="caesar", input="hello", stream=stream)
    assert not model.refusals


@every("openai")
def test_a_client_that_hangs_up_in_mid_stream_is_cut_off(client: openai.OpenAI, model: Upstream) -> None:
    stream = client.responses.create(model="caesar", input=ENDLESS, stream=True)
    next(event for event in stream if event.type == "response.output_text.delta")
    stream.close()
    assert model.was_hung_up.wait(60)
    (chat,) = eventually(chats)
    assert chat.cut_off
    assert chat.reply.startswith("on and on")


@every("offline")
def test_errors_of_ours_have_the_packages_classes(client: openai.OpenAI) -> None:
    with pytest.raises(openai.UnprocessableEntityError, match="Send the earlier items in input"):
        client.responses.create(model="caesar", input="hello", previous_response_id="resp_1")
    with pytest.raises(openai.UnprocessableEntityError, match="built-in tool web_search"):
        client.responses.create(model="caesar", input="hello", tools=[{"type": "web_search"}])
    with pytest.raises(openai.NotFoundError, match="No answer is kept here"):
        client.responses.retrieve("resp_1")


@every("offline")
def test_embeddings(client: openai.OpenAI, configure: Configure) -> None:
    with scripted_embedder(table={"boats": [3.0, 4.0]}):
        (plain,) = client.embeddings.create(model="caesar", input="boats").data
        (numbers,) = client.embeddings.create(model="caesar", input=["boats"], encoding_format="float").data
    assert plain.embedding == pytest.approx([0.6, 0.8])
    assert numbers.embedding == pytest.approx([0.6, 0.8])
