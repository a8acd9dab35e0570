"""Search: what memory has that answers a question."""
