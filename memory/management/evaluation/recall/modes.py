"""By which modes of recall it is measured, and the settings that choose one."""

from collections.abc import Mapping
from typing import get_args

from django.conf import settings

from caesar.conf import RecallMode, Settings
from caesar.environment import PREFIX, setting_names
from memory.management.evaluation.sandbox import without

MODES = get_args(RecallMode)
"""Every mode there is, as the setting takes them."""

SETTING = f"{PREFIX}MEMORY__EPISODES_RECALL__MODE"


def with_mode(environ: Mapping[str, str], mode: str) -> dict[str, str]:
    """The environment in which recall has this mode. Names of our settings are in upper case."""
    own = {name.upper() if name.upper().startswith(PREFIX) else name: value for name, value in environ.items()}
    is_setting = SETTING in setting_names(Settings)  # there is none as long as there is one mode only
    return without(own, SETTING) | ({SETTING: mode} if is_setting else {})


def in_force() -> str:
    """The mode by the settings of this process."""
    return str(getattr(settings.CAESAR.memory.episodes_recall, "mode", MODES[0]))
