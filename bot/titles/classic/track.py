"""Track and tokens: one tile a turn."""

from __future__ import annotations

from bot.engine import CompanyId, IllegalMove, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.steps import LayTrack, Terrain, operating_turn
from bot.engine.state import LayTile

from .family import Classic, classic
from .privates import check_kept, cost_of_lay


def can_lay_more(game: Game, company: CompanyId) -> bool:
    return not operating_turn(game).lays


def check_lay(game: Game, action: LayTile) -> None:
    """One tile a turn, not on a private's hex."""
    check_kept(game, action.hex)
    if not can_lay_more(game, CompanyId(action.by)):
        raise IllegalMove("Only one tile may be laid or upgraded per turn.", classic(game).section)


def build_track_step(values: Classic) -> LayTrack:
    return LayTrack(
        section=same_ref(TrackSections, values.section),
        may_lay=check_lay,
        has_more=can_lay_more,
        terrain=Terrain(cost=cost_of_lay),
        check_reach=values.check_track,
    )
