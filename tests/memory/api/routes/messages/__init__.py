"""Anthropic's Messages API as this server speaks it."""
