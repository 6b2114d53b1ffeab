"""The table on one screen: what is asked, who has what, what may be done and what it costs, as many lines as fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from bot.engine import CompanyId, PlayerId
from bot.engine.notation.examples import company, train
from bot.engine.notation.messages import money, question, round_and_phase
from bot.engine.play.game import Game
from bot.engine.play.holdings import format_certificates_short, price_of
from bot.engine.state.actions import Action
from bot.i18n import tr
from bot.service.parser.components_info import leads
from bot.service.parser.suggestions import NOTE, asked_seats, help_lines
from bot.service.views import position_text

MOST_COMPANIES = 6
"""Maximum number of companies that are shown; `status` has all."""

HINT = (
    "help: all moves; help commands; status, map, market; "
    "private {private}, company {company}, train {train}: what they do; undo; quit; *: priority"
)


MOVE, HANGING, BESIDE = "    ", "  ", " | "
"""Indentation of moves and commands, additional indentation of their continuation lines, and separator between
moves.
"""


class LineKind(StrEnum):
    """How a line is drawn; their values name its style."""

    HEADING = "heading"
    QUESTION = "question"
    COLUMNS = "columns"
    PLAIN = "plain"
    ASKED = "asked"
    LEAD = "lead"
    WORDS = "words"
    MOVE = "move"
    HINT = "hint"


@dataclass(frozen=True)
class DashboardLine:
    text: str
    kind: LineKind = LineKind.PLAIN


def dashboard(
    game: Game,
    width: int,
    height: int,
    own: Collection[PlayerId] = (),
    has_hint: bool = True,
    wanted: Action | None = None,
) -> list[DashboardLine]:
    """At most `height` lines of at most `width` characters. Column headings are dropped first, then the subject of a
    step, then moves, except one in three lines and one of each kind; moves like a `wanted` one stay longest.
    """
    head = [
        DashboardLine(heading(game), LineKind.HEADING),
        *(DashboardLine(text, LineKind.QUESTION) for text in wrap_text(tr(question(game)), width)),
    ]
    every = list(move_lines(game, own, wanted)) if not game.state.finished else []
    footer = [DashboardLine(text, LineKind.HINT) for text in wrap_text(hint(game), width) if has_hint]
    table = [*player_lines(game), *company_lines(game), *(DashboardLine(text, LineKind.LEAD) for text in leads(game))]
    room = height - len(head) - len(footer)
    needed = sum(len(wrap_text(line.text, width)) for line in every)
    if needed > room - len(table):
        table = [line for line in table if line.kind != LineKind.COLUMNS]
    if needed > room - len(table):
        every = [line for line in every if line.kind != LineKind.WORDS]
    least = max(room // 3, min(len(first_of_each(every)) + 1, room * 2 // 3))
    shown = table[: max(room - min(len(every), least), 0)]
    room -= len(shown)
    whole = [DashboardLine(text, line.kind) for line in every for text in wrap_text(line.text, width)]
    moves = whole if len(whole) <= room else every
    return [
        DashboardLine(clip_text(line.text, width), line.kind)
        for line in [*head, *shown, *truncate_moves(moves, room), *footer]
    ][:height]


def truncate_moves(moves: Sequence[DashboardLine], room: int) -> list[DashboardLine]:
    """As many lines as fit: of the moves one of each kind before a second of any, first the first and the last, which
    is to pass where that is legal. The last line names the kinds without a line.
    """
    if len(moves) <= room:
        return list(moves)
    first, *others = first_of_each(moves) or [0]
    order = dict.fromkeys([first, *others[-1:], *others, *range(len(moves))])
    kept = sorted([*order][: max(room - 1, 0)])
    seen = {kind for number in kept for kind in move_kinds(moves[number])}
    lacking = dict.fromkeys(kind for line in moves for kind in move_kinds(line) if kind not in seen)
    more = (
        tr("... also {kinds}; help shows all moves", ", ".join(lacking)) if lacking else tr("... help shows all moves")
    )
    return [*(moves[number] for number in kept), DashboardLine(more, LineKind.HINT)][:room]


def first_of_each(moves: Sequence[DashboardLine]) -> list[int]:
    """The places of the lines with a move of a kind that no line before them has."""
    seen, found = set[str](), list[int]()
    for number, line in enumerate(moves):
        kinds = move_kinds(line)
        if not kinds <= seen:
            found.append(number)
            seen |= kinds
    return found


def move_kinds(line: DashboardLine) -> set[str]:
    """The verbs of the moves in a line, each with where it takes something from: `buy`, `buy from pool`."""
    if line.kind != LineKind.MOVE or line.text.startswith((f"{MOVE}...", MOVE + HANGING)):
        return set()
    moves = (move.split() for move in line.text.partition(NOTE)[0].split(BESIDE))
    return {
        " ".join([words[0], *words[words.index("from") :][:2]] if "from" in words else words[:1]) for words in moves
    }


def hint(game: Game) -> str:
    """Commands beside moves, with examples from this game."""
    title, private = game.title, next(iter(game.state.privates), "")
    return tr(HINT, private, company(title), train(title).name)


def heading(game: Game) -> str:
    return tr("{title}: {where}; bank {bank}", game.title.name, round_and_phase(game), position_text.bank_text(game))


def player_lines(game: Game) -> Iterator[DashboardLine]:
    """Name, cash, certificates and holdings of all players, in the order of play."""
    asked = game.players_to_act()
    size = max(len(game.state.name(player)) for player in game.state.order)
    certificates = tr("Certs")
    yield DashboardLine(
        f" {'':<{size}} {tr('Cash'):>{14 - max(len(certificates), 6)}} {certificates:>6}  {tr('Holds')}",
        LineKind.COLUMNS,
    )
    for player in game.state.order:
        mark = "*" if player == game.state.priority else " "
        held = ", ".join(position_text.holdings(game, player)) or "-"
        cash = money(game, game.state.cash[player])
        text = f"{mark}{game.state.name(player):<{size}} {cash:>8} {format_certificates_short(game, player):>6}  {held}"
        yield DashboardLine(text, LineKind.ASKED if player in asked else LineKind.PLAIN)


def company_lines(game: Game) -> Iterator[DashboardLine]:
    """Share price, treasury, trains and president of companies in play, the highest price first, but the company in
    turn before all.
    """
    entity = game.frame.entity if game.state.flow else None
    open_ones = [one for one in position_text.shown_companies(game) if not one.closed]
    every = sorted(open_ones, key=lambda one: (one.id != entity, -(price_of(game, one.id) if one.position else 0)))
    if every:
        director = tr(game.title.director_word.capitalize())
        yield DashboardLine(
            f" {'':<7} {tr('Price'):>7} {tr('Cash'):>8}  {tr('Trains'):<14} {director}", LineKind.COLUMNS
        )
    for one in every[:MOST_COMPANIES]:
        yield DashboardLine(company_line(game, one.id), LineKind.ASKED if one.id == entity else LineKind.PLAIN)


def company_line(game: Game, company_id: CompanyId) -> str:
    """`VR      £90    £900  2, 2+      Ann`"""
    record = game.company(company_id)
    price = money(game, price_of(game, company_id)) if record.position else "-"
    trains = ", ".join(train.kind for train in game.state.trains_of(company_id)) or "-"
    cash = money(game, game.state.cash[company_id])
    return f" {company_id:<7} {price:>7} {cash:>8}  {trains:<14} {position_text.director_name(game, record)}"


def move_lines(game: Game, own: Collection[PlayerId], wanted: Action | None) -> Iterator[DashboardLine]:
    """The legal moves of the reader's `own` seats, with their cost."""
    for text in join_short_moves(help_lines(game, asked_seats(game, own), wanted=wanted)):
        yield DashboardLine(
            text, LineKind.MOVE if text.startswith(MOVE) else LineKind.WORDS if text.startswith("  ") else LineKind.HINT
        )


def join_short_moves(lines: Sequence[str]) -> Iterator[str]:
    """These lines; moves with the same verb and without a note are joined in a line: `reduce P1 | reduce P2`."""

    def kind(line: str) -> str:
        is_bare = line.startswith(MOVE) and NOTE not in line and len(line.split()) > 1
        return line.split()[0] if is_bare else ""

    for verb, group in groupby(lines, kind):
        if verb:
            yield BESIDE.join(line if number == 0 else line.strip() for number, line in enumerate(group))
        else:
            yield from group


def wrap_text(text: str, width: int) -> list[str]:
    """The text in lines of whole words, or for moves side by side whole moves, with the first line's indentation;
    continuation lines of moves and commands are indented further, so that they do not look like the next.
    """
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


def digest(entries: Sequence[Sequence[str]], most: int) -> list[str]:
    """At most `most` lines of what happened, by entries of the log: without the reasons of computer players and then
    without what else a move set off, where there is no room; of too many moves the latest.
    """
    whole = [sentence for sentences in entries for sentence in sentences]
    if len(whole) <= most:
        return whole
    facts = [[sentence for sentence in sentences if not sentence.startswith("(")] for sentences in entries]
    plain = [sentence for sentences in facts for sentence in sentences]
    lines = plain if len(plain) < most else [sentences[0] for sentences in facts if sentences]
    kept = lines[-(most - 1) :]
    if len(kept) == len(lines):
        return [tr("All of it: log turn; the reasons: why."), *kept]
    return [tr("{number} move(s) before these. All of it: log turn; the reasons: why.", len(lines) - len(kept)), *kept]


def clip_text(text: str, width: int) -> str:
    """The text, cut at a word where it is too long; the note of a move is cut before the move."""
    if len(text) <= width:
        return text
    cut = text[: width - 2]
    at = cut.rfind(" ")
    return f"{cut[:at] if at > len(text.partition(NOTE)[0]) // 2 else cut} …"
