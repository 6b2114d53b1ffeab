"""Small built positions of 1848."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import DEPOT, Owner, seat
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.titles.registry import TITLES
from bot.titles.t1848.components import COMPANIES
from tests.rearrangement import rearrange
from tests.titles.positions import deal, empty_depot, in_company_turn, in_stock_turn, set_cash

TITLE = TITLES["1848"]
ANN, BOB, CID = (seat(number) for number in (1, 2, 3))
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")


def new_game(players: int = 3, **options: str) -> Game:
    """The position before the auction."""
    return Game.new(TITLE, NAMES[:players], options, 1)


def started(
    game: Game,
    name: str,
    shares: dict[str, int],
    director: str = "@1",
    par: int = 100,
    position: tuple[int, int] | None = None,
    cash: int = 1000,
    floated: bool = True,
) -> None:
    """A company with its director's certificate and these further 10% shares in hands."""
    record = deal(game, name, director, shares)
    record.par, record.floated = par, floated
    cells = {game.title.market.price(cell): cell for cell in game.title.market.cells_in("p")}
    place_marker(game, record.id, position or cells[par])
    set_cash(game, name, cash)


def sell_privates(game: Game, owners: dict[str, str]) -> None:
    """Hand the privates out; those not named are closed."""
    for record in game.state.privates.values():
        if record.id in owners:
            record.owner = Owner(owners[record.id])
        else:
            record.closed = True


def reach_phase(game: Game, name: str) -> None:
    """Empty the depot of everything older than the phase, and begin it."""
    empty_depot(game, ["2", "3", "4", "5", "6", "8"], name)
    game.state.phase = name


def stock_round(game: Game, number: int = 2, player: str = "@1") -> Game:
    """The turn of a player in a stock round."""
    if not any(record.owner for record in game.state.privates.values()):
        sell_privates(game, {})
    return in_stock_turn(game, player, number, 2)


def operating(
    game: Game,
    name: str,
    trains: Sequence[str] = (),
    has_home: bool = True,
    step: int = 1,
) -> Game:
    """A company's operating turn; `step` is its place in the plan (1 track, 2 token, 3 run, 5 dividend, 7 trains)."""
    if not any(record.owner for record in game.state.privates.values()):
        sell_privates(game, {})
    if has_home:
        home(game, name)
    for kind in trains:
        give_train(game, name, kind)
    return in_company_turn(game, name, step, 4)


def home(game: Game, name: str) -> None:
    """Place the home token(s)."""
    record = game.company(Owner(name))
    for hex_id in COMPANIES[record.id].home:
        if not game.state.board.has_token(hex_id, record.id):
            record.tokens_left = record.tokens_left[1:]
            game.state.board.place_token(hex_id, 0, record.id)


def give_train(game: Game, name: str, kind: str) -> None:
    """A train from the depot, or back from the dead: the tests name 1848's cards by their numbers."""
    family = game.title.trains[kind].family
    train = next(t for t in game.state.trains if t.family == family and t.owner in (DEPOT, Owner("removed")))
    rearrange(game, train, owner=Owner(name), kind=kind)
