"""The HTTP API under /v1/: parses, authenticates, calls the domain's verbs, renders (decision 37)."""

from ninja import NinjaAPI

from memory.api import refusals
from memory.api.auth import BearerKey
from memory.api.openai_responses import route as responses
from memory.api.parsing import StrictJSON
from memory.api.reference.page import Reference
from memory.api.routes import audit, chat, completions, embeddings, episodes, facts, messages, search, waiting

api = NinjaAPI(
    title="CAESAR memory",
    version="1",
    description="What the operator told an assistant, remembered: put into the next prompt, and traceable.",
    auth=BearerKey("manage"),  # a route that asks for less says so
    parser=StrictJSON(),
    docs=Reference(),
    urls_namespace="api",
)
refusals.register(api)
for _routes in (chat, completions, responses, messages, embeddings, waiting, facts, episodes, search, audit):
    api.add_router("", _routes.router)
