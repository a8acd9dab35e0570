"""The formats of English, the one language of the pages."""
