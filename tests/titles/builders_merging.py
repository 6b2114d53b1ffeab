"""Small built positions of the family of 1867 and 1861."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.ids import DEPOT, REMOVED, HexId, Owner, as_company
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker, price_of
from bot.engine.state.state import Company, Frame, OperatingRoundMemory, Round, TurnMemory
from bot.titles.registry import TITLES
from tests.rearrangement import rearrange
from tests.titles.positions import act, company, in_stock_turn, set_cash, settled

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
TURNS = {
    "minor turn": {"track": 2, "run": 3, "loans": 6, "trains": 7},
    "company turn": {"redeem": 2, "track": 3, "token": 4, "run": 5, "dividend": 7, "loans": 9, "trains": 10},
}


def new_game(title: str, players: int = 3, **options: str) -> Game:
    return Game.new(TITLES[title], NAMES[:players], options, 1)


def sold(game: Game, **owners: str) -> Game:
    """The privates have these owners, the others are out of the game; the first stock round begins."""
    for sign, private in game.state.privates.items():
        private.owner = Owner(owners[sign]) if sign in owners else None
        private.closed = sign not in owners
    return stock_turn(game, "@1", 1)


def stock_turn(game: Game, player: str, number: int = 2) -> Game:
    game.state.special.lot = None
    return in_stock_turn(game, player, number, 2)


def reach_phase(game: Game, phase: str) -> Game:
    """The bank has sold everything older, by hand."""
    for train in game.state.trains:
        if train.owner == DEPOT and train.family in "234567"[: "2345678".index(phase)]:
            rearrange(game, train, owner=REMOVED)
    game.state.phase = phase
    if phase >= "3":
        kept = game.title.family.national
        game.state.board.reservations = [one for one in game.state.board.reservations if one.company != kept]
    game.board_changed()
    return game


def started(
    game: Game,
    name: str,
    held: Mapping[str, int] | str = "@1",
    at: int = 100,
    money: int = 200,
    loans: int = 0,
    tokens: Sequence[tuple[str, int]] = (),
) -> Company:
    """A company that has operated; who is named first is the president of a major, the rest is in the treasury."""
    record = game.company(Owner(name))
    holders = {held: 2} if isinstance(held, str) else held
    president = next(iter(holders))
    rearrange(game, record.certificates[0], owner=Owner(president))
    free = iter(record.certificates[1:])
    for owner, number in holders.items() if len(record.certificates) > 1 else ():
        for _ in range(number - (2 if owner == president else 0)):
            rearrange(game, next(free), owner=Owner(owner))
    record.par, record.loans = at, loans
    record.floated = record.operated = True
    market = game.title.market
    cells = [(row, column) for row, cells in enumerate(market.rows) for column, _ in enumerate(cells)]
    place_marker(game, record.id, next(cell for cell in cells if market.cell(cell) and market.price(cell) == at))
    set_cash(game, name, money)
    for hex_id, city in tokens:
        record.tokens_left = record.tokens_left[1:]
        game.state.board.place_token(HexId(hex_id), city, record.id)
    game.board_changed()
    return record


def in_turn(game: Game, name: str, step: str, revenue: int | None = None, part: int = 1) -> Game:
    """A company's turn, the last of its round, at a step."""
    company = as_company(name)
    plan = "minor turn" if game.title.companies[company].kind == "minor" else "company turn"
    everybody = list(game.state.companies)
    game.state.round = Round("operating", 2, part, 2)
    game.state.flow = [
        Frame("game", None, 3),
        Frame("operating round", None, 3, memory=OperatingRoundMemory(everybody)),
        Frame(plan, Owner(name), TURNS[plan][step], memory=TurnMemory(revenue=revenue)),
    ]
    game.state.special.loans_due = game.company(company).loans
    return settled(game)


def merger_round(game: Game) -> Game:
    game.state.round = Round("merger", 2, 1, 2)
    game.state.flow = [Frame("game", None, 3), Frame("merger round", None, 0, memory=OperatingRoundMemory())]
    return settled(game)


def offered(game: Game, start: str = "") -> list[str]:
    return [text for text in map(format_action, game.legal_actions()) if text.startswith(start)]


def bid_for(game: Game, player: str, lot: str, price: int, at: str) -> None:
    """The player offers a minor with a bid and places its token; the others pass."""
    act(game, f"{player} bid {lot} {price}", f"{lot} token {at}")
    while game.state.special.lot is not None:
        act(game, f"{game.player_in_turn} pass")


# -- what cases look at -------------------------------------------------------------------------------


def price(game: Game, name: str) -> int:
    return price_of(game, company(name))


def cell(game: Game, name: str) -> tuple[int, int] | None:
    return game.company(Owner(name)).position


def place(game: Game, name: str, at: tuple[int, int]) -> None:
    place_marker(game, company(name), at)


def named(game: Game, verb: str) -> set[str]:
    return {move.split()[2] for move in offered(game) if move.split()[1] == verb}


def passes(game: Game, number: int) -> None:
    for _ in range(number):
        act(game, f"{game.player_in_turn} pass")
