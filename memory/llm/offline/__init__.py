"""The provider `offline`: no language model; hand-written rules and fixed replies stand in for one."""

from caesar.conf import LLMSettings
from memory.llm.offline.completion import OfflineCompletion
from memory.llm.offline.relay import OfflineRelay
from memory.llm.types import Route, ServerSettings


class Offline(OfflineCompletion, OfflineRelay):
    """The provider: it asks no server, and it needs nothing."""

    def server_settings(self, llm: LLMSettings) -> ServerSettings | None:
        """None: there is no server."""
        return None

    def check(self, route: Route) -> None:
        """Never raises."""

    def models(self, route: Route) -> list[str]:
        """An empty list: there is no model to choose."""
        return []
