"""What chats do to a fact."""
