"""A settings tree with changes, for tests."""

from caesar.conf import Settings


def changed(settings: Settings, **dotted: object) -> Settings:
    """The same tree with some settings changed, validated: `changed(tree, memory__facts__max_chars=100)`.

    Raises KeyError for a section that does not exist, `ValidationError` for a wrong name or value.
    """
    tree = settings.model_dump()
    for path, value in dotted.items():
        *sections, last = path.split("__")
        branch = tree
        for section in sections:
            branch = branch[section]
        branch[last] = value
    return Settings.model_validate(tree)
