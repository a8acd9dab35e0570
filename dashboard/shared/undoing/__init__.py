"""What a row says where it takes back, or does again, what the operator had done."""

from dashboard.shared.undoing.taken_back import TakenBack, does_again, label_of, taken_back

__all__ = ["TakenBack", "does_again", "label_of", "taken_back"]
