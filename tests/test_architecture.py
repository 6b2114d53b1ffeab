"""The arrows of docs/internals/architecture.md, and what may be used where."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
BOT = PROJECT / "bot"
ENGINE_BELOW_STEPS = "engine engine/data engine/map engine/holdings engine/play engine/routes/revenue"
ENGINE = f"{ENGINE_BELOW_STEPS} engine/words engine/routes engine/steps"
READING = f"{ENGINE} tables/reading"
ARROWS = {
    "engine": "",
    "engine/data": "engine",
    "engine/map": "engine engine/data",
    "engine/holdings": "engine engine/data",
    "engine/routes/revenue": "engine engine/map",
    "engine/routes/listing": "engine engine/map engine/routes/revenue",
    "engine/routes/choosing": "engine engine/map engine/routes/revenue engine/routes/listing",
    "engine/routes": "engine/map engine/routes/revenue engine/routes/listing engine/routes/choosing",
    "engine/play": "engine engine/data engine/map engine/holdings engine/routes/revenue",
    "engine/words": "engine engine/data engine/play",
    "engine/steps": f"{ENGINE_BELOW_STEPS} engine/routes",
    "engine/games": ENGINE,
    "engine/titles": ENGINE,
    "logs18xx": f"{ENGINE} engine/games engine/titles",
    "players": ENGINE,
    "language": "assets engine engine/play engine/titles",
    "store": "engine metrics",
    "render/shapes": f"{ENGINE} language",
    "render/spaces": "engine engine/map render/shapes",
    "render/scenes": f"{ENGINE} engine/games language render/shapes render/spaces",
    "render/painting": "assets render/shapes",
    "render": f"{ENGINE} engine/games engine/titles language metrics processes render/shapes render/scenes render/painting store work",
    "tables/reading": f"{ENGINE} language",
    "tables/desk": f"{READING} engine/games language players store",
    "tables/texts": f"{READING} engine/titles language tables/desk",
    "tables/orders": f"{READING} language tables/desk tables/texts store",
    "tables/acts": f"{READING} addresses engine/games language metrics players store tables/desk tables/orders tables/texts",
    "tables/files": f"{ENGINE} engine/games logs18xx engine/titles foreign metrics processes store tables/acts tables/desk tables/texts",
    "tables/care": f"{ENGINE} engine/games language store tables/acts tables/desk tables/orders",
    "tables/computers": f"{ENGINE} engine/titles players processes store tables/acts tables/desk tables/texts",
    "tables": (
        "engine/play engine/routes engine/routes/revenue engine/steps processes store tables/acts tables/care tables/computers"
        " tables/desk tables/files tables/orders"
    ),
    "work": "engine processes store",
    "ops": "engine engine/titles metrics processes store tables tables/files work",
    "web": (
        f"{READING} language ops render render/painting render/scenes render/shapes render/spaces store tables"
        " tables/acts tables/desk tables/texts"
    ),
    "mail": (
        f"{READING} addresses language ops players processes render render/painting store tables tables/acts tables/desk tables/files"
        " tables/orders tables/texts web"
    ),
    "commands/discord/interactions": f"{READING} language metrics ops render render/painting store tables tables/desk tables/files web",
    "commands/discord/slash": (
        f"{READING} engine/titles commands/discord/interactions foreign language metrics render render/painting store"
        " tables tables/acts tables/desk tables/files tables/orders tables/texts"
    ),
    "commands/discord": (
        f"{ENGINE} commands/discord/interactions commands/discord/slash language mail metrics ops render"
        " render/painting store tables tables/desk tables/files tables/texts web"
    ),
    "commands/terminal": (
        f"{READING} engine/titles foreign language render render/painting store tables tables/acts"
        " tables/desk tables/files tables/orders tables/texts web"
    ),
    "cli": (
        f"{ENGINE} engine/games logs18xx engine/titles foreign ops players processes render render/painting store tables"
        " tables/care tables/files tables/texts commands/discord commands/terminal mail render work"
    ),
    "bench": (
        f"{ENGINE} engine/games logs18xx engine/titles cli commands/discord ops players processes render render/painting store tables"
        " tables/files web"
    ),
    "__main__": "cli",
    **dict.fromkeys(("addresses", "assets", "metrics", "processes"), ""),
    "foreign": "engine",
}
"""What each room may import from the house, beside itself; folders of a room that are not named belong to it."""

FOR_TYPES = {
    ("engine/holdings", "engine/play"): "what moves money or shares is given the game that it belongs to",
    ("engine/map", "engine/play"): "who reaches what is asked of a game",
}
"""Arrows upwards that no program runs along, each with its reason."""

ONLY_IN = {
    "discord": ("commands/discord", "cli"),
    "apscheduler": "commands/discord",
    "prometheus_client": ("metrics", "ops"),
    "prompt_toolkit": "commands/terminal",
    "sqlalchemy": "store",
    "aiosqlite": "store",
    "psycopg": ("store", "work"),
    "procrastinate": "work",
    "alembic": "store",
    "cairosvg": "render/painting",
    "cairocffi": "render/painting",
    "PIL": "render/painting",
    "jinja2": ("web", "mail"),
    "imapclient": "mail",
    "aiosmtplib": "mail",
    "markupsafe": ("web", "mail"),
    "highspy": "engine/routes/choosing/linear",
    "numpy": ("engine/routes/choosing/linear", "engine/routes/choosing/apart"),
}
BEGINNINGS = {"life.py", "console.py"}
"""Where commands open the store, to give it to the tables; all others know its records and errors alone."""

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
    return sorted((BOT / room).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Full names of everything a module imports; relative ones are resolved."""
    return {name for name, _ in imported(path)}


@cache
def imported(path: Path) -> tuple[tuple[str, bool], ...]:
    """Full names of everything a module imports, and whether it is imported for types alone."""
    package = path.relative_to(PROJECT).parts[:-1]
    tree = ast.parse(path.read_text())
    typed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: list[tuple[str, bool]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in typed) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = [*package[: len(package) - node.level + 1]] if node.level else []
            module = ".".join([*parts, *([node.module] if node.module else [])])
            found += [(full(module, alias.name), id(node) in typed) for alias in node.names]
    return tuple(found)


def full(module: str, name: str) -> str:
    """The module that is meant by `from module import name`."""
    inner = PROJECT.joinpath(*module.split("."), name)
    return f"{module}.{name}" if inner.is_dir() or inner.with_suffix(".py").exists() else module


def room_of(path: Path) -> str:
    """The room of ARROWS that a module or folder lies in; a title's is its folder, and its games' at 18xx.games another."""
    parts = path.relative_to(BOT).with_suffix("").parts
    for titles in (("engine", "titles"), ("logs18xx",)):
        own = parts[: len(titles) + 1]
        if own[:-1] == titles and BOT.joinpath(*own).is_dir():
            return "/".join(own)
    return next(room for n in range(len(parts), 0, -1) if (room := "/".join(parts[:n])) in ARROWS)


def arrows() -> dict[tuple[str, str], list[str]]:
    """From which room imports lead to which other one, with the modules that have them; those for types lead to `types`."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in sorted(BOT.rglob("*.py")):
        if path == BOT / "__init__.py":
            continue
        for name, for_types in imported(path):
            if not name.startswith("bot."):
                continue
            here, there = room_of(path), room_of(PROJECT.joinpath(*name.split(".")))
            if here != there and not (for_types and (here, there) in FOR_TYPES):
                found[here, there].append(str(path.relative_to(PROJECT)))
    return found


def may_import(here: str, there: str) -> bool:
    """Whether an arrow leads from a room to another one. Titles are told of by the registries alone, and know no other."""
    if here.startswith("engine/titles/"):
        return there in ENGINE.split()
    if here.startswith("logs18xx/"):
        return there in (*ENGINE.split(), "logs18xx", here.replace("logs18xx", "engine/titles"))
    return there in ARROWS[here].split() or (here == "engine/titles" and there.startswith("engine/titles/"))


def test_imports_follow_the_arrows() -> None:
    assert {arrow: paths for arrow, paths in arrows().items() if not may_import(*arrow)} == {}


def test_every_arrow_is_needed() -> None:
    drawn = {(here, there) for here, names in ARROWS.items() for there in names.split() if there not in ENGINE.split()}
    assert drawn - set(arrows()) == set()


def test_no_arrow_closes_a_circle() -> None:
    below = {room: set(names.split()) for room, names in ARROWS.items()}
    while bare := {room for room, names in below.items() if not names}:
        below = {room: names - bare for room, names in below.items() if room not in bare}
    assert below == {}


def test_a_folder_has_at_most_twenty_modules_and_says_what_it_is_for() -> None:
    for folder in sorted({path.parent for path in BOT.rglob("*.py")}):
        if folder.name in ("migrations", "versions"):
            continue
        names = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(names) <= 20, folder
        assert folder == BOT or ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), folder


def test_libraries_stay_in_their_rooms() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in sorted(BOT.rglob("*.py"))
        for name in imports(path)
        if (room := ONLY_IN.get(name.split(".")[0]))
        and not str(path.relative_to(BOT)).startswith(room)
        and "migrations" not in path.parts
    ]
    assert wrong == []


def test_doors_ask_the_tables_and_never_the_store() -> None:
    wrong = []
    for path in [*modules("commands"), *modules("mail")]:
        for node in ast.walk(ast.parse(path.read_text())):
            opens = isinstance(node, ast.ImportFrom) and {"Store", "Holding"} & {alias.name for alias in node.names}
            if (opens and path.name not in BEGINNINGS) or (isinstance(node, ast.Attribute) and node.attr == "store"):
                wrong.append(f"{path.relative_to(PROJECT)}:{node.lineno}")
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


def test_no_module_is_longer_than_450_lines() -> None:
    large = [path for path in BOT.rglob("*.py") if len(path.read_text().splitlines()) > 450]
    assert large == []


def test_lock_files_hold_no_addresses() -> None:
    for path in PROJECT.glob("requirements*.lock"):
        assert "://" not in path.read_text()
        assert "--hash=sha256:" in path.read_text()


def test_nothing_is_left_open_in_the_code() -> None:
    marks = ["TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error"]
    found = [p for p in BOT.rglob("*.py") for mark in marks if mark in p.read_text()]
    assert found == []


def command_tree() -> Any:
    """All commands of the bot."""
    import discord
    from discord import app_commands

    from bot.commands.discord.bot import add_commands

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


def test_pages_name_modules_that_exist() -> None:
    names = {f"/{path.relative_to(PROJECT)}" for room in ("bot", "tests") for path in (PROJECT / room).rglob("*.py")}
    named = {
        (page.name, name)
        for page in [PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")]
        for name in re.findall(r"`((?!.*XXXX)(?:\w+/)*\w+\.py)`", page.read_text(encoding="utf-8"))
    }
    assert {(page, name) for page, name in named if not any(path.endswith(f"/{name}") for path in names)} == set()
