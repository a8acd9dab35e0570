"""What memory put into one prompt, and why: one component for the receipt of a turn and for the preview."""
