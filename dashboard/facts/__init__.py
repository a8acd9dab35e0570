"""The list of facts, and the operator's changes to it: add, edit, delete, restore."""
