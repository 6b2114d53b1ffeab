"""`python -m benchmarks.hard_boards`: searches on boards as bad as any: late maps full of track, for trains that go nearly everywhere.

Twenty boards of six titles, each from its seed: every space gets tiles as long as one fits, mostly to where track meets it; the
company has its tokens in the largest cities, others block some. The trains are those of 18xx.games' issues 11252, 11670, 11707 and
11878: trains that visit any number of stops or eight, that skip stops, and that pay for distance. Each line has the answer, whether
it is proven, else its bound, and the processor time.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import CompanyId, HexId, TileId, TrainId
from bot.engine.play import Game
from bot.engine.routes.revenue import RouteProblem, RouteSet, validate
from bot.engine.routes.search import best_routes
from bot.engine.state import Train
from bot.titles.registry import TITLES

SECONDS = 10.0
"""Limit of each search, in processor time: the answers depend little on what else runs."""

TOKENS, BLOCKERS = 6, 0.15
"""The company's tokens, and the chance of each other city to be closed to it."""

OPEN, SPREAD = 0.6, 0.5
"""The weight of track into open country against track that meets other track, and of chance."""


@dataclass(frozen=True)
class HardBoard:
    title: str
    seed: int
    kinds: tuple[str, ...]

    def problem(self) -> RouteProblem:
        """The board with the company's trains."""
        chance = random.Random(f"{self.title} {self.seed}")
        game = Game.new(TITLES[self.title], [f"P{number}" for number in TITLES[self.title].players])
        game.state.phase = game.title.phases[-1].name
        for _ in game.title.phases[-1].colours:
            for hex_id in _outwards(game, chance):
                _lay_tile(game, hex_id, chance)
        company = [one for one in game.title.companies if one in game.state.companies][-1]
        _place_tokens(game, company, chance)
        trains = [Train(TrainId(f"{kind}-{number}"), kind, kind, company) for number, kind in enumerate(self.kinds)]
        return game.title.rules.route_problem(game, company, trains)


BOARDS = [
    *(HardBoard("1848", seed, kinds) for seed, kinds in enumerate([("D", "8"), ("8", "8"), ("D",)])),
    *(HardBoard("1820", seed, kinds) for seed, kinds in enumerate([("8+", "5D+"), ("8+", "8+"), ("5D+", "5D+")])),
    *(HardBoard("1830", seed, kinds) for seed, kinds in enumerate([("D", "6"), ("D",), ("6", "6", "5")])),
    *(
        HardBoard("1844", seed, kinds)
        for seed, kinds in enumerate([("8E", "6"), ("8E", "8H"), ("8E", "8E"), ("8E", "5")])
    ),
    *(HardBoard("18BF", seed, kinds) for seed, kinds in enumerate([("5+5E", "6"), ("5+5E", "4+4"), ("5+5E",)])),
    *(
        HardBoard("18GB", seed, kinds)
        for seed, kinds in enumerate([("5+2", "6X"), ("6X", "6X"), ("5+2", "6X"), ("5X", "6X")])
    ),
]


def _outwards(game: Game, chance: random.Random) -> list[HexId]:
    """All spaces, from one of them outwards."""
    spaces = game.board_rules.map
    found = [chance.choice([hex_id for hex_id in spaces.hexes if game.tile_at(hex_id).cities])]
    for hex_id in found:
        found += [other for other in spaces.neighbours_across(hex_id, range(6)) if other not in found]
    return found


def _lay_tile(game: Game, hex_id: HexId, chance: random.Random) -> None:
    """The next tile of the space, in the rotation in which most of its track meets track, or leads to open country."""
    rules = game.board_rules

    def joined(choice: tuple[TileId, int]) -> float:
        total = 0.0
        for edge in rules.tiles[choice[0]].rotate(choice[1]).exits:
            other = rules.map.neighbour(hex_id, edge)
            if other is not None:
                meets, is_open = (edge + 3) % 6 in game.tile_at(other).exits, not game.tile_at(other).exits
                total += 1.0 if meets else OPEN * is_open
        return total + SPREAD * chance.random()

    fitting = rules.legal_tiles_with_rotations(game, hex_id)
    choices = [(tile, rotation) for tile, rotations in fitting for rotation in rotations]
    if choices:
        tile, rotation = max(choices, key=joined)
        rules.lay(game.state.board, tile, hex_id, rotation)
        game.board_changed()


def _place_tokens(game: Game, company: CompanyId, chance: random.Random) -> None:
    cities = [
        (hex_id, number, node.slots)
        for hex_id in game.board_rules.map.hexes
        for number, node in enumerate(game.tile_at(hex_id).cities)
        if game.tile_at(hex_id).exits
    ]
    chance.shuffle(cities)
    cities.sort(key=lambda city: -city[2])
    board = game.state.board
    board.tokens.clear()
    board.reservations.clear()
    others = [one for one in game.state.companies if one != company]
    for place, (hex_id, number, slots) in enumerate(cities):
        if place < TOKENS and not board.has_token(hex_id, company):
            board.place_token(hex_id, number, company)
        elif chance.random() < BLOCKERS:
            for other in chance.sample(others, slots):
                board.place_token(hex_id, number, other)
    game.board_changed()


def searches(boards: Sequence[HardBoard], seconds: float) -> Iterator[tuple[HardBoard, RouteProblem, RouteSet, float]]:
    """Each board with its answer, which the rules have checked, and the processor time of the search."""
    for board in boards:
        problem = board.problem()
        began = time.process_time()
        found = best_routes(problem, seconds, time.process_time)
        taken = time.process_time() - began
        validate(problem, found.routes)
        yield board, problem, found, taken


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hard_boards", description=__doc__)
    parser.add_argument("--title", choices=sorted({board.title for board in BOARDS}))
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"processor time of each search ({SECONDS:g})")
    chosen = parser.parse_args()
    boards = [board for board in BOARDS if chosen.title in (None, board.title)]
    proven = 0
    for board, problem, found, taken in searches(boards, chosen.seconds):
        proven += found.proven
        answer = (
            "proven" if found.proven else f"at most {found.bound} ({found.bound / max(1, found.revenue) - 1:.1%} more)"
        )
        stops = f"{len(problem.values)} stops, {len(problem.graph.segments)} pieces of track"
        print(
            f"{board.title} {board.seed} {' '.join(board.kinds)}: {found.revenue}, {answer}; {stops}; {taken:.2f} s",
            flush=True,
        )
    print(f"{proven} of {len(boards)} proven")


if __name__ == "__main__":
    main()
