"""What clients and people put into a message beside the operator's words, and the names they give. Pure."""
