"""The values in which titles of the family differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property, lru_cache
from typing import TypeVar

from bot.engine import CompanyId, PrivateId, TrackSections
from bot.engine.board import BoardRules
from bot.engine.play import CompanySpec, Game, Option, Phase, PrivateSpec, Step, Title, TrainKind, family_getter
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.holdings import MarketSpec
from bot.engine.play.steps import check_reached, pay_incomes
from bot.engine.state import LayTile

from .powers import Power
from .runs import TrainRun

Kind = TypeVar("Kind")


class TurnOrder(Enum):
    """A player in a stock turn may: sell any number of times and then buy; either this or buy and then sell; or sell,
    buy and sell again.
    """

    SELL_BUY = auto()
    SELL_BUY_OR_BUY_SELL = auto()
    SELL_BUY_SELL = auto()


class GameEnd(Enum):
    """When the game ends once its end is certain: at once; after the turn; after the round; after the operating round, or
    the next operating round; after the set of operating rounds, or the next set.
    """

    AT_ONCE = auto()
    TURN = auto()
    ROUND = auto()
    OPERATING_ROUND = auto()
    SET = auto()


class MayLay(Enum):
    """Whether a tile may be laid: always, never, or unless the turn has had an upgrade."""

    ALWAYS = auto()
    NEVER = auto()
    UNLESS_UPGRADED = auto()


@dataclass(frozen=True)
class TileOfTurn:
    """One of the tiles that a company lays in a turn: whether it may be a new tile and an upgrade; `price` comes on top of
    what is printed. With `other_hex` it goes to a hex that no tile of the turn went to.
    """

    new: MayLay = MayLay.ALWAYS
    upgrade: MayLay = MayLay.ALWAYS
    price: int = 0
    other_hex: bool = False


def printed_certificates(game: Game, company: CompanyId) -> tuple[int, ...]:
    return game.title.companies[company].certificates


@dataclass(frozen=True, eq=False, kw_only=True)
class Classic:
    """A title's box and values; those that can depend on an option are functions of the game.

    The box: `bank` is all money, `cash` and `certificates` (the limit) are by number of players; `powers` belong to
    privates; `cards(game)` counts train cards by family, `privates_in_play(game)` and `scenario(game)` say what is used
    of the box. Refusals quote `section`. `prepare(game)` changes the position before the auction.

    Shares: percent of a company that float it (`floats_at`), that one player (`most_held`) and the pool
    (`most_in_pool`) may have; the zones of the market where certificates do not count (`uncounted`), where holdings
    have no limit (`unlimited`), where several shares of one company are bought in a turn (`several`), and
    `several_new(game)` whether new shares too; the `turn`; `sells_in_blocks`: shares of a company are sold at once in a
    turn. `beside_shares` are more decisions in a stock turn; `counted_purchases(game, bought)` are those purchases of a
    turn that keep a player from buying several. A company has the certificates `certificates_of(game, company)`; with
    `floats_into_pool(game)` the rest of them is in the pool once it floats; with `thins_pool(game)` a player who buys a
    share of another's company first takes one of the pool out of the game, and with the last of them nothing is left to
    buy.

    Privates: a bid is raised by at least `raises_by`, in steps of `bids_in`; with `binds_highest` only a bid that is
    the highest binds its player's cash. `all_passed(game)` follows when all pass after the first sale. Companies buy
    privates from the first of the phases `sold_in` on and until the second begins, when privates close. Players sell
    them to each other, as the purchase of a turn, from the stock round `trades_from` on, None for never, but those that
    companies cannot buy and those of `not_traded(game)`.

    Track: `lays` are the tiles of a turn, one after the other, `first_lays(game)` those of a company's first turn, if they
    are others; `check_track` is what a lay must reach or bring; with `homes_at_once` home tokens are placed when an
    operating round begins, else at the company's first turn. A company that places a token in its destination (`goal:` on
    the map) gets `goal_money`.

    Trains: `runs` says, by name, how those run that are neither a D nor run to as many stops as their name says;
    `new_trains`, by phase, how many trains a company buys from the bank in a turn, any number in other phases;
    `may_dethrone`, whether a sale for a train may change another company's president; `pays_for_used`, whether a
    president adds money for another company's train; `needs_consent(game)`, whether a president is asked before their
    train is sold to another's company.

    `breaks_below(game)` is the bank's cash below which it is broken, 0 or 1, and `broken_bank_ends` when the game ends
    then; a price in the zone `ends_at` ends it when `top_price_ends` says; of both the sooner counts. `after_set(game)`
    follows a set of operating rounds.
    """

    id: str
    currency: str
    bank: int
    cash: Mapping[int, int]
    certificates: Mapping[int, int]
    companies: Mapping[CompanyId, CompanySpec]
    privates: Mapping[PrivateId, PrivateSpec]
    powers: Mapping[PrivateId, tuple[Power, ...]]
    trains: Mapping[str, TrainKind]
    cards: Callable[[Game], Mapping[str, int]]
    phases: tuple[Phase, ...]
    market: MarketSpec
    land: BoardRules
    look: BoardStyle
    players: range = range(2, 7)
    options: tuple[Option, ...] = ()
    scenarios: Mapping[str, BoardRules] = field(default_factory=dict)
    scenario: Callable[[Game], str] = lambda game: ""
    privates_in_play: Callable[[Game], list[PrivateId]] = lambda game: list(game.title.privates)
    prepare: Callable[[Game], None] = lambda game: None

    floats_at: int = 60
    most_held: int = 60
    most_in_pool: int = 50
    uncounted: str = "yob"
    unlimited: str = "ob"
    several: str = ""
    several_new: Callable[[Game], bool] = lambda game: False
    turn: TurnOrder = TurnOrder.SELL_BUY
    sells_in_blocks: bool = False
    beside_shares: tuple[Step, ...] = ()
    counted_purchases: Callable[[Game, list[CompanyId]], list[CompanyId]] = lambda game, bought: bought
    certificates_of: Callable[[Game, CompanyId], tuple[int, ...]] = printed_certificates
    floats_into_pool: Callable[[Game], bool] = lambda game: False
    thins_pool: Callable[[Game], bool] = lambda game: False

    raises_by: int = 5
    bids_in: int = 1
    binds_highest: bool = False
    all_passed: Callable[[Game], None] = pay_incomes
    sold_in: tuple[str, str] = ("3", "5")
    trades_from: int | None = None
    not_traded: Callable[[Game], Collection[PrivateId]] = lambda game: ()

    lays: tuple[TileOfTurn, ...] = (TileOfTurn(),)
    first_lays: Callable[[Game], tuple[TileOfTurn, ...]] = lambda game: ()
    check_track: Callable[[Game, LayTile, TrackSections], None] = check_reached
    homes_at_once: bool = False
    goal_money: int = 0

    runs: Mapping[str, TrainRun] = field(default_factory=dict)
    new_trains: Mapping[str, int] = field(default_factory=dict)
    may_dethrone: bool = True
    pays_for_used: bool = True
    needs_consent: Callable[[Game], bool] = lambda game: True

    breaks_below: Callable[[Game], int] = lambda game: 0
    broken_bank_ends: GameEnd = GameEnd.SET
    ends_at: str = ""
    top_price_ends: GameEnd = GameEnd.ROUND
    after_set: Callable[[Game], None] | None = None

    @cached_property
    def section(self) -> str:
        return self.id

    def privates_with(self, kind: type[Kind]) -> list[tuple[PrivateId, Kind]]:
        """The privates that have a power of this kind, with the power."""
        return [(sign, power) for sign, powers in self.powers.items() for power in powers if isinstance(power, kind)]

    @cached_property
    def par_prices(self) -> tuple[int, int]:
        """The lowest and the highest first price."""
        prices = [self.market.price(cell) for cell in self.market.cells_in("p")]
        return min(prices), max(prices)


classic = family_getter(Classic)
"""The values of the game's title."""


@lru_cache(maxsize=1024)
def step_of(title: Title, kind: type[Kind]) -> Kind:
    """The first step of that kind in the title's procedures.

    :raises LookupError: there is none.
    """
    for step in title.steps():
        if isinstance(step, kind):
            return step
    raise LookupError(title.id, kind.__name__)
