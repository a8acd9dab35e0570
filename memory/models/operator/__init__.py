"""Who the operator is, where several people use one key: by the ids that their clients send."""

from memory.models.operator.identity import FirstPerson, OperatorId, PersonId

__all__ = ["FirstPerson", "OperatorId", "PersonId"]
