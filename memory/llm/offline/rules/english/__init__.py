"""How English sentences are taken apart before the rules read them."""
