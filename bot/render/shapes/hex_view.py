"""The visible state of a game on its map, hex by hex: plain values, from which pictures are drawn and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from bot.engine import CompanyId, HexId, as_company, as_private
from bot.engine.board import COLOURS, BoardRules, MapHex, Tile, opposite
from bot.engine.play import CompanySpec, Game, Title
from bot.engine.play.board_style import BoardStyle, TokenStyle
from bot.engine.state import Board

from .colours import RIMS, choose_text_colour, contrast, difference

ALIKE = 60.0
"""If colours are nearer than this, the rims of their tokens distinguish them."""

LEGIBLE = 3.5
PLAIN = TokenStyle()


@dataclass(frozen=True)
class TokenDrawing:
    sign: str
    colour: str
    text_colour: str
    rim: int = 0
    halves: TokenStyle = PLAIN


@dataclass(frozen=True)
class Badge:
    """A few letters in a box on a hex: a reservation, a destination, a marker."""

    kind: str
    text: str
    colour: str = "#ffffff"
    text_colour: str = "#141414"


@dataclass(frozen=True)
class HexView:
    """Everything drawn on one hex. Lists of companies are by city number; `crossed` are the edges with a cost
    where track runs on into the next hex.
    """

    space: MapHex
    tile: Tile
    is_laid: bool = False
    tokens: tuple[tuple[TokenDrawing, ...], ...] = ()
    kept: tuple[tuple[TokenDrawing, ...], ...] = ()
    homes: tuple[tuple[TokenDrawing, ...], ...] = ()
    badges: tuple[Badge, ...] = ()
    colours: tuple[str, ...] = COLOURS[:1]
    beneath: tuple[Tile, ...] = ()
    crossed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class BoardView:
    land: BoardRules
    board: Board
    look: BoardStyle = field(default_factory=BoardStyle)
    faces: Mapping[CompanyId, TokenDrawing] = field(default_factory=dict)
    colours: tuple[str, ...] = COLOURS[:1]
    started: frozenset[CompanyId] = frozenset()
    closed_privates: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()
    badges: Mapping[HexId, tuple[Badge, ...]] = field(default_factory=dict)
    beneath: Mapping[HexId, tuple[Tile, ...]] = field(default_factory=dict)

    def hex_view(self, hex_id: HexId) -> HexView:
        space, board = self.land.map.hexes[hex_id], self.board
        tile = self.land.tile_at(board, hex_id)
        cities = range(max(1, len(tile.cities)))
        kept = tuple(
            tuple(self.face(as_company(sign)) for sign in board.reservations_in(hex_id, city)) for city in cities
        )
        has_phases = any(len(node.revenue) > 1 for node in tile.nodes)
        return HexView(
            space,
            tile,
            hex_id in board.tiles,
            tuple(tuple(self.face(company) for company in board.tokens_in(hex_id, city)) for city in cities),
            kept if any(kept) else (),
            self._homes(space, tile, kept),
            (*self._printed_badges(space), *self.badges.get(hex_id, ())),
            self.colours if has_phases else (),
            self.beneath.get(hex_id, ()),
            self._crossed_edges(space, tile),
        )

    def _crossed_edges(self, space: MapHex, tile: Tile) -> frozenset[int]:
        edges = {side.edge for side in space.sides if side.cost and side.edge in tile.exits}
        found = set()
        for edge in edges:
            other = self.land.map.neighbours[space.id][edge]
            if other and opposite(edge) in self.land.tile_at(self.board, other).exits:
                found.add(edge)
        return frozenset(found)

    def face(self, company: CompanyId) -> TokenDrawing:
        """A plain token for an undescribed company."""
        return self.faces.get(company) or TokenDrawing(company, "#ffffff", "#000000")

    def _homes(
        self, space: MapHex, tile: Tile, kept: tuple[tuple[TokenDrawing, ...], ...]
    ) -> tuple[tuple[TokenDrawing, ...], ...]:
        """Home companies that have no token and no reserved slot here yet."""
        if not space.homes:
            return ()
        reserved = {face.sign for city in kept for face in city}
        cities: list[list[TokenDrawing]] = [[] for _ in range(max(1, len(tile.cities)))]
        for home in space.homes:
            if home.company not in reserved and home.company not in self.started:
                cities[(home.city or 0) % len(cities)].append(self.face(home.company))
        return tuple(map(tuple, cities)) if any(cities) else ()

    def _printed_badges(self, space: MapHex) -> list[Badge]:
        closed = self.closed_privates
        found = [Badge("private", name) for name in space.privates if name not in closed]
        found += [Badge("kept", name) for name in space.kept_for if name not in closed]
        return found + [Badge("goal", name) for name in space.goals if name not in self.spent]


def view_of(game: Game, faces: Mapping[CompanyId, TokenDrawing] | None = None) -> BoardView:
    """Companies look as in the box, or as these `faces`."""
    state, look = game.state, game.title.look
    faces = faces_of(game.title) if faces is None else faces
    badges: dict[HexId, tuple[Badge, ...]] = {}
    for mark in look.marks(game):
        face = faces.get(mark.company) if mark.company else None
        colour = face.colour if face else mark.colour
        text_colour = face.text_colour if face else choose_text_colour(colour)
        badges[mark.hex] = (*badges.get(mark.hex, ()), Badge("mark", mark.text, colour, text_colour))
    land = game.board_rules
    beneath = {
        hex_id: tuple(land.tiles[laid.tile].rotate(laid.rotation) for laid in tiles)
        for hex_id, tiles in look.beneath(game).items()
    }
    return BoardView(
        land,
        state.board,
        look,
        faces,
        game.title.phase(state.phase).colours,
        frozenset(
            home.company
            for space in land.map.hexes.values()
            for home in space.homes
            if not _is_to_come(game, home.company)
        ),
        frozenset(
            sign
            for space in land.map.hexes.values()
            for sign in (*space.privates, *space.kept_for)
            if not _is_open(game, sign)
        ),
        frozenset(look.spent(game)),
        badges,
        beneath,
    )


def _is_to_come(game: Game, company: CompanyId) -> bool:
    found = game.state.companies.get(company)
    return found is not None and not found.floated and not found.closed


def _is_open(game: Game, sign: str) -> bool:
    found = game.state.privates.get(as_private(sign))
    return found is not None and not found.closed


def faces_of(title: Title) -> Mapping[CompanyId, TokenDrawing]:
    """Companies with similar colours get different rims."""
    return _faces(tuple(title.companies.values()), tuple(title.look.faces.items()))


@lru_cache(maxsize=64)
def _faces(
    companies: tuple[CompanySpec, ...], halves: tuple[tuple[CompanyId, TokenStyle], ...]
) -> Mapping[CompanyId, TokenDrawing]:
    found: dict[CompanyId, TokenDrawing] = {}
    other = dict(halves)
    for noun in companies:
        used = [face.rim for face in found.values() if difference(face.colour, noun.colour) < ALIKE]
        rim = min(range(len(RIMS)), key=lambda index: (used.count(index), index))
        legible = contrast(noun.colour, noun.text_colour) >= LEGIBLE
        text_colour = noun.text_colour if legible else choose_text_colour(noun.colour)
        found[noun.id] = TokenDrawing(noun.id, noun.colour, text_colour, rim, other.get(noun.id, PLAIN))
    return found
