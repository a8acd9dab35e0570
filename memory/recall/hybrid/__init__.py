"""The recall mode `hybrid`: words, meaning and dates together choose the chats for a message. Pure."""
