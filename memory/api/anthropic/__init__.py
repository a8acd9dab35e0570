"""Anthropic's Messages API as clients speak it: its shapes, and what they are in OpenAI's."""
