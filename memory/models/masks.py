"""Secrets are masked in what is stored of speech, unless the settings say otherwise (decision 33)."""

from django.conf import settings

from memory import events
from memory.text.secrets.masking import Masker


def speech_masker() -> Masker:
    """A masker for speech, by the settings."""
    return Masker(plain_keys=events.PLAIN_KEYS, keep=settings.CAESAR.memory.keep_secrets)
