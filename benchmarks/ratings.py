"""`python -m benchmarks.ratings --games 1000 --out FILE [--jobs N] [--json]`: whether ratings predict who wins.

Computer players of three strengths play a tournament; the seats are drawn by lot. The first half of the games gives each strength
its rating. With these ratings, which do not change any more, every game of the second half is predicted: each seat's chance of
winning. Seat alone predicts by how often each seat has won in the first half. Both are judged by the Brier score, the mean over the
games of the sum of squared errors of all seats; the interval is bootstrapped over the games of the second half.

FILE holds a line for each game that was played: a run that was stopped goes on there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import msgspec

from bot.ai.tournament import play_match
from bot.service.features.ratings import BEGINNER, Rating, rate, win_chances
from bot.titles.registry import TITLES

STRENGTHS = ("learner", "steady", "strong")
RESAMPLES = 2000
SEED = 61


class TournamentGame(msgspec.Struct):
    """A game: who sat where, and their places."""

    seed: int
    seats: list[str]
    places: list[int]


def play(title: str, seed: int) -> TournamentGame:
    seats = random.Random(seed).sample(STRENGTHS, len(STRENGTHS))
    scores = play_match(TITLES[title], seats, seed, is_varied=True).scores
    return TournamentGame(seed, seats, [1 + sum(other > score for other in scores) for score in scores])


def tournament(title: str, seeds: Sequence[int], jobs: int, out: Path) -> Iterator[TournamentGame]:
    """All games, those of the file first; new ones are added to it."""
    lines = out.read_bytes().splitlines() if out.exists() else []
    known = {game.seed: game for game in (msgspec.json.decode(line, type=TournamentGame) for line in lines)}
    yield from (known[seed] for seed in seeds if seed in known)
    waiting = [seed for seed in seeds if seed not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for game in pool.map(play, [title] * len(waiting), waiting):
            with out.open("ab") as file:
                file.write(msgspec.json.encode(game) + b"\n")
            yield game


def ratings_after(games: Sequence[TournamentGame]) -> dict[str, Rating]:
    """The rating of each strength after these games."""
    known = dict.fromkeys(STRENGTHS, BEGINNER)
    for game in games:
        after = rate([known[name] for name in game.seats], game.places)
        known.update(zip(game.seats, after, strict=True))
    return known


def wins_by_seat(games: Sequence[TournamentGame]) -> list[float]:
    """The part of the games that each seat has won; a shared first place counts in part."""
    return [fmean(column) for column in zip(*map(outcome, games), strict=True)]


def outcome(game: TournamentGame) -> list[float]:
    won = [place == 1 for place in game.places]
    return [one / sum(won) for one in won]


def brier(predicted: Sequence[float], game: TournamentGame) -> float:
    return sum((chance - won) ** 2 for chance, won in zip(predicted, outcome(game), strict=True))


def build_report(games: Sequence[TournamentGame]) -> dict[str, Any]:
    half = len(games) // 2
    first, second = games[:half], games[half:]
    known, by_seat = ratings_after(first), wins_by_seat(first)
    rated = [brier(win_chances([known[name] for name in game.seats]), game) for game in second]
    seated = [brier(by_seat, game) for game in second]
    gains = [seat - rating for seat, rating in zip(seated, rated, strict=True)]
    chance = random.Random(SEED)
    means = [fmean(chance.choices(gains, k=len(gains))) for _ in range(RESAMPLES)]
    cuts = quantiles(means, n=40)
    return {
        "games": len(games),
        "ratings": {name: [round(one.mu, 2), round(one.sigma, 2)] for name, one in known.items()},
        "seats": [round(one, 3) for one in by_seat],
        "brier_ratings": round(fmean(rated), 4),
        "brier_seat": round(fmean(seated), 4),
        "gain": round(fmean(gains), 4),
        "interval": [round(cuts[0], 4), round(cuts[-1], 4)],
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument("--title", default="1889", help="its games of three players are the shortest")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=610_000, help="of the first game; the others count up")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="a line for each game; a run goes on there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    games = []
    for game in tournament(arguments.title, seeds, arguments.jobs, arguments.out):
        games.append(game)
        print(f"{len(games)} of {len(seeds)} games", end="\r", file=sys.stderr, flush=True)
    report = build_report(sorted(games, key=lambda game: game.seed))
    print(json.dumps(report) if arguments.json else "\n".join(f"{name}: {found}" for name, found in report.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
