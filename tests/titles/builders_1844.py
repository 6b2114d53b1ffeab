"""Small built positions of 1844."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import HexId, Owner, TileId, seat
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.engine.state.board import PlacedTile
from bot.titles.registry import TITLES
from bot.titles.t1844.components import COMPANIES, PRINTED_PRIVATES
from bot.titles.t1844.state import title_state
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

TITLE = TITLES["1844"]
ANN, BOB, CID, DAN, EVE = (seat(number) for number in range(1, 6))
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus")

TRACK, TOKEN, RUN, PAY, TRAINS = 1, 2, 3, 4, 6
"""Places in the plan of a company's turn."""


def new_game(players: int = 3, **options: str) -> Game:
    """The position before the auction."""
    return Game.new(TITLE, NAMES[:players], options, 1)


def sell_privates(game: Game, owners: dict[str, str] | None = None) -> None:
    """Hand P1 to P7 out; those not named are closed. The auction is over."""
    for sign in PRINTED_PRIVATES:
        record = game.private(sign)
        if owners and sign in owners:
            record.owner = Owner(owners[sign])
        else:
            record.closed = True
    for name, owner in (owners or {}).items():
        if name[0] in "BT":
            game.private(Owner(name)).owner = Owner(owner)
    title_state(game).auctioned = None


def started(
    game: Game,
    name: str,
    shares: dict[str, int] | None = None,
    director: str = "@1",
    par: int = 100,
    position: tuple[int, int] | None = None,
    cash: int = 500,
    floated: bool = True,
    operated: bool = True,
) -> None:
    """A company with its director's certificate and these further single shares in hands."""
    record = deal(game, name, director, shares or {})
    record.par, record.floated, record.operated = par, floated, operated
    cells = {game.title.market.price(cell): cell for cell in game.title.market.cells_in("p")}
    place_marker(game, record.id, position or cells[par])
    set_cash(game, name, cash)


def reach_phase(game: Game, name: str) -> None:
    """Empty the depot of everything older than the phase, and begin it."""
    families = ["2", "3", "4", "5", "6", "8E"]
    begins = {"1": "2", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "8E"}[name]
    empty_depot(game, families, begins)
    game.state.phase = name


def stock_round(game: Game, number: int = 2, player: str = "@1") -> Game:
    """The turn of a player in a share round."""
    if title_state(game).auctioned is not None:
        sell_privates(game)
    return in_stock_turn(game, player, number, 2)


def operating(
    game: Game,
    name: str,
    trains: Sequence[str] = (),
    step: int = TRACK,
    has_home: bool = True,
    part: int = 1,
    of: int = 2,
) -> Game:
    """A company's operating turn at a place of its plan."""
    if title_state(game).auctioned is not None:
        sell_privates(game)
    if has_home:
        home(game, name)
    for kind in trains:
        give_train(game, name, kind)
    return in_company_turn(game, name, step, 3, part=part, of=of)


def home(game: Game, name: str) -> None:
    """Place the home token."""
    record, noun = game.company(Owner(name)), COMPANIES[company(name)]
    if noun.home and not game.state.board.has_token(noun.home[0], record.id):
        record.tokens_left = record.tokens_left[1:]
        game.state.board.place_token(noun.home[0], noun.home_city or 0, record.id)
        game.board_changed()


def mountain(game: Game, sign: str, owner: str, hex_id: str, marker: str) -> None:
    """A mountain railway on the map."""
    game.private(Owner(sign)).owner = Owner(owner)
    title_state(game).mountains[private(sign)] = HexId(hex_id)
    game.state.board.tiles[HexId(hex_id)] = PlacedTile(TileId(f"{hex_id}-{marker}"), 0)
    game.board_changed()


def tunnel(game: Game, sign: str, owner: str, tile: str, hex_id: str, rotation: int) -> None:
    """A tunnel on the map."""
    game.private(Owner(sign)).owner = Owner(owner)
    title_state(game).tunnels[private(sign)] = HexId(hex_id)
    game.state.board.tiles[HexId(hex_id)] = PlacedTile(TileId(tile), rotation)
    game.board_changed()
