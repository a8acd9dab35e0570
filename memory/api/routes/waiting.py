"""Claims that wait for the operator's review: to see, to accept, to drop."""

from ninja import Path, Query, Router

from memory.api.auth import ApiRequest, BearerKey
from memory.api.requests import AcceptedValue, RowId, WaitingQuery
from memory.api.responses import DroppedClaim, Fact, Waiting, WaitingPage, answers
from memory.models import WaitingFact

router = Router(tags=["Facts"], auth=BearerKey("read"))


@router.get("/memory/waiting-facts", response=answers(200, WaitingPage), summary="Claims that wait for review")
def index(request: ApiRequest, query: Query[WaitingQuery]) -> WaitingPage:
    """What was read from a chat with words that were not said there. It is in no prompt until it is accepted."""
    claims = WaitingFact.objects.open().order_by("-id")
    if query.before is not None:
        claims = claims.filter(pk__lt=query.before)
    found = list(claims[: query.limit + 1])
    data = [Waiting.of(claim) for claim in found[: query.limit]]
    return WaitingPage(data=data, next=data[-1].id if len(found) > query.limit else None)


@router.post(
    "/memory/waiting-facts/{waiting_id}/accept",
    auth=BearerKey("manage"),
    response=answers(200, Fact, 404, 409),
    summary="Accept a waiting claim",
)
def accept(request: ApiRequest, waiting_id: Path[RowId], wanted: AcceptedValue) -> Fact:
    """Makes it a fact in the operator's name, as it is or with another value."""
    now = request.auth.now
    fact = WaitingFact.objects.claim(waiting_id).accept(now=now, value=wanted.value, expected=wanted.expected)
    return Fact.of(fact.ranked(now))


@router.post(
    "/memory/waiting-facts/{waiting_id}/drop",
    auth=BearerKey("manage"),
    response=answers(200, DroppedClaim, 404),
    summary="Drop a waiting claim",
)
def drop(request: ApiRequest, waiting_id: Path[RowId]) -> DroppedClaim:
    """Only newer evidence makes it wait again. `audit_log_id` names the row to undo."""
    claim = WaitingFact.objects.claim(waiting_id)
    return DroppedClaim(key=claim.key, audit_log_id=claim.drop(now=request.auth.now).pk)
