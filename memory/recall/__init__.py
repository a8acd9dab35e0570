"""Which past conversations fit a message: retrieval for a turn, weighing for a preview, and the index behind both."""
