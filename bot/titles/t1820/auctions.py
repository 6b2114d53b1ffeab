"""The cousins' auction, and open-cry auctions (1820 §6.3, §10.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import (
    BANK,
    IllegalMove,
    NotYourTurn,
    Owner,
    PlayerId,
    PrivateId,
    Text,
    join_and,
    join_or_chain,
    msg,
    require,
)
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import pay
from bot.engine.play.steps import AuctionBids, close_private, player_after, unsold_privates
from bot.engine.state import Action, AuctionMemory, Bid, BuyPrivate, Done, Pass, Passed, PrivateBought

from .actions import OverPay
from .components import BID_STEP, COUSINS, COUSINS_BID_ON, SMALLEST_BID
from .events import LotBidMade
from .state import CousinBid, OpenCry, title_state

# -- cousins (§6.3) -----------------------------------------------------------------------------------


def committed_cash(game: Game, player: Owner) -> int:
    return sum(bid.amount for bid in title_state(game).cousin_bids.values() if bid.player == player)


def winners(game: Game) -> list[PlayerId]:
    """Players with money on a cousin, in the order of play."""
    return [player for player in game.state.order if committed_cash(game, player)]


def begin_cousin_auction(game: Game) -> None:
    """In the first stock round only (§6.1)."""
    if game.state.round.number == 1:
        game.push("cousin auction", game.state.order[0], AuctionMemory())


def least_bid(game: Game, lot: Owner) -> int:
    """§6.3.2"""
    bids = title_state(game).cousin_bids
    if lot in bids:
        return bids[PrivateId(lot)].amount + BID_STEP
    if len(bids) >= COUSINS_BID_ON:
        return min(bid.amount for bid in bids.values()) + BID_STEP
    return SMALLEST_BID


def cash_left_to_bid(game: Game, player: PlayerId, cousin: Owner) -> int:
    """The player's cash, less their bids on other cousins."""
    bid = title_state(game).cousin_bids.get(PrivateId(cousin))
    own = bid.amount if bid is not None and bid.player == player else 0
    return game.state.cash[player] - committed_cash(game, player) + own


BIDS = AuctionBids(
    section="1820 §6.3.2",
    lots=lambda game: [cousin.id for cousin in game.state.privates.values() if not cousin.closed],
    least=least_bid,
    most=cash_left_to_bid,
    step=BID_STEP,
)


@dataclass(frozen=True)
class BidForCousins:
    """Bid on a cousin in turn or pass, until all pass in a row (§6.3.1, §6.3.2)."""

    name: str = "bid for a cousin"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        memory = game.frame.memory
        return isinstance(memory, AuctionMemory) and len(memory.passed) < len(game.state.order)

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield Pass(player)
        yield from BIDS.options(game, player)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Pass):
            return
        BIDS.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        player = PlayerId(action.by)
        memory = game.memory(AuctionMemory)
        if isinstance(action, Pass):
            memory.passed.append(player)
            game.emit(Passed(player, self.name))
        else:
            memory.passed = []
            self._bid(game, player, PrivateId(action.lot), action.price)
        game.frame.entity = player_after(game, player)

    def _bid(self, game: Game, player: PlayerId, cousin: PrivateId, amount: int) -> None:
        bids = title_state(game).cousin_bids
        if cousin in bids:
            log_returned_bid(game, bids[cousin], cousin)
        elif len(bids) >= COUSINS_BID_ON:
            lowest = min(bid.amount for bid in bids.values())
            for other in [other for other, bid in bids.items() if bid.amount == lowest]:
                log_returned_bid(game, bids.pop(other), other)
        bids[cousin] = CousinBid(player, amount)
        game.emit(LotBidMade(player, cousin, amount))


def log_returned_bid(game: Game, bid: CousinBid, cousin: PrivateId) -> None:
    """§6.3.2"""
    game.log("{player}'s £{amount} on {lot} is returned.", bid.player, bid.amount, cousin)


def end_cousin_auction(game: Game) -> None:
    """Without a bid all cousins leave; otherwise the winners pay, then the rest is offered (§6.3.3)."""
    memory = title_state(game)
    if not memory.cousin_bids:
        discard_cousins(game)
        return
    memory.cousin_price = min(bid.amount for bid in memory.cousin_bids.values())
    game.push("cousin leftovers")
    game.push("cousin payment", asked=winners(game))


def discard_cousins(game: Game) -> None:
    """Remove the unowned cousins from the game."""
    for cousin in unsold_privates(game):
        close_private(game, cousin)


def take_cousin(game: Game, player: PlayerId, cousin: PrivateId, amount: int) -> None:
    """The player pays the bank; the cousin gets the difference between that and the printed price (§6.3.3)."""
    pay(game, player, BANK, amount, cousin)
    game.private(cousin).owner = player
    pay(game, BANK, cousin, abs(COUSINS[cousin].price - amount), "first treasury")
    game.emit(PrivateBought(player, cousin, BANK, amount))


@dataclass(frozen=True)
class PayForCousins:
    """All winners at once pay their bid, or more to give the cousin more money (§6.3.3)."""

    name: str = "pay for cousins"
    verbs: tuple[type[Action], ...] = (OverPay, Done)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def prompt(self, game: Game) -> Text:
        won = ", ".join(f"{cousin} £{bid.amount}" for cousin, bid in title_state(game).cousin_bids.items())
        return msg("pay for cousins ({won}): overpay one of them, or done", won)

    def options(self, game: Game) -> Iterator[Action]:
        for player in game.frame.asked:
            yield Done(player)
            for cousin, bid in title_state(game).cousin_bids.items():
                for amount in (COUSINS[cousin].price, COUSINS[cousin].price + 100):
                    if bid.player == player and bid.amount < amount <= cash_left_to_bid(game, player, cousin):
                        yield OverPay(player, cousin, amount)

    def check(self, game: Game, action: OverPay | Done) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("Only the winners of the auction pay.", "1820 §6.3.3")
        if isinstance(action, Done):
            return
        bid = title_state(game).cousin_bids.get(action.cousin)
        if bid is None or bid.player != action.by:
            raise IllegalMove("You have not won {cousin}.", "1820 §6.3.3", action.cousin)
        most = cash_left_to_bid(game, PlayerId(action.by), action.cousin)
        if not bid.amount < action.price <= most:
            sentence = "You can pay more than your bid of £{amount} for {cousin}, up to £{most}; done pays the bid."
            raise IllegalMove(sentence, "1820 §6.3.3", bid.amount, action.cousin, most)

    def apply(self, game: Game, action: OverPay | Done) -> None:
        bids = title_state(game).cousin_bids
        player = PlayerId(action.by)
        if isinstance(action, OverPay):
            paid = {action.cousin: action.price}
        else:
            paid = {cousin: bid.amount for cousin, bid in bids.items() if bid.player == player}
        for cousin, amount in paid.items():
            del bids[cousin]
            take_cousin(game, player, cousin, amount)
        game.frame.asked = winners(game)


def offer_leftovers(game: Game) -> None:
    """The player with the least cash comes first (§6.3.3)."""
    order = game.state.order
    queue = sorted(order, key=lambda player: (game.state.cash[player], order.index(player)))
    if unsold_privates(game):
        game.frame.memory = AuctionMemory(list(queue))
        ask_next_buyer(game)


def ask_next_buyer(game: Game) -> None:
    queue = game.memory(AuctionMemory).passed
    while queue and game.state.cash[queue[0]] < title_state(game).cousin_price:
        queue.pop(0)
    game.frame.entity = queue[0] if queue and unsold_privates(game) else None


@dataclass(frozen=True)
class BuyLeftovers:
    """Each player in turn buys any number of the cousins left, at the lowest winning bid or more (§6.3.3)."""

    name: str = "buy a cousin"
    verbs: tuple[type[Action], ...] = (BuyPrivate, Pass)

    def opens(self, game: Game) -> bool:
        return game.frame.entity is not None

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield Pass(player)
        for cousin in game.state.privates.values():
            for amount in sorted({title_state(game).cousin_price, COUSINS[cousin.id].price}):
                yield from filter_allowed(self, game, [BuyPrivate(player, cousin.id, amount)])

    def check(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, Pass):
            return
        cousin = game.state.privates.get(action.private)
        if cousin is None or cousin.closed or cousin.owner is not None:
            raise IllegalMove("{private} is not for sale.", "1820 §6.3.3", action.private)
        least, cash = title_state(game).cousin_price, game.state.cash[action.by]
        if not least <= action.price <= cash:
            raise IllegalMove(
                "{cousin} costs at least £{least}; you have £{cash}.", "1820 §6.3.3", cousin.id, least, cash
            )

    def apply(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, BuyPrivate):
            take_cousin(game, PlayerId(action.by), action.private, action.price)
        else:
            game.memory(AuctionMemory).passed.pop(0)
            game.emit(Passed(action.by, self.name))
        ask_next_buyer(game)


# -- open cry (§10.4) ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenCryAuction:
    """An auction open to bids at any time, until all other players have passed since the last bid.

    `most(game, player)` is the highest bid that the player may make.
    """

    most: Callable[[Game, PlayerId], int]
    section: str
    name: str = "bid"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    @property
    def bids(self) -> AuctionBids:
        return AuctionBids(
            section=self.section,
            lots=lambda game: [Owner(lot) for lot in current_auction(game).lots],
            least=lambda game, lot: lowest_bid(current_auction(game)),
            most=lambda game, player, lot: self.most(game, player),
            step=BID_STEP,
        )

    def begin(self, game: Game, plan: str, auction: OpenCry) -> None:
        """Open an auction by the named plan and ask all players who may bid; announce it if there are any."""
        title_state(game).auction = auction
        asked = self._bidders(game, auction)
        if asked:
            template = "Auction of {lots}: {people} may bid, from £{least} on."
            game.log(template, join_and(auction.lots), join_and(asked), lowest_bid(auction))
        game.push(plan, asked=asked)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def prompt(self, game: Game) -> Text:
        auction = current_auction(game)
        by = game.state.name(auction.bidder) if auction.bidder else msg("the bank")
        best = msg("£{best} by {by}", auction.best, by) if auction.best else msg("no bid yet")
        forcing = msg("; £{forcing} forces the sale", auction.forcing) if auction.forcing > auction.best else ""
        return msg(
            "bid for {lots}, £{auction} or more ({best}{forcing}), or pass",
            join_or_chain(auction.lots),
            lowest_bid(auction),
            best,
            forcing,
        )

    def _bidders(self, game: Game, auction: OpenCry) -> list[PlayerId]:
        return [player for player in game.state.order if self._is_asked(game, auction, player)]

    def _is_asked(self, game: Game, auction: OpenCry, player: PlayerId) -> bool:
        if player == auction.bidder or player in auction.passed or player in auction.barred:
            return False
        return self.most(game, player) >= lowest_bid(auction)

    def options(self, game: Game) -> Iterator[Action]:
        auction = current_auction(game)
        for player in game.frame.asked:
            yield Pass(player)
            for lot in auction.lots:
                yield Bid(player, Owner(lot), lowest_bid(auction))

    def check(self, game: Game, action: Bid | Pass) -> None:
        auction = current_auction(game)
        if isinstance(action, Pass):
            if action.by not in game.frame.asked:
                raise NotYourTurn("Only players can bid and pass.", "1820 §10.4")
            return
        if action.by not in game.state.order:
            raise NotYourTurn("Only players can bid and pass.", "1820 §10.4")
        if action.by in auction.barred:
            raise IllegalMove("You declined this lot after winning it, so you cannot bid for it again.", "1820 §10.4")
        self.bids.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        """A new bid lets everybody decide again."""
        auction = current_auction(game)
        player = PlayerId(action.by)
        if isinstance(action, Pass):
            auction.passed.append(player)
            game.emit(Passed(player, self.name))
        else:
            auction.best, auction.bidder, auction.passed = action.price, player, []
            game.emit(LotBidMade(player, join_and(auction.lots), action.price))
        game.frame.asked = self._bidders(game, auction)


@dataclass(frozen=True)
class BidOutOfTurn:
    """Any player bids at any time (§10.4), even after passing or while having the highest bid."""

    auction: OpenCryAuction
    name: str = "bid anyway"
    verbs: tuple[type[Action], ...] = (Bid,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        """The lowest bid for players who have passed; for the highest bidder the sum that forces the sale."""
        auction = current_auction(game)
        for player in game.state.order:
            if player in game.frame.asked:
                continue
            amount = lowest_bid(auction)
            if player == auction.bidder:
                if auction.forcing <= auction.best:
                    continue
                amount = -(-auction.forcing // BID_STEP) * BID_STEP
            yield from filter_allowed(self, game, (Bid(player, Owner(lot), amount) for lot in auction.lots))

    def check(self, game: Game, action: Bid) -> None:
        self.auction.check(game, action)

    def apply(self, game: Game, action: Bid) -> None:
        self.auction.apply(game, action)


def current_auction(game: Game) -> OpenCry:
    """The auction in play; a ValueError if there is none."""
    return require(title_state(game).auction, "no auction is open")


def standing_bidder(game: Game, lot: Owner) -> PlayerId | None:
    """The player with the standing bid on a cousin, train or company; None if the bid was returned or is the bank's."""
    memory = title_state(game)
    if memory.auction is not None and lot in memory.auction.lots:
        return memory.auction.bidder
    bid = memory.cousin_bids.get(PrivateId(lot))
    return bid.player if bid else None


def lowest_bid(auction: OpenCry) -> int:
    """The lowest valid bid: above the best bid, at least the minimum, in tens."""
    least = max(auction.least, auction.best + 1)
    return -(-least // BID_STEP) * BID_STEP
