"""How the web server runs: its processes, how requests are received, whose address a client has, error pages."""

WEB_PROCESSES = 2
GRACEFUL_SECONDS = 30
