"""Which mode of recall a process in the sandbox has."""

from caesar.conf import Settings
from caesar.environment import setting_names
from memory.management.evaluation.recall import modes


def test_every_mode_is_set_where_there_is_a_setting_and_nothing_else_changes() -> None:
    given = {"PATH": "/bin", "caesar_debug": "true", modes.SETTING: "another", modes.SETTING.lower(): "another"}
    chosen = {modes.SETTING: "record"} if modes.SETTING in setting_names(Settings) else {}
    assert modes.with_mode(given, "record") == {"PATH": "/bin", "CAESAR_DEBUG": "true", **chosen}


def test_the_mode_in_force_is_one_of_them() -> None:
    assert modes.in_force() in modes.MODES
