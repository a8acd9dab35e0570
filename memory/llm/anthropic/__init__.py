"""Anthropic's messages API and the servers that copy it."""
