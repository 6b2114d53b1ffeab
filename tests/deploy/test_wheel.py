"""What is installed from a wheel holds all that the program needs, and plays far from the tree as well as in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TREE = ("bot", "assets", "pyproject.toml", "setup.py", "README.md", "LICENSE")
BUILD = "import setuptools.build_meta as backend; backend.build_{}('.')"
GAME = "new 1848 Ann Bob Cid --seed 1\nbuy P1\nreduce P6\nlanguage de\nhelp\nmap\n"
CARRIED = {"bot": PROJECT / "bot", "bot/share": PROJECT / "assets"}
"""Folders of the installed package, and what they are in the tree."""


def run(*command: str | Path, cwd: Path, text: str = "", **environment: str) -> str:
    """What a command prints, which knows nothing of this tree."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SIGNALBOX"))}
    done = subprocess.run(
        command, cwd=cwd, env=known | environment, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_of_the_tree(folder: Path) -> Path:
    """What a release consists of."""
    folder.mkdir()
    for name in TREE:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder)
    return folder


def built(kind: str, folder: Path, suffix: str) -> Path:
    """A distribution of that kind (`sdist`, `wheel`), made in a folder."""
    run(sys.executable, "-c", BUILD.format(kind), cwd=folder)
    (found,) = folder.glob(f"*{suffix}")
    return found


def files_in(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but compiled modules."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def played(command: Sequence[str | Path], folder: Path, **environment: str) -> tuple[str, bytes]:
    """What is said in a game of two moves, and its map."""
    folder.mkdir()
    said = run(*command, "run", cwd=folder, text=GAME, SIGNALBOX_DATA=".", **environment)
    (picture,) = (folder / "pictures").glob("*map*.png")
    return said, picture.read_bytes()


@pytest.mark.wheel
def test_a_wheel_made_of_the_source_distribution_holds_everything_and_plays(tmp_path: Path) -> None:
    source, packages = tmp_path / "source", tmp_path / "packages"
    source.mkdir()
    run("tar", "-xzf", built("sdist", copy_of_the_tree(tmp_path / "tree"), ".tar.gz"), cwd=source)
    (tree,) = source.iterdir()
    with zipfile.ZipFile(built("wheel", tree, ".whl")) as wheel:
        wheel.extractall(packages)
    shutil.rmtree(tree)
    wanted = {f"{place}/{name}": held for place, folder in CARRIED.items() for name, held in files_in(folder).items()}
    assert {f"bot/{name}": held for name, held in files_in(packages / "bot").items()} == wanted
    said, picture = played([sys.executable, "-P", "-m", "bot"], tmp_path / "data", PYTHONPATH=str(packages))
    assert "Ann buys P1" in said and "Möglich (eine Privatbahn" in said
    assert len(picture) > 10_000


@pytest.mark.wheel
def test_installed_by_pip_in_an_empty_environment_it_plays_as_in_the_tree(tmp_path: Path) -> None:
    """As `pip install .` does it: built by itself, and with nothing there but the locked packages."""
    tree = copy_of_the_tree(tmp_path / "tree")
    programs = tmp_path / "environment" / "bin"
    venv.create(programs.parent, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "--quiet"]
    lock = PROJECT / "requirements.lock"
    run(*pip, "install", "--require-hashes", "--no-deps", "-r", lock, cwd=tmp_path)
    run(*pip, "install", tree, cwd=tmp_path)
    run(*pip, "check", cwd=tmp_path)
    shutil.rmtree(tree)
    installed = played([programs / "signalbox"], tmp_path / "installed")
    assert installed == played([Path(sys.executable).with_name("signalbox")], tmp_path / "in-place")
