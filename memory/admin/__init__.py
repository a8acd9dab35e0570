"""Django's admin: the same model methods as the dashboard, for whoever looks after the server.

Facts change through `edit`, `add` and `forget`, each with its one audit row. Episodes are shown and forgotten. The log
and the workers' state are read-only, but for retrying or skipping a chat that a worker is stuck at.
"""

from django.contrib import admin

from memory.admin import access, audit, episodes, facts, workers

__all__ = ["access", "audit", "episodes", "facts", "workers"]

admin.site.site_header = "CAESAR memory"
admin.site.site_title = "CAESAR memory"
admin.site.site_url = "/dashboard/"
admin.site.index_title = "Administration"
