"""Copies of all of memory: one file with the database, the signing key and the settings, and the way back from it.

`making` makes one while the server runs, `restoring` brings it back, `drill` tries it, `standing` says how old the last
one is.
"""
