"""Small built positions of 1830."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.data.state import Frame, OperatingRoundMemory, Round, StockRoundMemory, StockTurnMemory, TurnMemory
from bot.engine.holdings.market import Position, place_marker
from bot.engine.ids import DEPOT, REMOVED, Owner, as_player
from bot.engine.play.game import Game
from bot.engine.titles.registry import TITLES
from bot.engine.titles.t1830.box.nouns import MARKET, TRAIN_CARDS
from bot.engine.words.text import text_of
from tests.engine.titles.positions import company, deal, give_train, private, set_cash

TITLE = TITLES["1830"]
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
BY_18XX = {"rules": "18xx.games"}


def at(step: str) -> int:
    """Where a step stands in a company's turn."""
    return [
        getattr(one, "name", "") or getattr(one, "__name__", "") for one in TITLE.plans["company turn"].steps
    ].index(step)


HOME, TRACK, TOKEN, RUN, PAY, TRAINS = (
    at(name) for name in ("place_home", "lay track", "place a token", "run trains", "pay or withhold", "buy trains")
)


def new_game(players: int = 3, **options: str) -> Game:
    """The position before the auction."""
    return Game.new(TITLE, NAMES[:players], options, 1)


def offered(game: Game, word: str) -> list[str]:
    """The legal moves with this verb."""
    return [text for text in map(text_of, game.legal()) if text.split()[1] == word]


def own(game: Game, **owners: str) -> None:
    """Hand privates out; those not named are closed."""
    for sign, record in game.state.privates.items():
        record.owner, record.closed = (Owner(owners[sign]), False) if sign in owners else (None, True)


def started(
    game: Game,
    name: str,
    shares: dict[str, int] | None = None,
    president: str = "@1",
    par: int = 100,
    cash: int = 1000,
    floated: bool = True,
) -> None:
    """A company with its president's certificate and these further shares in hands, its home token on the map."""
    record = deal(game, name, president, shares or {})
    record.par, record.floated = par, floated
    place_marker(game, record.id, next(cell for cell in MARKET.cells_in("p") if MARKET.price(cell) == par))
    set_cash(game, name, cash)
    noun = TITLE.companies[record.id]
    if floated and name != "ERIE":
        game.state.board.place_token(noun.home[0], noun.home_city or 0, record.id)
        record.tokens_left.pop(0)


def price_at(game: Game, name: str, cell: Position) -> None:
    """Put the company's marker on a cell: row and column."""
    place_marker(game, company(name), cell)


def reach_phase(game: Game, name: str) -> None:
    """Empty the depot of everything older than the phase, and begin it."""
    families = list(TRAIN_CARDS)
    for train in game.state.trains:
        if train.owner == DEPOT and families.index(train.family) < families.index(name):
            train.owner = REMOVED
    game.state.phase = name


def stock_round(game: Game, number: int = 2, player: str = "@1") -> Game:
    """The turn of a player in a stock round."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    game.state.round = Round("stock", number)
    game.state.flow = [
        Frame("game", None, 2),
        Frame("stock round", None, 0, memory=StockRoundMemory(turns=game.state.order.index(as_player(player)) + 1)),
        Frame("stock turn", Owner(player), 0, memory=StockTurnMemory()),
    ]
    return begun(game)


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
    game.state.round = Round("operating", 2, 1, 2)
    game.state.phase = phase or game.state.phase
    for kind in trains:
        give_train(game, name, kind)
    game.state.flow = [
        Frame("game", None, 4),
        Frame("operating round", None, 2 if last else 1, memory=OperatingRoundMemory(done=[company(name)])),
        Frame("company turn", Owner(name), step, memory=TurnMemory(revenue=revenue)),
    ]
    return begun(game)


def begun(game: Game) -> Game:
    """The books are right, and play has come to a decision."""
    game.board_changed()
    game.state.money = sum(game.state.cash.values())
    game.settle()
    game.events = []
    return game


def price(game: Game, name: str) -> int:
    """A company's price."""
    return MARKET.price(game.company(Owner(name)).position or (0, 0))


def owner_of(game: Game, sign: str) -> str | None:
    """Who owns a private that is open."""
    record = game.private(private(sign))
    return None if record.closed else record.owner
