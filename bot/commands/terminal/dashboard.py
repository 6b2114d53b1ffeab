"""The table on one screen: what is asked, who has what, what may be done and what it costs, as many lines as fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.engine.ids import CompanyId
from bot.engine.notation.examples import company, train
from bot.engine.notation.messages import money, question, where
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import certificates_short
from bot.engine.play.holdings.market import price_of
from bot.i18n import say
from bot.service.parser.components_info import leads
from bot.service.parser.suggestions import NOTE, help_lines
from bot.service.views import position_text

MOST_COMPANIES = 6
"""So many companies are shown; `status` has all."""

HINT = (
    "help: all moves; help commands; status, map, market; "
    "private {private}, company {company}, train {train}: what they do; undo; quit; *: priority"
)


MOVE, HANGING, BESIDE = "    ", "  ", " | "
"""How moves and commands are indented, how much further what follows of them in other lines, and what stands between moves."""


@dataclass(frozen=True)
class DashboardLine:
    """A line of the screen: its text in the reader's language, and what it is."""

    text: str
    kind: str = "plain"


def dashboard(game: Game, width: int, height: int) -> list[DashboardLine]:
    """At most `height` lines of at most `width` characters. What columns mean gives way first, then what a step is about, then
    moves, but for one in three lines."""
    head = [
        DashboardLine(heading(game), "heading"),
        *(DashboardLine(text, "question") for text in wrapped(say(question(game)), width)),
    ]
    every = list(move_lines(game)) if not game.state.finished else []
    footer = [DashboardLine(text, "hint") for text in wrapped(hint(game), width)]
    table = [*player_lines(game), *company_lines(game), *(DashboardLine(text, "lead") for text in leads(game))]
    room = height - len(head) - len(footer)
    needed = sum(len(wrapped(line.text, width)) for line in every)
    if needed > room - len(table):
        table = [line for line in table if line.kind != "columns"]
    if needed > room - len(table):
        every = [line for line in every if line.kind != "words"]
    shown = table[: max(room - min(len(every), room // 3), 0)]
    room -= len(shown)
    whole = [DashboardLine(text, line.kind) for line in every for text in wrapped(line.text, width)]
    moves = whole if len(whole) <= room else every
    return [
        DashboardLine(clipped(line.text, width), line.kind) for line in [*head, *shown, *cut(moves, room), *footer]
    ][:height]


def cut(moves: Sequence[DashboardLine], room: int) -> list[DashboardLine]:
    """So many lines of these; of the moves that find no room the last one stays, which is to pass where one can."""
    if len(moves) <= room:
        return list(moves)
    last = [line for line in moves[room - 1 :] if line.kind == "move"][-1:]
    return [*moves[: max(room - 1 - len(last), 0)], *last, DashboardLine(say("... help shows all moves"), "hint")][
        :room
    ]


def hint(game: Game) -> str:
    """What can be typed beside moves, with things of this game."""
    title, private = game.title, next(iter(game.state.privates), "")
    return say(HINT, private, company(title), train(title).name)


def heading(game: Game) -> str:
    """The title, the round and the bank."""
    return say("{title}: {where}; bank {bank}", game.title.name, where(game), position_text.bank_said(game))


def player_lines(game: Game) -> Iterator[DashboardLine]:
    """Name, cash, certificates and holdings of everybody, in the order of play."""
    asked = game.asked()
    size = max(len(game.state.name(player)) for player in game.state.order)
    certificates = say("Certs")
    yield DashboardLine(
        f" {'':<{size}} {say('Cash'):>{14 - max(len(certificates), 6)}} {certificates:>6}  {say('Holds')}", "columns"
    )
    for player in game.state.order:
        mark = "*" if player == game.state.priority else " "
        held = ", ".join(position_text.holdings(game, player)) or "-"
        cash = money(game, game.state.cash[player])
        text = f"{mark}{game.state.name(player):<{size}} {cash:>8} {certificates_short(game, player):>6}  {held}"
        yield DashboardLine(text, "asked" if player in asked else "plain")


def company_lines(game: Game) -> Iterator[DashboardLine]:
    """Price, money, trains and director of companies in play, the dearest first, the one in turn before all."""
    entity = game.frame.entity if game.state.flow else None
    open_ones = [one for one in position_text.shown_companies(game) if not one.closed]
    every = sorted(open_ones, key=lambda one: (one.id != entity, -(price_of(game, one.id) if one.position else 0)))
    if every:
        director = say(game.title.director_word.capitalize())
        yield DashboardLine(f" {'':<7} {say('Price'):>7} {say('Cash'):>8}  {say('Trains'):<14} {director}", "columns")
    for one in every[:MOST_COMPANIES]:
        yield DashboardLine(company_line(game, one.id), "asked" if one.id == entity else "plain")


def company_line(game: Game, company_id: CompanyId) -> str:
    """`VR      £90    £900  2, 2+      Ann`"""
    record = game.company(company_id)
    price = money(game, price_of(game, company_id)) if record.position else "-"
    trains = ", ".join(train.kind for train in game.state.trains_of(company_id)) or "-"
    cash = money(game, game.state.cash[company_id])
    return f" {company_id:<7} {price:>7} {cash:>8}  {trains:<14} {position_text.director_named(game, record)}"


def move_lines(game: Game) -> Iterator[DashboardLine]:
    """What can be done now, with what it costs."""
    for text in side_by_side(help_lines(game)):
        yield DashboardLine(text, "move" if text.startswith(MOVE) else "words" if text.startswith("  ") else "hint")


def side_by_side(lines: Sequence[str]) -> Iterator[str]:
    """These lines; moves with the same verb of which nothing is said stand in one: `reduce P1 | reduce P2`."""

    def kind(line: str) -> str:
        is_bare = line.startswith(MOVE) and NOTE not in line and len(line.split()) > 1
        return line.split()[0] if is_bare else ""

    for verb, group in groupby(lines, kind):
        if verb:
            yield BESIDE.join(line if number == 0 else line.strip() for number, line in enumerate(group))
        else:
            yield from group


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of whole words with the indentation of the first one, of moves side by side in whole moves; moves and
    commands go on further in, lest the next line be taken for another one."""
    bare = text.lstrip()
    indent = " " * (len(text) - len(bare))
    *moves, last = bare.split(BESIDE) if indent == MOVE and "  " not in bare else [bare]
    words = [*(f"{move}{BESIDE}".rstrip() for move in moves), last] if moves else bare.split(" ")
    deeper = indent + HANGING if indent.startswith(MOVE) else indent
    lines = [indent + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > width:
            lines.append(deeper + word)
        else:
            lines[-1] += f" {word}"
    return lines


def clipped(text: str, width: int) -> str:
    """The text, cut at a word where it is too long; of a move and its note the note gives way."""
    if len(text) <= width:
        return text
    cut = text[: width - 2]
    at = cut.rfind(" ")
    return f"{cut[:at] if at > len(text.partition(NOTE)[0]) // 2 else cut} …"
