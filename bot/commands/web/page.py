"""A position as plain values, ready to be written into the page: the part that is the same for every reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine import BANK, IPO, POOL, GameId, HexId, PlayerId
from bot.engine.notation import capitalise, money, parse_action, question, round_and_phase
from bot.engine.play import Game
from bot.engine.play.holdings import format_certificates_short, president_of, price_of
from bot.engine.state import Company
from bot.i18n import tr
from bot.i18n.labels import format_round_label
from bot.render.hexes.tokens import token
from bot.render.scenes.tables import is_under_way
from bot.render.shapes.hex_view import TokenDrawing, view_of
from bot.service.parser.components_info import shop
from bot.service.parser.menus import hexes_of
from bot.service.sessions import GameSession, LogEntry
from bot.service.views import position_text
from bot.service.views.clock_text import SeatTime
from bot.service.views.credits import credit_line
from bot.service.views.report import NO_VERDICT, Verdict, report_text
from bot.store import GameStatus, MoveKind

from .board_svg import map_svg, market_svg, shapes_svg
from .display_options import DisplayOptions, face_of

MOST_LINES = 60
"""Maximum number of log entries on the page; the whole log is a separate page."""

ROUND = re.compile(r"(?P<kind>\w+) round (?P<number>[\d.]+)(?: of [\d.]+)? begins\.")
CHIP = 13.0
"""The radius of a company's token in tables."""


@dataclass(frozen=True)
class Holder:
    """A player's line in a table."""

    name: str
    chip: Markup
    is_asked: bool
    has_priority: bool
    cash: str
    certificates: str
    worth: str
    holds: tuple[str, ...]


@dataclass(frozen=True)
class Charter:
    """A company's line in a table."""

    sign: str
    name: str
    chip: Markup
    is_in_turn: bool
    price: str
    par: str
    cash: str
    trains: str
    unsold: int
    pool: int
    tokens: int
    loans: int
    director: str
    last_run: str


@dataclass(frozen=True)
class LogLine:
    number: int
    said: str
    is_undone: bool
    is_here: bool


@dataclass(frozen=True)
class PageJump:
    """A round and its first log entry."""

    number: int
    label: str
    is_here: bool


@dataclass(frozen=True)
class Page:
    """Everything on the page except what only one viewer sees."""

    game: GameId
    title: str
    status: str
    version: int
    at: int
    where: str
    question: str
    asked: tuple[str, ...]
    bank: str
    map: Markup
    market: Markup
    players: tuple[Holder, ...]
    companies: tuple[Charter, ...]
    shares: tuple[tuple[str, ...], ...]
    not_begun: str
    remarks: tuple[str, ...]
    trains: tuple[str, ...]
    privates: tuple[str, ...]
    tiles: tuple[str, ...]
    log: tuple[LogLine, ...]
    earlier: int
    rounds: tuple[PageJump, ...]
    report: tuple[str, ...]
    times: tuple[SeatTime, ...]
    credits: str
    wishes: DisplayOptions

    @property
    def is_past(self) -> bool:
        """Whether it shows an earlier position."""
        return self.at != self.version


def page_of(
    table: GameSession,
    game: Game,
    at: int,
    story: Sequence[LogEntry],
    start: Game,
    wishes: DisplayOptions,
    times: Sequence[SeatTime] = (),
    verdict: Verdict = NO_VERDICT,
) -> Page:
    """The page of a game after log entry `at`; `story` is the whole log, `start` the position before any move, `times` what
    everybody has left, `verdict` what that does to the ranking.
    """
    faces, mapped = wishes.faces(game), start if wishes.start else game
    changed = [] if wishes.start else find_changed_hexes(game, story, at)
    asked = game.players_to_act() if table.record.status == GameStatus.RUNNING else ()
    bank = tr("without limit") if game.title.bank_is_unlimited else money(game, max(0, game.state.cash[BANK]))
    lines = log_lines(story, at)
    return Page(
        table.record.id,
        game.title.name,
        table.record.status,
        table.record.version,
        at,
        tr(round_and_phase(game)),
        tr(question(game)),
        tuple(game.state.name(player) for player in asked),
        bank,
        Markup(map_svg(view_of(mapped, faces), lambda hex_id: position_text.hex_line(mapped, hex_id), changed)),
        Markup(market_svg(game, faces)),
        tuple(holder(game, player, asked, wishes) for player in game.state.order),
        tuple(
            charter(game, company, faces[company.id])
            for company in game.state.companies.values()
            if is_under_way(game, company)
        ),
        tuple(shares_of(game)),
        ", ".join(c.id for c in game.state.companies.values() if not c.closed and not is_under_way(game, c)),
        tuple(map(tr, game.title.look.lines(game))),
        tuple(position_text.trains_text(game).splitlines()),
        tuple(shop(game)),
        tuple(position_text.tiles_text(game).splitlines()),
        lines[-MOST_LINES:],
        max(0, len(lines) - MOST_LINES),
        rounds_of(story, at, start),
        tuple(report_text(game, verdict).splitlines()) if game.state.finished else (),
        tuple(times),
        tr(owed) if (owed := credit_line(game.title.id)) else "",
        wishes,
    )


# -- players and companies ----------------------------------------------------------------------------


def holder(game: Game, player: PlayerId, asked: Collection[PlayerId], wishes: DisplayOptions) -> Holder:
    return Holder(
        game.state.name(player),
        chip(face_of(game, player)) if wishes.players else Markup(),
        player in asked,
        player == game.state.priority,
        money(game, game.state.cash[player]),
        format_certificates_short(game, player),
        money(game, position_text.worth(game, player)),
        tuple(position_text.holdings(game, player)),
    )


def charter(game: Game, company: Company, face: TokenDrawing) -> Charter:
    return Charter(
        company.id,
        game.title.companies[company.id].name,
        chip(face),
        bool(game.state.flow) and company.id == game.frame.entity,
        money(game, price_of(game, company.id)) if company.position else "–",
        money(game, company.par) if company.par else "–",
        money(game, game.state.cash.get(company.id, 0)),
        ", ".join(train.kind for train in game.state.trains_of(company.id)) or "–",
        company.percent_held_by(IPO),
        company.percent_held_by(POOL),
        len(company.tokens_left),
        company.loans,
        position_text.director_name(game, company) or "–",
        money(game, company.last_run.revenue) if company.last_run else "",
    )


def shares_of(game: Game) -> Iterator[tuple[str, ...]]:
    """A line for each company of which somebody holds a part, then money and privates: a cell for each player."""
    for company in game.state.companies.values():
        held = [company.percent_held_by(player) for player in game.state.order]
        if any(held):
            marks = ["*" if president_of(company) == player else "" for player in game.state.order]
            yield (
                company.id,
                *(f"{percent}%{mark}" if percent else "" for percent, mark in zip(held, marks, strict=True)),
            )
    yield tr("Cash"), *(money(game, game.state.cash[player]) for player in game.state.order)
    yield (
        tr(capitalise(game.title.privates_word)),
        *(" ".join(one.id for one in game.state.privates_of(player)) for player in game.state.order),
    )


def chip(face: TokenDrawing) -> Markup:
    size = f"{-CHIP - 1:g} {-CHIP - 1:g} {2 * CHIP + 2:g} {2 * CHIP + 2:g}"
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chip" viewBox="{size}" aria-hidden="true">'
        f"{shapes_svg(token(face, (0, 0), CHIP))}</svg>"
    )


# -- the log ------------------------------------------------------------------------------------------


def log_lines(story: Sequence[LogEntry], at: int) -> tuple[LogLine, ...]:
    """Every entry up to `at`, oldest first."""
    return tuple(
        LogLine(
            entry.record.number,
            " ".join(entry.tr_lines) or entry.record.text,
            entry.is_undone,
            entry.record.number == at,
        )
        for entry in story
        if entry.record.number <= at
    )


def find_changed_hexes(game: Game, story: Sequence[LogEntry], at: int) -> list[HexId]:
    text = next(
        (entry.record.text for entry in story if entry.record.number == at and entry.record.kind == MoveKind.MOVE), ""
    )
    return hexes_of(game, parse_action(game.title, text)) if text else []


def rounds_of(story: Sequence[LogEntry], at: int, start: Game) -> tuple[PageJump, ...]:
    """The first round and every later round that has not been undone, each with its log entry."""
    first = start.state.round
    found = [(0, tr("The auction") if first.kind == "auction" else round_label(first.kind, str(first.number)))]
    found += [
        (entry.record.number, round_label(begun["kind"], begun["number"]))
        for entry in story
        if not entry.is_undone
        for line in entry.record.lines
        if (begun := ROUND.search(str(line)))
    ]
    here = max(number for number, _ in found if number <= at)
    return tuple(PageJump(number, label, number == here) for number, label in found)


def round_label(kind: str, number: str) -> str:
    """Players' name of a round: SR 2, OR 2.1; in German AR 2, BR 2.1."""
    return format_round_label(f"{kind[:1].upper()}R {number}")
