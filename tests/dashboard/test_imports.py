"""Pages share code through `dashboard.shared`, and only where one page contains another do they import each other."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dashboard

ROOT = Path(dashboard.__file__).parent
PAGES = sorted(folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists())
ALLOWED = {
    "fact": {"facts"},  # the page of a fact holds the forms of the list
    "event": {"chats"},  # the page of an event shows a chat
}


def imported_modules(folder: str) -> Iterator[str]:
    """The modules of the dashboard that the modules in this folder import."""
    for path in (ROOT / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dashboard."):
                yield node.module or ""


@pytest.mark.parametrize("page", PAGES)
def test_pages_import_only_what_is_shared(page: str) -> None:
    pages = {module.split(".")[1] for module in imported_modules(page)} - {page, "shared"}
    assert pages <= ALLOWED.get(page, set())


@pytest.mark.parametrize("page", PAGES)
def test_no_page_uses_the_views_of_another(page: str) -> None:
    assert not [module for module in imported_modules(page) if module.endswith("views")]
