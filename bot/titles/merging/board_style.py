"""How the boards of the family look: closed hexes, privates where they earn more, the auction."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import CompanyId, Text, msg
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, Marker
from bot.engine.play.holdings import has_phase_begun

from .family import merging
from .routes import HELP
from .state import title_state


def marks(game: Game) -> Iterator[Marker]:
    """Hexes that are closed until phase 3; companies' privates on the places where they earn more."""
    values = merging(game)
    if not has_phase_begun(game, "3"):
        yield from (Marker(hex_id, "3+") for hex_id in values.closed)
    for private in game.state.privates.values():
        if not private.closed and private.owner in game.state.companies:
            for hex_id in sorted(values.helped.get(private.id, ())):
                yield Marker(hex_id, f"{private.id}+{HELP}", CompanyId(private.owner))


def lines(game: Game) -> Iterator[Text]:
    """Public information: the auction."""
    lot = title_state(game).lot
    if lot is not None and lot.bidder is not None:
        money, bidder = game.title.money(lot.price), game.state.name(lot.bidder)
        yield msg("Auction of {lot}: {price} by {bidder}", lot.lot, money, bidder)


LOOK = BoardStyle(
    zones={"x": "#f5c089", "p": "#f6b8b0", "z": "#a9d6a5", "c": "#a9c4eb", "m": "#c9a6dc"}, marks=marks, lines=lines
)
