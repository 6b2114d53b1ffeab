"""The documentation as a site in `build/site`: `make site`. A link that leads nowhere, or a page in no list, is an error.

The pages are staged as they lie in the checkout, so their links hold there, on a forge and on the site.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

PROJECT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs")
CONTENTS = "docs/README.md"
"""The page whose order is that of the site's menu."""

LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+\.md)(?:#[^)]*)?\)")
FOLDED = "docs/titles/"
"""A folder whose pages are one entry of the menu, to be opened."""


def find_links(page: Path, root: Path) -> Iterator[tuple[str, str, str]]:
    """The links to other pages: the group of their row in a table, label, and path from the root."""
    group = "Start here"
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] and "](" not in cells[0]:
            group = cells[0].capitalize()
        for label, target in LINK.findall(line):
            yield group, label, (page.parent / target).resolve().relative_to(root.resolve()).as_posix()


def build_menu(root: Path) -> list[dict[str, Any]]:
    """The menu in the order of the page of contents; pages that only a listed `README.md` names stand beside it."""
    groups: dict[str, dict[str, str]] = {}
    for group, label, path in find_links(root / CONTENTS, root):
        groups.setdefault(group, {})[path] = label
        if path.endswith("/README.md"):
            folder = path.removesuffix("README.md")
            below = [(name, said) for _, said, name in find_links(root / path, root) if name.startswith(folder)]
            groups[group] |= {name: said for name, said in below if name not in groups[group]}
    shown: list[dict[str, Any]] = [{"Signalbox": "README.md"}, {"Contents": CONTENTS}]
    for group, pages in groups.items():
        entries = [{_heading(label): path} for path, label in pages.items() if not path.startswith(FOLDED)]
        folded = [{label: path} for path, label in pages.items() if path.startswith(FOLDED)]
        shown.append({group: [*entries, {"Titles": folded}] if folded else entries})
    return [*shown, {"Changes": "CHANGELOG.md"}]


def _heading(label: str) -> str:
    return label[:1].upper() + label[1:]


def build_site(project: Path, folder: Path) -> None:
    """Build the site of a project into a folder.

    :raises MkDocsException: a link leads nowhere, or a page is in no list.
    """
    source = folder.with_name(f"{folder.name}-source")
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in PAGES:
        place = project / name
        (shutil.copytree if place.is_dir() else shutil.copy)(place, source / name)
    settings = str(Path(__file__).with_name("mkdocs.yml"))
    config = load_config(settings, docs_dir=str(source), site_dir=str(folder), nav=build_menu(source))
    build(config)
    shutil.rmtree(source)


def main() -> int:
    folder = PROJECT / "build" / "site"
    try:
        build_site(PROJECT, folder)
    except MkDocsException as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"{len(list(folder.rglob('*.html')))} pages in {folder}; open index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
