"""The build-track step (1820 §7.2.1, §12.3, §13.2, §14.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bot.engine import BANK, CompanyId, IllegalMove, PrivateId, TrackSections, is_permitted
from bot.engine.play import Game
from bot.engine.play.holdings import check_cash, pay
from bot.engine.play.steps import operating_turn
from bot.engine.state import Action, LayTile, TileLaid, TileLay
from bot.titles.t1820.companies import cash_of, is_private, max_funds, treasury_owner
from bot.titles.t1820.components import BEDLINGTON, GAS_LIGHT, LOCKE, PRIVATE_TRACK_POINTS, TRACK_POINTS
from bot.titles.t1820.cousins import count_use, has_ability, investment, times_used
from bot.titles.t1820.tiles import TILES

from .token_placement import (
    check_rotation,
    check_tile,
    is_gas_light_upgrade,
    kind_of,
    legal_tiles_with_rotations,
    place_tile,
    terrain_cost,
    tile_at,
)

SECTIONS = TrackSections(reach="1820 §12.3.1.1")


def pay_cousin(game: Game, cousin: PrivateId, company: CompanyId, amount: int) -> None:
    pay(game, BANK, cousin, amount, f"{cousin} for {company}")
    game.log("{cousin} earns £{amount} from {company}.", cousin, amount, company)


def track_points(game: Game, company: CompanyId) -> int:
    """Tiles that the company may lay in a turn: two; a private company four after the yellow phase."""
    if is_private(game.company(company)) and game.state.phase != "yellow":
        return PRIVATE_TRACK_POINTS
    return TRACK_POINTS


@dataclass(frozen=True)
class BuildTrack:
    """Lay or upgrade tiles in different hexes; with Bedlington upgrade an additional city."""

    name: str = "build track"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        """While a tile is left to lay, and somewhere to lay it, if need be after taking loans."""
        company = game.company_in_turn
        if not self._points_left(game, company) and not self._may_upgrade_more(game, company):
            return False
        return any(True for _ in self._lays(game, company, max_funds(game, company)))

    def _points_left(self, game: Game, company: CompanyId) -> int:
        turn = operating_turn(game)
        return track_points(game, company) - sum(f"extra {lay.hex}" not in turn.used for lay in turn.lays)

    def _may_upgrade_more(self, game: Game, company: CompanyId) -> bool:
        return has_ability(game, BEDLINGTON, company) and BEDLINGTON not in operating_turn(game).used

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        return self._lays(game, company, cash_of(game, company))

    def _lays(self, game: Game, company: CompanyId, money: int) -> Iterator[LayTile]:
        board = game.state.board
        helpers = [helper for helper in (BEDLINGTON, GAS_LIGHT) if has_ability(game, helper, company)]
        for hex_id in game.board_rules.reached_hexes(game, company):
            for tile, turns in legal_tiles_with_rotations(game, board, hex_id, GAS_LIGHT in helpers):
                any_turn = [LayTile(company, tile, hex_id, 0, helper) for helper in (None, *helpers)]
                rights = [lay.using for lay in any_turn if is_permitted(self._check_right, game, lay)]
                if GAS_LIGHT in helpers:
                    rights = [
                        one for one in rights if is_permitted(check_tile, game, board, tile, hex_id, one == GAS_LIGHT)
                    ]
                for rotation, helper in product(turns, rights):
                    lay = LayTile(company, tile, hex_id, rotation, helper)
                    if is_permitted(self._check_use, game, lay, money):
                        yield lay

    def check(self, game: Game, action: LayTile) -> None:
        board = game.state.board
        self._check_right(game, action)
        check_tile(game, board, action.tile, action.hex, action.using == GAS_LIGHT)
        check_rotation(game, board, action.tile, action.hex, action.rotation)
        self._check_use(game, action, cash_of(game, CompanyId(action.by)))

    def _check_right(self, game: Game, action: LayTile) -> None:
        company = CompanyId(action.by)
        if any(lay.hex == action.hex for lay in operating_turn(game).lays):
            raise IllegalMove("{company} has already built on {hex} this round.", "1820 §12.3.5", company, action.hex)
        if action.using == BEDLINGTON:
            self._check_bedlington(game, action)
        elif not self._points_left(game, company):
            raise IllegalMove(
                "Only {number} tiles may be built in a round.", "1820 §7.2.1", track_points(game, company)
            )
        if action.using not in (None, BEDLINGTON, GAS_LIGHT):
            raise IllegalMove("{using} does not help to build.", "1820 §14", action.using)
        if action.using == GAS_LIGHT:
            self._check_gas_light(game, action)

    def _check_use(self, game: Game, action: LayTile, money: int) -> None:
        company = CompanyId(action.by)
        game.board_rules.check_reach(game, company, action.tile, action.hex, action.rotation, SECTIONS)
        check_cash(game, company, self.cost(game, action), "1820 §7.2.1", money)

    def _check_bedlington(self, game: Game, action: LayTile) -> None:
        company = CompanyId(action.by)
        if not has_ability(game, BEDLINGTON, company):
            raise IllegalMove("{cousin} holds no share of {company}.", "1820 §14.4.1", BEDLINGTON, company)
        if BEDLINGTON in operating_turn(game).used:
            raise IllegalMove("{cousin} has already helped {company} this round.", "1820 §14.4.1", BEDLINGTON, company)
        if action.hex not in game.state.board.tiles or not TILES.get(action.tile) or not TILES[action.tile].cities:
            raise IllegalMove("{cousin} only helps to upgrade a city tile.", "1820 §14.4.1", BEDLINGTON)

    def _check_gas_light(self, game: Game, action: LayTile) -> None:
        company = CompanyId(action.by)
        if not has_ability(game, GAS_LIGHT, company):
            raise IllegalMove("{cousin} holds no share of {company}.", "1820 §14.4.2", GAS_LIGHT, company)
        if times_used(game, GAS_LIGHT, company):
            raise IllegalMove("{cousin} has already helped {company} in this game.", "1820 §14.4.2", GAS_LIGHT, company)
        laid = game.state.board.tiles.get(action.hex)
        tile = TILES[action.tile]
        is_new = laid is None and kind_of(tile) == "big city"
        if not is_new and not (laid and is_gas_light_upgrade(TILES[laid.tile], tile, True)):
            sentence = "{cousin} only helps with a yellow big city, or a green big city on a yellow small city."
            raise IllegalMove(sentence, "1820 §14.4.2", GAS_LIGHT)

    def cost(self, game: Game, action: LayTile) -> int:
        """Half the cost if Joseph Locke holds a share (§14.4.3)."""
        full = terrain_cost(game.state.board, action.tile, action.hex, action.rotation)
        return full - discount(game, CompanyId(action.by), full)

    def apply(self, game: Game, action: LayTile) -> None:
        company, board = CompanyId(action.by), game.state.board
        full = terrain_cost(board, action.tile, action.hex, action.rotation)
        off = discount(game, company, full)
        replaced = board.tiles.get(action.hex)
        pay(game, treasury_owner(game, company), BANK, full - off, "terrain")
        place_tile(board, action.tile, action.hex, action.rotation)
        game.board_changed()
        game.emit(
            TileLaid(company, action.tile, action.hex, action.rotation, replaced.tile if replaced else None, full - off)
        )
        turn = operating_turn(game)
        turn.lays.append(TileLay(action.hex, action.tile, replaced is not None))
        if off:
            pay_cousin(game, LOCKE, company, off)
        value = max((node.revenue[0] for node in tile_at(board, action.hex).cities), default=0)
        if action.using == BEDLINGTON:
            turn.used += [BEDLINGTON, f"extra {action.hex}"]
            pay_cousin(game, BEDLINGTON, company, value // 2)
        if action.using == GAS_LIGHT:
            count_use(game, GAS_LIGHT, company)
            pay_cousin(game, GAS_LIGHT, company, value)


def discount(game: Game, company: CompanyId, full: int) -> int:
    """Joseph Locke's discount on terrain and barriers, which the director cannot decline (§14.4.3)."""
    return full // 2 if full and investment(game, LOCKE, company) else 0
