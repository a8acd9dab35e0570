"""Generated input: nothing breaks, nothing takes for ever, nothing gets stored that should not be."""
