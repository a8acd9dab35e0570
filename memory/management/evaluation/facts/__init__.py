"""How well a model learns facts: cases with known answers, read by the real worker."""
