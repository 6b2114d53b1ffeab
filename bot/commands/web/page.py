"""A position as plain values, ready to be written into the page: the part that is the same for every reader."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine import BANK, IPO, POOL, CompanyId, GameId, HexId, PlayerId, as_company, msg
from bot.engine.notation import capitalise, money, parse_action, question, round_and_phase
from bot.engine.play import Game
from bot.engine.play.holdings import (
    card_sides,
    format_certificates_short,
    president_of,
    price_of,
    remaining_in_depot,
    trains_for_sale,
)
from bot.engine.state import Company, OperatingRoundMemory
from bot.i18n import tr
from bot.render.hexes.tokens import token
from bot.render.scenes.tables import company_in_turn, in_table_order, is_under_way
from bot.render.shapes.hex_view import TokenDrawing, view_of
from bot.service.parser.components_info import shop
from bot.service.parser.menus import hexes_of
from bot.service.sessions import GameSession, LogEntry
from bot.service.views import position_text
from bot.service.views.clock_text import SeatTime
from bot.service.views.credits import title_lines
from bot.service.views.report import NO_VERDICT, Verdict, ranking
from bot.store import GameStatus, MoveKind

from .board_svg import map_svg, market_svg, shapes_svg
from .display_options import DisplayOptions, face_of
from .log_view import LogLine, PageJump, log_lines, rounds_of

MOST_LINES = 60
"""Maximum number of log entries on the page; the whole log is a separate page."""

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
class TurnPlace:
    """A company of an operating round, or a player of another round, in the order of their turns. `state` is `done`,
    `now` or `next`.
    """

    name: str
    chip: Markup
    note: str
    state: str
    has_priority: bool


@dataclass(frozen=True)
class TrainRow:
    """A family of trains, and the phase that begins with it."""

    prices: str
    left: str
    rusts: str
    is_for_sale: bool
    is_rusting_next: bool
    phase: str
    limit: str
    colours: str
    rounds: str
    is_now: bool


@dataclass(frozen=True)
class ResultRow:
    """A player's place at the end, with the parts of the score."""

    place: int
    name: str
    score: str
    cash: str
    rest: str


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
    director: str
    remarks: tuple[str, ...]
    order: tuple[TurnPlace, ...]
    trains: tuple[TrainRow, ...]
    privates: tuple[str, ...]
    tiles: tuple[str, ...]
    log: tuple[LogLine, ...]
    earlier: int
    rounds: tuple[PageJump, ...]
    results: tuple[ResultRow, ...]
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
        tuple(charter(game, company, faces[company.id]) for company in in_table_order(game)),
        tuple(shares_of(game)),
        ", ".join(c.id for c in game.state.companies.values() if not c.closed and not is_under_way(game, c)),
        tr(game.title.director_word.capitalize()),
        tuple(map(tr, game.title.look.lines(game))),
        tuple(turn_order(game, asked, faces)),
        tuple(train_rows(game)),
        tuple(shop(game)),
        tuple(position_text.tiles_text(game).splitlines()),
        lines[-MOST_LINES:],
        max(0, len(lines) - MOST_LINES),
        rounds_of(story, at, start),
        tuple(result_rows(game, verdict)) if game.state.finished else (),
        tuple(closing_lines(game)) if game.state.finished else (),
        tuple(times),
        " ".join(map(tr, title_lines(game.title.id))),
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


def turn_order(game: Game, asked: Collection[PlayerId], faces: Mapping[CompanyId, TokenDrawing]) -> Iterator[TurnPlace]:
    """Whose turn is over, whose it is and whose comes: companies in operating rounds, players in all others."""
    state = game.state
    memory = next((one.memory for one in reversed(state.flow) if isinstance(one.memory, OperatingRoundMemory)), None)
    if memory is None or state.round.kind != "operating":
        for player in state.order:
            place = "now" if player in asked else "next"
            yield TurnPlace(
                state.name(player), Markup(), money(game, state.cash[player]), place, player == state.priority
            )
        return
    now = company_in_turn(game)
    for owner in dict.fromkeys([*memory.done, *game.title.rules.operating_order(game)]):
        company = state.companies.get(as_company(owner))
        if company is not None and not company.closed:
            place = "now" if company.id == now else "done" if owner in memory.done else "next"
            price = money(game, price_of(game, company.id)) if company.position else ""
            yield TurnPlace(company.id, chip(faces[company.id]), price, place, False)


def train_rows(game: Game) -> Iterator[TrainRow]:
    """Every family of trains with the phase that it begins; then phases that something else begins."""
    title, left = game.title, remaining_in_depot(game)
    now = {card.family for card in trains_for_sale(game)}
    families = list(dict.fromkeys(kind.family for kind in title.trains.values()))
    begun = {phase.begins_on or families[0]: phase for phase in reversed(title.phases)}
    for family in dict.fromkeys([*families, *begun]):
        kinds, phase = card_sides(game, family), begun.get(family)
        rusts = next((kind.rusts_on for kind in kinds if kind.rusts_on), "") or ""
        yield TrainRow(
            ", ".join(f"{kind.name} {money(game, kind.price)}" for kind in kinds),
            left.get(family, "0") if kinds else "",
            rusts,
            family in now,
            rusts in now and family not in now,
            phase.name if phase else "",
            str(phase.train_limit) if phase else "",
            ", ".join(tr(colour) for colour in phase.colours[-1:]) if phase else "",
            str(phase.operating_rounds) if phase else "",
            phase is not None and phase.name == game.state.phase,
        )


def result_rows(game: Game, verdict: Verdict) -> Iterator[ResultRow]:
    for place, player, score in ranking(game, verdict):
        cash = game.state.cash[player]
        worth = score + verdict.fines.get(player, 0)
        yield ResultRow(
            place, game.state.name(player), money(game, score), money(game, cash), money(game, worth - cash)
        )


def closing_lines(game: Game) -> Iterator[str]:
    """Why a finished game has ended, and its length."""
    yield tr("{game}, {moves} move(s).", round_and_phase(game), game.state.moves)
    if game.state.ending:
        yield tr("End: {ending}.", msg(game.state.ending), names=game.state.names)


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


def find_changed_hexes(game: Game, story: Sequence[LogEntry], at: int) -> list[HexId]:
    text = next(
        (entry.record.text for entry in story if entry.record.number == at and entry.record.kind == MoveKind.MOVE), ""
    )
    return hexes_of(game, parse_action(game.title, text)) if text else []
