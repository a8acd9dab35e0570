"""Imports only go down, without circles, and a room stays small (decision 35): read from the syntax trees, imports
inside functions included."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Room -> floor. A package is one room: inside it modules may import each other, without circles.
FLOORS = {
    "caesar.environment": 0,
    "caesar.formats": 0,
    "caesar.setting_types": 0,
    "caesar.conf": 1,
    "caesar.log_context": 0,
    "caesar.log_lines": 3,
    "caesar.metrics": 0,
    "caesar.processor_time": 0,
    "caesar.sqlite3": 0,
    "caesar.server": 2,
    "memory.text": 2,
    "memory.actor": 2,
    "memory.events": 2,
    "memory.ranking": 2,
    "memory.transcript": 3,
    "memory.conversation": 4,
    "memory.queue": 3,
    "memory.schema": 3,
    "memory.models": 4,
    "memory.llm": 4,
    "memory.units": 5,
    "memory.model_servers": 6,
    "memory.learning": 6,
    "memory.recall": 6,
    "memory.retention": 6,
    "memory.chat": 7,
    "memory.health": 7,
    "memory.portable": 7,
    "memory.backup": 8,
    "memory.proactive": 8,
    "memory.alerts": 9,
    "memory.checks": 9,
    "memory.api": 9,
    "memory.tasks": 10,
    "memory.admin": 9,
    "dashboard": 9,
    "memory.mcp": 10,
    "memory.apps": 10,
    "memory.management": 10,
    "memory.migrations": 10,
    "caesar.middleware": 10,
    "caesar.settings": 10,
    "caesar.urls": 11,
    "caesar.wsgi": 12,
    "caesar.web": 12,
    "manage": 12,
}
NO_LLM = ("dashboard",)
MOST_FILES = 14
COMMANDS = Path("memory/management/commands")
"""Django finds a command only in this one folder."""


def _modules() -> dict[str, Path]:
    files = [
        ROOT / "manage.py",
        *(path for top in ("caesar", "memory", "dashboard") for path in (ROOT / top).rglob("*.py")),
    ]
    return {_name(path): path for path in files}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = _modules()


def _room(module: str) -> str | None:
    while module:
        if module in FLOORS:
            return module
        module = module.rpartition(".")[0]
    return None


def _imports(module: str) -> Iterator[str]:
    """Every module of this project that `module` imports, wherever in its text."""
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [_absolute(module, node)] + [f"{_absolute(module, node)}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name in MODULES)


def _absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = MODULES[module].name == "__init__.py"
    parts = module.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_only_go_down(module: str) -> None:
    here = _room(module)
    if here is None:
        assert module in ("memory", "caesar"), f"{module} has no floor: give it one here and in architecture.md"
        assert not list(_imports(module))
        return
    for imported in _imports(module):
        there = _room(imported)
        if there is None or there == here:
            continue
        assert FLOORS[there] < FLOORS[here], (
            f"{module} (floor {FLOORS[here]}) imports {imported} (floor {FLOORS[there]})"
        )


def _assert_no_circle(graph: Mapping[str, set[str]]) -> None:
    done: set[str] = set()

    def visit(place: str, path: tuple[str, ...]) -> None:
        assert place not in path, "circle: " + " -> ".join([*path[path.index(place) :], place])
        if place not in done:
            for imported in graph.get(place, ()):
                visit(imported, (*path, place))
            done.add(place)

    for place in graph:
        visit(place, ())


def test_there_is_no_circle_of_modules() -> None:
    _assert_no_circle(
        {
            # A package is imported by naming one of its modules.
            module: {name for name in _imports(module) if name != module and not module.startswith(name + ".")}
            for module in MODULES
        }
    )


@pytest.mark.parametrize("package", sorted(name for name, path in MODULES.items() if path.name == "__init__.py"))
def test_there_is_no_circle_of_rooms(package: str) -> None:
    """What stands side by side in a folder, each subfolder as one: its files may not import each other in a ring."""

    def neighbour(module: str) -> str:
        return module.removeprefix(package + ".").partition(".")[0]

    inside = [module for module in MODULES if module.startswith(package + ".")]
    graph: dict[str, set[str]] = {neighbour(module): set() for module in inside}
    for module in inside:
        imported = {neighbour(name) for name in _imports(module) if name.startswith(package + ".")}
        graph[neighbour(module)] |= imported - {neighbour(module)}
    _assert_no_circle(graph)


def _rooms() -> Iterator[Path]:
    for top in ("caesar", "memory", "dashboard", "bench", "templates", "static", "docs", "contrib", "tests"):
        for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]:
            place = folder.relative_to(ROOT)
            if place != COMMANDS and not {"__pycache__", "migrations", "data", "recorded"} & set(place.parts):
                yield folder


def test_a_room_has_at_most_fourteen_files() -> None:
    counted = {folder.relative_to(ROOT): sum(path.is_file() for path in folder.iterdir()) for folder in _rooms()}
    crowded = {str(folder): count for folder, count in counted.items() if count > MOST_FILES}
    assert not crowded, f"divide these by subject: {crowded}"


@pytest.mark.parametrize("package", NO_LLM)
def test_pages_never_call_a_model(package: str) -> None:
    for module in MODULES:
        if module == package or module.startswith(package + "."):
            assert not [name for name in _imports(module) if name.startswith("memory.llm")]


def test_the_pure_rooms_know_no_django() -> None:
    pure = (
        "memory.events",
        "memory.text",
        "memory.ranking",
        "memory.text.wording",
        "memory.transcript",
        "memory.conversation",
        "memory.text.lines",
        "memory.text.secrets.shapes",
    )
    for module in pure:
        text = MODULES[module].read_text()
        assert "django" not in text, f"{module} must take everything as arguments"
