"""Small built positions of 18GB."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import DEPOT, Owner, as_private, seat
from bot.engine.notation.text import format_action, parse_words
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.engine.state.state import Certificate, Frame, OperatingRoundMemory, Round
from bot.titles.registry import TITLES
from bot.titles.t18gb.components import MARKET
from tests.rearrangement import rearrange
from tests.titles.positions import (
    company,
    deal,
    empty_depot,
    give_train,
    in_company_turn,
    in_stock_turn,
    set_cash,
    settled,
)

TITLE = TITLES["18GB"]
ANN, BOB, CID, DAN = (seat(number) for number in range(1, 5))
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
BY_18XX = {"rules": "18xx.games"}

FAMILIES = ("2+1", "3+1", "4+2", "5+2", "4X", "5X", "6X")


def names(plan: str) -> list[str]:
    """What the steps of a plan are called."""
    return [getattr(step, "name", "") or getattr(step, "__name__", "") for step in TITLE.plans[plan].steps]


def at(step: str) -> int:
    """Where a step stands in a company's turn."""
    return names("company turn").index(step)


BUILD, RUN, PAY, TRAINS = (
    at(name) for name in ("lay track or place a token", "run trains", "pay or withhold", "buy trains")
)


def new_game(players: int = 4, seed: int = 1, **options: str) -> Game:
    """The position before the auction."""
    return Game.new(TITLE, NAMES[:players], options, seed)


def play(game: Game, *texts: str) -> Game:
    """Make these moves."""
    for text in texts:
        game.apply(parse_words(TITLE, text.split()))
    return game


def offered(game: Game, word: str) -> list[str]:
    """The legal moves with this verb."""
    return [text for text in map(format_action, game.legal_actions()) if text.split()[1] == word]


def own(game: Game, **owners: str) -> None:
    """Hand privates out; those not named are closed, owned by nobody."""
    for sign, record in game.state.privates.items():
        if sign in owners:
            record.owner = Owner(owners[sign])
        else:
            record.closed = True


def closed(game: Game, sign: str, owner: str = "@1") -> None:
    """A private that its owner has closed."""
    record = game.private(as_private(sign))
    record.owner, record.closed = Owner(owner), True


def started(
    game: Game,
    name: str,
    shares: dict[str, int] | None = None,
    director: str | None = "@1",
    price: int = 100,
    cash: int = 500,
    floated: bool = True,
    operated: bool = True,
) -> None:
    """A company with its director's certificate and these further single shares in hands."""
    record = deal(game, name, director, shares or {})
    record.par, record.floated, record.operated = price, floated, operated
    price_at(game, name, price)
    set_cash(game, name, cash)


def grow(game: Game, name: str, owners: Sequence[str]) -> None:
    """Ten shares: the director's certificate stays where it is, eight single ones go to these owners."""
    certificates = game.company(Owner(name)).certificates
    rearrange(game, certificates[0], percent=20)
    certificates[1:] = [Certificate(10, Owner(owner)) for owner in owners]


def price_at(game: Game, name: str, price: int) -> None:
    """Put the company's marker on a price."""
    column = next(column for column in range(len(MARKET.rows[0])) if MARKET.price((0, column)) == price)
    place_marker(game, company(name), (0, column))


def reach_phase(game: Game, name: str) -> None:
    """Empty the depot of everything older than the phase, and begin it."""
    empty_depot(game, FAMILIES, name)
    game.state.phase = name


def stock_round(game: Game, number: int = 2, player: str = "@1") -> Game:
    """The turn of a player in a stock round."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    return in_stock_turn(game, player, number, 3)


def operating(
    game: Game,
    name: str,
    trains: Sequence[str] = (),
    step: int = BUILD,
    part: int = 1,
    revenue: int | None = None,
    others: bool = False,
) -> Game:
    """A company's operating turn at a place of its plan; its trains have earned `revenue`, and `others` follow or not. After
    the round there is a stock round."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    for kind in trains:
        give_train(game, name, kind)
    return in_company_turn(game, name, step, 4, revenue, not others, part)


def operating_round(game: Game, part: int = 1) -> Game:
    """An operating round begins: privates pay, then the first company is asked."""
    if all(record.owner is None and not record.closed for record in game.state.privates.values()):
        own(game)
    game.state.round = Round("operating", 2, part, 2)
    game.state.flow = [Frame("game", None, 3), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    return settled(game)


def number_in_depot(game: Game, family: str) -> int:
    """How many trains of a kind the bank still sells."""
    return sum(train.family == family and train.owner == DEPOT for train in game.state.trains)
