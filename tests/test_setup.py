"""The ground the house stands on: locks, set-up, and guides that agree with the program."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.interpreter import interpreter_line, is_optimised

PROJECT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-postgres.lock")
OF_A_SERVER = {"psycopg", "psycopg-binary", "psycopg-pool", "procrastinate", "asgiref", "croniter", "python-dateutil"}
"""What only the tables on PostgreSQL need: the driver, and what brings work that may wait to workers."""

PYTHONS = ("3.11", "3.12", "3.13")
COMMANDS = "docs/reference/command-table.md"
GENERATED = {PROJECT / COMMANDS, PROJECT / "docs/glossary.md"}
"""Pages that the program writes."""

GUIDES = (
    "README.md",
    "docs/guide/players.md",
    "docs/guide/moderators.md",
    "docs/guide/mail.md",
    "docs/guide/board.md",
    COMMANDS,
)

ENTRY = re.compile(r"[a-z0-9._-]+==\S+( ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
HOME = re.compile(r"(?<![\w.])/(?:root|home|Users)/\w")
REGISTRY = re.compile("py" + r"pi\.org|python" + r"hosted|(?:index|find)-(?:url|links)[ =]\S")


def project() -> dict[str, object]:
    """The table `project` of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    return table


def locked(name: str) -> dict[str, Requirement]:
    """The entries of a lock by name."""
    lines = (PROJECT / name).read_text().splitlines()
    entries = [Requirement(line.rstrip("\\ ")) for line in lines if not line.startswith(" ")]
    return {canonicalize_name(entry.name): entry for entry in entries}


def holds(entry: Requirement, python: str, extra: str = "") -> bool:
    """Whether a requirement counts on that Python, on the machine at hand otherwise."""
    place = {"python_version": python, "python_full_version": f"{python}.0", "extra": extra}
    return entry.marker is None or entry.marker.evaluate(place)


def texts() -> list[Path]:
    """Every text file of the project."""
    folders = [PROJECT / folder for folder in ("bot", "benchmarks", "tests", "docs", "deploy", ".ci")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [path for path in PROJECT.iterdir() if path.is_file()]
    return [path for path in files if path.suffix not in {".pyc", ".png", ".gz", ".ttf", ".db"}]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_versions_and_hashes_and_nothing_else(name: str) -> None:
    lines = (PROJECT / name).read_text().splitlines()
    assert [line for line in lines if not ENTRY.fullmatch(line) and not HASH.fullmatch(line)] == []


def test_the_locks_agree() -> None:
    play, test, postgres = map(locked, LOCKS)
    for fewer, more in ((play, postgres), (postgres, test)):
        assert {name: entry.specifier for name, entry in fewer.items()} == {
            name: more[name].specifier for name in fewer
        }
        wider = {name for name, entry in fewer.items() if str(entry) != str(more[name])}
        assert {name for name in wider if more[name].marker is not None} == set(), (
            "what more is installed for, all need"
        )
    assert postgres.keys() - play.keys() == OF_A_SERVER


@pytest.mark.parametrize("python", PYTHONS)
def test_a_lock_lacks_nothing_that_its_packages_need(python: str) -> None:
    entries = locked(LOCKS[1])
    there = {name for name, entry in entries.items() if holds(entry, python)}
    installed = {canonicalize_name(found.name): found for found in importlib.metadata.distributions()}
    needs = [(name, Requirement(text)) for name in there & installed.keys() for text in installed[name].requires or ()]
    lacking = [
        f"{name} needs {need.name}"
        for name, need in needs
        if holds(need, python) and canonicalize_name(need.name) not in there
    ]
    assert lacking == []


def test_the_locks_hold_what_the_project_asks_for() -> None:
    table = project()
    extras = table["optional-dependencies"]
    assert isinstance(extras, dict)
    for name, asked in zip(LOCKS, (table["dependencies"], extras["dev"], extras["postgres"]), strict=True):
        assert isinstance(asked, list)
        entries = locked(name)
        for need in map(Requirement, asked):
            version = str(entries[canonicalize_name(need.name)].specifier).removeprefix("==")
            assert need.specifier.contains(version), need


def test_no_file_names_a_home_folder_or_a_registry() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {match.group()}"
        for path in texts()
        for match in re.finditer(f"{HOME.pattern}|{REGISTRY.pattern}", path.read_text(errors="replace"))
    ]
    assert found == []


def test_no_file_has_marks_of_a_merge() -> None:
    mark = re.compile("^(?:<{7}|>{7}|[|]{7}) ", re.MULTILINE)
    assert [str(path) for path in texts() if mark.search(path.read_text(errors="replace"))] == []


def test_the_changes_begin_with_this_version_or_what_is_newer() -> None:
    headings = re.findall(r"^## \[([^\]]+)\]", (PROJECT / "CHANGELOG.md").read_text(), re.M)
    assert headings[headings[0] == "Unreleased"] == project()["version"]


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_the_pages_lead_somewhere() -> None:
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")]
    dead = []
    for page in pages:
        for path, anchor in re.findall(r"(?<!!)\[[^\]]*\]\(([^)#\s]*)#?([^)\s]*)\)", page.read_text()):
            target = page.parent / path if path else page
            is_page = target.suffix == ".md" and target.exists()
            if "://" not in path and (not target.exists() or (anchor and is_page and anchor not in anchors(target))):
                dead.append(f"{page.relative_to(PROJECT)}: {path}#{anchor}")
    assert dead == []


def test_the_index_names_every_page() -> None:
    folder = PROJECT / "docs"
    named = {(folder / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)", (folder / "README.md").read_text())}
    lab = {
        (folder / "lab" / link).resolve()
        for link in re.findall(r"\]\(([^)#\s]+)", (folder / "lab" / "README.md").read_text())
    }
    assert {page for page in folder.rglob("*.md") if page.resolve() not in named | lab} == {folder / "README.md"}


def pages_for_readers() -> list[Path]:
    """README and the pages of docs, without the laboratory, the titles' pages, the transcripts and what is generated."""
    folder = PROJECT / "docs"
    apart = (folder / "lab", folder / "titles", folder / "tutorial")
    pages = (page for page in folder.rglob("*.md") if page.parent not in apart and page not in GENERATED)
    return [PROJECT / "README.md", *pages]


def test_pages_for_readers_are_short() -> None:
    assert sum(len(page.read_text().split()) for page in pages_for_readers()) <= 25_000


def test_pages_for_readers_say_they_for_people() -> None:
    odd = re.compile(r"\b(whoever|he|his|him|himself|reckon|foretell|shall|dearest|hang up|is told)\b", re.I)
    found = {page.name: odd.findall(page.read_text()) for page in pages_for_readers()}
    assert {name: words for name, words in found.items() if words} == {}


def test_every_picture_of_the_guides_is_there_and_shown() -> None:
    shown: set[Path] = set()
    for page in [PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")]:
        for link in re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", page.read_text()):
            shown.add((page.parent / link).resolve())
    pictures = set((PROJECT / "docs" / "images").glob("*.png"))
    assert shown == pictures
    assert sum(path.stat().st_size for path in pictures) < 1_750_000


def test_titles_that_are_not_offered_are_no_choice_in_discord() -> None:
    import discord
    from discord import app_commands

    from bot.commands.discord.bot import add_commands

    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree, {"1848"})
    (command,) = (one for one in tree.walk_commands() if one.qualified_name == "game new")
    choices = next(one.choices for one in command.parameters if one.name == "title")  # type: ignore[union-attr]
    assert "1830" in {one.value for one in choices} and "1848" not in {one.value for one in choices}


def test_the_guides_name_the_commands_that_there_are() -> None:
    import discord
    from discord import app_commands

    from bot.commands.discord.bot import add_commands

    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    real = {c.qualified_name: isinstance(c, app_commands.Group) for c in tree.walk_commands()}
    named: dict[str, set[str]] = {}
    for guide in GUIDES:
        for first, second in re.findall(r"`/(\w+)(?: ([a-z]+))?", (PROJECT / guide).read_text()):
            named.setdefault(guide, set()).add(f"{first} {second}" if second and real.get(first) else first)
        assert named[guide] <= real.keys(), guide
    assert {name for name, is_group in real.items() if not is_group} <= named[COMMANDS]


def test_operations_lists_every_variable() -> None:
    sources = [path.read_text() for path in (PROJECT / "bot").rglob("*.py")]
    used = {name for text in sources for name in re.findall(r"environ\.get\(\"(\w+)\"", text)}
    page = (PROJECT / "docs" / "reference" / "operations.md").read_text()
    assert [name for name in sorted(used) if f"`{name}`" not in page] == []


def test_ci_can_be_run() -> None:
    script = PROJECT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


def test_without_the_right_to_install_the_line_to_run_is_printed(tmp_path: Path) -> None:
    for name, body in (("python3", "exit 1"), ("id", "echo 1000")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    script = PROJECT / "deploy" / "system-packages.sh"
    done = subprocess.run(["/bin/sh", script], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "sudo apt-get install -y python3-venv libcairo2" in done.stderr


@pytest.mark.parametrize("arguments", ["'--prefix=/opt' '--enable-optimizations'", ""])
def test_set_up_takes_a_python_that_was_built_with_optimisation(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment's is the first that says so; where none does, python3. `signalbox run --check` says which it is."""
    monkeypatch.setattr("sysconfig.get_scheme_names", lambda: ("posix_prefix",))
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: arguments)
    assert is_optimised() == bool(arguments) == interpreter_line().endswith("built with optimisation")
    for name, code in (
        ("dirname", 'exec /usr/bin/dirname "$@"'),
        ("python3", "exit 1"),
        ("python3.12", f"exit {int(not arguments)}"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{code}\n")
        (tmp_path / name).chmod(0o755)
    script = (PROJECT / "deploy" / "find-python.sh").read_text().replace(" /usr/bin/python3 ", " ")
    done = subprocess.run(
        ["/bin/sh", "-s"], input=script, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["python3.12" if arguments else "python3"]
