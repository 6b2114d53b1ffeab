"""Track and tokens."""

from __future__ import annotations

from bot.engine import CompanyId, HexId, IllegalMove, TokenSections, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import (
    LayTrack,
    PlaceTokens,
    Terrain,
    check_improved,
    links_cost,
    operating_turn,
    printed_cost,
)
from bot.engine.state import LayTile, PlaceToken, TileLaid

from .components import EXTRA_LAY
from .family import merging
from .loans import BORROWING, charge_for_track
from .nationalization import place_national_token


def check_lay(game: Game, action: LayTile) -> None:
    """Two tiles on different hexes, at most one of them an upgrade; some hexes are closed before phase 3."""
    section, lays = merging(game).section, operating_turn(game).lays
    if action.using is not None:
        raise IllegalMove("{using} does not help with track.", section, action.using)
    if action.hex in merging(game).closed and not has_phase_begun(game, "3"):
        raise IllegalMove("{hex} is closed until the first 3-train is bought.", section, action.hex)
    if len(lays) >= 2:
        raise IllegalMove("Only two tiles may be laid per turn.", section)
    if action.hex in [lay.hex for lay in lays]:
        raise IllegalMove("Each tile of a turn goes to a different hex.", section)
    if any(lay.is_upgrade for lay in lays) and game.tile_at(action.hex).colour != "white":
        raise IllegalMove("Only one of a turn's tiles may be an upgrade.", section)


def has_more_lays(game: Game, company: CompanyId) -> bool:
    """Whether the company has another tile, and the money for it."""
    lays = operating_turn(game).lays
    return len(lays) < 2 and (not lays or BORROWING.max_funds(game, company) >= EXTRA_LAY)


def cost_of_lay(game: Game, action: LayTile) -> int:
    """Water under a first tile, water along edges across which track is joined, 20 for the second tile of the turn."""
    extra = EXTRA_LAY if operating_turn(game).lays else 0
    return printed_cost(game, action) + extra + links_cost(game, action.tile, action.hex, action.rotation)


def check_track(game: Game, action: LayTile, section: TrackSections) -> None:
    """New track or another value that the company can use; a city gets a tile with as many exits as possible."""
    check_improved(game, action, section)
    tile = game.board_rules.tiles[action.tile]
    if tile.cities and len(tile.exits) < most_exits(game, action.hex):
        most = most_exits(game, action.hex)
        raise IllegalMove("The next city tile on {hex} must have {exits} exits.", section.kind, action.hex, most)


def most_exits(game: Game, hex_id: HexId) -> int:
    def most() -> int:
        fitting = game.board_rules.legal_tiles_with_rotations(game, hex_id)
        return max((len(game.board_rules.tiles[tile].exits) for tile, _ in fitting), default=0)

    return game.memoise(("exits", hex_id, game.state.phase), most)


def on_great_city(game: Game, event: TileLaid) -> None:
    """The last tile of the great city brings the national railway the token that was promised it."""
    values = merging(game)
    if event.tile == values.great_city and not game.state.board.has_token(event.hex, values.national):
        place_national_token(game, event.hex, 0)


def build_track(section: str) -> LayTrack:
    return LayTrack(
        section=same_ref(TrackSections, section),
        may_lay=check_lay,
        has_more=has_more_lays,
        terrain=Terrain(cost=cost_of_lay, means=BORROWING.max_funds, charge=charge_for_track),
        check_reach=check_track,
    )


def token_price(game: Game, action: PlaceToken) -> int:
    """The price on the charter for each hex from the nearest token of the company, ignoring track.

    :raises IllegalMove: no route of the company leads there, or a private is named.
    """
    company = CompanyId(action.by)
    if action.using is not None:
        raise IllegalMove("{using} does not help with tokens.", "", action.using)
    if (action.hex, action.city) not in game.board_rules.reached_cities(game, company):
        raise IllegalMove("{company} has no route to {hex}.", "", company, action.hex)
    layout = game.board_rules.map.layout
    hexes = game.board_rules.token_hexes(game, company)
    return game.company(company).tokens_left[0] * min(layout.distance(action.hex, own) for own in hexes)


def build_tokens(section: str) -> PlaceTokens:
    return PlaceTokens(same_ref(TokenSections, section), price=token_price)
