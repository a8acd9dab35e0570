"""Django's SQLite backend, but a file that is not there is made by migrations only."""
