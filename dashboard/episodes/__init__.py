"""Episodes: what past chats were about, day by day and line by line, with how often each was recalled."""
