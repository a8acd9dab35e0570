"""The documentation that ships with the server, as pages."""
