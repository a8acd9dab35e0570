"""Above the table of facts: a map of all of them, and how much room the prompt has left."""
