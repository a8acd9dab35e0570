"""Django's SQLite backend with a queue before the write lock; `caesar/settings.py` names it as the engine."""
