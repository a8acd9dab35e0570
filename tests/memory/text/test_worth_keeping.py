"""Which facts pages offer to keep: those that should not fade."""

import pytest

from memory.text.keys import is_worth_keeping


@pytest.mark.parametrize(
    "key",
    [
        "health.allergy",
        "health.allergies.peanuts",
        "health.blood_pressure",
        "health",
        "allergy",
        "allergies.penicillin",
        "food.allergy",
        "child.allergy",
        "no_allergy.nuts",
        "contact.emergency",
        "emergency_contact.name",
        "emergency contact",
        "medication",
        "health.medication",
        "blood_type",
        "medical.condition",
    ],
)
def test_it_works(key):
    assert is_worth_keeping(key)


@pytest.mark.parametrize(
    "key", ["dog.name", "like.coffee", "health.smoking", "health.diet", "emergence", "contact.phone"]
)
def test_others_are_not_offered(key):
    assert not is_worth_keeping(key)
