"""OpenAI and every server that speaks its chat completions."""
