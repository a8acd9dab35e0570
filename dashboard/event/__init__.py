"""The page of one event. For a chat it is the page that `dashboard.chats` describes."""
