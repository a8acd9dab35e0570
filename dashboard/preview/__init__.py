"""The preview of a prompt, also under other settings and on another day."""
