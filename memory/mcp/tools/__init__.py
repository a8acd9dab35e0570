"""The tools a client's model may call: what each is told about, takes, gives and does."""
