"""How well chats are recalled: conversations with questions whose evidence is known, by the real worker and index."""
