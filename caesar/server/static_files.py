"""Names of static files: as they were collected, else as they are in their apps. No page depends on a collection."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedOrSource(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise's base has no types
    """The name with its hash where the manifest has it. WhiteNoise serves the other names from the sources."""

    def stored_name(self, name: str) -> str:
        """The name that a page's address ends in."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
