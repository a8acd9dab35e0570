"""An error of the gateway in other words is the same error: its class, both statuses and the wait stay."""

from memory.llm.errors import RateLimited


def test_it_works() -> None:
    error = RateLimited("slow down", provider="openai", status=429, retry_after_seconds=7.0)
    error.http_status = 200  # the refusal came inside a good answer
    again = error.with_message("slow down, please")
    assert type(again) is RateLimited
    assert str(again) == "slow down, please"
    assert (again.provider, again.status, again.http_status, again.retry_after_seconds) == ("openai", 429, 200, 7.0)
