"""Laying and upgrading track."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, HexId, IllegalMove, Owner, PrivateId, TileId, TrackSections, is_permitted
from bot.engine.board import opposite
from bot.engine.play import Game
from bot.engine.play.holdings import available_privates, check_cash, pay
from bot.engine.state import Action, LayTile, Pass, TileLaid, TileLay

from .dividends import operating_turn


def check_reached(game: Game, action: LayTile, section: TrackSections) -> None:
    """The tile must meet track that the company reaches, or be on a hex with its token."""
    game.board_rules.check_reach(game, CompanyId(action.by), action.tile, action.hex, action.rotation, section)


def check_used(game: Game, action: LayTile, section: TrackSections) -> None:
    """The company must be able to run along new track of the tile ("restrictive")."""
    game.board_rules.check_new_track(game, CompanyId(action.by), action.tile, action.hex, action.rotation, section)


def check_improved(game: Game, action: LayTile, section: TrackSections) -> None:
    """The company must be able to run along new track of the tile, or reach a city or town of it that is worth
    something else than before ("semi-restrictive").
    """
    company = CompanyId(action.by)
    if not game.board_rules.changes_reached_value(game, company, action.tile, action.hex, action.rotation):
        check_used(game, action, section)


def pay_from_treasury(game: Game, company: CompanyId, cost: int) -> None:
    pay(game, company, BANK, cost, "terrain")


def printed_cost(game: Game, action: LayTile) -> int:
    """The cost printed on the hex, for its first tile, or on the tile that is replaced."""
    laid = game.state.board.tiles.get(action.hex)
    return game.board_rules.tiles[laid.tile].cost if laid else game.board_rules.map.hexes[action.hex].cost


def links_cost(game: Game, tile: TileId, hex_id: HexId, rotation: int) -> int:
    """The price of the hex-sides across which the tile completes a link."""
    land, board = game.board_rules, game.state.board
    old, new = land.tile_at(board, hex_id), land.tiles[tile].rotate(rotation)
    total = 0
    for edge in new.exits - old.exits:
        other = land.map.neighbour(hex_id, edge)
        if other is not None and opposite(edge) in land.tile_at(board, other).exits:
            total += land.map.side_cost(hex_id, edge)
    return total


@dataclass(frozen=True)
class LaysOfTurn:
    """The tiles of a turn go to different hexes, at most one of them an upgrade: `most(game, company)` tiles, each
    after the first for `price`, which must be within the `means` of the company.
    """

    section: str
    most: Callable[[Game, CompanyId], int]
    price: int
    means: Callable[[Game, CompanyId], int]

    def check(self, game: Game, action: LayTile) -> None:
        lays = operating_turn(game).lays
        if len(lays) >= self.most(game, CompanyId(action.by)):
            raise IllegalMove("{company} has laid {lays} tiles this turn.", self.section, action.by, len(lays))
        if action.hex in [lay.hex for lay in lays]:
            raise IllegalMove("Each tile of a turn goes to a different hex.", self.section)
        if any(lay.is_upgrade for lay in lays) and game.tile_at(action.hex).colour != "white":
            raise IllegalMove("Only one of a turn's tiles may be an upgrade.", self.section)

    def has_more(self, game: Game, company: CompanyId) -> bool:
        lays = operating_turn(game).lays
        return len(lays) < self.most(game, company) and (not lays or self.means(game, company) >= self.price)

    def surcharge(self, game: Game) -> int:
        return self.price if operating_turn(game).lays else 0


def check_exits(game: Game, action: LayTile, section: TrackSections) -> None:
    """A city gets a tile with as many exits as possible."""

    def most_exits() -> int:
        fitting = game.board_rules.legal_tiles_with_rotations(game, action.hex)
        return max((len(game.board_rules.tiles[tile].exits) for tile, _ in fitting), default=0)

    tile = game.board_rules.tiles[action.tile]
    most = game.memoise(("exits", action.hex, game.state.phase), most_exits) if tile.cities else 0
    if len(tile.exits) < most:
        raise IllegalMove("The next city tile on {hex} must have {exits} exits.", section.kind, action.hex, most)


def no_rebate(game: Game, company: CompanyId, private: PrivateId, action: LayTile) -> int:
    """:raises IllegalMove: always."""
    raise IllegalMove("{private} does not help with track.", "", private)


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """Costs of track: `cost(game, action)` is the cost of a lay; `rebate(game, company, private, action)` what a
    private takes off it, or raises a refusal; `means(game, company)` what the company can pay, `charge(game, company,
    cost)` pays it.
    """

    cost: Callable[[Game, LayTile], int] = printed_cost
    rebate: Callable[[Game, CompanyId, PrivateId, LayTile], int] = no_rebate
    means: Callable[[Game, CompanyId], int] = lambda game, company: game.state.cash[company]
    charge: Callable[[Game, CompanyId, int], None] = pay_from_treasury

    @property
    def may_be_cheaper(self) -> bool:
        return self.rebate is not no_rebate

    def price(self, game: Game, action: LayTile) -> int:
        rebate = self.rebate(game, CompanyId(action.by), action.using, action) if action.using is not None else 0
        return self.cost(game, action) - rebate


@dataclass(frozen=True, kw_only=True)
class LayTrack:
    """Lay or upgrade tiles as often as the title allows in a turn.

    `may_lay(game, action)` raises the refusal against one more lay or upgrade there; `has_more(game, company)` whether
    any is left; `is_extra(game, action)` whether its private gives the lay beside those of the turn; `regardless(game,
    company, hex)` the tiles that the company may lay there in any phase; `check_reach(game, action, section)` raises
    the refusal against track that the company cannot use.
    """

    section: TrackSections
    may_lay: Callable[[Game, LayTile], None]
    has_more: Callable[[Game, CompanyId], bool]
    terrain: Terrain = Terrain()
    is_extra: Callable[[Game, LayTile], bool] = lambda game, action: False
    regardless: Callable[[Game, CompanyId, HexId], frozenset[TileId]] = lambda game, company, hex_id: frozenset()
    check_reach: Callable[[Game, LayTile, TrackSections], None] = check_reached
    name: str = "lay track"
    verbs: tuple[type[Action], ...] = (LayTile, Pass)

    def opens(self, game: Game) -> bool:
        return self.has_more(game, game.company_in_turn)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield Pass(company)
        land, at_hand = game.board_rules, available_privates(game, company) if self.terrain.may_be_cheaper else []
        for hex_id in land.reached_hexes(game, company):
            for tile, rotations in land.legal_tiles_with_rotations(
                game, hex_id, self.regardless(game, company, hex_id)
            ):
                helpers: list[PrivateId | None] = [None]
                if at_hand:
                    helpers += self._helpers(game, at_hand, LayTile(company, tile, hex_id, 0))
                for rotation in rotations:
                    for private in helpers:
                        action = LayTile(company, tile, hex_id, rotation, private)
                        if self._is_allowed(game, action):
                            yield action

    def _helpers(self, game: Game, at_hand: list[PrivateId], action: LayTile) -> Iterator[PrivateId]:
        for private in at_hand:
            if is_permitted(self.terrain.rebate, game, CompanyId(action.by), private, action):
                yield private

    def _is_allowed(self, game: Game, action: LayTile) -> bool:
        return is_permitted(self.may_lay, game, action) and is_permitted(self._check_use, game, action)

    def check(self, game: Game, action: LayTile | Pass) -> None:
        if isinstance(action, Pass):
            return
        company = CompanyId(action.by)
        land = game.board_rules
        land.check_known(action.tile, action.hex)
        self.may_lay(game, action)
        colours = game.title.phase(game.state.phase).colours
        regardless = self.regardless(game, company, action.hex)
        land.check_tile(game, action.tile, action.hex, colours, self.section, regardless)
        land.check_rotation(game, action.tile, action.hex, action.rotation, self.section)
        self._check_use(game, action)

    def _check_use(self, game: Game, action: LayTile) -> None:
        company = CompanyId(action.by)
        self.check_reach(game, action, self.section)
        cost, means = self.terrain.price(game, action), self.terrain.means(game, company)
        check_cash(game, company, cost, self.section.cost, means)

    def apply(self, game: Game, action: LayTile | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        company = CompanyId(action.by)
        cost = self.terrain.price(game, action)
        is_upgrade, is_extra = game.tile_at(action.hex).colour != "white", self.is_extra(game, action)
        self.terrain.charge(game, company, cost)
        if action.using is not None:
            game.private(action.using).ability_used = True
        lay_tile(game, company, action.tile, action.hex, action.rotation, cost)
        if not is_extra:
            operating_turn(game).lays.append(TileLay(action.hex, action.tile, is_upgrade))


def lay_tile(game: Game, by: Owner, tile: TileId, hex_id: HexId, rotation: int, cost: int) -> None:
    replaced = game.state.board.tiles.get(hex_id)
    game.board_rules.lay(game.state.board, tile, hex_id, rotation)
    game.board_changed()
    game.emit(TileLaid(by, tile, hex_id, rotation, replaced.tile if replaced else None, cost))
