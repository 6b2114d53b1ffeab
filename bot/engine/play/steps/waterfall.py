"""The waterfall auction: the cheapest lot is bought at its price, bids wait on more expensive lots until their turn
comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import IllegalMove, Owner, PlayerId, PrivateId
from bot.engine.play import Game, filter_allowed
from bot.engine.play.glossary import AuctionLot
from bot.engine.state import Action, Bid, BidMade, Pass, PlacedBid, PriceReduced, Private, WaterfallMemory

from .auction_bids import AuctionBids
from .privates import sell_private, unsold_privates
from .rounds import player_after


@dataclass(frozen=True)
class Waterfall:
    """In turn, buy the cheapest private that is left, bid for another, or pass. A private that has become the cheapest
    goes to its only bidder; several bidders bid it out, the lowest bidder first.

    `raises_by` is the minimum raise of a bid, and the fall of the first private's price when all pass; `gives(game,
    private)` hands over what comes with a private; `all_passed(game)` is called when all pass and the first private is
    sold. Bids are multiples of `bids_in`; with `binds_highest` only a bid that is the highest binds cash.
    """

    raises_by: int
    section: str
    gives: Callable[[Game, Private], None]
    all_passed: Callable[[Game], None]
    bids_in: int = 1
    binds_highest: bool = False
    name: str = "buy or bid for a private"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return bool(unsold_privates(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield Pass(player)
        yield from filter_allowed(self, game, self.bids.options(game, player))

    @property
    def bids(self) -> AuctionBids:
        raises = tuple(self.raises_by * steps for steps in (0, 1, 2, 4, 8))
        return AuctionBids(
            section=self.section,
            lots=offered_privates,
            least=self._lowest_bid,
            most=self._available_cash,
            step=self.bids_in,
            raises=raises,
        )

    def _available_cash(self, game: Game, player: PlayerId, lot: Owner) -> int:
        """The cash the player can pay for a private: their bids on others bind their cash."""
        bound = 0
        for other, bids in game.memory(WaterfallMemory).bids.items():
            highest = max(bids, key=lambda bid: bid.price, default=None)
            found = [highest] if self.binds_highest and highest else bids
            bound += sum(bid.price for bid in found if bid.player == player and other != lot)
        return game.state.cash[player] - bound

    def _lowest_bid(self, game: Game, lot: Owner) -> int:
        highest = max((bid.price for bid in bids_for(game, lot)), default=game.private(lot).price)
        return game.private(lot).price if is_bought(game, lot) else highest + self.raises_by

    def lots(self, game: Game) -> Iterator[AuctionLot]:
        """The unsold privates with the lowest price now and the highest waiting bid."""
        memories = [frame.memory for frame in game.state.flow if isinstance(frame.memory, WaterfallMemory)]
        for number, private in enumerate(unsold_privates(game) if memories else ()):
            bids = memories[0].bids.get(private.id, [])
            highest = max(bids, key=lambda bid: bid.price, default=None)
            if highest is not None:
                others = {bid.player: bid.price for bid in bids if bid is not highest}
                yield AuctionLot(
                    private.id, highest.price + self.raises_by, highest.player, highest.price, waiting=others
                )
            else:
                yield AuctionLot(private.id, private.price + (self.raises_by if number else 0))

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Pass):
            return
        self.bids.check(game, action)
        price = game.private(action.lot).price
        if is_bought(game, action.lot) and action.price != price:
            raise IllegalMove("{private} costs {price}.", self.section, action.lot, game.title.money(price))

    def apply(self, game: Game, action: Bid | Pass) -> None:
        """Do it; then the next player is asked, or the lowest bidder for the private that is being bid out."""
        player, memory = game.player_in_turn, game.memory(WaterfallMemory)
        if memory.turn is None and isinstance(action, Pass):
            self._pass(game, player)
        elif isinstance(action, Pass):
            lot = offered_privates(game)[0]
            memory.bids[lot] = [bid for bid in memory.bids[lot] if bid.player != player]
            self._sell_waiting(game)
        else:
            self._bid(game, player, game.private(action.lot), action.price)
        self._ask_next(game, memory)

    def _bid(self, game: Game, player: PlayerId, private: Private, price: int) -> None:
        memory = game.memory(WaterfallMemory)
        memory.passed = []
        if is_bought(game, private.id):
            self._sell(game, player, private, price)
            self._sell_waiting(game)
            return
        others = [bid for bid in memory.bids.get(private.id, []) if bid.player != player]
        memory.bids[private.id] = [*others, PlacedBid(player, price)]
        game.emit(BidMade(player, private.id, price))

    def _pass(self, game: Game, player: PlayerId) -> None:
        memory, cheapest = game.memory(WaterfallMemory), unsold_privates(game)[0]
        memory.passed.append(player)
        if len(memory.passed) < len(game.state.order):
            return
        memory.passed = []
        if cheapest.id != next(iter(game.state.privates)):
            self.all_passed(game)
            return
        cheapest.price = max(0, cheapest.price - self.raises_by)
        game.emit(PriceReduced(player, cheapest.id, cheapest.price))
        if cheapest.price == 0:
            taker = player_after(game, player)
            game.frame.entity = taker
            self._sell(game, taker, cheapest, 0)
            self._sell_waiting(game)

    def _sell(self, game: Game, player: PlayerId, private: Private, price: int) -> None:
        game.memory(WaterfallMemory).bids.pop(private.id, None)
        sell_private(game, private, player, price)
        self.gives(game, private)

    def _sell_waiting(self, game: Game) -> None:
        """Sell privates that have become the cheapest to their only bidders."""
        for private in unsold_privates(game):
            bids = bids_for(game, private.id)
            if len(bids) != 1:
                return
            self._sell(game, bids[0].player, private, bids[0].price)

    def _ask_next(self, game: Game, memory: WaterfallMemory) -> None:
        """The lowest bidder, while several have bid for the cheapest private; else the next player after the last in turn."""
        frame = next(frame for frame in game.state.flow if frame.memory is memory)
        left = unsold_privates(game)
        bids = bids_for(game, left[0].id) if left else []
        last = memory.turn or PlayerId(frame.entity or Owner(""))
        if len(bids) > 1:
            memory.turn = last
            frame.entity = min(bids, key=lambda bid: bid.price).player
        else:
            memory.turn = None
            frame.entity = game.state.priority = player_after(game, last)


def bids_for(game: Game, lot: Owner) -> list[PlacedBid]:
    return game.memory(WaterfallMemory).bids.get(PrivateId(lot), [])


def offered_privates(game: Game) -> list[PrivateId]:
    """Everything unsold, or only the private that is being auctioned."""
    left = [private.id for private in unsold_privates(game)]
    return left[:1] if game.memory(WaterfallMemory).turn else left


def is_bought(game: Game, lot: Owner) -> bool:
    """Whether the private is the cheapest, which is bought immediately."""
    return game.memory(WaterfallMemory).turn is None and lot == unsold_privates(game)[0].id
