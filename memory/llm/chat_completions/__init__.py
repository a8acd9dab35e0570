"""The shape of OpenAI's chat completions, for providers whose servers speak another."""
