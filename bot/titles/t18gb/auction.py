"""The sale of the private companies: bids on all of them at once (18GB, differences from 1830)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import IllegalMove, Owner, PlayerId, PrivateId, msg
from bot.engine.play import Game
from bot.engine.play.steps import AuctionBids, player_after, sell_private, unsold_privates
from bot.engine.state import Action, AuctionMemory, Bid, BidMade, Pass

from .components import BID_STEP, PRICE_CUT
from .state import HighestBid, scenario, title_state

SECTION = "18GB auction"


@dataclass(frozen=True)
class WaterfallAuction:
    """In turn, bid for a private or pass; when all pass the highest bids win and privates without a bid become
    cheaper.
    """

    name: str = "bid for a private"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return bool(unsold_privates(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if may_pass(game, player):
            yield Pass(player)
        yield from BIDS.options(game, player)

    def check(self, game: Game, action: Bid | Pass) -> None:
        player = PlayerId(action.by)
        if isinstance(action, Pass):
            if not may_pass(game, player):
                number = scenario(game).bids
                words = msg("a bid") if number == 1 else msg("{number} bids", number)
                raise IllegalMove("You may pass once you lead with {words}, or when all have bids.", SECTION, words)
            return
        BIDS.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        player = PlayerId(action.by)
        memory = game.memory(AuctionMemory)
        after = player
        if isinstance(action, Bid):
            memory.passed = []
            record_highest_bid(game, player, PrivateId(action.lot), action.price)
        else:
            memory.passed.append(player)
            if len(memory.passed) == len(game.state.order):
                memory.passed = []
                after = settle_bids(game, player)
        game.frame.entity = player_after(game, after)


def record_highest_bid(game: Game, player: PlayerId, private: PrivateId, price: int) -> None:
    title_state(game).bids[private] = HighestBid(player, price)
    game.emit(BidMade(player, private, price))


def settle_bids(game: Game, last: PlayerId) -> PlayerId:
    """Sell to the highest bidders, lower the other prices; at zero the next player must take it. Return the last player
    asked or forced.
    """
    for private in unsold_privates(game):
        bid = title_state(game).bids.pop(private.id, None)
        if bid is not None:
            sell_private(game, private, bid.player, bid.price)
            title_state(game).has_won.append(bid.player)
    for private in unsold_privates(game):
        private.price = max(0, private.price - PRICE_CUT)
        game.log("Nobody bid for {private}: it costs £{price} now.", private.id, private.price)
        if private.price == 0:
            last = player_after(game, last)
            record_highest_bid(game, last, private.id, 0)
    return last


def lowest_bid(game: Game, lot: Owner) -> int:
    """The price, or 5 more than the highest bid."""
    bid = title_state(game).bids.get(PrivateId(lot))
    return game.private(lot).price if bid is None else bid.price + BID_STEP


def max_bid(game: Game, player: PlayerId, lot: Owner) -> int:
    """The player's free cash: highest bids elsewhere are reserved."""
    bound = sum(bid.price for other, bid in title_state(game).bids.items() if bid.player == player and other != lot)
    return game.state.cash[player] - bound


BIDS = AuctionBids(
    section=SECTION,
    lots=lambda game: [private.id for private in unsold_privates(game)],
    least=lowest_bid,
    most=max_bid,
    step=BID_STEP,
    raises=(0, BID_STEP, 2 * BID_STEP, 4 * BID_STEP, 8 * BID_STEP),
)


def may_pass(game: Game, player: PlayerId) -> bool:
    """With enough winning bids, or when every private has a bid; also after winning a private, and after a first
    cut.
    """
    bids = title_state(game).bids
    if player in title_state(game).has_won or all(private.id in bids for private in unsold_privates(game)):
        return True
    if any(private.price < game.title.privates[private.id].price for private in unsold_privates(game)):
        return True
    return sum(bid.player == player for bid in bids.values()) >= scenario(game).bids
