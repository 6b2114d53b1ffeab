"""Auctions: privates one after the other before the game, minors in stock rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner, PlayerId, Text, is_permitted, msg, require
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count, has_phase_begun, pay, place_marker, price_of
from bot.engine.play.steps import (
    AuctionBids,
    current_stock_round,
    current_stock_turn,
    player_after,
    sell_private,
    unsold_privates,
)
from bot.engine.state import Action, AuctionMemory, Bid, BidMade, CompanyStarted, Pass, Passed

from .components import BID_STEP, MINOR_MINIMUM, MOST_MINOR_PRICE
from .end import break_bank
from .family import merging
from .homes import home_places, place_first_token
from .prices import cell_below
from .state import AuctionedLot, title_state


def current_lot(game: Game) -> AuctionedLot:
    """:raises ValueError: no auction is open."""
    return require(title_state(game).lot, "no auction is open")


def minors_on_offer(game: Game) -> list[CompanyId]:
    """The minors that may be offered: those that have come, and one before all others in some titles."""
    values = merging(game)
    waiting = [one for one in values.names_of("minor") if is_unstarted(game, one)]
    if values.first in waiting:
        return [values.first]
    late = values.late_minors if not has_phase_begun(game, "3") else ()
    return [one for one in waiting if one not in late and home_places(game, one)]


def is_unstarted(game: Game, company: CompanyId) -> bool:
    record = game.company(company)
    return not record.closed and record.position is None


def lots(game: Game) -> dict[Owner, int]:
    """The lots open to bids, with the lowest bid."""
    lot = title_state(game).lot
    return {lot.lot: least_bid(lot)} if lot else dict.fromkeys(minors_on_offer(game), MINOR_MINIMUM)


def least_bid(lot: AuctionedLot) -> int:
    return lot.price if lot.bidder is None else lot.price + BID_STEP


def build_bids(section: str) -> AuctionBids:
    return AuctionBids(
        section=section,
        lots=lots,
        least=lambda game, offered: lots(game)[offered],
        step=BID_STEP,
        raises=(0, 4 * BID_STEP, 10 * BID_STEP),
    )


def ask_for_bid(game: Game) -> Text:
    lot = title_state(game).lot
    if lot is None:
        return ""
    return msg("bid {least} or more for {lot}, or pass", game.title.money(least_bid(lot)), lot.lot)


def check_room(game: Game, player: PlayerId, section: str) -> None:
    """Refuse a bidder who may own no more certificates."""
    limit = game.title.rules.certificate_limit(game, player)
    if certificate_count(game, player) >= limit:
        raise IllegalMove("Your certificate limit is {limit} and you have reached it.", section, limit)


def can_bid(game: Game, player: PlayerId, lot: AuctionedLot) -> bool:
    is_minor = lot.lot in game.state.companies
    return game.state.cash[player] >= least_bid(lot) and not (
        is_minor and not is_permitted(check_room, game, player, "")
    )


def ask_next(game: Game) -> None:
    """Ask the player after the highest bidder; before a bid the first who has not let it to others."""
    lot = current_lot(game)
    waiting = [player for player in lot.bidding if player not in lot.declined]
    at = waiting.index(lot.bidder) + 1 if lot.bidder in waiting else 0
    game.frame.entity = waiting[at % len(waiting)]


# -- privates -----------------------------------------------------------------------------------------


def begin_auction(game: Game) -> None:
    """An automatic step: the cheapest private comes first, and the first player begins."""
    game.push("auction", game.state.order[0], AuctionMemory())
    offer_private(game, game.state.order[0])


def offer_private(game: Game, first: PlayerId) -> None:
    """The next private is offered, to this player first; after the last the player has the priority card."""
    left = unsold_privates(game)
    title_state(game).opener = first
    if left:
        title_state(game).lot = AuctionedLot(left[0].id, left[0].price)
        open_bidding(game)
    else:
        title_state(game).lot, game.state.priority = None, first
        game.pop("auction")


def open_bidding(game: Game) -> None:
    """All who can pay the price bid, from the player who is first; for nothing the first has it."""
    lot, order = current_lot(game), game.state.order
    start = order.index(require(title_state(game).opener, "nobody is first"))
    lot.bidding = [player for player in order[start:] + order[:start] if can_bid(game, player, lot)]
    if not lot.price:
        sell_lot(game, lot.bidding[0], 0)
    elif lot.bidding:
        ask_next(game)
    else:
        lower_price(game)
        open_bidding(game)


def lower_price(game: Game) -> None:
    lot = current_lot(game)
    lot.falls, lot.declined = True, []
    lot.price = game.private(lot.lot).price = lot.price - BID_STEP
    game.log("Nobody wants {private}: it now costs {price}.", lot.lot, game.title.money(lot.price))


def sell_lot(game: Game, player: PlayerId, price: int) -> None:
    """The player to the buyer's left is the first for the next private."""
    sell_private(game, game.private(current_lot(game).lot), player, price)
    offer_private(game, player_after(game, player))


@dataclass(frozen=True)
class BidForPrivate:
    """Bid for the private, or pass: before the first bid that lets others bid first, then it is final. When all have passed
    the price falls until somebody buys."""

    bids: AuctionBids
    name: str = "bid for the private"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return title_state(game).lot is not None

    def prompt(self, game: Game) -> Text:
        return ask_for_bid(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.player_in_turn)
        yield from self.bids.options(game, game.player_in_turn)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            self.bids.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        lot, player = current_lot(game), PlayerId(action.by)
        if isinstance(action, Bid):
            make_bid(game, action)
            if lot.falls or lot.bidding == [player]:
                sell_lot(game, player, action.price)
            else:
                ask_next(game)
            return
        game.emit(Passed(player, self.name))
        if lot.bidder is None and not lot.falls:
            lot.declined.append(player)
            if len(lot.declined) == len(lot.bidding):
                lower_price(game)
            ask_next(game)
            return
        lot.bidding.remove(player)
        if not lot.bidding:
            lower_price(game)
            open_bidding(game)
        elif lot.bidding == [lot.bidder]:
            sell_lot(game, lot.bidding[0], lot.price)
        else:
            ask_next(game)


def make_bid(game: Game, action: Bid) -> None:
    """Who cannot bid more is out of the auction."""
    lot, player = current_lot(game), PlayerId(action.by)
    lot.bidder, lot.price, lot.declined = player, action.price, []
    lot.bidding = [one for one in lot.bidding if one == player or can_bid(game, one, lot)]
    game.emit(BidMade(player, lot.lot, action.price))


# -- minors -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfferMinor:
    """Offer a minor for auction with a bid, instead of buying a share; its token is placed at once."""

    bids: AuctionBids
    name: str = "offer a minor for auction"
    verbs: tuple[type[Action], ...] = (Bid,)

    def opens(self, game: Game) -> bool:
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if not current_stock_turn(game).bought and is_permitted(check_room, game, player, ""):
            yield from self.bids.options(game, player)

    def check(self, game: Game, action: Bid) -> None:
        if current_stock_turn(game).bought:
            raise IllegalMove("You have already bought something this turn.", self.bids.section)
        check_room(game, PlayerId(action.by), self.bids.section)
        self.bids.check(game, action)

    def apply(self, game: Game, action: Bid) -> None:
        player, order = PlayerId(action.by), game.state.order
        seat = order.index(player)
        current_stock_turn(game).bought.append(CompanyId(action.lot))
        title_state(game).lot = AuctionedLot(action.lot, action.price, player, order[seat:] + order[:seat])
        make_bid(game, action)
        game.push("bidding", player, AuctionMemory())
        if current_lot(game).bidding == [player]:
            settle_auction(game)
        place_first_token(game, CompanyId(action.lot))


def settle_auction(game: Game) -> None:
    """An automatic step: the minor is sold if only its bidder is left; else the next player is asked."""
    lot = current_lot(game)
    if lot.bidding == [lot.bidder]:
        title_state(game).lot = None
        start_minor(game, lot.bidding[0], CompanyId(lot.lot), lot.price)
        game.pop("bidding")
    else:
        ask_next(game)


def start_minor(game: Game, player: PlayerId, minor: CompanyId, price: int) -> None:
    """The bid goes into the treasury, half of it is the first share price; the player to the left has the next turn."""
    game.log("{by} wins {lot} for {price}.", player, minor, game.title.money(price))
    record = game.company(minor)
    record.move_president(player)
    pay(game, player, minor, price, f"start of {minor}")
    place_marker(game, minor, cell_below(game, "xp", min(price // 2, MOST_MINOR_PRICE)))
    record.par, record.floated = price_of(game, minor), True
    if merging(game).lends_for_minors(game) and game.state.cash[BANK] < 2 * record.par:
        break_bank(game)
    game.emit(CompanyStarted(player, minor, record.par))
    memory = current_stock_round(game)
    memory.turns = game.state.order.index(player) + 1
    memory.last_to_act, memory.passes = player, 0


@dataclass(frozen=True)
class RaiseMinorBid:
    """Raise the bid, or pass and be out of this auction."""

    bids: AuctionBids
    name: str = "raise the bid"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return title_state(game).lot is not None

    def prompt(self, game: Game) -> Text:
        return ask_for_bid(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.player_in_turn)
        yield from self.bids.options(game, game.player_in_turn)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            self.bids.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            make_bid(game, action)
        else:
            current_lot(game).bidding.remove(PlayerId(action.by))
            game.emit(Passed(action.by, self.name))
        game.frame.at = 0
