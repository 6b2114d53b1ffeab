"""Auctions: privates one after the other before the game, minors in stock rounds."""

from __future__ import annotations

from bot.engine import BANK, CompanyId, Owner, PlayerId, is_permitted, require
from bot.engine.play import Game
from bot.engine.play.steps import (
    AuctionBids,
    AuctionedLot,
    OfferLot,
    RaiseBid,
    check_room,
    current_stock_round,
    give_turn_after,
    open_english_auction,
    player_after,
    players_from,
    sell_private,
    start_minor,
    unsold_privates,
    unstarted_companies,
)
from bot.engine.state import AuctionMemory, Bid

from .components import BID_STEP, MINOR_MINIMUM, MOST_MINOR_PRICE
from .family import is_to_come, merging
from .homes import home_places, place_first_token
from .interpretations import interpretation_flags
from .prices import cell_below
from .rounds import break_bank
from .state import title_state


def current_lot(game: Game) -> AuctionedLot:
    """:raises ValueError: no auction is open."""
    return require(title_state(game).lot, "no auction is open")


def minors_on_offer(game: Game) -> list[CompanyId]:
    """The minors that may be offered: those that have come, and one before all others in some titles."""
    values, waiting = merging(game), unstarted_companies(game, "minor")
    if values.first in waiting:
        return [values.first]
    return [one for one in waiting if not is_to_come(game, one) and home_places(game, one)]


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


def drop_unable(game: Game) -> None:
    """Players who cannot bid more, or may not own the lot, are out."""
    lot = current_lot(game)
    is_minor = lot.lot in game.state.companies
    lot.bidding = [
        one
        for one in lot.bidding
        if game.state.cash[one] >= least_bid(lot) and (not is_minor or is_permitted(check_room, game, one, ""))
    ]


# -- privates -----------------------------------------------------------------------------------------


def begin_auction(game: Game) -> None:
    """An automatic step: the cheapest private comes first, and the first player begins."""
    game.push("auction", game.state.order[0], AuctionMemory())
    offer_private(game, game.state.order[0])


def offer_private(game: Game, first: PlayerId) -> None:
    """The next private is offered, to this player first; after the last the player has the priority card."""
    record, left = title_state(game), unsold_privates(game)
    record.opener, record.declined, record.falls = first, [], False
    if left:
        record.lot = AuctionedLot(left[0].id, left[0].price)
        open_bidding(game)
    else:
        record.lot, game.state.priority = None, first
        game.pop("auction")


def open_bidding(game: Game) -> None:
    """All who can pay the price bid, from the player who is first; for nothing the first has it."""
    lot, opener = current_lot(game), require(title_state(game).opener, "nobody is first")
    lot.bidding = players_from(game, opener)
    drop_unable(game)
    if not lot.price:
        sell_lot(game, lot.bidding[0], 0)
    elif lot.bidding:
        game.frame.entity = lot.bidding[0]
    else:
        lower_price(game)
        open_bidding(game)


def lower_price(game: Game) -> None:
    lot, record = current_lot(game), title_state(game)
    record.falls, record.declined = True, []
    lot.price = game.private(lot.lot).price = lot.price - BID_STEP
    game.log("Nobody wants {private}: it now costs {price}.", lot.lot, game.title.money(lot.price))


def sell_lot(game: Game, player: PlayerId, price: int) -> None:
    """The player to the buyer's left is the first for the next private."""
    sell_private(game, game.private(current_lot(game).lot), player, price)
    offer_private(game, player_after(game, player))


def ask_next(game: Game) -> None:
    """The next player; or the private is sold, or becomes cheaper if nobody wants it."""
    lot, record = current_lot(game), title_state(game)
    drop_unable(game)
    if lot.bidder is not None and (record.falls or not lot.bidding):
        sell_lot(game, lot.bidder, lot.price)
    elif lot.bidding:
        game.frame.entity = lot.bidding[0]
    else:
        lower_price(game)
        open_bidding(game)


def decline(game: Game, player: PlayerId) -> None:
    """A pass before the first bid lets others bid first; if nobody does the price falls. Then a pass is final."""
    lot, record = current_lot(game), title_state(game)
    if lot.bidder is None and not record.falls:
        lot.bidding.append(player)
        record.declined.append(player)
        if len(record.declined) == len(lot.bidding):
            lower_price(game)


def build_private_bids(bids: AuctionBids) -> RaiseBid:
    return RaiseBid(bids=bids, ask_next=ask_next, after_pass=decline, name="bid for the private")


# -- minors -------------------------------------------------------------------------------------------


def open_auction(game: Game, action: Bid) -> None:
    """The token of the minor is placed at once."""
    open_english_auction(game, action, "bidding")
    settle_auction(game)
    place_first_token(game, CompanyId(action.lot))


def settle_auction(game: Game) -> None:
    """The minor is sold if only its bidder is left; else the next player is asked."""
    drop_unable(game)
    lot = current_lot(game)
    if lot.bidding:
        game.frame.entity = lot.bidding[0]
        return
    title_state(game).lot = None
    sell_minor(game, require(lot.bidder, "nobody has bid"), CompanyId(lot.lot), lot.price)
    game.pop("bidding")


def sell_minor(game: Game, player: PlayerId, minor: CompanyId, price: int) -> None:
    """Half of the bid is the first share price."""
    game.log("{by} wins {lot} for {price}.", player, minor, game.title.money(price))
    start_minor(game, player, minor, price, cell_below(game, "xp", min(price // 2, MOST_MINOR_PRICE)))
    if interpretation_flags(game).breaks_bank_by_auctions and game.state.cash[BANK] < 2 * (
        game.company(minor).par or 0
    ):
        break_bank(game)
    give_turn_after(game, player)
    current_stock_round(game).passes = 0


def build_offer(bids: AuctionBids) -> OfferLot:
    return OfferLot(
        bids=bids,
        open_auction=open_auction,
        check_bidder=lambda game, player: check_room(game, player, bids.section),
        name="offer a minor for auction",
    )
