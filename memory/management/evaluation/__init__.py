"""How well memory does on given chats: what it learns, what it recalls; each in a database of its own."""
