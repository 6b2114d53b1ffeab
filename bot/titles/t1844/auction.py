"""The auction of the private companies at the start of the game (1844 §IV)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import IPO, POOL, CompanyId, Owner, PlayerId, present
from bot.engine.notation.messages import lot
from bot.engine.play.game import Game
from bot.engine.play.steps.auction_bids import AuctionBids
from bot.engine.play.steps.private_abilities import SetParPrice, give_share
from bot.engine.play.steps.privates import pay_income, sell_private
from bot.engine.play.steps.rounds import following
from bot.engine.play.steps.stock import starting_cells
from bot.engine.state.actions import Action, Bid, Pass
from bot.engine.state.events import BidMade, PriceReduced
from bot.engine.state.state import AuctionMemory, Private

from . import components
from .flotation import give_tokens, launch
from .interpretations import readings
from .state import special

SECTION = "1844 §IV"


def begin_auction(game: Game) -> None:
    """P1 comes under the hammer first; the player with number card 1 opens."""
    special(game).auctioned = components.BRIENZER
    special(game).opener = game.state.order[0]
    game.push("auction", game.state.order[0], AuctionMemory())


@dataclass(frozen=True)
class PrivateAuction:
    """Bid for the private under the hammer, or pass for good."""

    name: str = "bid for a private"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return special(game).auctioned is not None

    def options(self, game: Game) -> Iterator[Action]:
        """Passing, the lowest bid, and some higher ones."""
        player = game.player_in_turn
        yield Pass(player)
        yield from BIDS.options(game, player)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            BIDS.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        """The next player who has not passed and could pay more follows, until one is left or all have passed."""
        player, record, state = PlayerId(action.by), special(game), game.state
        memory = game.memory(AuctionMemory)
        if isinstance(action, Pass):
            memory.passed.append(player)
        else:
            record.high, record.bidder = action.price, player
            game.happened(BidMade(player, under_the_hammer(game).id, action.price))
            memory.passed += [
                poor for poor in state.order if poor not in (player, *memory.passed) and lacks(game, poor)
            ]
        order = state.order
        left = [other for other in order if other not in memory.passed]
        if not left:
            all_passed(game)
        elif left == [record.bidder]:
            sell(game, left[0], record.high)
        else:
            start = order.index(player) + 1
            game.frame.entity = next(other for other in order[start:] + order[:start] if other in left)


def under_the_hammer(game: Game) -> Private:
    """The private that is auctioned now.

    :raises ValueError: all are sold.
    """
    sign = present(special(game).auctioned, "all privates are sold")
    return game.private(sign)


def lowest_bid(game: Game, lot: Owner) -> int:
    """Its price (P1's has fallen by 5 for each time that all passed), or 5 above the bid that stands."""
    record = special(game)
    return game.private(lot).price if record.bidder is None else record.high + components.BID_STEP


BIDS = AuctionBids(
    section=SECTION,
    lots=lambda game: [under_the_hammer(game).id],
    least=lowest_bid,
    raises=tuple(range(0, 5 * components.BID_STEP, components.BID_STEP)),
)


def lacks(game: Game, player: PlayerId) -> bool:
    """Whether the player cannot pay the lowest bid."""
    return game.state.cash[player] < lowest_bid(game, under_the_hammer(game).id)


def leave_out_the_poor(game: Game, opener: PlayerId) -> None:
    """Nobody is asked who cannot pay the lowest bid, but the opener."""
    game.memory(AuctionMemory).passed = [poor for poor in game.state.order if poor != opener and lacks(game, poor)]


def first_who_can_pay(game: Game, opener: PlayerId, price: int) -> PlayerId:
    """The opener, or the first after him who has that much, else the last: 18xx.games passes over whoever can pay for no
    private that is left."""
    order = game.state.order
    start = order.index(opener)
    turns = order[start:] + order[:start]
    return next((player for player in turns if game.state.cash[player] >= price), turns[-1])


def all_passed(game: Game) -> None:
    """P1 becomes cheaper, and at nothing its opener must take it; otherwise the privates pay, and the bidding for this
    one begins again."""
    record, private = special(game), under_the_hammer(game)
    opener = record.opener or game.state.order[0]
    game.memory(AuctionMemory).passed = []
    game.frame.entity = opener
    if private.id == components.BRIENZER:
        private.price -= components.BID_STEP
        game.happened(PriceReduced(opener, private.id, private.price))
        if private.price <= 0:
            sell(game, opener, 0)
        return
    game.tell("Nobody wants {private}. The privates that are sold pay their owners.", private.id)
    pay_incomes(game)
    leave_out_the_poor(game, opener)


def sell(game: Game, player: PlayerId, price: int) -> None:
    """The private and what comes with it go to the player; the next one comes under the hammer of the next opener."""
    record, private = special(game), under_the_hammer(game)
    sell_private(game, private, player, price)
    opener = following(game, record.opener or game.state.order[0])
    later = [sign for sign in components.PRINTED_PRIVATES if game.private(sign).owner is None]
    record.auctioned, record.high, record.bidder = next(iter(later), None), 0, None
    if later:
        if readings(game).passes_over_poor_openers:
            opener = first_who_can_pay(game, opener, min(game.private(sign).price for sign in later))
        record.opener = game.frame.entity = opener
        leave_out_the_poor(game, opener)
    if private.id == components.POSTKUTSCHE:
        game.private(components.TUNNELS[0]).owner = player
        game.tell("{player} gets {private}.", player, lot(game, components.TUNNELS[0]))
    elif private.id == components.MONTBOVON:
        give_share(game, player, components.MOB)
    elif private.id == components.MILANO:
        game.push("first price", player)


def begin_fnm(game: Game, company_id: CompanyId) -> None:
    """Three shares of the FNM lie in the pool; by 18xx.games it is launched at once (§V)."""
    give_tokens(game, company_id)
    unsold = [found for found in game.company(company_id).certificates if found.owner == IPO]
    for certificate in unsold[: components.FNM_IN_POOL]:
        certificate.owner = POOL
    if readings(game).fnm_begins_at_once:
        launch(game, company_id)


FIRST_PRICE = SetParPrice("set the issue price of the FNM", components.FNM, starting_cells, "1844 §V, §XXII", begin_fnm)
"""Whoever bought P6 sets the issue price of the FNM at once (§V)."""


def pay_incomes(game: Game) -> None:
    """Every open private pays its owner; mountain railways and tunnels do once they have been visited."""
    active = (*components.PRINTED_PRIVATES, *special(game).active)
    for private in game.state.privates.values():
        if private.id in active:
            pay_income(game, private, components.PRIVATES[private.id].income)
