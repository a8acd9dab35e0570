"""What waits for an undo, apart from what is recalled."""
