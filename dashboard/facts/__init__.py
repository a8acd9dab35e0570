"""The list of facts and the operator's verbs on it."""
