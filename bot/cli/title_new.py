"""`signalbox title new`: the folder of a title of the family of 1830, made from facts about its box."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.titles.registry import GROUP, TITLES, title_folders
from bot.untrusted_input import InvalidFile

from .title_facts import TitleFacts

PROJECT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"18\w{2,30}")
COLOURS = {"y": "yellow", "o": "#f5a623", "b": "#b5895a", "p": "#f6b8b0", "e": "#9fc5e8"}

BOX = {
    "map.py": ", as bot/engine/board/game_map.py says",
    "tiles.py": ", as bot/engine/board/tile_notation.py says",
    "components.py": "",
    "title.py": "; bot/titles/classic/family.py explains the values",
}
"""The files of a copy that must be written anew, and where their notation is described."""

UNREAD = (
    "The values in title.py are compared with no rulebook yet: compare each, and name rules without a value here.",
)
"""The work on every new title that no tool sees."""

MISSING = "{!r} is missing or of another kind; bot/cli/title_facts.py says what each file has"

MAP = '''"""The map of {id}."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
{lines}
    """,
    {layout},
)
'''

TILES = '''"""The tile sheet of {id}."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
{lines}
    """
)
'''

COMPONENTS = '''"""The contents of the box of {id}: companies, privates, trains, phases, market, tables."""

from __future__ import annotations

{engine}from bot.engine.play import Phase, TrainKind, index_by_id, index_by_name
from bot.engine.play.holdings import parse_market
from bot.titles.classic import {family}

BANK_CASH = {bank}
STARTING_CASH = {cash}
CERTIFICATE_LIMIT = {certificates}

COMPANIES = index_by_id(
{companies}
)

PRIVATES, POWERS = box_privates(
    "{id}",
{privates}
)

TRAINS = index_by_name(
{trains}
)

TRAIN_CARDS = {cards}
"""Number of cards by family; those of an unlimited train are made as they are needed."""

PHASES = (
{phases}
)

MARKET = parse_market(
    """
{market}
    """,
    {zones},
)
'''

INTERPRETATIONS = '''"""Where {id} is read in more than one way: as tables play it or as 18xx.games plays it (option `rules`)."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations{id}(InterpretationFlags):
    trades_without_consent = Interpretation()
    """Another president's train is bought without their consent."""


interpretation_flags = Interpretations{id}
'''

TITLE = '''"""{id}: the values of its rules."""

from __future__ import annotations

{privates_import}from bot.engine.board import BoardRules
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import {check}
from bot.titles.classic import {family}

from . import components as box
from .interpretations import interpretation_flags
from .map import MAP
from .tiles import TILES

{privates}VALUES = Classic(
    id="{id}",
    currency="{currency}",
    bank=box.BANK_CASH,
    cash=box.STARTING_CASH,
    certificates=box.CERTIFICATE_LIMIT,
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    powers=box.POWERS,
    trains=box.TRAINS,
    cards=lambda game: box.TRAIN_CARDS,
    phases=box.PHASES,
    market=box.MARKET,
    land=BoardRules(MAP, TILES),
    look=BoardStyle(zones={colours}),
    players=range({least}, {beyond}),
    options=(RULES_OPTION,),
{values}
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
)

TITLE = build_title(VALUES, "{name}")
'''

ABSENT = '''ABSENT: Mapping[int, frozenset[str]] = {absent}
"""Privates that are not in the game, by number of players."""


def list_privates(game: Game) -> list[PrivateId]:
    absent = ABSENT.get(len(game.state.players), frozenset())
    return [sign for sign in game.title.privates if sign not in absent]


'''

DIALECT = '''"""How this title's games of 18xx.games are read."""

from bot.titles.classic.peer18xx import ClassicDialect

from .title import VALUES

DIALECT = ClassicDialect(VALUES, prints={{}}, optional_rules={{}}{renamed})
'''

RECORD = """id = "{id}"
name = "{name}"
has_sections = false
unwritten = [
{unwritten}
]

[peer]
folder = "{peer}"
"""

PAGE = """# {name}

<!-- credits -->
<!-- end of credits -->

Code: `bot/titles/{folder}/`; the rules that it shares with its family: `bot/titles/classic/`.

## Option `rules: 18xx.games`

| at the table | 18xx.games | reading |
|---|---|---|
| another president is asked before their train is bought | the train is bought without asking | `trades_without_consent` |
"""


def new(arguments: argparse.Namespace) -> int:
    """Write the folder and its page, and say what is left to do."""
    title, like = arguments.title, title_folders().get(arguments.like)
    if not NUMBER.fullmatch(title):
        raise InvalidFile(f"{title} is no number of a title, like 1822 or 18MEX")
    if like is None:
        raise InvalidFile(f"there is no title {arguments.like}; there are: {', '.join(title_folders())}")
    folder = arguments.into / f"t{title.lower()}"
    if title in title_folders() or folder.exists():
        raise InvalidFile(f"{title} is there already: {folder}")
    family = TITLES[arguments.like].family
    if family is None:
        raise InvalidFile(f"{arguments.like} is of no family; titles are made like those of a family")
    name = arguments.name or title
    if arguments.facts is None:
        files = copy_files(Path(str(like.folder)), arguments.like, title)
        left = [
            f"{file} is that of {arguments.like}: write the title's own{notation}." for file, notation in BOX.items()
        ]
    else:
        facts = TitleFacts(arguments.facts, family)
        try:
            files, left = dict(build_files(facts, title, name)), facts.unread
        except (LookupError, TypeError, AttributeError, StopIteration) as error:
            raise InvalidFile(f"{arguments.facts}: {MISSING.format(error)}") from error
    files["title.toml"] = record_text(title, name, [*left, *UNREAD])
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    print(f"{folder}: {', '.join(files)}")
    page = PROJECT / "docs" / "titles" / f"{title}.md"
    if arguments.into == PROJECT / "bot" / "titles" and not page.exists():
        page.write_text(PAGE.format(name=name, folder=folder.name), encoding="utf-8")
        print(f"{page}: a page to be written")
    for sentence in left:
        print(f"left: {sentence}")
    if arguments.into != PROJECT / "bot" / "titles":
        print(f'next: an installed package names it among its entry points `{GROUP}`: "{title}" = "{folder.name}"')
    print(f"next: signalbox title check {title} --games 2")
    return 0


def copy_files(folder: Path, old: str, new_id: str) -> dict[str, str]:
    """The files of another title's folder under the new number, without its German, its older rules, its lesson and the
    numbers of its computer players.
    """
    paths = [path for path in sorted(folder.rglob("*.py")) if path.name not in ("lesson.py", "ai.py")]
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}
    return {path: re.sub(rf"(?<![\d_]){re.escape(old)}(?!\d)", new_id, text) for path, text in texts.items()}


def record_text(title: str, name: str, left: Iterable[str]) -> str:
    """The title's record. Everything that is left to do stands among its rules that are not written yet."""
    unwritten = indent(f"{json.dumps(sentence, ensure_ascii=False)}," for sentence in left)
    return RECORD.format(id=title, name=name, peer=peer_folder(title), unwritten=unwritten)


def build_files(facts: TitleFacts, title: str, name: str) -> Iterable[tuple[str, str]]:
    """The files of the folder, each with its text."""
    yield "__init__.py", f'"""{name}."""\n'
    yield "map.py", MAP.format(id=title, lines=indent(facts.map_lines()), layout=facts.layout)
    yield "tiles.py", TILES.format(id=title, lines=indent(facts.tile_lines()))
    yield "components.py", components(facts, title)
    yield "interpretations.py", INTERPRETATIONS.format(id=title)
    yield "title.py", title_module(facts, title, name)
    renamed = f", private_names={json.dumps(facts.private_names)}" if facts.private_names else ""
    yield "peer18xx.py", DIALECT.format(renamed=renamed)


def components(facts: TitleFacts, title: str) -> str:
    privates = indent(facts.private_lines())
    known = (
        "Discount",
        "ExchangeFor",
        "Income",
        "Lay",
        "LayBy",
        "LayPair",
        "Presidency",
        "RevenueMarker",
        "Share",
        "Stays",
        "TokenHelp",
        "TokenPlace",
        "TrainDiscount",
    )
    family = [name for name in known if re.search(rf"\b{name}\b", privates)] + [
        "box_privates",
        "corporation",
        "private",
    ]
    return COMPONENTS.format(
        id=title,
        engine="".join(f"from bot.engine import {one}\n" for one in ("IPO", "POOL") if f"({one},)" in privates),
        family=f"(\n{indent(f'{name},' for name in family)}\n)",
        bank=facts.bank,
        cash=facts.table("starting_cash"),
        certificates=facts.table("cert_limit"),
        companies=indent(facts.company_lines()),
        privates=privates,
        trains=indent(facts.train_lines()),
        cards=format_table(facts.cards()),
        phases=indent(facts.phase_lines()),
        market=indent(facts.market_lines()),
        zones=format_table(facts.zones()),
    )


def title_module(facts: TitleFacts, title: str, name: str) -> str:
    values, absent = [*facts.values()], facts.absent_privates()
    if absent:
        values.append("privates_in_play=list_privates,")
    sets = ", ".join(f"{players}: frozenset({json.dumps(signs)})" for players, signs in absent.items())
    imports = (
        "from collections.abc import Mapping\n\nfrom bot.engine import PrivateId\nfrom bot.engine.play import Game\n"
    )
    players = sorted(facts.table("starting_cash"))
    family = [
        one
        for one in ("GameEnd", "MayLay", "TileOfTurn", "Towns", "TrainRun")
        if any(re.search(rf"\b{one}\b", value) for value in values)
    ]
    return TITLE.format(
        id=title,
        name=name,
        currency=facts.currency,
        family=", ".join(sorted(["Classic", "TurnOrder", *family])) + ", build_title",
        check="check_improved" if any("check_improved" in value for value in values) else "check_reached",
        privates=ABSENT.format(absent=f"{{{sets}}}") if absent else "",
        privates_import=imports if absent else "",
        colours=format_table({letter: COLOURS[letter] for letter in facts.zones()}),
        least=players[0],
        beyond=players[-1] + 1,
        values=indent(values),
    )


def peer_folder(title: str) -> str:
    """The name of the title's folder at 18xx.games: `g_1822`, `g_18_mex`."""
    if title.isdecimal():
        return f"g_{title}"
    return "g_18_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", title.removeprefix("18")).lower()


def indent(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def format_table(table: Mapping[str, object]) -> str:
    return json.dumps(table, ensure_ascii=False)
