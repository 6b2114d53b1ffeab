"""Track and tokens: one tile a turn."""

from __future__ import annotations

from bot.engine import CompanyId, IllegalMove, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.steps import LayTrack, Terrain, operating_turn
from bot.engine.state import LayTile

from .family import Classic, classic
from .powers import LayPair
from .privates import can_buy, check_kept, cost_of_lay


def can_lay_more(game: Game, company: CompanyId) -> bool:
    return not operating_turn(game).lays


def has_lays(game: Game, company: CompanyId) -> bool:
    """Whether the company has its tile of the turn still to lay, or two tiles of a private that it owns or could buy."""
    if can_lay_more(game, company):
        return True
    pairs = [game.private(sign) for sign, _ in classic(game).privates_with(LayPair)]
    unused = [private for private in pairs if not private.closed and not private.ability_used]
    return any(private.owner == company or can_buy(game, company, private) for private in unused)


def check_lay(game: Game, action: LayTile) -> None:
    """One tile a turn, not on a private's hex."""
    check_kept(game, action.hex)
    if not can_lay_more(game, CompanyId(action.by)):
        raise IllegalMove("Only one tile may be laid or upgraded per turn.", classic(game).section)


def build_track_step(values: Classic) -> LayTrack:
    return LayTrack(
        section=same_ref(TrackSections, values.section),
        may_lay=check_lay,
        has_more=has_lays,
        terrain=Terrain(cost=cost_of_lay),
        check_reach=values.check_track,
    )
