"""Project configuration: settings, URLs, WSGI."""
