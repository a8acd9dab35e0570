"""What the operator has to look at or may take back: claims that wait for review, and facts that end."""
