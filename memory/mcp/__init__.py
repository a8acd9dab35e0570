"""The Model Context Protocol at `/mcp`: memory as tools, resources and a prompt for clients with their own model.

Every request stands alone: no session, no stream, one JSON answer for one POST. Both eras of the protocol are served on
the one address: 2026-07-28, whose requests say in their `_meta` who asks, and the versions before it, whose clients
introduce themselves by `initialize` first.
"""
