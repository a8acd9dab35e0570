"""The timeline: the audit log as the operator reads it."""
