"""Secrets in texts: what has the shape of one, and what stands in its place where the text is kept."""
