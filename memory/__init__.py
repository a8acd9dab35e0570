"""The memory of one operator: chats, facts, episodes."""
