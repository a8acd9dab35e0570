"""The page of one fact."""
