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
ENGINE_BELOW_STEPS = "engine engine/state engine/board engine/play/holdings engine/play engine/routes/revenue"
ENGINE = f"{ENGINE_BELOW_STEPS} engine/notation engine/routes engine/play/steps"
READING = f"{ENGINE} service/parser"
ARROWS = {
    "engine": "",
    "engine/state": "engine",
    "engine/board": "engine engine/state",
    "engine/play/holdings": "engine engine/state",
    "engine/routes/revenue": "engine engine/board",
    "engine/routes/candidates": "engine engine/board engine/routes/revenue",
    "engine/routes/selection": "engine engine/board engine/routes/revenue engine/routes/candidates",
    "engine/routes": "engine/board engine/routes/revenue engine/routes/candidates engine/routes/selection",
    "engine/play": "engine engine/state engine/board engine/play/holdings engine/routes/revenue",
    "engine/notation": "engine engine/state engine/play",
    "engine/play/steps": f"{ENGINE_BELOW_STEPS} engine/notation engine/routes",
    "engine/games": ENGINE,
    "titles": ENGINE,
    "titles/lessons": ENGINE,
    "formats/peer18xx": f"{ENGINE} engine/games titles",
    "ai": f"{ENGINE} engine/games titles",
    "i18n": "assets engine engine/play titles",
    "store": "addresses engine metrics threads",
    "render/shapes": f"{ENGINE} i18n",
    "render/hexes": "engine engine/board render/shapes",
    "render/scenes": f"{ENGINE} engine/games i18n render/shapes render/hexes",
    "render/painting": "assets render/shapes",
    "render": f"{ENGINE} engine/games titles ai i18n metrics process_pool render/shapes render/scenes render/painting store jobs",
    "service/parser": f"{ENGINE} i18n",
    "service/plans": READING,
    "service/sessions": f"{READING} engine/games i18n ai store threads",
    "service/views": f"{READING} engine/games titles i18n store service/sessions",
    "service/features/plans": f"{READING} i18n service/plans service/sessions service/views store threads",
    "service/features": f"{READING} titles titles/lessons service/plans addresses engine/games i18n metrics ai store service/sessions service/features/plans service/views threads",
    "service/imports": f"{ENGINE} engine/games formats/peer18xx titles untrusted_input metrics process_pool store service/features service/sessions service/views threads",
    "service/integrity": f"{ENGINE} i18n store service/features service/sessions service/features/plans threads",
    "service/computers": f"{ENGINE} engine/games titles ai process_pool store service/imports service/features service/sessions service/views threads",
    "service": (
        "engine/play engine/routes engine/routes/revenue engine/play/steps process_pool store service/features service/integrity service/computers"
        " service/sessions service/imports service/features/plans"
    ),
    "service/registry": (
        f"{READING} engine/games titles ai i18n render store service service/features service/sessions service/imports threads"
        " service/features/plans service/plans service/views"
    ),
    "jobs": "engine process_pool store",
    "ops": "engine titles metrics process_pool store service service/imports jobs threads",
    "commands/web": (
        f"{READING} engine/games i18n ops render render/painting render/scenes render/shapes render/hexes store service threads"
        " service/features service/features/plans service/imports service/sessions service/views service/registry titles"
        " untrusted_input"
    ),
    "commands/mail": (
        f"{READING} addresses i18n ops process_pool render render/painting store service service/features service/sessions service/imports threads"
        " service/features/plans service/views service/registry untrusted_input"
    ),
    "commands/discord/interactions": (
        f"{ENGINE} i18n metrics ops render render/painting store service service/registry service/sessions service/imports"
    ),
    "commands/discord/slash": (
        f"{READING} titles commands/discord/interactions untrusted_input i18n metrics ops render render/painting store threads"
        " service service/features service/features/plans service/plans service/registry service/sessions service/views"
    ),
    "commands/discord": (
        f"{ENGINE} commands/discord/interactions commands/discord/slash i18n metrics ops render threads"
        " render/painting store service service/features service/plans service/sessions service/imports service/views"
    ),
    "commands/terminal": (
        f"{READING} titles untrusted_input i18n render render/painting render/scenes store service service/sessions service/imports"
        " threads service/registry service/views ops"
    ),
    "main": "ops render service commands/discord commands/mail commands/terminal commands/web",
    "cli": (
        f"{ENGINE} engine/games formats/peer18xx titles untrusted_input ops ai garbage interpreter i18n process_pool render render/painting store service threads"
        " service/features service/sessions service/integrity service/imports service/registry service/views commands/discord commands/terminal commands/mail commands/web main render jobs"
    ),
    "bench": (
        f"{READING} engine/games formats/peer18xx titles cli commands/discord ops ai render render/painting store service threads"
        " service/imports commands/web"
    ),
    "__main__": "cli",
    **dict.fromkeys(("addresses", "assets", "metrics", "garbage", "interpreter", "threads"), ""),
    "process_pool": "garbage threads",
    "untrusted_input": "engine",
}
"""What each room may import from the house, beside itself; folders of a room that are not named belong to it."""

ABOVE_RULES = {"ai": "ai", "peer18xx": "formats/peer18xx"}
"""Parts of a title's folder that know more than the engine, and the room that each knows."""

FOR_TYPES = {
    ("engine/play/holdings", "engine/play"): "what moves money or shares is given the game that it belongs to",
    ("engine/board", "engine/play"): "who reaches what is asked of a game",
}
"""Arrows upwards that no program runs along, each with its reason."""

ONLY_IN = {
    "discord": ("commands/discord", "cli"),
    "apscheduler": "commands/discord",
    "prometheus_client": ("metrics", "ops"),
    "prompt_toolkit": "commands/terminal",
    "sqlalchemy": "store",
    "aiosqlite": "store",
    "psycopg": ("store", "jobs"),
    "procrastinate": "jobs",
    "alembic": "store",
    "cairosvg": "render/painting",
    "cairocffi": "render/painting",
    "PIL": "render/painting",
    "jinja2": ("commands/web", "commands/mail"),
    "imapclient": "commands/mail",
    "aiosmtplib": "commands/mail",
    "markupsafe": ("commands/web", "commands/mail"),
    "highspy": "engine/routes/selection/milp",
    "numpy": ("engine/routes/selection/milp", "engine/routes/selection/conflict_masks", "cli/move_weights"),
}
BEGINNINGS = {"run.py", "console.py"}
"""Where commands open the store, to give it to the service; all others know its records and errors alone."""

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
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
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


@cache
def full(module: str, name: str) -> str:
    """The module that is meant by `from module import name`."""
    inner = PROJECT.joinpath(*module.split("."), name)
    return f"{module}.{name}" if inner.is_dir() or inner.with_suffix(".py").exists() else module


@cache
def room_of(path: Path) -> str:
    """The room of ARROWS that a module or folder lies in; a title's is its folder, and each part of it that is above the rules
    another."""
    parts = path.relative_to(BOT).with_suffix("").parts
    if parts[0] == "titles" and BOT.joinpath(*parts[:2]).is_dir():
        return "/".join(parts[: 3 if {*parts[2:3]} & {*ABOVE_RULES} else 2])
    return next(room for n in range(len(parts), 0, -1) if (room := "/".join(parts[:n])) in ARROWS)


@cache
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
    """Whether an arrow leads from a room to another one. Titles are loaded by the registry alone, by their names, and know
    their families and no other title."""
    if not here.startswith("titles/"):
        return there in ARROWS[here].split()
    own, part = here.split("/")[1], here.split("/")[2:]
    if there.startswith("titles/"):
        inner = there.split("/")[2:]
        is_family = not (BOT / "titles" / there.split("/")[1] / "title.toml").exists()
        return inner in ([], part) and (is_family or own == there.split("/")[1])
    return there in ENGINE.split() or (bool(part) and there == ABOVE_RULES[part[0]])


def test_work_in_threads_goes_through_one_door() -> None:
    """Elsewhere a `StopIteration` would leave its await hanging (Python before 3.12.1)."""
    others = re.compile(r"\bto_thread|run_in_executor")
    found = [path.name for path in modules(".") if path != BOT / "threads.py" and others.search(path.read_text())]
    assert found == []


def test_imports_follow_the_arrows() -> None:
    assert {arrow: paths for arrow, paths in arrows().items() if not may_import(*arrow)} == {}


def test_front_doors_import_each_other_nowhere() -> None:
    doors = ("discord", "terminal", "mail", "web")
    crossing = {
        (door, name)
        for door in doors
        for path in modules(f"commands/{door}")
        for name in imports(path)
        if name.startswith("bot.commands.") and name.split(".")[2] in set(doors) - {door}
    }
    assert crossing == set(), "bot/main.py builds what a door runs beside itself"


def test_every_arrow_is_needed() -> None:
    drawn = {(here, there) for here, names in ARROWS.items() for there in names.split() if there not in ENGINE.split()}
    assert drawn - set(arrows()) == set()


def test_no_arrow_closes_a_circle() -> None:
    below = {room: set(names.split()) for room, names in ARROWS.items()}
    while bare := {room for room, names in below.items() if not names}:
        below = {room: names - bare for room, names in below.items() if room not in bare}
    assert below == {}


def test_a_folder_says_what_it_is_for() -> None:
    for folder in sorted({path.parent for path in BOT.rglob("*.py")}):
        if folder.name in ("migrations", "versions"):
            continue
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
    for path in (path for door in ("discord", "terminal", "mail") for path in modules(f"commands/{door}")):
        for node in ast.walk(ast.parse(path.read_text())):
            opens = isinstance(node, ast.ImportFrom) and {"Store", "FileLock"} & {alias.name for alias in node.names}
            if (opens and path.name not in BEGINNINGS) or (isinstance(node, ast.Attribute) and node.attr == "store"):
                wrong.append(f"{path.relative_to(PROJECT)}:{node.lineno}")
    assert wrong == []


def test_the_engine_knows_no_clock_no_files_no_chance() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in (*modules("engine"), *modules("titles"))
        for name in imports(path)
        if name.split(".")[0] in FORBIDDEN_IN_ENGINE
    ]
    assert wrong == []


def test_shared_engine_code_names_no_title() -> None:
    for path in modules("engine"):
        names = {
            node.module or "" for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
        }
        assert not [name for name in names if re.search(r"titles\.t1|titles\.t18", name)], path


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


PAGES = [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")]
OF_AN_EXAMPLE = {"assets/language/fr.po"}
"""Files that a page tells its reader to make."""


def test_pages_name_modules_that_exist() -> None:
    names = {f"/{path.relative_to(PROJECT)}" for room in ("bot", "tests") for path in (PROJECT / room).rglob("*.py")}
    named = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"`((?!.*XXXX)(?:\w+/)*\w+\.py)`", page.read_text(encoding="utf-8"))
    }
    assert {(page, name) for page, name in named if not any(path.endswith(f"/{name}") for path in names)} == set()


def test_pages_name_files_and_folders_that_exist() -> None:
    named = re.compile(r"`((?:assets|bot|deploy|docs|tests)/(?!\S*XXXX)[\w/.@-]*)`")
    paths = {path for page in PAGES for path in named.findall(page.read_text(encoding="utf-8"))}
    assert {path for path in paths if not (PROJECT / path).exists()} == OF_AN_EXAMPLE
