"""The page of one fact, known or deleted."""
