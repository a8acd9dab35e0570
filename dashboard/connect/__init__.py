"""The page for connecting chat clients: API keys, and calls to copy."""
