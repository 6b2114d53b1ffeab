"""English auctions: opened by the player in turn, bid for clockwise (18BF §9.2, §9.4)."""

from __future__ import annotations

from bot.engine import CompanyId, Owner, PlayerId, PrivateId, is_permitted, require
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import (
    AuctionBids,
    OfferLot,
    RaiseBid,
    check_room,
    current_stock_round,
    give_turn_after,
    open_english_auction,
    put_token,
    sell_private,
    start_minor,
    unstarted_companies,
)
from bot.engine.state import Bid, Passed, Private

from .company_closure import column_at
from .components import BID_STEP, COMPANIES, MARKET, MINOR_MINIMUM, PRIVATES, RAILWAY_PRIVATES
from .state import title_state

LAST_START = max(column for _, column in (*MARKET.cells_in("b"), *MARKET.cells_in("r")))
"""Minors start at £50 to £135 (§9.2)."""


def next_railway_private(game: Game) -> PrivateId | None:
    """The lowest numbered private railway that has not been auctioned (§9.4)."""
    privates = game.state.privates
    return next((sign for sign in RAILWAY_PRIVATES if sign in privates and is_unsold(privates[sign])), None)


def _may_offer(game: Game, private: Private) -> bool:
    return is_unsold(private) and has_phase_begun(game, PRIVATES[private.id].available_from or "2")


def minors_on_offer(game: Game) -> list[CompanyId]:
    """12 minors may be started, from the second stock round 18, from phase 3 all; none from phase 5 (§9.2)."""
    if has_phase_begun(game, "5"):
        return []
    number = 3 if has_phase_begun(game, "3") else 2 if game.state.round.number > 1 else 1
    waiting = unstarted_companies(game, "minor")
    return [minor for batch in title_state(game).batches[:number] for minor in batch if minor in waiting]


def is_unsold(private: Private) -> bool:
    return private.owner is None and not private.closed


def lots(game: Game) -> dict[Owner, int]:
    """The lots that may be auctioned now, with the lowest bid (§7.1, §7.2, §9.2, §9.4)."""
    railway = next_railway_private(game)
    if railway is not None:
        return {railway: game.private(railway).price}
    minors = minors_on_offer(game)
    return {private.id: private.price for private in game.state.privates.values() if _may_offer(game, private)} | {
        company: MINOR_MINIMUM for company in COMPANIES if company in minors
    }


def lowest_bid(game: Game, offered: Owner) -> int:
    lot, private = title_state(game).lot, game.state.privates.get(PrivateId(offered))
    if lot is not None:
        return lot.price + BID_STEP
    return MINOR_MINIMUM if private is None else private.price


def lots_on_offer(game: Game) -> dict[Owner, int]:
    """The lots open to bids, with the lowest bid: only the lot being auctioned, if any."""
    lot = title_state(game).lot
    return lots(game) if lot is None else {lot.lot: lot.price + BID_STEP}


BIDS = AuctionBids(
    section="18BF §9.2",
    lots=lots_on_offer,
    least=lowest_bid,
    step=BID_STEP,
    raises=(0, 8 * BID_STEP, 20 * BID_STEP),
)


def check_bidder(game: Game, player: PlayerId) -> None:
    """Refuse a bidder who may own no more certificates (§9.3)."""
    check_room(game, player, "18BF §9.3")


def check_bid(game: Game, bid: Bid) -> None:
    """Refuse an invalid sum, and a bidder who cannot take the lot (§9.2, §9.3)."""
    check_bidder(game, PlayerId(bid.by))
    BIDS.check(game, bid)


def ask_next(game: Game) -> None:
    """Ask the next player who is able to raise; if there is none, the lot is sold."""
    lot = require(title_state(game).lot, "no auction is open")
    while lot.bidding:
        if is_permitted(check_bid, game, Bid(lot.bidding[0], lot.lot, lot.price + BID_STEP)):
            game.frame.entity = lot.bidding[0]
            return
        game.emit(Passed(lot.bidding.pop(0), RAISE_BID.name))
    game.pop("auction")
    title_state(game).lot = None
    award(game, require(lot.bidder, "nobody has bid"), lot.lot, lot.price)


def award(game: Game, player: PlayerId, lot: Owner, price: int) -> None:
    """Hand the lot over; the player to the winner's left has the next turn (§9.2, §9.4)."""
    if lot in game.state.privates:
        sell_private(game, game.private(lot), player, price)
    else:
        game.log("{by} wins {lot} for £{price}.", player, lot, price)
        start_at_home(game, player, CompanyId(lot), price)
    give_turn_after(game, player)


def start_at_home(game: Game, player: PlayerId, minor: CompanyId, price: int) -> None:
    """Half of the price is the first share price, the token goes home (§9.2)."""
    start_minor(game, player, minor, price, (0, min(column_at(price // 2), LAST_START)))
    kept = next(kept for kept in game.state.board.reservations if kept.company == minor)
    put_token(game, minor, kept.hex, kept.city)


def after_passes(game: Game) -> None:
    """After all passed: while private railways are unsold the next becomes cheaper, at £0 it is given away (§9.4)."""
    sign = next_railway_private(game)
    if sign is None:
        return
    memory = current_stock_round(game)
    private = game.private(sign)
    private.price -= BID_STEP
    game.log("Everybody passed: bids for {private} now begin at £{price}.", sign, private.price)
    if private.price == 0:
        first = game.state.order[memory.turns % len(game.state.order)]
        award(game, first, sign, 0)
    memory.passes = 0
    game.frame.at = 0


def open_auction(game: Game, action: Bid) -> None:
    current_stock_round(game).passes = 0
    open_english_auction(game, action)
    ask_next(game)


OFFER_LOT = OfferLot(bids=BIDS, open_auction=open_auction, check_bidder=check_bidder)
"""Offer a lot for auction with a bid, instead of buying a share (§9.2, §9.4)."""

RAISE_BID = RaiseBid(bids=BIDS, ask_next=ask_next, check_bidder=check_bidder)
"""Raise the bid in steps of £5, or pass and be out of this auction (§9.2)."""
