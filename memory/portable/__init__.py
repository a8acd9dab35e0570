"""The tables in a form that either database reads: JSON lines."""
