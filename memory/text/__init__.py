"""Text as it is stored and as a prompt says it: lines, normal forms, secret shapes, the prompt's wording. Pure."""
