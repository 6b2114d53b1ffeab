"""Small built positions of 18BF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.ids import (
    BANK,
    DEPOT,
    IPO,
    POOL,
    REMOVED,
    HexId,
    Owner,
    PrivateId,
    TileId,
    TrainId,
    as_company,
    as_private,
    seat,
)
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker, price_of
from bot.engine.state.board import PlacedTile
from bot.engine.state.events import Event
from bot.engine.state.state import (
    Company,
    Frame,
    OperatingRoundMemory,
    Round,
    StockRoundMemory,
    StockTurnMemory,
    Train,
    TurnMemory,
)
from bot.titles.registry import TITLES
from bot.titles.t18bf.components import COMPANIES, MARKET, RAILWAY_PRIVATES
from bot.titles.t18bf.state import State18BF, kind_of, title_state
from tests.rearrangement import rearrange
from tests.titles.positions import as_player, set_cash, settled

TITLE = TITLES["18BF"]
ANN, BOB, CID, DAN, EVE = (seat(number) for number in range(1, 6))
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve")
MINOR_TURN = {"start": 0, "track": 1, "ferries": 2, "run": 4, "earnings": 5, "loans": 6, "trains": 7, "end": 8}
COMPANY_TURN = {
    "start": 0,
    "redeem": 1,
    "track": 2,
    "token": 3,
    "ferries": 4,
    "run": 6,
    "earnings": 7,
    "loans": 9,
    "trains": 10,
    "end": 11,
}
FAMILIES = ("2", "3", "4", "5", "6", "3+3", "4+4", "5+5E", "2+2")
OPENS = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "3+3", "8": "4+4"}
"""Which family of trains opens each phase."""


# -- set-up -------------------------------------------------------------------------------------------


def new_game(players: int = 3, seed: int = 1, **options: str) -> Game:
    """A game in seating order, before the first stock round. Seed 1 leaves P1, P2 and P7 in the box."""
    return Game.new(TITLE, NAMES[:players], options, seed)


def after_privates(players: int = 3, owners: Mapping[str, str] | None = None, seed: int = 1, **options: str) -> Game:
    """The privates named have these owners, no other private railway is in play."""
    game = new_game(players, seed, **options)
    for sign in RAILWAY_PRIVATES:
        if sign in game.state.privates and sign not in (owners or {}):
            game.private(sign).closed = True
    for sign, owner in (owners or {}).items():
        game.private(Owner(sign)).owner = Owner(owner)
    return game


def memory(game: Game) -> State18BF:
    """The title's own record."""
    return title_state(game)


def company(game: Game, name: str) -> Company:
    """A company's record."""
    return game.company(Owner(name))


def price(game: Game, name: str) -> int:
    """A company's price."""
    return price_of(game, as_company(name))


def shares(game: Game, name: str, owner: str) -> int:
    """How many shares of a company somebody holds."""
    unit = {"minor": 100, "public": 10, "system": 5}[kind_of(as_company(name))]
    return company(game, name).percent_held_by(Owner(owner)) // unit


def trains(game: Game, owner: str) -> list[str]:
    """The kinds of somebody's trains."""
    return [train.kind for train in game.state.trains_of(Owner(owner))]


def places(game: Game, name: str) -> list[str]:
    """Where a company has stations: space and city."""
    return sorted(f"{hex_id}.{city}" for hex_id, city in game.state.board.cities_of(as_company(name)))


def column(money: int) -> int:
    """The market column of a price."""
    return next(index for index, cell in enumerate(MARKET.rows[0]) if cell and cell.price == money)


# -- companies ----------------------------------------------------------------------------------------


def minor(game: Game, name: str, owner: str = "@1", at: int = 100, money: int = 100, loans: int = 0) -> Company:
    """A minor in play with its station at home."""
    record = company(game, name)
    rearrange(game, record.certificates[0], owner=Owner(owner))
    _in_play(game, record, at, money, loans)
    home = next(kept for kept in game.state.board.reservations if kept.company == name)
    token(game, name, home.hex, home.city)
    return record


def public(
    game: Game,
    name: str,
    held: Mapping[str, int] | None = None,
    at: int = 100,
    money: int = 500,
    loans: int = 0,
    stations: Sequence[tuple[str, int]] = (),
) -> Company:
    """A public company or system; who is named first directs it and has its certificate, the rest is in the treasury."""
    record = company(game, name)
    held = held or {"@1": 2}
    director = next(iter(held))
    rearrange(game, record.certificates[0], owner=Owner(director))
    inside = 2 if kind_of(record.id) == "public" else 4
    free = iter(record.certificates[1:])
    for owner, number in held.items():
        for _ in range(number - (inside if owner == director else 0)):
            rearrange(game, next(free), owner=Owner(owner))
    _in_play(game, record, at, money, loans)
    for hex_id, city in stations:
        token(game, name, hex_id, city)
    return record


def _in_play(game: Game, record: Company, at: int, money: int, loans: int) -> None:
    record.floated = record.operated = True
    record.par, record.loans = at, loans
    place_marker(game, record.id, (0, column(at)))
    set_cash(game, record.id, money)


def token(game: Game, name: str, hex_id: str, city: int = 0) -> None:
    """A station on the map, from the company's own tokens."""
    company(game, name).tokens_left = company(game, name).tokens_left[1:]
    game.state.board.place_token(HexId(hex_id), city, as_company(name))
    game.board_changed()


def lay(game: Game, *tiles: str) -> None:
    """Tiles on the map, whatever the rules say: `57 U11 0`."""
    for text in tiles:
        tile, hex_id, rotation = text.split()
        game.state.board.tiles[HexId(hex_id)] = PlacedTile(TileId(tile), int(rotation))
    game.board_changed()


def give_trains(game: Game, name: str, *kinds: str) -> None:
    """Further cards of these kinds."""
    for kind in kinds:
        family = TITLE.trains[kind].family
        game.state.trains.insert(
            0, Train(TrainId(f"{family}-{50 + len(game.state.trains)}"), family, kind, Owner(name))
        )


def reach_phase(game: Game, name: str) -> None:
    """The bank has sold everything older than the phase's trains."""
    opens = FAMILIES.index(OPENS[name])
    for train in game.state.trains:
        if train.owner == DEPOT and FAMILIES.index(train.family) < opens:
            rearrange(game, train, owner=REMOVED)
    game.state.phase = name
    if int(name) >= 5:
        game.state.board.reservations = []
        for record in game.state.companies.values():
            record.closed = record.closed or (kind_of(record.id) == "minor" and record.position is None)
    if int(name) >= 8:
        for sign in RAILWAY_PRIVATES:
            if sign in game.state.privates:
                game.private(sign).closed = True


def private_of(name: str) -> PrivateId:
    """A private's id."""
    return as_private(name)


# -- where play stands --------------------------------------------------------------------------------


def stock_turn(game: Game, player: str = "@1", number: int = 2) -> Game:
    """A player's turn in a stock round."""
    state = game.state
    state.round = Round("stock", number)
    turns = state.order.index(as_player(player)) + 1
    state.flow = [
        Frame("game", None, 1),
        Frame("stock round", None, 0, memory=StockRoundMemory(turns=turns)),
        Frame("stock turn", Owner(player), 0, memory=StockTurnMemory()),
    ]
    return settled(game)


def in_turn(game: Game, name: str, step: str = "start", part: int = 1, of: int = 2, revenue: int | None = None) -> Game:
    """A company's operating turn, the last of its round, at a step; its trains may have run for some revenue."""
    is_minor = kind_of(as_company(name)) == "minor"
    game.state.round = Round("operating", 2, part, of)
    everybody = [one.id for one in game.state.companies.values()]
    game.state.flow = [
        Frame("game", None, 2),
        Frame("operating round", None, 1, memory=OperatingRoundMemory(everybody)),
        Frame(
            "minor turn" if is_minor else "company turn",
            Owner(name),
            (MINOR_TURN if is_minor else COMPANY_TURN)[step],
            memory=TurnMemory(revenue=revenue),
        ),
    ]
    return settled(game)


def operating_round(game: Game, part: int = 1, of: int = 2, at: int = 0) -> Game:
    """An operating round at a place of its plan: 0 incomes, 1 companies, 2 export, 3 the merger round."""
    game.state.round = Round("operating", 2, part, of)
    game.state.flow = [
        Frame("game", None, 2),
        Frame("operating round", None, at, memory=OperatingRoundMemory()),
    ]
    return settled(game)


def merger_round(game: Game, part: int = 1) -> Game:
    """A merger round from its first turn on."""
    game.state.round = Round("merger", 2, part, 2)
    game.state.flow = [
        Frame("game", None, 2),
        Frame("merger round", None, 0, memory=OperatingRoundMemory()),
    ]
    return settled(game)


# -- moves --------------------------------------------------------------------------------------------


def legal(game: Game, start: str = "") -> list[str]:
    """The texts of all listed moves that begin so."""
    return [text for text in map(format_action, game.legal_actions()) if text.startswith(start)]


def asked(game: Game) -> list[str]:
    """Who is asked."""
    return [str(player) for player in game.players_to_act()]


def happened(events: Sequence[Event], kind: type[Event]) -> list[Event]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


__all__ = ["BANK", "COMPANIES", "DEPOT", "IPO", "POOL", "REMOVED"]
