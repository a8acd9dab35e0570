"""The page of one chat."""
