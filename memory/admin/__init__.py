"""Django's admin: the same verbs as the dashboard, for whoever looks after the server.

Facts change through `edit`, `add` and `forget`, each with its one audit row; episodes are shown and forgotten; the log
and the workers' state are shown and not changed, but for retry and skip of a chat that would not go through.
"""

from django.contrib import admin

from memory.admin import access, audit, episodes, facts, workers

__all__ = ["access", "audit", "episodes", "facts", "workers"]

admin.site.site_header = "CAESAR memory"
admin.site.site_title = "CAESAR memory"
admin.site.index_title = "Administration"
