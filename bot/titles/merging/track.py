"""Track and tokens."""

from __future__ import annotations

from bot.engine import IllegalMove, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import LaysOfTurn, LayTrack, Terrain, check_exits, check_improved, links_cost, printed_cost
from bot.engine.state import LayTile, TileLaid

from .components import EXTRA_LAY
from .family import BORROWING, merging
from .nationalization import place_national_token


def check_track(game: Game, action: LayTile, section: TrackSections) -> None:
    """New track or another value that the company can use; a city gets a tile with as many exits as possible."""
    check_improved(game, action, section)
    check_exits(game, action, section)


def on_great_city(game: Game, event: TileLaid) -> None:
    """The last tile of the great city brings the national railway the token that was promised it."""
    values = merging(game)
    if event.tile == values.great_city and not game.state.board.has_token(event.hex, values.national):
        place_national_token(game, event.hex, 0)


def build_track(section: str) -> LayTrack:
    """Two tiles, the second for more money; some hexes are closed before phase 3."""
    lays = LaysOfTurn(section, lambda game, company: 2, EXTRA_LAY, BORROWING.max_funds)

    def check_lay(game: Game, action: LayTile) -> None:
        if action.using is not None:
            raise IllegalMove("{using} does not help with track.", section, action.using)
        if action.hex in merging(game).closed and not has_phase_begun(game, "3"):
            raise IllegalMove("{hex} is closed until the first 3-train is bought.", section, action.hex)
        lays.check(game, action)

    def cost_of_lay(game: Game, action: LayTile) -> int:
        """Water under a first tile, water along edges across which track is joined, the second tile."""
        links = links_cost(game, action.tile, action.hex, action.rotation)
        return printed_cost(game, action) + lays.surcharge(game) + links

    return LayTrack(
        section=same_ref(TrackSections, section),
        may_lay=check_lay,
        has_more=lays.has_more,
        terrain=Terrain(cost=cost_of_lay, means=BORROWING.max_funds, charge=BORROWING.charge_for_track),
        check_reach=check_track,
    )
