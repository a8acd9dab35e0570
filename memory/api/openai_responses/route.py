"""`POST /v1/responses`."""

from django.http.response import HttpResponseBase
from ninja import Router

from memory import llm
from memory.api.auth import ApiRequest, BearerKey
from memory.api.errors import invalid
from memory.api.openai_responses import answer, translation
from memory.api.openai_responses.events import ResponseEvents
from memory.api.openai_responses.request import ResponsesRequest
from memory.api.people import TaskHeader
from memory.api.requests import refuse_blank_question
from memory.api.turns import CLIENT_ANSWERS, OR_STREAMED, MemoryHeader, answer_to, memory_use, turn_of
from memory.chat import relay

router = Router(tags=["Chat clients"], auth=BearerKey("record"))


@router.post(
    "/responses",
    response=CLIENT_ANSWERS,
    summary="A chat client's turn in the shape of OpenAI's Responses",
    openapi_extra=OR_STREAMED,
)
def respond(
    request: ApiRequest, asked: ResponsesRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> HttpResponseBase:
    """The same turn as a chat completion, with any provider. Nothing is kept for a later call: `store` is ignored, and
    the conversation comes whole each time.
    """
    translated = translation.messages_of(asked)
    if not translated.messages:
        raise invalid("input holds nothing but reasoning. Send what was said, too.", param="input")
    refuse_blank_question(translated.messages, places=translated.places)
    turn = turn_of(request, translated.messages, use=memory_use(x_memory), task=x_memory_task, metadata=asked.metadata)
    body = translation.body_of(asked, limit_field=llm.limit_field())
    call = relay.Call(body, turn, is_conversation=x_memory_task == "chat")
    encoding = ResponseEvents(asked) if asked.stream else None
    return answer_to(call, request, encoding=encoding, written=lambda given: answer.whole(given, asked))
