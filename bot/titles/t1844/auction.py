"""The auction of the private companies at the start of the game (1844 §IV)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import IPO, POOL, CompanyId, Owner, PlayerId, require
from bot.engine.notation import lot_name
from bot.engine.play import Game
from bot.engine.play.steps import (
    AuctionBids,
    SetParPrice,
    default_par_cells,
    give_share,
    pay_income,
    player_after,
    sell_private,
)
from bot.engine.state import Action, AuctionMemory, Bid, BidMade, Pass, PriceReduced, Private

from . import components
from .flotation import give_tokens, launch
from .interpretations import interpretation_flags
from .state import title_state

SECTION = "1844 §IV"


def begin_auction(game: Game) -> None:
    """Auction P1 first; the player with number card 1 opens."""
    title_state(game).auctioned = components.BRIENZER
    title_state(game).opener = game.state.order[0]
    game.push("auction", game.state.order[0], AuctionMemory())


@dataclass(frozen=True)
class PrivateAuction:
    """Bid for the private being auctioned, or pass for good."""

    name: str = "bid for a private"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return title_state(game).auctioned is not None

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield Pass(player)
        yield from BIDS.options(game, player)

    def check(self, game: Game, action: Bid | Pass) -> None:
        if isinstance(action, Bid):
            BIDS.check(game, action)

    def apply(self, game: Game, action: Bid | Pass) -> None:
        """The next player follows who has not passed and can raise, until one player is left or all have passed."""
        player, record, state = PlayerId(action.by), title_state(game), game.state
        memory = game.memory(AuctionMemory)
        if isinstance(action, Pass):
            memory.passed.append(player)
        else:
            record.high, record.bidder = action.price, player
            game.emit(BidMade(player, current_lot(game).id, action.price))
            memory.passed += [
                poor for poor in state.order if poor not in (player, *memory.passed) and lacks(game, poor)
            ]
        order = state.order
        left = [other for other in order if other not in memory.passed]
        if not left:
            handle_all_passed(game)
        elif left == [record.bidder]:
            sell(game, left[0], record.high)
        else:
            start = order.index(player) + 1
            game.frame.entity = next(other for other in order[start:] + order[:start] if other in left)


def current_lot(game: Game) -> Private:
    """The private being auctioned.

    :raises ValueError: all are sold.
    """
    sign = require(title_state(game).auctioned, "all privates are sold")
    return game.private(sign)


def lowest_bid(game: Game, lot: Owner) -> int:
    """The private's price (P1's has fallen by 5 for each time that all passed), or 5 above the standing bid."""
    record = title_state(game)
    return game.private(lot).price if record.bidder is None else record.high + components.BID_STEP


BIDS = AuctionBids(
    section=SECTION,
    lots=lambda game: [current_lot(game).id],
    least=lowest_bid,
    raises=tuple(range(0, 5 * components.BID_STEP, components.BID_STEP)),
)


def lacks(game: Game, player: PlayerId) -> bool:
    return game.state.cash[player] < lowest_bid(game, current_lot(game).id)


def skip_poor_players(game: Game, opener: PlayerId) -> None:
    """Skip players who cannot pay the lowest bid, except the opener."""
    game.memory(AuctionMemory).passed = [poor for poor in game.state.order if poor != opener and lacks(game, poor)]


def first_able_to_pay(game: Game, opener: PlayerId, price: int) -> PlayerId:
    """The opener, or the next player who has that much, else the last: 18xx.games skips players who can pay for no
    remaining private.
    """
    order = game.state.order
    start = order.index(opener)
    turns = order[start:] + order[:start]
    return next((player for player in turns if game.state.cash[player] >= price), turns[-1])


def handle_all_passed(game: Game) -> None:
    """P1 becomes cheaper, and at zero its opener must take it; otherwise the privates pay, and the bidding for this
    private begins again.
    """
    record, private = title_state(game), current_lot(game)
    opener = record.opener or game.state.order[0]
    game.memory(AuctionMemory).passed = []
    game.frame.entity = opener
    if private.id == components.BRIENZER:
        private.price -= components.BID_STEP
        game.emit(PriceReduced(opener, private.id, private.price))
        if private.price <= 0:
            sell(game, opener, 0)
        return
    game.log("Nobody wants {private}. The privates that are sold pay their owners.", private.id)
    pay_incomes(game)
    skip_poor_players(game, opener)


def sell(game: Game, player: PlayerId, price: int) -> None:
    """Give the private and its extras to the player; the next opener auctions the next private."""
    record, private = title_state(game), current_lot(game)
    sell_private(game, private, player, price)
    opener = player_after(game, record.opener or game.state.order[0])
    later = [sign for sign in components.PRINTED_PRIVATES if game.private(sign).owner is None]
    record.auctioned, record.high, record.bidder = next(iter(later), None), 0, None
    if later:
        if interpretation_flags(game).passes_over_poor_openers:
            opener = first_able_to_pay(game, opener, min(game.private(sign).price for sign in later))
        record.opener = game.frame.entity = opener
        skip_poor_players(game, opener)
    if private.id == components.POSTKUTSCHE:
        game.private(components.TUNNELS[0]).owner = player
        game.log("{player} gets {private}.", player, lot_name(game, components.TUNNELS[0]))
    elif private.id == components.MONTBOVON:
        give_share(game, player, components.MOB)
    elif private.id == components.MILANO:
        game.push("first price", player)


def begin_fnm(game: Game, company_id: CompanyId) -> None:
    """Put three shares of the FNM in the pool; by 18xx.games launch it immediately (§V)."""
    give_tokens(game, company_id)
    company = game.company(company_id)
    unsold = [certificate for certificate in company.certificates if certificate.owner == IPO]
    company.move_certificates(unsold[: components.FNM_IN_POOL], POOL)
    if interpretation_flags(game).fnm_begins_at_once:
        launch(game, company_id)


FIRST_PRICE = SetParPrice(
    "set the issue price of the FNM", lambda game: components.FNM, default_par_cells, "1844 §V, §XXII", begin_fnm
)
"""The buyer of P6 sets the issue price of the FNM immediately (§V)."""


def pay_incomes(game: Game) -> None:
    """Every open private pays its owner; mountain railways and tunnels only after their first visit."""
    active = (*components.PRINTED_PRIVATES, *title_state(game).active)
    for private in game.state.privates.values():
        if private.id in active:
            pay_income(game, private, components.PRIVATES[private.id].income)
