"""No model at all: hand-written rules, quoted summaries and a fixed reply."""
