"""What the memory's tasks make of a model's answer: claims that may become facts, and the text of a summary."""
