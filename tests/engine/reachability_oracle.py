"""Random boards of every title, and what lines of track may be run there, found without network and route search.

The rules are written down a second time here, as the rulebooks have them: `Walker` asks the printed track and the tokens
alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from bot.engine.board.track import Side, Stop
from bot.engine.ids import CompanyId, HexId, TrainId, as_company
from bot.engine.play.game import Game
from bot.engine.routes.revenue.model import Route, RouteProblem, TrainSpec
from bot.engine.state.board import PlacedTile
from bot.engine.state.state import Train
from bot.titles.registry import TITLES
from bot.titles.t1844.board_rules import MARKERS, free_mountains, mountain_tile, mouths, with_tunnel
from bot.titles.t1844.components import TUNNEL_HEXES, TUNNEL_TILES

ONE_CITY_A_SPACE = {"18BF"}
"""18BF §10.1: a route does not include two spaces of a city."""

LEADS_TO_DOCKS = {("1820", "M13")}
"""1820 §15.2: London is a terminus, but for the docks, which are beside its stations."""

ANY = TrainSpec("any", "any", None, ignores_gauge=True)
"""A train without limits."""

MOST_WAYS = 4000
"""A board with more lines of track is too large to try everything."""


# -- boards ---------------------------------------------------------------------------------------------


def random_board(title_id: str, seed: int, tiles: int = 14, companies: int = 4) -> Game:
    """A position with track, tokens and the colours of the last phase, whatever the rules of laying and placing say."""
    title = TITLES[title_id]
    chance = random.Random(f"{title_id} {seed}")
    players = chance.choice(title.players)
    game = Game.new(title, [f"Player {number}" for number in range(players)], {}, seed)
    game.state.phase = title.phases[-1].name
    game.state.board.reservations = []
    _lay_beneath(game, chance)
    signs = chance.sample(sorted(game.state.companies), companies)
    mark = _landmark(game, chance)
    distance = game.board_rules.map.layout.distance
    home = min(_cities(game), key=lambda city: (distance(city[0], mark) or 1) + 2 * chance.random())
    for place in [home, *(city for city in _cities(game) if city[0] == mark and chance.random() < 0.6)]:
        _place(game, signs[0], place)
    for _ in range(tiles):
        _lay_near(game, chance, signs[0], mark)
    _place_some(game, chance, signs)
    return game


def _lay_beneath(game: Game, chance: random.Random) -> None:
    """Mountain railways and tunnels of 1844."""
    if game.title.id != "1844":
        return
    board = game.state.board
    for hex_id in free_mountains(board):
        if chance.random() < 0.6:
            board.tiles[hex_id] = PlacedTile(mountain_tile(hex_id, chance.choice(MARKERS)), 0)
    for hex_id in TUNNEL_HEXES:
        tunnel = chance.choice(TUNNEL_TILES)
        turned = [way for way in range(6) if game.board_rules.tiles[tunnel].rotate(way).exits <= mouths(hex_id)]
        if turned and chance.random() < 0.6:
            board.tiles[hex_id] = with_tunnel(board, hex_id, tunnel, chance.choice(turned))
    game.board_changed()


def _cities(game: Game) -> list[tuple[HexId, int]]:
    board, land = game.state.board, game.board_rules
    return [(name, city) for name in land.map.hexes for city in range(len(land.tile_at(board, name).cities))]


def _landmark(game: Game, chance: random.Random) -> HexId:
    """Where routes might do what they may not: an off-board place with several tracks, a space with several cities."""
    printed = {name: game.board_rules.tile_at(game.state.board, name) for name in game.board_rules.map.hexes}
    red = [name for name, tile in printed.items() if len(tile.exits) > 1 and tile.counts()[2]]
    split = [name for name, tile in printed.items() if len(tile.cities) > 1]
    return chance.choice(chance.choice([found for found in (red, split) if found]))


def _place(game: Game, company: str, place: tuple[HexId, int]) -> None:
    """A token, where there is room."""
    board, (hex_id, city) = game.state.board, place
    slots = game.tile_at(hex_id).cities[city].slots
    if len(board.tokens_in(hex_id, city)) < slots and company not in board.tokens_in(hex_id, city):
        board.place_token(hex_id, city, as_company(company))
        game.board_changed()


def _place_some(game: Game, chance: random.Random, signs: list[str]) -> None:
    """A city on the way of the first company is filled with tokens of the others; some more anywhere."""
    ways = game.board_rules.reached_cities(game, as_company(signs[0]))
    full = chance.choice(ways) if ways else None
    for sign in signs[1:] if full is not None else ():
        _place(game, sign, full)
    built = [city for city in _cities(game) if city[0] in game.state.board.tiles]
    for sign in signs:
        for city in chance.sample(built, min(len(built), chance.randint(0, 3))):
            _place(game, sign, city)


def _lay_near(game: Game, chance: random.Random, company: str, mark: HexId) -> None:
    """A tile or an upgrade beside track, near the mark and mostly where the company's track leads to."""
    land, board = game.board_rules, game.state.board
    spaces = [*game.board_rules.reached_hexes(game, as_company(company)), *_neighbours(game, mark)]

    def delay(hex_id: HexId) -> float:
        return land.map.layout.distance(hex_id, mark) + 3 * (hex_id in board.tiles) + 3 * chance.random()

    for hex_id in sorted(spaces, key=delay):
        met = [
            edge for edge, other in enumerate(land.map.neighbours[hex_id]) if other and _leads_to(game, other, hex_id)
        ]
        lays = [
            (len(land.tiles[tile].rotate(way).exits.intersection(met)), chance.random(), tile, way)
            for tile in land.legal_tiles(game, hex_id)
            for way in land.fitting_rotations(board, tile, hex_id)
        ]
        if lays and max(lays)[0]:
            _, _, tile, way = max(chance.sample(lays, min(len(lays), 6)))
            land.lay(board, tile, hex_id, way)
            game.board_changed()
            return


def _neighbours(game: Game, mark: HexId) -> list[HexId]:
    return [
        other
        for other in game.board_rules.map.neighbours[mark]
        if other and game.board_rules.map.hexes[other].is_buildable
    ]


def _leads_to(game: Game, other: HexId, hex_id: HexId) -> bool:
    return game.board_rules.map.neighbours[other].index(hex_id) in game.tile_at(other).exits


def random_trains(game: Game, company: CompanyId, chance: random.Random) -> list[Train]:
    """One to three cards of the title."""
    kinds = chance.choices(sorted(game.title.trains), k=chance.randint(1, 3))
    return [
        Train(TrainId(f"t{number}"), game.title.trains[kind].family, kind, company) for number, kind in enumerate(kinds)
    ]


# -- lines of track -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A line of track: its stops in order, the crossings and pieces of track that it uses."""

    stops: tuple[Stop, ...]
    sides: tuple[Side, ...] = ()
    segments: tuple[int, ...] = ()

    def route(self, problem: RouteProblem, train: str) -> Route:
        """As a route of a train."""
        sides = frozenset(self.sides)
        changes = len(sides & problem.graph.gauge_sides)
        return Route(train, self.stops, (), sides, frozenset(self.segments), changes)


@dataclass(frozen=True)
class Walker:
    """All lines of track that a company may run, by the printed map, the tiles and the tokens."""

    game: Game
    company: CompanyId

    @cached_property
    def own(self) -> frozenset[Stop]:
        """The stops with the company's tokens."""
        board = self.game.state.board
        return frozenset(
            Stop(hex_id, self.game.tile_at(hex_id).cities[city].id) for hex_id, city in board.cities_of(self.company)
        )

    def is_red(self, stop: Stop) -> bool:
        """Whether it is an off-board place, a port or a mountain: nothing runs through."""
        return self.game.tile_at(stop.hex).node(stop.node).kind == "offboard"

    def is_full(self, stop: Stop) -> bool:
        """Whether every circle of the city holds another company's token."""
        tile = self.game.tile_at(stop.hex)
        cities = [node.id for node in tile.cities]
        if stop.node not in cities:
            return False
        tokens = self.game.state.board.tokens_in(stop.hex, cities.index(stop.node))
        return self.company not in tokens and len(tokens) >= max(1, tile.node(stop.node).slots)

    def may_follow(self, way: Way, stop: Stop) -> bool:
        """Whether the line may come to this stop."""
        if stop in way.stops:
            return False
        one_city = self.game.title.id in ONE_CITY_A_SPACE and self._is_city(stop)
        return not (one_city and any(stop.hex == other.hex and self._is_city(other) for other in way.stops))

    def _is_city(self, stop: Stop) -> bool:
        return self.game.tile_at(stop.hex).node(stop.node).kind == "city"

    def may_pass(self, way: Way, segment: int) -> bool:
        """Whether the line may go on from its last stop over this piece of track."""
        here, segments = way.stops[-1], self.game.board_rules.graph(self.game).segments
        if not way.segments:
            return True
        if self.is_red(here) or self.is_full(here):
            return False
        is_printed_end = segments[way.segments[-1]].is_terminal or segments[segment].is_terminal
        return not is_printed_end or ((self.game.title.id, here.hex) in LEADS_TO_DOCKS and here in self.own)

    def ways_from(self, start: Stop) -> Iterator[Way]:
        """All lines from this stop, the short ones first; those with one stop left out."""
        queue = [Way((start,))]
        for way in queue:
            for number in self.game.board_rules.graph(self.game).segments_at.get(way.stops[-1], ()):
                if number not in way.segments and self.may_pass(way, number):
                    found = list(self._links(way, number, way.stops[-1]))
                    yield from found
                    queue += found

    def _links(self, way: Way, number: int, here: Stop | Side) -> Iterator[Way]:
        graph = self.game.board_rules.graph(self.game)
        end, segments = graph.other_end(number, here), (*way.segments, number)
        if isinstance(end, Stop):
            if self.may_follow(way, end):
                yield Way((*way.stops, end), way.sides, segments)
        elif end not in way.sides:
            for onward in graph.next_segments(number, end):
                yield from self._links(Way(way.stops, (*way.sides, end), segments), onward, end)

    def may_run(self, route: Route) -> bool:
        """Whether the route is a line of track from one end to the other, with one of the company's tokens."""
        if route.segments and not self.own.isdisjoint(route.stops):
            return any(
                way.stops == route.stops and set(way.segments) == route.segments
                for way in self._over(Way(route.stops[:1]), route)
            )
        return not route.segments and self.own.issuperset(route.stops)

    def _over(self, way: Way, route: Route) -> Iterator[Way]:
        if way.stops == route.stops:
            yield way
            return
        wanted = route.stops[len(way.stops)]
        for number in self.game.board_rules.graph(self.game).segments_at.get(way.stops[-1], ()):
            if number in route.segments and number not in way.segments and self.may_pass(way, number):
                for longer in self._links(way, number, way.stops[-1]):
                    if longer.stops[-1] == wanted and route.segments.issuperset(longer.segments):
                        yield from self._over(longer, route)


def only_paying(problem: RouteProblem, stop: Stop) -> RouteProblem:
    """A train without limits on the same board, where one stop pays and no other."""
    values = {here: replace(worth, revenue=int(here == stop)) for here, worth in problem.values.items()}
    return replace(problem, values=values, trains=(ANY,), bonuses=(), joint=())
