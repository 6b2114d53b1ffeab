"""English auctions: opened by the player in turn, bid for clockwise (18BF §9.2, §9.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, IllegalMove, Owner, PlayerId, PrivateId, is_permitted, require
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count, has_phase_begun, pay, place_marker, price_of
from bot.engine.play.steps import AuctionBids, current_stock_round, current_stock_turn, put_token, sell_private
from bot.engine.state import Action, AuctionMemory, Bid, BidMade, CompanyStarted, Pass, Passed, Private

from .company_closure import column_at
from .components import BID_STEP, COMPANIES, MARKET, MINOR_MINIMUM, PRIVATES, RAILWAY_PRIVATES
from .state import Lot, title_state

LAST_START = max(column for _, column in (*MARKET.cells_in("b"), *MARKET.cells_in("r")))
"""Minors start at £50 to £135 (§9.2)."""


def next_railway_private(game: Game) -> PrivateId | None:
    """The lowest numbered private railway that has not been auctioned (§9.4)."""
    privates = game.state.privates
    return next((sign for sign in RAILWAY_PRIVATES if sign in privates and is_unsold(privates[sign])), None)


def _may_offer(game: Game, private: Private) -> bool:
    return is_unsold(private) and has_phase_begun(game, PRIVATES[private.id].available_from or "2")


def is_unstarted(game: Game, minor: CompanyId) -> bool:
    company = game.company(minor)
    return not company.closed and company.position is None


def minors_on_offer(game: Game) -> list[CompanyId]:
    """12 minors may be started, from the second stock round 18, from phase 3 all; none from phase 5 (§9.2)."""
    if has_phase_begun(game, "5"):
        return []
    number = 3 if has_phase_begun(game, "3") else 2 if game.state.round.number > 1 else 1
    return [minor for batch in title_state(game).batches[:number] for minor in batch if is_unstarted(game, minor)]


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


def check_bid(game: Game, bid: Bid) -> None:
    """Refuse an invalid sum, and a bidder who cannot take the lot (§9.2, §9.3)."""
    check_room(game, PlayerId(bid.by))
    BIDS.check(game, bid)


def check_room(game: Game, player: PlayerId) -> None:
    """Refuse a bidder who may own no more certificates (§9.3)."""
    limit = game.title.rules.certificate_limit(game, player)
    if certificate_count(game, player) >= limit:
        raise IllegalMove("Your certificate limit is {limit} and you have reached it.", "18BF §9.3", limit)


def open_auction(game: Game, player: PlayerId, lot: Owner, price: int) -> None:
    """The player in turn offers a lot with their bid; the others follow clockwise."""
    order = game.state.order
    seat = order.index(player)
    others = order[seat + 1 :] + order[:seat]
    title_state(game).lot = Lot(lot, price, player, others)
    game.emit(BidMade(player, lot, price))
    game.push("auction", player, AuctionMemory())
    _ask_next(game)


def _ask_next(game: Game) -> None:
    """Ask the next player who is able to raise; if there is none, the lot is sold."""
    lot = _lot(game)
    while lot.bidding:
        if is_permitted(check_bid, game, Bid(lot.bidding[0], lot.lot, lot.price + BID_STEP)):
            game.frame.entity = lot.bidding[0]
            return
        game.emit(Passed(lot.bidding.pop(0), "bid"))
    game.pop("auction")
    title_state(game).lot = None
    award(game, lot.bidder, lot.lot, lot.price)


def _lot(game: Game) -> Lot:
    return require(title_state(game).lot, "no auction is open")


def award(game: Game, player: PlayerId, lot: Owner, price: int) -> None:
    """Hand the lot over; the player to the winner's left has the next turn (§9.2, §9.4)."""
    if lot in game.state.privates:
        sell_private(game, game.private(lot), player, price)
    else:
        game.log("{by} wins {lot} for £{price}.", player, lot, price)
        start_minor(game, player, CompanyId(lot), price)
    memory = current_stock_round(game)
    memory.turns = game.state.order.index(player) + 1
    memory.last_to_act = player


def start_minor(game: Game, player: PlayerId, minor: CompanyId, price: int) -> None:
    """The price goes into the treasury, half of it is the first share price, the token goes home (§9.2)."""
    record = game.company(minor)
    record.move_president(player)
    pay(game, player, minor, price, f"start of {minor}")
    place_marker(game, minor, (0, min(column_at(price // 2), LAST_START)))
    record.par = price_of(game, minor)
    record.floated = True
    game.emit(CompanyStarted(player, minor, record.par))
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


@dataclass(frozen=True)
class OfferLot:
    """Offer a lot for auction with a bid, instead of buying a share (§9.2, §9.4)."""

    name: str = "offer a lot for auction"
    verbs: tuple[type[Action], ...] = (Bid,)

    def opens(self, game: Game) -> bool:
        return not current_stock_turn(game).bought and bool(lots(game))

    def options(self, game: Game) -> Iterator[Action]:
        if is_permitted(check_room, game, game.player_in_turn):
            yield from BIDS.options(game, game.player_in_turn)

    def check(self, game: Game, action: Bid) -> None:
        check_bid(game, action)

    def apply(self, game: Game, action: Bid) -> None:
        player = PlayerId(action.by)
        current_stock_turn(game).bought.append(CompanyId(action.lot))
        current_stock_round(game).passes = 0
        open_auction(game, player, action.lot, action.price)


@dataclass(frozen=True)
class RaiseBid:
    """Raise the bid in steps of £5, or pass and be out of this auction (§9.2)."""

    name: str = "raise the bid"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return title_state(game).lot is not None

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.player_in_turn)
        yield from BIDS.options(game, game.player_in_turn)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            check_bid(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        """A higher bid puts the former bidder at the end of the queue; a pass is final."""
        lot, player = _lot(game), PlayerId(action.by)
        lot.bidding.remove(player)
        if isinstance(action, Bid):
            lot.bidding.append(lot.bidder)
            lot.bidder, lot.price = player, action.price
            game.emit(BidMade(player, lot.lot, action.price))
        else:
            game.emit(Passed(player, "bid"))
        _ask_next(game)
