"""Auctions: what may be bid for a lot, in any order of players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from bot.engine import IllegalMove, Owner, PlayerId, msg
from bot.engine.play import Game
from bot.engine.state import Bid


@dataclass(frozen=True, kw_only=True)
class AuctionBids:
    """The bids of an auction: `lots(game)` is what can be bid for now, `least(game, lot)` the lowest bid for it, `most(game,
    player, lot)` the highest bid of the player: their free cash. Every bid is a multiple of `step`. `raises` are the
    amounts above the lowest bid that are listed among the moves.
    """

    section: str
    lots: Callable[[Game], Collection[Owner]]
    least: Callable[[Game, Owner], int]
    most: Callable[[Game, PlayerId, Owner], int] = lambda game, player, lot: game.state.cash[player]
    step: int = 1
    raises: tuple[int, ...] = (0,)

    def options(self, game: Game, player: PlayerId) -> Iterator[Bid]:
        """For each lot the lowest bid and some higher bids."""
        for lot in self.lots(game):
            least, most = self.least(game, lot), self.most(game, player, lot)
            yield from (Bid(player, lot, least + more) for more in self.raises if least + more <= most)

    def check(self, game: Game, action: Bid) -> None:
        lots, money = self.lots(game), game.title.money
        if action.lot not in lots:
            left = ", ".join(lots) or msg("nothing")
            raise IllegalMove("{lot} is not for sale now; on offer: {left}.", self.section, action.lot, left)
        least, most = self.least(game, action.lot), self.most(game, PlayerId(action.by), action.lot)
        if action.price % self.step:
            raise IllegalMove("Bids must be multiples of {step}.", self.section, money(self.step))
        if action.price < least:
            raise IllegalMove("A bid for {lot} must be at least {least}.", self.section, action.lot, money(least))
        if action.price > most:
            raise IllegalMove("You can bid at most {most} for {lot}.", self.section, money(max(most, 0)), action.lot)
