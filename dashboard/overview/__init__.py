"""The overview: whether memory is well, and what happened lately."""
