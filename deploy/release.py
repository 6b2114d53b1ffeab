"""A release in one command: `make release VERSION=0.3.0`. Everything is made in a clean clone; the checkout changes only at the end.

Without a version it builds again the version that the checkout has. `dist/` gets source distribution, wheel, container image,
upgrade notes and checksums.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+")
STATED = re.compile(r'^version = "([^"]+)"$', re.M)
SECTION = re.compile(r"^## \[([^\]]+)\](?: - (\S.*))?$", re.M)
UNRELEASED = "Unreleased"
GAME = "new 1889 me computer computer --seed 1\nhelp\nquit\n"
"""What the main job must play wherever it was installed."""

ANSWER = "1889"
BUILD = "import setuptools.build_meta as it; it.build_sdist('{folder}'); it.build_wheel('{folder}')"
DATED = "%Y-%m-%d"

UPGRADE = """## Upgrade

1. `signalbox backup`, then stop the bot.
2. {install}
3. Start it: the database is migrated then, completely or not at all.
4. `signalbox doctor`.

To go back: install the older release and `signalbox restore` the backup. Running games go on by the rules they began with.
"""
INSTALL = "`pipx install --force {wheel}`, or `git checkout v{version}` and `make setup`{image}."
IMAGE = ", or `docker load < {image}` and run the image `signalbox:{version}` with the same volume"


class ReleaseError(Exception):
    """Why there is no release, in words."""


def run(*command: str | Path, cwd: Path, text: str = "", **environment: str) -> str:
    """The output of a command.

    :raises ReleaseError: it failed.
    """
    done = subprocess.run(
        command, cwd=cwd, input=text, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, command[:4]))} failed: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def find_version(pyproject: str) -> str:
    """The version that a `pyproject.toml` states."""
    found = STATED.search(pyproject)
    if found is None:
        raise ReleaseError("pyproject.toml states no version.")
    return found[1]


def list_sections(changelog: str) -> dict[str, tuple[str, str]]:
    """The sections of a changelog, newest first: version → date and text."""
    found = list(SECTION.finditer(changelog))
    ends = [each.start() for each in found[1:]] + [len(changelog)]
    return {
        each[1]: (each[2] or "", changelog[each.end() : end].strip()) for each, end in zip(found, ends, strict=True)
    }


def check_release(version: str, changelog: str) -> None:
    """
    :raises ReleaseError: the changelog does not begin with a dated section of this version that says something.
    """
    sections = list_sections(changelog)
    date, text = sections.get(version, ("", ""))
    if not date or not text:
        raise ReleaseError(f"CHANGELOG.md has no dated section [{version}] with changes; use: make release VERSION=…")
    if sections.get(UNRELEASED, ("", ""))[1]:
        raise ReleaseError(f"CHANGELOG.md has unreleased changes beside {version}; use: make release VERSION=…")
    first = next(name for name in sections if name != UNRELEASED)
    if first != version:
        raise ReleaseError(f"CHANGELOG.md begins with {first}, pyproject.toml says {version}.")


def raise_version(version: str, pyproject: str, changelog: str, date: str) -> tuple[str, str]:
    """Both texts for a new version: what was unreleased becomes its section.

    :raises ReleaseError: the version is not a newer one, or nothing has changed.
    """
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version} is no version; it looks like 0.3.0.")
    old = find_version(pyproject)
    if _numbers(version) <= _numbers(old):
        raise ReleaseError(f"{version} is not newer than {old}.")
    if not list_sections(changelog).get(UNRELEASED, ("", ""))[1]:
        raise ReleaseError("CHANGELOG.md has no unreleased changes.")
    heading = f"## [{UNRELEASED}]"
    return (
        STATED.sub(f'version = "{version}"', pyproject, count=1),
        changelog.replace(heading, f"{heading}\n\n## [{version}] - {date}", 1),
    )


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def write_notes(version: str, changelog: str, files: Sequence[str]) -> str:
    """The upgrade notes: what to do, then what has changed."""
    _, changes = list_sections(changelog)[version]
    wheel = next(name for name in files if name.endswith(".whl"))
    image = next((IMAGE.format(image=name, version=version) for name in files if "image" in name), "")
    steps = UPGRADE.format(install=INSTALL.format(wheel=wheel, version=version, image=image))
    return f"# Signalbox {version}\n\n{steps}\n## Changes\n\n{_without_links(changes)}\n"


def _without_links(text: str) -> str:
    """Links into the tree lead nowhere from a page of releases."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", text)


def build_packages(clone: Path, folder: Path) -> list[str]:
    """Source distribution and wheel, the same bytes from the same commit."""
    moment = run("git", "log", "-1", "--format=%ct", cwd=clone).strip()
    run(sys.executable, "-c", BUILD.format(folder=folder), cwd=clone, SOURCE_DATE_EPOCH=moment)
    return sorted(path.name for path in folder.iterdir())


def try_wheel(clone: Path, wheel: Path) -> None:
    """Install a wheel with the locked packages in an empty environment, and play.

    :raises ReleaseError: it does not play.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        venv.create(place / "programs", symlinks=True)
        pip = (sys.executable, "-m", "pip", "--python", place / "programs" / "bin" / "python", "--quiet", "install")
        run(*pip, "--require-hashes", "--no-deps", "-r", clone / "requirements.lock", cwd=place)
        run(*pip, "--no-deps", wheel, cwd=place)
        _check_answer(run(place / "programs" / "bin" / "signalbox", "run", cwd=place, text=GAME, SIGNALBOX_DATA=name))


def _check_answer(said: str) -> None:
    if ANSWER not in said:
        raise ReleaseError(f"What was installed does not play: {said[-500:]}")


def why_no_image() -> str:
    """Why this machine can build no container image; empty if it can."""
    program = find_container_program()
    if not program:
        return "neither docker nor podman is installed"
    done = subprocess.run([program, "info"], capture_output=True, text=True, check=False)
    return f"{program} does not answer: {done.stderr.strip()[-200:]}" if done.returncode else ""


def find_container_program() -> str:
    return next((name for name in ("docker", "podman") if shutil.which(name)), "")


def build_image(clone: Path, version: str, folder: Path) -> str:
    """Build the container image, play in it, and save it as a file."""
    program, tag = find_container_program(), f"signalbox:{version}"
    run(program, "build", "--tag", tag, "--file", clone / "deploy" / "Dockerfile", ".", cwd=clone)
    _check_answer(run(program, "run", "--rm", "--interactive", tag, cwd=clone, text=GAME))
    name = f"signalbox-{version}-image.tar.gz"
    with subprocess.Popen([program, "save", tag], stdout=subprocess.PIPE) as saved:
        assert saved.stdout is not None
        with gzip.open(folder / name, "wb") as file:
            shutil.copyfileobj(saved.stdout, file)
    if saved.returncode:
        raise ReleaseError(f"{program} save failed.")
    return name


def make_release(project: Path, version: str, is_tried: bool = True) -> Iterator[str]:
    """Make a release; yields what was done, in words.

    :raises ReleaseError: there is none; then the checkout is as before.
    """
    if run("git", "status", "--porcelain", cwd=project).strip():
        raise ReleaseError("The work tree has changes that are in no commit.")
    with tempfile.TemporaryDirectory() as name:
        clone, folder = Path(name) / "clone", Path(name) / "dist"
        folder.mkdir()
        run("git", "clone", "--quiet", project, clone, cwd=project)
        if version:
            _commit_version(project, clone, version)
        pyproject, changelog = (clone / "pyproject.toml").read_text(), (clone / "CHANGELOG.md").read_text()
        version, is_new = find_version(pyproject), bool(version)
        check_release(version, changelog)
        files = build_packages(clone, folder)
        yield f"Built {' and '.join(files)}."
        if is_tried:
            try_wheel(clone, next(folder.glob("*.whl")))
            yield "Installed the wheel in an empty environment and played."
        lacking = why_no_image()
        if lacking:
            yield f"LOUD: NO CONTAINER IMAGE was built: {lacking}."
        else:
            files.append(build_image(clone, version, folder))
            yield f"Built {files[-1]} and played in it."
        (folder / f"signalbox-{version}-notes.md").write_text(write_notes(version, changelog, files))
        _write_checksums(folder)
        shutil.rmtree(project / "dist", ignore_errors=True)
        shutil.copytree(folder, project / "dist")
        if is_new:
            run("git", "fetch", "--quiet", clone, "HEAD", cwd=project)
            run("git", "merge", "--quiet", "--ff-only", "FETCH_HEAD", cwd=project)
            run("git", "tag", "--annotate", "--message", f"Signalbox {version}", f"v{version}", cwd=project)
            yield f"Committed and tagged v{version}. To publish it: git push --follow-tags"
    yield f"The release is in dist/: {', '.join(sorted(path.name for path in (project / 'dist').iterdir()))}."


def _commit_version(project: Path, clone: Path, version: str) -> None:
    """Commit a new version in the clone, as the person who commits in the checkout.

    :raises ReleaseError: it is not newer, nothing has changed, or it is tagged already.
    """
    if run("git", "tag", "--list", f"v{version}", cwd=clone).strip():
        raise ReleaseError(f"There is a tag v{version} already.")
    pages = clone / "pyproject.toml", clone / "CHANGELOG.md"
    texts = raise_version(version, pages[0].read_text(), pages[1].read_text(), time.strftime(DATED, time.gmtime()))
    for page, text in zip(pages, texts, strict=True):
        page.write_text(text)
    for key in ("user.name", "user.email"):
        run("git", "config", key, run("git", "config", key, cwd=project).strip(), cwd=clone)
    run("git", "commit", "--quiet", "--all", "--message", f"Release {version}", cwd=clone)


def _write_checksums(folder: Path) -> None:
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="", help="the new version; without it the present version is built again")
    try:
        for line in make_release(PROJECT, parser.parse_args().version):
            print(line, flush=True)
    except ReleaseError as failure:
        print(f"No release: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
