"""The overview: whether memory is well, what happened lately, and the workers' switches."""
