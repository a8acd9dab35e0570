"""Proactive runs: chats that a timetable starts in the operator's place."""
