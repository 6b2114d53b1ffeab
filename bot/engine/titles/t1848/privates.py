"""Privates in companies' hands, and the Tasmania tile (1848 §4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...actions import Action, BuyPrivate, LayTile
from ...certificates import president_of
from ...events import PrivateBought, TileLaid
from ...ids import CompanyId, Owner, TileId
from ...money import pay
from ...refusals import NotAllowed
from ...trains import has_begun
from .nouns import PRIVATES, TASMANIA, TASMANIA_HEXES, TASMANIA_TILE
from .rights import has_right

if TYPE_CHECKING:
    from ...game import Game


@dataclass(frozen=True)
class BuyPrivates:
    """The company in turn buys P1 to P4 from its director, within the printed range (§4.1)."""

    name: str = "buy a private"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    def opens(self, game: Game) -> bool:
        """While the director has one to sell and the company some money."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Lowest and highest price of each."""
        company = CompanyId(Owner(game.frame.entity or ""))
        for private in game.state.privates.values():
            span = PRIVATES[private.id].price_range
            if span is None:
                continue
            for price in dict.fromkeys((span[0], min(span[1], game.state.cash[company]))):
                action = BuyPrivate(company, private.id, price)
                try:
                    self.check(game, action)
                except NotAllowed:
                    continue
                yield action

    def check(self, game: Game, action: BuyPrivate) -> None:
        """Raise the refusal that stands against the purchase."""
        company = CompanyId(action.by)
        private = game.state.privates.get(action.private)
        if private is None or private.closed:
            raise NotAllowed(f"{action.private} is not in play.", "1848 §4.1")
        if not has_begun(game, "3"):
            raise NotAllowed("Privates are sold to companies once the first 3/3+ train has been bought.", "1848 §4.1")
        span = PRIVATES[private.id].price_range
        if span is None:
            raise NotAllowed(f"{private.id} cannot be bought by a company.", "1848 §4.1")
        if private.owner != president_of(game.company(company)):
            raise NotAllowed(f"{company} buys privates from its own director only.", "1848 §4.1")
        if not span[0] <= action.price <= span[1]:
            raise NotAllowed(f"{private.id} can be bought for £{span[0]} to £{span[1]}.", "1848 §4.1")
        if action.price > game.state.cash[company]:
            raise NotAllowed(f"{company} has £{game.state.cash[company]}.", "1848 §4.1")

    def apply(self, game: Game, action: BuyPrivate) -> None:
        """Money to the director, the private to the company."""
        private = game.private(action.private)
        seller = private.owner or Owner("")
        pay(game, action.by, seller, action.price, private.id)
        private.owner = action.by
        game.happened(PrivateBought(action.by, private.id, seller, action.price))


@dataclass(frozen=True)
class TasmaniaTile:
    """Lay the Tasmania tile: in a company's turn by choice, at the first 5/5+ by force (§4.4)."""

    is_forced: bool
    name: str = "lay the Tasmania tile"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        """While the tile is not on the map and the owner may lay it."""
        owner = Owner(game.frame.entity or "")
        private = game.private(TASMANIA)
        if private.ability_used:
            return False
        return self.is_forced or has_right(game, CompanyId(owner), TASMANIA)

    def options(self, game: Game) -> Iterator[Action]:
        """Both hexes, every rotation that fits."""
        if not self.opens(game):
            return
        for hex_id in TASMANIA_HEXES:
            for rotation in game.land.fitting_rotations(game.state.board, TileId(TASMANIA_TILE), hex_id):
                yield LayTile(Owner(game.frame.entity or ""), TileId(TASMANIA_TILE), hex_id, rotation)

    def check(self, game: Game, action: LayTile) -> None:
        """The blue tile, on a dark blue hex, in a way that fits the map."""
        if action.tile != TASMANIA_TILE:
            raise NotAllowed("Track is laid and upgraded at the beginning of a company's turn.", "1848 §7.3")
        if not self.opens(game):
            raise NotAllowed("The Tasmania tile is laid by the owner of P3, from the first 3/3+ on.", "1848 §4.4")
        if action.hex not in TASMANIA_HEXES:
            names = " or ".join(TASMANIA_HEXES)
            raise NotAllowed(f"The Tasmania tile goes to {names}.", "1848 §4.4")
        rotations = game.land.fitting_rotations(game.state.board, action.tile, action.hex)
        if action.rotation not in rotations:
            allowed = ", ".join(str(rotation) for rotation in rotations)
            raise NotAllowed(f"Turned so, its track would run nowhere; it fits turned by {allowed}.", "1848 §7.4.7")

    def apply(self, game: Game, action: LayTile) -> None:
        """The tile is laid for nothing, besides the company's own track."""
        game.land.lay(game.state.board, action.tile, action.hex, action.rotation)
        game.board_changed()
        game.private(TASMANIA).ability_used = True
        game.happened(TileLaid(action.by, action.tile, action.hex, action.rotation, None, 0))
