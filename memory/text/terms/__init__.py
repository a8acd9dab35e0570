"""The words that texts are searched by, and the language that a text is in. Pure."""

from memory.text.terms.hashes import hashed
from memory.text.terms.languages import language_of
from memory.text.terms.words import terms

__all__ = ["hashed", "language_of", "terms"]
