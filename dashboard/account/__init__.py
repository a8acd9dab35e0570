"""Login, logout and the password."""
