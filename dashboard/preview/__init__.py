"""The preview of a prompt under other settings."""
