"""Laying and upgrading track (18BF §10.4), and the free tiles of P2 to P5 (§7.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, HexId, IllegalMove, Owner, PrivateId, TrackSections, join_or, same_ref
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.steps import LaysOfTurn, check_exits, check_reached, check_used, lay_tile, links_cost
from bot.engine.state import Action, LayTile

from .components import EXTRA_LAY, FREE_TRACK
from .loans import LOANS, max_funds
from .state import kind_of

RULE = "18BF §10.4"
SECTIONS = same_ref(TrackSections, RULE)


LAYS = LaysOfTurn(RULE, lambda game, company: 3 if kind_of(company) == "system" else 2, EXTRA_LAY, max_funds)
"""Two tile actions in a turn, three for systems."""


def bare_homes(game: Game, company: CompanyId) -> list[HexId]:
    """The hexes with the company's stations if none of them has track: it may lay nowhere else."""

    def bare() -> list[HexId]:
        homes = sorted(game.board_rules.token_hexes(game, company))
        return homes if not any(game.tile_at(hex_id).exits for hex_id in homes) else []

    return game.memoise(("bare homes", company), bare)


def check_lay(game: Game, action: LayTile) -> None:
    """Home first; different hexes; at most one upgrade in a turn. A private's free tile does not count, and none makes
    a tile cheaper.
    """
    company = CompanyId(action.by)
    if action.using is not None:
        FreeTrack().check(game, action)
        raise IllegalMove("{using} does not help with this tile.", "18BF §7.1.1", action.using)
    LAYS.check(game, action)
    homes = bare_homes(game, company)
    if homes and action.hex not in homes:
        raise IllegalMove("{company} lays its first tile at home, on {homes}.", RULE, company, join_or(homes))


def cost(game: Game, action: LayTile) -> int:
    """Terrain under a first tile, completed hex-sides, £20 for each further tile of the turn."""
    terrain = game.board_rules.map.hexes[action.hex].cost if game.tile_at(action.hex).colour == "white" else 0
    return terrain + LAYS.surcharge(game) + links_cost(game, action.tile, action.hex, action.rotation)


def check_reach(game: Game, action: LayTile, section: TrackSections) -> None:
    """On plain track new track must be part of a route, elsewhere any track of the tile; brown cities have most
    exits.
    """
    old = game.tile_at(action.hex)
    if old.paths and not old.nodes:
        check_used(game, action, section)
    else:
        check_reached(game, action, section)
    if game.board_rules.tiles[action.tile].colour == "brown":
        check_exits(game, action, section)


@dataclass(frozen=True)
class FreeTrack:
    """The owner of P2 to P5 lays a yellow tile on its hex in the turn of one of their companies (§7.1.1)."""

    name: str = "lay a private's free tile"
    verbs: tuple[type[Action], ...] = (LayTile,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        company = game.actor_in_turn
        for private, hex_id in FREE_TRACK.items():
            if game.tile_at(hex_id).colour != "white" or not _is_usable_by(game, company, private):
                continue
            for tile, rotations in game.board_rules.legal_tiles_with_rotations(game, hex_id):
                yield from filter_allowed(
                    self, game, (LayTile(company, tile, hex_id, turn, private) for turn in rotations)
                )

    def check(self, game: Game, action: LayTile) -> None:
        """Only that private's hex, only a yellow tile; completed hex-sides are paid."""
        company, land = CompanyId(action.by), game.board_rules
        if action.using is None or action.using not in FREE_TRACK:
            raise IllegalMove("Track is laid and upgraded at the beginning of a company's turn.", "18BF §10")
        land.check_known(action.tile, action.hex)
        if not _is_usable_by(game, company, action.using):
            raise IllegalMove(
                "{company}'s director does not personally own {private}.", "18BF §7.1.1", company, action.using
            )
        if action.hex != FREE_TRACK[action.using] or game.tile_at(action.hex).colour != "white":
            raise IllegalMove(
                "{private} can only lay a yellow tile on {hex}.", "18BF §7.1.1", action.using, FREE_TRACK[action.using]
            )
        colours = game.title.phase(game.state.phase).colours
        land.check_tile(game, action.tile, action.hex, colours, SECTIONS)
        land.check_rotation(game, action.tile, action.hex, action.rotation, SECTIONS)
        total = links_cost(game, action.tile, action.hex, action.rotation)
        if total > max_funds(game, company):
            raise IllegalMove("{company} must pay £{total} for the hex-side and cannot.", "18BF §7.1.1", company, total)

    def apply(self, game: Game, action: LayTile) -> None:
        """Only hex-sides cost money, and the tile does not count as a tile of the turn."""
        company = CompanyId(action.by)
        total = links_cost(game, action.tile, action.hex, action.rotation)
        LOANS.charge_for_track(game, company, total)
        lay_tile(game, company, action.tile, action.hex, action.rotation, total)
        if action.using is not None:
            game.private(action.using).ability_used = True


def _is_usable_by(game: Game, company: Owner, private: PrivateId) -> bool:
    record = game.state.privates.get(private)
    return record is not None and not record.closed and record.owner == game.controller_of(company)
