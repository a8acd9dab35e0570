"""The page on which clients are connected: API keys and calls to copy."""
