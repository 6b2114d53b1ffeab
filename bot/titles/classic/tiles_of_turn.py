"""The tiles that a company lays in a turn."""

from __future__ import annotations

from bot.engine import CompanyId, IllegalMove
from bot.engine.play import Game
from bot.engine.play.steps import operating_turn
from bot.engine.state import LayTile

from .family import MayLay, TileOfTurn, classic


def tiles_of_turn(game: Game, company: CompanyId) -> tuple[TileOfTurn, ...]:
    values = classic(game)
    first = () if game.state.companies[company].operated else values.first_lays(game)
    return first or values.lays


def next_tile(game: Game, company: CompanyId) -> TileOfTurn | None:
    """The tile of the turn that the company lays next; None if it has laid all."""
    return dict(enumerate(tiles_of_turn(game, company))).get(len(operating_turn(game).lays))


def is_allowed_now(game: Game, rule: MayLay) -> bool:
    has_upgraded = any(lay.is_upgrade for lay in operating_turn(game).lays)
    return rule is MayLay.ALWAYS or (rule is MayLay.UNLESS_UPGRADED and not has_upgraded)


def can_lay_more(game: Game, company: CompanyId) -> bool:
    """Whether the company may lay, and pay for, another tile of the turn."""
    tile = next_tile(game, company)
    if tile is None or game.state.cash[company] < tile.price:
        return False
    return is_allowed_now(game, tile.new) or is_allowed_now(game, tile.upgrade)


def check_tile_of_turn(game: Game, action: LayTile) -> None:
    """Refuse a tile that the turn does not have."""
    company, section = CompanyId(action.by), classic(game).section
    tile, lays = next_tile(game, company), operating_turn(game).lays
    if tile is None:
        if len(lays) == 1:
            raise IllegalMove("Only one tile may be laid or upgraded per turn.", section)
        raise IllegalMove("{company} has laid {lays} tiles this turn.", section, company, len(lays))
    is_upgrade = game.tile_at(action.hex).colour != "white"
    if not is_allowed_now(game, tile.upgrade if is_upgrade else tile.new):
        if is_upgrade:
            raise IllegalMove("Tile {number} of this turn may be no upgrade.", section, len(lays) + 1)
        raise IllegalMove("Tile {number} of this turn may be no new tile.", section, len(lays) + 1)
    if tile.other_hex and action.hex in [lay.hex for lay in lays]:
        raise IllegalMove("Each tile of a turn goes to a different hex.", section)
