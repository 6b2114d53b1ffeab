"""The lists of titles in the documents, written from the titles' folders: `make titles`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bot.engine.play import Title
from bot.formats.peer18xx.registry import DIALECTS
from bot.titles.registry import TITLES, TitleRecord, title_folders

PROJECT = Path(__file__).resolve().parents[2]
SECTION = "<!-- {0} -->\n{1}\n<!-- end of {0} -->"


def main() -> int:
    for path, text in updated_pages().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(PROJECT)}: written")
    return 0


def updated_pages(project: Path = PROJECT) -> dict[Path, str]:
    """Every page with lists of titles, as it should be.

    :raises ValueError: a page has no place for its list.
    """
    pages: dict[Path, str] = {}
    for name, edit in edits():
        path = project / name
        pages[path] = edit(pages.get(path) or path.read_text(encoding="utf-8"))
    return pages


def edits() -> Iterator[tuple[str, Callable[[str], str]]]:
    """Each list: its page, and the function that brings the page's text up to date."""
    yield "README.md", section_edit("titles", title_table())
    yield "docs/guide/players.md", section_edit("moves of titles", move_table())
    yield "docs/guide/players.md", section_edit("boards of titles", board_table())
    yield "docs/guide/moderators.md", section_edit("options of titles", option_table())
    yield "docs/README.md", line_edit("| | [titles](", page_links())
    peers = join_words(DIALECTS)
    yield (
        "docs/guide/moderators.md",
        line_edit("- `/export form:18xx.games`", f" writes 18xx.games' form, for {peers}."),
    )
    compared = f"a real game of 18xx.games ({', '.join(DIALECTS)}) or one of ours, compared to the last coin |"
    yield "docs/reference/commands.md", line_edit("| `replay game.json` | ", compared)
    for title, place in title_folders().items():
        if (PROJECT / page_of(title)).exists():
            yield page_of(title), section_edit("credits", (*credit_text(place.record), *unwritten_text(place.record)))


def section_edit(name: str, lines: Iterable[str]) -> Callable[[str], str]:
    """An edit that writes lines between two comments with that name."""
    found, wanted = (
        re.compile((SECTION.format(name, "@")).replace("\n@\n", "\n(?:.*\n)?"), re.DOTALL),
        SECTION.format(name, "\n".join(lines)),
    )
    return lambda text: replace_once(found, wanted, text)


def line_edit(start: str, rest: str) -> Callable[[str], str]:
    """An edit that writes the rest of the line that begins so."""
    found = re.compile(rf"^{re.escape(start)}.*$", re.MULTILINE)
    return lambda text: replace_once(found, start + rest, text)


def replace_once(found: re.Pattern[str], wanted: str, text: str) -> str:
    text, number = found.subn(lambda _: wanted, text)
    if number != 1:
        raise ValueError(f"there are {number} places for {wanted[:60]!r}")
    return text


def page_of(title: str) -> str:
    return f"docs/titles/{title}.md"


def span(title: Title) -> str:
    return f"{title.players.start}-{title.players.stop - 1}"


def join_words(names: Iterable[str]) -> str:
    *some, last = names
    return f"{', '.join(some)} and {last}" if some else last


def title_table() -> Iterator[str]:
    yield "| title | players | designer | publisher | rules | permission |"
    yield "|---|---|---|---|---|---|"
    for title, place in title_folders().items():
        owed = place.record.credits
        name = f"[{place.record.name}]({page_of(title)})" + (" (not whole yet)" if place.record.unwritten else "")
        cells = [name, span(TITLES[title])]
        cells += [owed.designer, owed.publisher, f"[read or buy]({owed.rules})", owed.permission] if owed else [""] * 4
        yield f"| {' | '.join(cells)} |"


def move_table() -> Iterator[str]:
    yield "| title | players | examples |"
    yield "|---|---|---|"
    for title, place in title_folders().items():
        yield f"| [{place.record.name}](../titles/{title}.md) | {span(TITLES[title])} | {place.record.examples} |"


def board_table() -> Iterator[str]:
    """The boards of all titles but the first, whose board every guide shows."""
    shown = [place.record for place in title_folders().values() if place.record.picture is not None][1:]
    for pair in (shown[number : number + 2] for number in range(0, len(shown), 2)):
        yield f"| {' | '.join(record.id for record in pair)} |"
        yield f"|{'---|' * len(pair)}"
        yield f"| {' | '.join(f'![A board of {record.name}](../images/board-{record.id}.png)' for record in pair)} |"
        yield ""


def option_table() -> Iterator[str]:
    yield "| title | options |"
    yield "|---|---|"
    for title, box in TITLES.items():
        options = "; ".join(f"`{option.name}`: {', '.join(option.choices)}" for option in box.options)
        yield f"| [{title}](../titles/{title}.md) | {options} |"


def page_links() -> str:
    first, *_ = names = list(title_folders())
    links = ", ".join(f"[{title}](titles/{title}.md)" for title in names)
    return f"titles/{first}.md) | rules, options and known differences: {links} |"


def credit_text(record: TitleRecord) -> Iterator[str]:
    owed = record.credits
    if owed is not None:
        yield f"Designer: {owed.designer}. Publisher: {owed.publisher}. Rules: [read or buy]({owed.rules})."
        yield f"Permission of designer and publisher for Signalbox: {owed.permission}."


def unwritten_text(record: TitleRecord) -> Iterator[str]:
    if record.unwritten:
        yield ""
        yield "**Not whole yet.** These rules are not written:"
        yield ""
        yield from (f"- {sentence}" for sentence in record.unwritten)


if __name__ == "__main__":
    sys.exit(main())
