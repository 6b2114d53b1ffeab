"""A release in one command, the site of the documentation, and the checks of a public forge."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from mkdocs.exceptions import MkDocsException

from deploy import release
from deploy.release import ReleaseError, check_release, make_release, raise_version, write_notes
from deploy.site import build_menu, build_site

from .test_wheel import PROJECT, copy_of_the_tree

STATED = '[project]\nversion = "0.2.0"\n'
CHANGES = "# Changelog\n\n## [Unreleased]\n\n- [New](docs/new.md) thing.\n\n## [0.2.0] - 2026-11-29\n\n- Old thing.\n"


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with this tree, whose changelog is short."""
    folder = copy_of_the_tree(tmp_path / "checkout")
    (folder / "CHANGELOG.md").write_text(CHANGES)
    (folder / "pyproject.toml").write_text(
        release.STATED.sub('version = "0.2.0"', (folder / "pyproject.toml").read_text())
    )
    (folder / ".gitignore").write_text("dist/\n")
    git(folder, "init", "--quiet")
    for key, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        git(folder, "config", key, value)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Begin")
    return folder


# -- versions and changes -----------------------------------------------------------------------------


def test_a_new_version_takes_what_was_unreleased() -> None:
    pyproject, changelog = raise_version("0.3.0", STATED, CHANGES, "2026-12-01")
    assert 'version = "0.3.0"' in pyproject
    check_release("0.3.0", changelog)
    assert "## [Unreleased]\n\n## [0.3.0] - 2026-12-01\n\n- [New](docs/new.md) thing.\n\n## [0.2.0]" in changelog
    notes = write_notes("0.3.0", changelog, ["it-0.3.0.whl"])
    assert "- New thing." in notes and "pipx install --force it-0.3.0.whl" in notes
    assert "Old thing" not in notes and "docker" not in notes


@pytest.mark.parametrize(
    ("version", "changelog", "why"),
    [
        ("0.2.0", CHANGES, "not newer than 0.2.0"),
        ("0.1.9", CHANGES, "not newer than 0.2.0"),
        ("new", CHANGES, "no version"),
        ("0.3.0", CHANGES.replace("- [New](docs/new.md) thing.\n", ""), "no unreleased changes"),
    ],
)
def test_a_version_that_is_none_is_refused(version: str, changelog: str, why: str) -> None:
    with pytest.raises(ReleaseError, match=why):
        raise_version(version, STATED, changelog, "2026-12-01")


@pytest.mark.parametrize(
    ("version", "changelog", "why"),
    [
        ("0.2.0", CHANGES, "unreleased changes beside"),
        ("0.3.0", CHANGES, "no dated section"),
        ("0.2.0", "## [0.2.0]\n\n- Old thing.\n", "no dated section"),
        ("0.2.0", "## [0.2.0] - 2026-11-29\n", "no dated section"),
        (
            "0.2.0",
            "## [0.3.0] - 2026-12-01\n\n- New.\n\n" + CHANGES[CHANGES.index("## [0.2.0]") :],
            "begins with 0.3.0",
        ),
    ],
)
def test_a_changelog_that_does_not_fit_is_refused(version: str, changelog: str, why: str) -> None:
    with pytest.raises(ReleaseError, match=why):
        check_release(version, changelog)


# -- the release --------------------------------------------------------------------------------------


@pytest.mark.wheel
def test_a_release_is_made_in_a_clone_and_then_tagged(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "find_container_program", lambda: "")
    said = list(make_release(checkout, "0.3.0", is_tried=False))
    assert any(line.startswith("LOUD: NO CONTAINER IMAGE") for line in said)
    there = {path.name: path for path in (checkout / "dist").iterdir()}
    wheel, source, notes = "signalbox-0.3.0-py3-none-any.whl", "signalbox-0.3.0.tar.gz", "signalbox-0.3.0-notes.md"
    assert there.keys() == {wheel, source, notes, "SHA256SUMS"}
    sums = dict(reversed(line.split("  ")) for line in there["SHA256SUMS"].read_text().splitlines())
    assert sums == {name: hashlib.sha256(there[name].read_bytes()).hexdigest() for name in (wheel, source, notes)}
    assert git(checkout, "describe", "--exact-match").strip() == "v0.3.0"
    assert git(checkout, "status", "--porcelain") == ""
    again = list(make_release(checkout, "", is_tried=False))
    assert "Built" in again[0] and hashlib.sha256(there[wheel].read_bytes()).hexdigest() == sums[wheel]


def test_what_fails_leaves_the_checkout_as_it_was(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> list[str]:
        raise ReleaseError("no compiler")

    before = git(checkout, "rev-parse", "HEAD")
    monkeypatch.setattr(release, "build_packages", fail)
    with pytest.raises(ReleaseError, match="no compiler"):
        list(make_release(checkout, "0.3.0"))
    assert (git(checkout, "rev-parse", "HEAD"), git(checkout, "tag"), git(checkout, "status", "--porcelain")) == (
        before,
        "",
        "",
    )
    git(checkout, "tag", "v0.3.0")
    with pytest.raises(ReleaseError, match=r"tag v0\.3\.0 already"):
        list(make_release(checkout, "0.3.0"))
    (checkout / "README.md").write_text("changed")
    with pytest.raises(ReleaseError, match="in no commit"):
        list(make_release(checkout, "0.3.0"))


# -- a public forge -----------------------------------------------------------------------------------


def test_the_forge_runs_the_projects_own_checks_on_every_python() -> None:
    jobs = yaml.safe_load((PROJECT / ".github" / "workflows" / "tests.yaml").read_text())["jobs"]
    stated = (PROJECT / "docs" / "reference" / "operations.md").read_text()
    assert jobs["suite"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"] and "3.11 to 3.13" in stated
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert "bash .ci/run" in lines and "make release" in lines
    targets = re.findall(r"^(\S+):", (PROJECT / "Makefile").read_text(), re.M)
    assert {name for line in lines for name in re.findall(r"\bmake (\w+)", line)} <= {*targets}
    assert jobs["release"]["needs"] == "suite"


# -- the site -----------------------------------------------------------------------------------------


def test_the_site_has_every_page_and_asks_nobody_else(tmp_path: Path) -> None:
    build_site(PROJECT, tmp_path / "site")
    pages = {path.relative_to(tmp_path / "site").as_posix(): path.read_text() for path in tmp_path.rglob("*.html")}
    assert {"index.html", "docs/index.html", "docs/guide/players.html", "docs/lab/testing.html"} <= pages.keys()
    foreign = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?https?:[^>]*\.(?:js|css|png|woff2?)")
    assert [name for name, text in pages.items() if foreign.search(text)] == []
    index = pages["docs/index.html"]
    assert index.index("Players' guide") < index.index("Moderators' guide") < index.index("Architecture")


def test_the_menu_follows_the_page_of_contents() -> None:
    groups = [name for entry in build_menu(PROJECT) for name in entry]
    assert groups[:4] == ["Signalbox", "Contents", "Start here", "Players"] and groups[-1] == "Changes"


@pytest.mark.parametrize(
    ("line", "is_good"),
    [("[guide](guide.md#here)", True), ("[guide](gone.md)", False), ("[guide](guide.md#gone)", False), ("", False)],
)
def test_a_link_that_leads_nowhere_and_a_page_in_no_list_are_errors(tmp_path: Path, line: str, is_good: bool) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(PROJECT / "LICENSE", project / name)
    (project / "docs" / "README.md").write_text(
        f"# Contents\n\n| for | page |\n|---|---|\n| all | {line} |\n| developers | [c](../CONTRIBUTING.md) |\n"
    )
    (project / "docs" / "guide.md").write_text("# Guide\n\n## Here\n")
    if is_good:
        build_site(project, tmp_path / "site")
    else:
        with pytest.raises(MkDocsException):
            build_site(project, tmp_path / "site")
