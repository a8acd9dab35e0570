"""Django's SQLite backend: only migrations make the file, and writers wait in a queue. The engine in the settings."""
