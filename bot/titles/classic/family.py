"""The values in which titles of the family differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property, lru_cache
from typing import TypeVar

from bot.engine import CompanyId, PrivateId, TrackSections
from bot.engine.board import BoardRules
from bot.engine.play import CompanySpec, Game, Option, Phase, PrivateSpec, Step, Title, TrainKind
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.holdings import MarketSpec
from bot.engine.play.steps import check_reached, pay_incomes
from bot.engine.state import LayTile

from .powers import Power

Kind = TypeVar("Kind")


class TurnOrder(Enum):
    """A player in a stock turn may: sell any number of times and then buy; either this or buy and then sell; or sell, buy
    and sell again."""

    SELL_BUY = auto()
    SELL_BUY_OR_BUY_SELL = auto()
    SELL_BUY_SELL = auto()


def printed_certificates(game: Game, company: CompanyId) -> tuple[int, ...]:
    return game.title.companies[company].certificates


@dataclass(frozen=True, eq=False, kw_only=True)
class Classic:
    """A title's box and values; those that can depend on an option are functions of the game.

    The box: `bank` is all money, `cash` and `certificates` (the limit) are by number of players; `powers` belong to
    privates; `cards(game)` counts train cards by family, `privates_in_play(game)` and `scenario(game)` say what is used of the box.
    Refusals quote `section`. `prepare(game)` changes the position before the auction.

    Shares: percent of a company that float it (`floats_at`), that one player (`most_held`) and the pool (`most_in_pool`) may have;
    the zones of the market where certificates do not count (`uncounted`), where holdings have no limit (`unlimited`), where
    several shares of one company are bought in a turn (`several`), and `several_new(game)` whether new shares too; the `turn`;
    `sells_in_blocks`: shares of a company are sold at once in a turn. `beside_shares` are more decisions in a stock turn;
    `counted_purchases(game, bought)` are those purchases of a turn that keep a player from buying several. A company has the
    certificates `certificates_of(game, company)`; with `floats_into_pool(game)` the rest of them is in the pool once it floats; with
    `thins_pool(game)` a player who buys a share of another's company first takes one of the pool out of the game, and with
    the last of them nothing is left to buy.

    Privates: a bid is raised by at least `raises_by`, in steps of `bids_in`; with `binds_highest` only a bid that is the highest
    binds its player's cash. `all_passed(game)` follows when all pass after the first sale. Companies buy privates from the first of the phases `sold_in` on and until
    the second begins, when privates close.

    Track: `check_track` is what a lay must reach or bring; with `homes_at_once` home tokens are placed when an operating
    round begins, else at the company's first turn.

    Trains: `may_dethrone`, whether a sale for a train may change another company's president; `pays_for_used`, whether a
    president adds money for another company's train; `needs_consent(game)`, whether a president is asked before their train
    is sold to another's company.

    `breaks_below(game)` is the bank's cash below which it is broken, 0 or 1; a price in the zone `ends_at` ends the game
    after the round; `after_set(game)` follows a set of operating rounds.
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

    check_track: Callable[[Game, LayTile, TrackSections], None] = check_reached
    homes_at_once: bool = False

    may_dethrone: bool = True
    pays_for_used: bool = True
    needs_consent: Callable[[Game], bool] = lambda game: True

    breaks_below: Callable[[Game], int] = lambda game: 0
    ends_at: str = ""
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


def classic(game: Game) -> Classic:
    """The values of the game's title.

    :raises TypeError: its title is of no family, or of another.
    """
    if not isinstance(game.title.family, Classic):
        raise TypeError(game.title.id)
    return game.title.family


@lru_cache(maxsize=1024)
def step_of(title: Title, kind: type[Kind]) -> Kind:
    """The first step of that kind in the title's procedures.

    :raises LookupError: there is none.
    """
    for step in title.steps():
        if isinstance(step, kind):
            return step
    raise LookupError(title.id, kind.__name__)
