"""The arrows of docs/architecture.md, and what may be used where."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[1]
ALLOWED = {
    "engine": {"engine"},
    "language": {"language", "engine", "assets"},
    "store": {"store", "engine", "metrics"},
    "render": {"render", "engine", "metrics", "processes", "language", "assets"},
    "tables": {"tables", "engine", "store", "render", "metrics", "processes", "language"},
    "ops": {"ops", "tables", "engine", "store", "metrics", "processes"},
    "commands": {
        "commands",
        "ops",
        "metrics",
        "tables",
        "engine",
        "store",
        "render",
        "language",
        "cli_files",
        "foreign",
    },
}
"""What each room may import from the house."""

ONLY_IN = {
    "discord": "commands",
    "apscheduler": "commands",
    "prometheus_client": ("metrics", "ops"),
    "prompt_toolkit": "commands",
    "sqlalchemy": "store",
    "aiosqlite": "store",
    "alembic": "store",
    "cairosvg": ("render/paint", "render/straight"),
    "cairocffi": "render/straight",
    "PIL": "render/paint",
    "highspy": "engine/routes/linear",
    "numpy": ("engine/routes/linear", "engine/routes/apart"),
}
FORBIDDEN_IN_ENGINE = {
    "os",
    "pathlib",
    "io",
    "time",
    "datetime",
    "random",
    "asyncio",
    "sqlite3",
    "socket",
    "subprocess",
}


def modules(room: str) -> list[Path]:
    """All modules of a room."""
    return sorted((PROJECT / "bot" / room).rglob("*.py"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Full names of everything a module imports; relative ones are resolved."""
    package = list(path.relative_to(PROJECT).parts[:-1])
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                parts = [*package[: len(package) - node.level + 1], node.module or ""]
                found.append(".".join(parts).rstrip("."))
            else:
                found.append(node.module or "")
    return tuple(found)


@pytest.mark.parametrize("room", ALLOWED)
def test_imports_point_downwards(room: str) -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in modules(room)
        for name in imports(path)
        if name.startswith("bot.") and name.split(".")[1] not in ALLOWED[room]
    ]
    assert wrong == []


def test_libraries_stay_in_their_rooms() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in sorted((PROJECT / "bot").rglob("*.py"))
        for name in imports(path)
        if (room := ONLY_IN.get(name.split(".")[0]))
        and not str(path.relative_to(PROJECT / "bot")).startswith(room)
        and "migrations" not in path.parts
    ]
    assert wrong == []


def test_the_engine_knows_no_clock_no_files_no_chance() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in modules("engine")
        for name in imports(path)
        if name.split(".")[0] in FORBIDDEN_IN_ENGINE
    ]
    assert wrong == []


def test_shared_engine_code_names_no_title() -> None:
    for path in modules("engine"):
        if "titles" in path.parts:
            continue
        names = {
            node.module or "" for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
        }
        assert not [name for name in names if re.search(r"titles\.t1|titles\.t18", name)], path


def test_no_room_is_larger_than_600_lines() -> None:
    large = [path for path in (PROJECT / "bot").rglob("*.py") if len(path.read_text().splitlines()) > 600]
    assert large == []


def test_lock_files_hold_no_addresses() -> None:
    for path in PROJECT.glob("requirements*.lock"):
        assert "://" not in path.read_text()
        assert "--hash=sha256:" in path.read_text()


def test_nothing_is_left_open_in_the_code() -> None:
    marks = ["TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error"]
    found = [p for p in (PROJECT / "bot").rglob("*.py") for mark in marks if mark in p.read_text()]
    assert found == []


def command_tree() -> Any:
    """All commands of the bot."""
    import discord
    from discord import app_commands

    from bot.commands.bot import add_commands

    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    return tree


def test_the_lobby_fits_discords_limits() -> None:
    from tests.discord_double.limits_commands import check_commands

    tree = command_tree()
    assert not check_commands([command.to_dict(tree) for command in tree.get_commands()])


def test_every_command_and_what_it_asks_for_is_described() -> None:
    from discord import app_commands

    bare = []
    for command in command_tree().walk_commands():
        parameters = () if isinstance(command, app_commands.Group) else command.parameters
        bare += [
            f"{command.qualified_name} {one.name}"
            for one in (command, *parameters)
            if str(one.description) in ("…", "")
        ]
    assert bare == []


def test_every_command_is_used_through_discords_double() -> None:
    from discord import app_commands

    used = "\n".join(path.read_text() for path in (PROJECT / "tests").rglob("test_*.py"))
    names = [c.qualified_name for c in command_tree().walk_commands() if not isinstance(c, app_commands.Group)]
    assert len(names) > 50 and [name for name in names if f'"{name}"' not in used] == []
