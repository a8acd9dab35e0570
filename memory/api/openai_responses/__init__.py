"""OpenAI's Responses: a turn in their newer shape, answered by way of chat completions, with nothing kept between."""
