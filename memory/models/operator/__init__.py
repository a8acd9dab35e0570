"""The operator: who they are, by the ids that their clients send; what they took back, let go, and looked at last."""

from memory.models.operator.identity import FirstPerson, OperatorId, PersonId
from memory.models.operator.looks import LastLook

__all__ = ["FirstPerson", "LastLook", "OperatorId", "PersonId"]
