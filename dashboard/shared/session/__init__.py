"""What outlives a session that ended: whose browser this is, and what was typed into a form."""
