"""Track and tokens: the tiles of a turn."""

from __future__ import annotations

from bot.engine import CompanyId, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.steps import LayTrack, Terrain
from bot.engine.state import LayTile

from .family import Classic, classic
from .powers import Lay, LayBy, LayPair
from .privates import can_buy, check_kept, cost_of_lay
from .tiles_of_turn import can_lay_more, check_tile_of_turn, next_tile


def has_lays(game: Game, company: CompanyId) -> bool:
    """Whether the company has a tile of the turn still to lay, or tiles of a private that it owns or could buy."""
    if can_lay_more(game, company):
        return True
    values = classic(game)
    beside = [sign for sign, power in values.privates_with(Lay) if power.by is LayBy.COMPANY_WITH_ITS_TRACK]
    records = map(game.state.privates.get, [*beside, *(sign for sign, _ in values.privates_with(LayPair))])
    unused = [private for private in records if private and not private.closed and not private.ability_used]
    return any(private.owner == company or can_buy(game, company, private) for private in unused)


def check_lay(game: Game, action: LayTile) -> None:
    """As many tiles a turn as the values say, not on a private's hex."""
    check_kept(game, action.hex)
    check_tile_of_turn(game, action)


def cost_of_tile(game: Game, action: LayTile) -> int:
    """The printed cost, less discounts of privates, and the price of this tile of the turn."""
    tile = next_tile(game, CompanyId(action.by))
    return cost_of_lay(game, action) + (tile.price if tile else 0)


def build_track_step(values: Classic) -> LayTrack:
    return LayTrack(
        section=same_ref(TrackSections, values.section),
        may_lay=check_lay,
        has_more=has_lays,
        terrain=Terrain(cost=cost_of_tile),
        check_reach=values.check_track,
    )
