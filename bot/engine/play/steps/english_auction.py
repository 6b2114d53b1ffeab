"""English auctions: a player offers a lot with a bid, the others raise or are out, clockwise; minors sold by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec import Struct

from bot.engine import CompanyId, IllegalMove, Owner, PlayerId, Text, is_permitted, msg
from bot.engine.play import Game
from bot.engine.play.holdings import Position, certificate_count, pay, place_marker, price_of
from bot.engine.state import Action, AuctionMemory, Bid, BidMade, CompanyStarted, Pass, Passed

from .auction_bids import AuctionBids
from .mergers import players_from
from .stock import current_stock_round, current_stock_turn


class AuctionedLot(Struct):
    """The lot being auctioned: `price` is the highest bid, of `bidder`; without a bidder it is the lowest price.
    `bidding` are the other players who are still in it, the next first.
    """

    lot: Owner
    price: int
    bidder: PlayerId | None = None
    bidding: list[PlayerId] = []


def check_room(game: Game, player: PlayerId, section: str) -> None:
    """Refuse a bidder who may own no more certificates."""
    limit = game.title.rules.certificate_limit(game, player)
    if certificate_count(game, player) >= limit:
        raise IllegalMove("Your certificate limit is {limit} and you have reached it.", section, limit)


def open_english_auction(game: Game, action: Bid, plan: str = "auction") -> None:
    """The player offers a lot instead of buying a share; the others follow clockwise, by that plan."""
    player = PlayerId(action.by)
    current_stock_turn(game).bought.append(CompanyId(action.lot))
    game.state.special.lot = AuctionedLot(action.lot, action.price, player, players_from(game, player)[1:])
    game.emit(BidMade(player, action.lot, action.price))
    game.push(plan, player, AuctionMemory())


def raise_bid(game: Game, lot: AuctionedLot, action: Bid) -> None:
    """The former highest bidder goes to the end of the queue."""
    player = PlayerId(action.by)
    lot.bidding = [one for one in (*lot.bidding, lot.bidder) if one not in (None, player)]
    lot.bidder, lot.price = player, action.price
    game.emit(BidMade(player, lot.lot, action.price))


def start_minor(game: Game, player: PlayerId, minor: CompanyId, price: int, cell: Position) -> None:
    """The price goes into the treasury; the player owns all of the company."""
    record = game.company(minor)
    record.move_president(player)
    pay(game, player, minor, price, f"start of {minor}")
    place_marker(game, minor, cell)
    record.par, record.floated = price_of(game, minor), True
    game.emit(CompanyStarted(player, minor, record.par))


def give_turn_after(game: Game, winner: PlayerId) -> None:
    """The player to the winner's left has the next turn of the stock round."""
    memory = current_stock_round(game)
    memory.turns = game.state.order.index(winner) + 1
    memory.last_to_act = winner


def anybody(game: Game, player: PlayerId) -> None:
    """No player is refused; nor does a pass change more than it says."""


@dataclass(frozen=True, kw_only=True)
class OfferLot:
    """Offer a lot for auction with a bid, instead of buying a share; `open_auction(game, bid)` does it.

    `check_bidder` raises the refusal against a bidder who cannot take any lot.
    """

    bids: AuctionBids
    open_auction: Callable[[Game, Bid], None]
    check_bidder: Callable[[Game, PlayerId], None] = anybody
    name: str = "offer a lot for auction"
    verbs: tuple[type[Action], ...] = (Bid,)

    def opens(self, game: Game) -> bool:
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if not current_stock_turn(game).bought and is_permitted(self.check_bidder, game, player):
            yield from self.bids.options(game, player)

    def check(self, game: Game, action: Bid) -> None:
        if current_stock_turn(game).bought:
            raise IllegalMove("You have already bought something this turn.", self.bids.section)
        self.check_bidder(game, PlayerId(action.by))
        self.bids.check(game, action)

    def apply(self, game: Game, action: Bid) -> None:
        self.open_auction(game, action)


@dataclass(frozen=True, kw_only=True)
class RaiseBid:
    """Raise the bid, or pass and be out of this auction; then `ask_next` asks the next player or sells the lot.

    `check_bidder` raises the refusal against a bidder who cannot take the lot; `after_pass` lets a pass do more.
    """

    bids: AuctionBids
    ask_next: Callable[[Game], None]
    check_bidder: Callable[[Game, PlayerId], None] = anybody
    after_pass: Callable[[Game, PlayerId], None] = anybody
    name: str = "raise the bid"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return game.state.special.lot is not None

    def prompt(self, game: Game) -> Text:
        lot = game.state.special.lot
        return msg("bid {least} or more for {lot}, or pass", game.title.money(self.bids.least(game, lot.lot)), lot.lot)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.player_in_turn)
        yield from self.bids.options(game, game.player_in_turn)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            self.check_bidder(game, PlayerId(action.by))
            self.bids.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        lot, player = game.state.special.lot, PlayerId(action.by)
        if isinstance(action, Bid):
            raise_bid(game, lot, action)
        else:
            lot.bidding.remove(player)
            game.emit(Passed(player, self.name))
            self.after_pass(game, player)
        self.ask_next(game)
