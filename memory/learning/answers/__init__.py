"""What the memory's tasks make of a model's answer: which claims may become facts, and what of a text is the summary."""
