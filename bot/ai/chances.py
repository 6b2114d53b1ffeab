"""Each player's chance of winning, from what players are worth and should be worth in the end: a softmax of few weighted
features, whose weights are learned offline from whole games (`python -m bot.cli.chances`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import exp, log
from statistics import mean

import msgspec

from bot.engine import PlayerId
from bot.engine.games.history import round_label
from bot.engine.play import Game
from bot.titles.registry import title_folders

from .company_forecast import rounds_left
from .evaluation import prospects

FILE = "chances.json"

FEATURES = ("late prospects", "late worth")
"""Prospects and worth, each as a part of the table's mean above or below it, times the square of how late it is: early in a
game neither tells who wins."""

ENDED = "end"
"""The label of the last row."""

NOTHING = (0.0,) * len(FEATURES)

SOON = 4.0
"""With this number of operating rounds left a game is half as late as at its end."""

STEPS, PENALTY = 60, 0.1


class ChanceWeights(msgspec.Struct, frozen=True):
    """The weights of `FEATURES`, learned from `games` of computer players. Chances are drawn towards equal chances by the part
    `early` at the beginning of a game, falling to `late` at its end: people's games are less certain. Both are fitted on
    `people` games.
    """

    weights: tuple[float, ...]
    games: int
    early: float = 0.5
    late: float = 0.0
    people: int = 0


class RoundChances(msgspec.Struct, frozen=True):
    """Everybody's chances at the beginning of a round, before the action `move` of the game, counted from 1; in the end after
    the last."""

    move: int
    label: str
    chances: dict[PlayerId, float]


class Sighting(msgspec.Struct, frozen=True):
    """A position seen for fitting: the features of every player, the part of the win that each had in the end, and how late
    it was."""

    features: tuple[tuple[float, ...], ...]
    wins: tuple[float, ...]
    lateness: float


@cache
def chance_weights(title: str) -> ChanceWeights:
    """The title's own, or those that were learned from all titles together."""
    own = title_folders()[title].folder / FILE
    place = own if own.is_file() else files(__package__) / FILE
    return msgspec.json.decode(place.read_bytes(), type=ChanceWeights)


def chances(game: Game, learned: ChanceWeights | None = None) -> dict[PlayerId, float]:
    """The chance of every player to have most in the end, all together 1; of a finished game who has won it."""
    players = seats_of(game)
    if game.state.finished:
        return dict(zip(players, shares_of_win(game), strict=True))
    learned = learned or chance_weights(game.title.id)
    late = lateness(game)
    plain = softmax(learned.weights, features(game, late))
    drawn = learned.early + (learned.late - learned.early) * late
    return {player: (1 - drawn) * part + drawn / len(players) for player, part in zip(players, plain, strict=True)}


def chance_curve(positions: Iterable[Game]) -> list[RoundChances]:
    """The chances at the beginning of every round and in the end; the positions are those before each action, and the last."""
    curve: list[RoundChances] = []
    for move, game in enumerate(positions, 1):
        note_round(curve, move, game)
    return curve


def note_round(curve: list[RoundChances], move: int, game: Game) -> None:
    """Add a row if the position is the first of a round, or the end."""
    label = ENDED if game.state.finished else round_label(game)
    if not curve or curve[-1].label != label:
        curve.append(RoundChances(move, label, chances(game)))


def shares_of_win(game: Game) -> list[float]:
    """1 for who has most, divided among them where several have."""
    worth = [game.title.rules.worth(game, player) for player in seats_of(game)]
    best = worth.count(max(worth))
    return [1 / best if one == max(worth) else 0.0 for one in worth]


def lateness(game: Game) -> float:
    return 1 / (1 + rounds_left(game) / SOON)


def features(game: Game, late: float) -> tuple[tuple[float, ...], ...]:
    """The features of every player, in the order of `seats_of`."""
    players = seats_of(game)
    seen = prospects(game)
    columns = [relative([seen[player] for player in players])]
    columns.append(relative([float(game.title.rules.worth(game, player)) for player in players]))
    return tuple(tuple(late**2 * part for part in row) for row in zip(*columns, strict=True))


def seats_of(game: Game) -> list[PlayerId]:
    """The players by seat: the order of turns changes in a game."""
    return [player.id for player in game.state.players]


def relative(values: Sequence[float]) -> list[float]:
    middle = max(1.0, abs(mean(values)))
    return [(value - mean(values)) / middle for value in values]


def softmax(weights: Sequence[float], rows: Iterable[Sequence[float]]) -> list[float]:
    sums = [sum(weight * one for weight, one in zip(weights, row, strict=True)) for row in rows]
    powers = [exp(one - max(sums)) for one in sums]
    return [power / sum(powers) for power in powers]


def fit_weights(sightings: Sequence[Sighting], usual: Sequence[float] = NOTHING) -> tuple[float, ...]:
    """The weights under which the winners were likeliest, by Newton's steps, with a penalty on what differs from the usual
    weights: the positions of a game are alike, and few games are learned by heart."""
    size = len(FEATURES)
    weights = [*usual]
    for _ in range(STEPS):
        slope = [PENALTY * (one - weight) for one, weight in zip(usual, weights, strict=True)]
        bend = [[PENALTY * (row == column) for column in range(size)] for row in range(size)]
        for one in sightings:
            parts = softmax(weights, one.features)
            middle = [sum(p * row[at] for p, row in zip(parts, one.features, strict=True)) for at in range(size)]
            for part, won, row in zip(parts, one.wins, one.features, strict=True):
                for at in range(size):
                    slope[at] += (won - part) * row[at]
                    for other in range(size):
                        bend[at][other] += part * (row[at] - middle[at]) * (row[other] - middle[other])
        step = solve(bend, slope)
        weights = [weight + one for weight, one in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    return tuple(round(weight, 4) for weight in weights)


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """A small system of linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]


def fit_doubt(weights: Sequence[float], sightings: Sequence[Sighting]) -> tuple[float, float]:
    """The part by which chances are drawn towards equal chances, at the beginning and at the end: of a grid the pair under
    which the winners of games of people were likeliest.
    """
    plain = [(softmax(weights, one.features), one) for one in sightings]

    def likelihood(early: float, late: float) -> float:
        found = 0.0
        for parts, one in plain:
            drawn = early + (late - early) * one.lateness
            found += sum(
                won * log((1 - drawn) * part + drawn / len(parts))
                for won, part in zip(one.wins, parts, strict=True)
                if won
            )
        return found

    grid = [step / 20 for step in range(1, 20)]
    return max(((early, late) for early in grid for late in grid if late <= early), key=lambda pair: likelihood(*pair))
