"""One section of the tree."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the tree. The docstring below a field is its description in docs/settings.md."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, use_attribute_docstrings=True)
