"""How the board of 1844 looks: who stands on mountains and in tunnels, which destinations are still to be reached, debts."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.ids import BANK, CompanyId
from bot.engine.message import Text, said
from bot.engine.play.board_style import BoardStyle, Marker
from bot.engine.play.game import Game

from .board_rules import markers_left, values
from .components import COMPANIES, MOUNTAINS, PRIVATES
from .state import special
from .trains import eva


def marks(game: Game) -> Iterator[Marker]:
    """The shares of mountain railways and tunnels on their spaces, ticked once they pay (1844 §VI, §VII)."""
    record = special(game)
    for standing in (record.mountains, record.tunnels):
        for sign, hex_id in standing.items():
            is_active = sign in record.active
            yield Marker(hex_id, f"{sign}✓" if is_active else sign, colour="#bfe6b0" if is_active else "#ffffff")


def reached(game: Game) -> list[CompanyId]:
    """The companies that have nothing to reach any more."""
    return [company for company in COMPANIES if company not in special(game).waiting]


def lines(game: Game) -> Iterator[Text]:
    """What is under the hammer, who owes what, who has the EVA, when the SBB forms, which income markers are left."""
    record, money, name = special(game), game.title.currency, game.state.name
    if record.auctioned is not None:
        high = f"{money}{record.high}"
        bid = said("{high} bid by {bidder}", high, name(record.bidder)) if record.bidder else said("nobody has bid yet")
        yield said("In auction: {private} {name}, {bid}.", record.auctioned, PRIVATES[record.auctioned].name, bid)
    for player, amount in record.debts.items():
        yield said(
            "{player} owes the bank {amount}; half as much is added after each share round.",
            name(player),
            f"{money}{amount}",
        )
    for player, amount in record.dues.items():
        yield said("{player} owes the bank {amount} for the exchange into the SBB.", name(player), f"{money}{amount}")
    holder = eva(game)
    if holder is not None:
        yield said("{owner} has the EVA, a 5H, to give to one of their companies.", name(holder.owner))
    if record.is_forming:
        yield "The SBB forms at the end of this operating round."
    if record.auctioned is None and any(game.private(sign).owner == BANK for sign in MOUNTAINS):
        left = ", ".join(f"{marker} {values(marker)}" for marker in markers_left(game.state.board))
        yield said("Income markers left for mountain railways: {markers}.", left)


LOOK = BoardStyle(zones={"p": "#f6b8b0", "s": "#f3c969", "t": "#c9e7b4"}, marks=marks, spent=reached, lines=lines)
