"""The timeline, and the page of one event."""
