"""The sale of the private companies at the start of the game (1848 §3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import IPO, IllegalMove, PlayerId
from bot.engine.play import Game
from bot.engine.play.steps import pay_incomes, player_after, sell_private, start_company, unsold_privates
from bot.engine.state import Action, AuctionMemory, BuyPrivate, Pass, PriceReduced, Private, ReducePrice, SharesBought

from . import components
from .interpretations import interpretation_flags

SECTION = "1848 §3.1"


@dataclass(frozen=True)
class DutchAuction:
    """Buy a private at its current price, lower the price of one private by 5, or pass where that is allowed."""

    name: str = "buy a private or lower a price"
    verbs: tuple[type[Action], ...] = (BuyPrivate, ReducePrice, Pass)

    def opens(self, game: Game) -> bool:
        return bool(unsold_privates(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if may_pass(game, player):
            yield Pass(player)
        for private in unsold_privates(game):
            if private.price <= game.state.cash[player]:
                yield BuyPrivate(player, private.id, private.price)
            if private.price > lowest_price(private):
                yield ReducePrice(player, private.id)

    def check(self, game: Game, action: BuyPrivate | ReducePrice | Pass) -> None:
        player = PlayerId(action.by)
        if isinstance(action, Pass):
            check_pass(game, player)
            return
        private = game.state.privates.get(action.private)
        if private is None or private.owner is not None:
            left = ", ".join(private.id for private in unsold_privates(game))
            raise IllegalMove("{private} is not for sale; still left: {left}.", f"{SECTION}.1", action.private, left)
        if isinstance(action, ReducePrice):
            if private.price <= lowest_price(private):
                raise IllegalMove(
                    "{private} cannot become cheaper than £{price}.", f"{SECTION}.2", private.id, private.price
                )
        elif action.price != private.price:
            raise IllegalMove("{private} costs £{price}.", f"{SECTION}.1", private.id, private.price)
        elif private.price > game.state.cash[player]:
            raise IllegalMove(
                "{private} costs £{price} and you have £{cash}.",
                SECTION,
                private.id,
                private.price,
                game.state.cash[player],
            )

    def apply(self, game: Game, action: BuyPrivate | ReducePrice | Pass) -> None:
        player = PlayerId(action.by)
        memory = game.memory(AuctionMemory)
        if isinstance(action, Pass):
            memory.passed.append(player)
            if len(memory.passed) == len(game.state.order):
                memory.passed = []
                pay_incomes(game)
        else:
            memory.passed = []
            if isinstance(action, ReducePrice):
                private = game.private(action.private)
                private.price -= components.PRICE_STEP
                game.emit(PriceReduced(player, private.id, private.price))
            else:
                hand_over(game, player, game.private(action.private))
        game.frame.entity = game.state.priority = player_after(game, player)


def lowest_price(private: Private) -> int:
    return components.PRIVATES[private.id].price - components.REDUCTIONS * components.PRICE_STEP


def is_at_minimum(game: Game) -> bool:
    return all(private.price <= lowest_price(private) for private in unsold_privates(game))


def may_pass(game: Game, player: PlayerId) -> bool:
    """§3.1.3: an owner may always pass; others when nothing can fall any more and something has been bought. On 18xx.games
    others may not while they can pay."""
    if game.state.privates_of(player):
        return True
    if interpretation_flags(game).only_owners_pass and any(
        game.state.cash[player] >= one.price for one in unsold_privates(game)
    ):
        return False
    return is_at_minimum(game) and any(private.owner is not None for private in game.state.privates.values())


def check_pass(game: Game, player: PlayerId) -> None:
    """Refuse to let a player pass who must buy the first private (§3.1.2), or who owns no private (§3.1.3)."""
    if may_pass(game, player):
        return
    if is_at_minimum(game):
        raise IllegalMove("No price can fall any more: you must buy a private.", f"{SECTION}.2")
    raise IllegalMove("You own no private yet: buy one or lower a price by £5.", f"{SECTION}.3")


def hand_over(game: Game, player: PlayerId, private: Private) -> None:
    """Give the private and its extras to the player (§4.6, §4.7)."""
    sell_private(game, private, player, private.price)
    if private.id == components.TRANS_AUSTRALIAN:
        share = game.company(components.QUEENSLAND).certificates[1]
        game.company(components.QUEENSLAND).move_certificates([share], player)
        game.emit(SharesBought(player, components.QUEENSLAND, IPO, share.percent, 0))
    if private.id == components.NORTH_AUSTRALIAN:
        start_company(game, player, components.CENTRAL_AUSTRALIAN, 100, components.MARKET.cells_in("p"), None)
