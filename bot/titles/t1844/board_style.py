"""How the board of 1844 looks: who stands on mountains and in tunnels, which destinations are still to be reached, debts."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import BANK, CompanyId, Text, msg
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, Marker

from .board_rules import format_marker_values, markers_left
from .components import COMPANIES, MOUNTAINS, PRIVATES
from .state import title_state
from .trains import eva


def marks(game: Game) -> Iterator[Marker]:
    """The shares of mountain railways and tunnels on their hexes, ticked once they pay (1844 §VI, §VII)."""
    record = title_state(game)
    for standing in (record.mountains, record.tunnels):
        for sign, hex_id in standing.items():
            is_active = sign in record.active
            yield Marker(hex_id, f"{sign}✓" if is_active else sign, colour="#bfe6b0" if is_active else "#ffffff")


def companies_at_target(game: Game) -> list[CompanyId]:
    """The companies without an open target."""
    return [company for company in COMPANIES if company not in title_state(game).waiting]


def lines(game: Game) -> Iterator[Text]:
    """The current auction, debts, the owner of the EVA, when the SBB forms, the income markers left."""
    record, money, name = title_state(game), game.title.currency, game.state.name
    if record.auctioned is not None:
        high = f"{money}{record.high}"
        bid = msg("{high} bid by {bidder}", high, name(record.bidder)) if record.bidder else msg("nobody has bid yet")
        yield msg("In auction: {private} {name}, {bid}.", record.auctioned, PRIVATES[record.auctioned].name, bid)
    for player, amount in record.debts.items():
        yield msg(
            "{player} owes the bank {amount}; after each share round 50% interest is added.",
            name(player),
            f"{money}{amount}",
        )
    for player, amount in record.dues.items():
        yield msg("{player} owes the bank {amount} for the exchange into the SBB.", name(player), f"{money}{amount}")
    holder = eva(game)
    if holder is not None:
        yield msg("{owner} has the EVA, a 5H, to give to one of their companies.", name(holder.owner))
    if record.is_forming:
        yield "The SBB forms at the end of this operating round."
    if record.auctioned is None and any(game.private(sign).owner == BANK for sign in MOUNTAINS):
        left = ", ".join(f"{marker} {format_marker_values(marker)}" for marker in markers_left(game.state.board))
        yield msg("Income markers left for mountain railways: {markers}.", left)


LOOK = BoardStyle(
    zones={"p": "#f6b8b0", "s": "#f3c969", "t": "#c9e7b4"}, marks=marks, spent=companies_at_target, lines=lines
)
