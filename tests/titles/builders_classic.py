"""Small built positions of titles of the family of 1830."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import Owner
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import Position, place_marker
from bot.titles.classic import classic
from bot.titles.registry import TITLES
from tests.titles.positions import (
    company,
    deal,
    empty_depot,
    give_train,
    in_company_turn,
    in_stock_turn,
    private,
    set_cash,
)

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
BY_18XX = {"rules": "18xx.games"}


def at(step: str) -> int:
    """Where a step stands in a company's turn, the same in all titles of the family."""
    steps = TITLES["1830"].plans["company turn"].steps
    return [getattr(one, "name", "") or getattr(one, "__name__", "") for one in steps].index(step)


HOME, TRACK, TOKEN, RUN, PAY, TRAINS = (
    at(name) for name in ("place_home", "lay track", "place a token", "run trains", "pay or withhold", "buy trains")
)


def new_game(title: str, players: int = 3, **options: str) -> Game:
    """The position before the auction."""
    return Game.new(TITLES[title], NAMES[:players], options, 1)


def offered(game: Game, word: str) -> list[str]:
    """The legal moves with this verb."""
    return [text for text in map(format_action, game.legal_actions()) if text.split()[1] == word]


def own(game: Game, **owners: str) -> None:
    """Hand privates out; those not named are closed."""
    for sign, record in game.state.privates.items():
        record.owner, record.closed = (Owner(owners[sign]), False) if sign in owners else (None, True)


def started(
    game: Game,
    name: str,
    shares: dict[str, int] | None = None,
    president: str = "@1",
    par: int = 0,
    cash: int = 1000,
    floated: bool = True,
) -> None:
    """A company with its president's certificate and these further shares in hands, its home token on the map."""
    record = deal(game, name, president, shares or {})
    record.floated = floated
    market = game.title.market
    par = par or max(map(market.price, market.cells_in("p")))
    record.par = par
    place_marker(game, record.id, next(cell for cell in market.cells_in("p") if market.price(cell) == par))
    set_cash(game, name, cash)
    noun = game.title.companies[record.id]
    if floated and (noun.home_city is not None or len(game.tile_at(noun.home[0]).cities) == 1):
        game.state.board.place_token(noun.home[0], noun.home_city or 0, record.id)
        record.tokens_left = record.tokens_left[1:]


def price_at(game: Game, name: str, cell: Position) -> None:
    """Put the company's marker on a cell: row and column."""
    place_marker(game, company(name), cell)


def reach_phase(game: Game, name: str) -> None:
    """Empty the depot of everything older than the phase, and begin it."""
    empty_depot(game, list(classic(game).cards(game)), name)
    game.state.phase = name


def stock_round(game: Game, number: int = 2, player: str = "@1") -> Game:
    """The turn of a player in a stock round."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    return in_stock_turn(game, player, number, 2)


def operating(
    game: Game,
    name: str,
    trains: Sequence[str] = (),
    step: int = TRACK,
    revenue: int | None = None,
    last: bool = True,
    phase: str = "",
) -> Game:
    """A company's operating turn at a place of its plan; its trains have earned `revenue`. It is the last one of its round
    unless others follow."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    game.state.phase = phase or game.state.phase
    for kind in trains:
        give_train(game, name, kind)
    return in_company_turn(game, name, step, 4, revenue, last)


def price(game: Game, name: str) -> int:
    """A company's price."""
    return game.title.market.price(game.company(Owner(name)).position or (0, 0))


def owner_of(game: Game, sign: str) -> str | None:
    """Who owns a private that is open."""
    record = game.private(private(sign))
    return None if record.closed else record.owner
