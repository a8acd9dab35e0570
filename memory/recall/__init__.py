"""Which past conversations fit a message: retrieval for a turn, comparison for a preview, and the index behind both."""
