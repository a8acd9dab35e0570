"""What needs the operator: facts about to leave the prompt, edits that newer words replaced, reviews, failed chats."""
