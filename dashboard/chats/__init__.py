"""What the page of a chat holds, and the operator's commands on it."""
