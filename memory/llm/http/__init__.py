"""HTTP to model servers: the client, deadlines, streams, and the mapping of every error to an `LLMError`."""
