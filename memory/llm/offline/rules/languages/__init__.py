"""The rules of the other languages."""
