"""Private companies: what comes with them, spaces that they keep, when they close, exchange (1830)."""

from __future__ import annotations

from bot.engine import HexId, IllegalMove, Owner, PlayerId, PrivateId, as_private, is_player
from bot.engine.play import Game
from bot.engine.play.steps import (
    BuyPrivateFromPlayer,
    ExchangeForShare,
    SetParPrice,
    Waterfall,
    close_private,
    default_par_cells,
    give_share,
    pay_incomes,
)
from bot.engine.state import Private, TrainBought

from .components import BALTIMORE, BALTIMORE_PRIVATE, BID_STEP, CAMDEN, MOHAWK, NEW_YORK_CENTRAL, PENNSYLVANIA
from .interpretations import interpretation_flags
from .map import MAP
from .stock import SECTION, check_excess, is_unlimited, launch


def give_bonus(game: Game, private: Private) -> None:
    """Camden & Amboy comes with a share of PRR; the buyer of the Baltimore & Ohio sets the company's price
    immediately.
    """
    player = PlayerId(private.owner or Owner(""))
    if private.id == CAMDEN:
        give_share(game, player, PENNSYLVANIA)
    if private.id == BALTIMORE_PRIVATE:
        game.push("first price", player)


def close_on_train(game: Game, event: TrainBought) -> None:
    """The Baltimore & Ohio closes with the first train of B&O."""
    if event.company == BALTIMORE:
        close_private(game, game.private(BALTIMORE_PRIVATE))


def check_kept(game: Game, hex_id: HexId) -> None:
    """Refuse building on the hex of a private owned by a player."""
    for sign in MAP.hexes[hex_id].privates:
        private = game.private(as_private(sign))
        if private.owner is not None and is_player(private.owner) and not private.closed:
            raise IllegalMove("{hex} is blocked by {private} while a player owns it.", SECTION, hex_id, private.id)


def check_trade(game: Game, private: PrivateId) -> None:
    """Players sell each other privates after the first stock round, the Baltimore & Ohio never. A player above a limit
    sells shares first.
    """
    is_kept = private == CAMDEN and interpretation_flags(game).camden_is_not_traded
    if game.title.privates[private].price_range is None or is_kept:
        raise IllegalMove("{private} is not sold.", SECTION, private)
    if game.state.round.number == 1:
        raise IllegalMove("Privates can be traded only after the first stock round.", SECTION)
    check_excess(game, game.player_in_turn)


AUCTION = Waterfall(BID_STEP, SECTION, give_bonus, pay_incomes)
FIRST_PRICE = SetParPrice("set the first price of B&O", BALTIMORE, default_par_cells, SECTION)
TRADE = BuyPrivateFromPlayer(check_trade, SECTION)
EXCHANGE = ExchangeForShare(MOHAWK, NEW_YORK_CENTRAL, SECTION, is_unlimited, launch)
