"""Learn what people would do from recorded games: `python -m bot.cli.move_weights FILE... [--keep DIR]`.

A conditional logit over the candidates of every decision, per situation: first for all titles, then for each title, drawn
towards the common weights. Every game is judged by weights that were learned without it and without games that begin alike; a
situation is left to the computed ranking unless that says the weights agree more with people.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from bot.ai import prior
from bot.ai.decisions import DecisionWatcher, RecordedDecision
from bot.ai.prior import COMMON_FILE, FILE, MoveWeights, likely
from bot.ai.title_parameters import CLUB
from bot.formats.peer18xx.divergence import Divergence
from bot.service.imports.formats import load, watch_actions
from bot.titles.registry import title_folders
from bot.untrusted_input import InvalidFile

from .games import progress_bar

COMMON_PENALTY, OWN_PENALTY = 2.0, 12.0
"""The force that draws weights to nothing, and a title's to the common weights: few games are learned by heart."""

STEPS, SMALL = 40, 1e-4
"""Maximum number of Newton steps, and the change of a weight below which they end."""

ALIKE = 20
"""Games of one title with this number of equal first decisions are alike."""

LEAST_SEEN = 5
"""A feature counts if it differs from nothing in this number of decisions."""

LEAST_BETTER = 0.01
"""The part of decisions that the title's own weights must get right beyond the common weights."""

LEAST_KIND, MOST_LOST = 50, 0.03
"""No kind with this number of decisions may lose more of its agreement by learned weights."""

NUDGES: Mapping[str, Weights] = {"stock": {"pass": -0.6, "sell": 0.7, "par": 0.5}, "train": {"pass": -0.5}}
"""Added to the weights of whole verbs: a rare move is hardly ever the likeliest, and passing is too often. With these numbers,
found on a grid over games left out, no kind agrees less than in the computed ranking.
"""

Weights = Mapping[str, float]


class PeoplesGame(msgspec.Struct):
    file: str
    title: str
    decisions: list[RecordedDecision]

    @property
    def opening(self) -> tuple[str, ...]:
        return (self.title, *(one.move for one in self.decisions[:ALIKE]))


class Judgement(NamedTuple):
    """One decision of a game left out: the rank of the move that was made (from 0, -1: not listed), computed and by the
    common and the title's own weights, and the number of candidates."""

    title: str
    situation: str
    kind: str
    computed: int
    common: int
    own: int
    candidates: int

    def rank(self, way: str) -> int:
        found: int = getattr(self, way)
        return found


WAYS = ("computed", "common", "own")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="games that people played")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the decisions of every game for the next time")
    arguments = parser.parse_args(argv)
    games = [
        game
        for path in progress_bar(arguments.files, "replaying", len(arguments.files))
        if (game := read_game(path, arguments.keep))
    ]
    judged = judge_games(games)
    ways = choose_ways(judged)
    write_weights(games, ways)
    print_report(judged, ways)
    return 0


def read_game(path: Path, keep: Path | None) -> PeoplesGame | None:
    kept = keep / f"{path.parent.name}-{path.stem}.decisions" if keep else None
    if kept and kept.is_file():
        return msgspec.msgpack.decode(kept.read_bytes(), type=PeoplesGame)
    watcher, title = DecisionWatcher(CLUB), ""
    try:
        record = load(path)
        title = record.title
        watch_actions(record, watcher.see)
    except (InvalidFile, Divergence) as error:
        print(f"{path.name}: {error}", file=sys.stderr)
    if not watcher.decisions:
        return None
    game = PeoplesGame(path.name, title, watcher.decisions)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.msgpack.encode(game))
    return game


# -- fitting --------------------------------------------------------------------------------------


class Choices:
    """Decisions of one situation as arrays: the rows of all candidates, where each decision begins, and the rows chosen."""

    def __init__(self, decisions: Sequence[RecordedDecision], names: Sequence[str]) -> None:
        self.names = names
        column = {name: at for at, name in enumerate(names)}
        sizes = [len(one.candidates) for one in decisions]
        self.begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
        self.owners = np.repeat(np.arange(len(sizes)), sizes)
        self.chosen = self.begins + np.array([one.made for one in decisions])
        self.rows = np.zeros((sum(sizes), len(names)))
        for row, features in enumerate(features for one in decisions for features in one.candidates):
            for name, value in features.items():
                if name in column:
                    self.rows[row, column[name]] = value

    def probabilities(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """The probability of every row, and the logarithm of the likelihood of the moves that were made."""
        liking = self.rows @ weights
        liking -= np.maximum.reduceat(liking, self.begins)[self.owners]
        odds = np.exp(liking)
        sums = np.add.reduceat(odds, self.begins)
        return odds / sums[self.owners], float((liking[self.chosen] - np.log(sums)).sum())


def fit(choices: Choices, towards: np.ndarray, penalty: float) -> np.ndarray:
    """Newton's method; a step that makes what was chosen less likely is halved."""

    def goodness(weights: np.ndarray) -> float:
        return choices.probabilities(weights)[1] - penalty / 2 * float(((weights - towards) ** 2).sum())

    weights = towards.copy()
    for _ in range(STEPS):
        parts, _ = choices.probabilities(weights)
        weighted = choices.rows * parts[:, None]
        means = np.add.reduceat(weighted, choices.begins, axis=0)
        slope = (choices.rows[choices.chosen] - means).sum(axis=0) - penalty * (weights - towards)
        bend = weighted.T @ choices.rows - means.T @ means + penalty * np.eye(len(weights))
        step, before = np.linalg.solve(bend, slope), goodness(weights)
        while goodness(weights + step) < before and np.abs(step).max() > SMALL:
            step = step / 2
        weights = weights + step
        if np.abs(step).max() < SMALL:
            break
    return weights


def learn(games: Iterable[PeoplesGame], towards: Mapping[str, Weights], penalty: float) -> dict[str, dict[str, float]]:
    """The weights of every situation."""
    decisions: dict[str, list[RecordedDecision]] = defaultdict(list)
    for game in games:
        for one in game.decisions:
            if one.made >= 0 and len(one.candidates) > 1:
                decisions[one.situation].append(one)
    found = {}
    for situation, some in sorted(decisions.items()):
        if not (names := telling_features(some)):
            continue
        start = np.array([towards.get(situation, {}).get(name, 0.0) for name in names])
        weights = fit(Choices(some, names), start, penalty)
        rest = {name: value for name, value in towards.get(situation, {}).items() if name not in names}
        found[situation] = rest | dict(zip(names, map(float, weights), strict=True))
    return found


def add_nudges(found: Mapping[str, Weights]) -> dict[str, dict[str, float]]:
    return {
        situation: {**weights, **{verb: weights.get(verb, 0.0) + by for verb, by in NUDGES.get(situation, {}).items()}}
        for situation, weights in found.items()
    }


def telling_features(decisions: Iterable[RecordedDecision]) -> list[str]:
    seen: dict[str, int] = defaultdict(int)
    for one in decisions:
        for name in {name for features in one.candidates for name in features}:
            seen[name] += 1
    return sorted(name for name, number in seen.items() if number >= LEAST_SEEN)


# -- judging --------------------------------------------------------------------------------------


def judge_games(games: Sequence[PeoplesGame]) -> list[Judgement]:
    found = []
    for opening in progress_bar(sorted({game.opening for game in games}), "leaving out", len(games)):
        rest = [game for game in games if game.opening != opening]
        common = learn(rest, {}, COMMON_PENALTY)
        own = learn([game for game in rest if game.title == opening[0]], common, OWN_PENALTY)
        learned = add_nudges(common), add_nudges(own)
        for game in games:
            if game.opening == opening:
                found += [judge_decision(game.title, one, *learned) for one in game.decisions]
    return found


def judge_decision(
    title: str, one: RecordedDecision, common: Mapping[str, Weights], own: Mapping[str, Weights]
) -> Judgement:
    usual = common.get(one.situation, {})
    ranks = (rank_by(weights, one) for weights in (usual, own.get(one.situation, usual)))
    return Judgement(title, one.situation, one.kind, one.made, next(ranks), next(ranks), len(one.candidates))


def rank_by(weights: Weights, one: RecordedDecision) -> int:
    if one.made < 0:
        return -1
    liking = [likely(weights, features) for features in one.candidates]
    return sorted(range(len(liking)), key=lambda at: (-liking[at], at)).index(one.made)


def by_situation(judged: Iterable[Judgement]) -> dict[tuple[str, str], list[Judgement]]:
    """Also under the title "" those of all titles together."""
    found: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for one in judged:
        found[one.title, one.situation].append(one)
        found["", one.situation].append(one)
    return dict(sorted(found.items()))


def agreement(judged: Sequence[Judgement], way: str, among: int = 1) -> float:
    return sum(0 <= one.rank(way) < among for one in judged) / len(judged)


def choose_ways(judged: Sequence[Judgement]) -> dict[tuple[str, str], str]:
    """By title (all of them: "") and situation. A situation that is left to the computed ranking in all titles together is
    left to it in each: single titles have few decisions of a kind.
    """
    all_ways: dict[tuple[str, str], str] = {}
    for (title, situation), some in by_situation(judged).items():
        usual = all_ways.get(("", situation))
        all_ways[title, situation] = "computed" if usual == "computed" else best_way(some, is_own=bool(title))
    return all_ways


def best_way(judged: Sequence[Judgement], is_own: bool) -> str:
    """The computed ranking unless learned weights agree more; the title's own only if they are clearly better."""
    computed, common, own = (agreement(judged, way) if keeps_kinds(judged, way) else 0.0 for way in WAYS)
    if is_own and own > max(computed, common + LEAST_BETTER):
        return "own"
    return "common" if common > computed else "computed"


def keeps_kinds(judged: Sequence[Judgement], way: str) -> bool:
    """Whether no kind of decisions loses by it."""
    kinds: dict[str, list[Judgement]] = defaultdict(list)
    for one in judged:
        kinds[one.kind].append(one)
    many = [found for found in kinds.values() if len(found) >= LEAST_KIND]
    return all(agreement(found, way) >= agreement(found, "computed") - MOST_LOST for found in many)


# -- results --------------------------------------------------------------------------------------


def write_weights(games: Sequence[PeoplesGame], ways: Mapping[tuple[str, str], str]) -> None:
    common = learn(games, {}, COMMON_PENALTY)
    used = {name: weights for name, weights in common.items() if ways["", name] != "computed"}
    write(Path(prior.__file__).with_name(COMMON_FILE), MoveWeights(len(games), round_weights(add_nudges(used))))
    for title in sorted({game.title for game in games}):
        own_games = [game for game in games if game.title == title]
        own = learn(own_games, common, OWN_PENALTY)
        chosen = {name: way for (of, name), way in ways.items() if of == title}
        weights = {name: own[name] for name, way in chosen.items() if way == "own" and name in own}
        left = tuple(sorted(name for name, way in chosen.items() if way == "computed" and name in used))
        place = Path(str(title_folders()[title].folder)) / FILE
        if weights or left:
            write(place, MoveWeights(len(own_games), round_weights(add_nudges(weights)), left))
        else:
            place.unlink(missing_ok=True)


def round_weights(found: Mapping[str, Weights]) -> dict[str, dict[str, float]]:
    return {
        situation: {name: value for name in sorted(weights) if (value := round(weights[name], 4))}
        for situation, weights in sorted(found.items())
    }


def write(path: Path, weights: MoveWeights) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(weights, order="sorted"), indent=1) + b"\n")


def print_report(judged: Sequence[Judgement], ways: Mapping[tuple[str, str], str]) -> None:
    for (title, situation), way in ways.items():
        found = [one for one in judged if title in ("", one.title) and one.situation == situation]
        shares = "  ".join(f"{name} {100 * agreement(found, name):.0f}" for name in WAYS)
        print(f"{title or 'all titles'}, {situation}: {len(found)}  {shares}  -> {way}")
    for title in sorted({one.title for one in judged}):
        kinds: dict[str, list[Judgement]] = defaultdict(list)
        for one in judged:
            if one.title == title:
                kinds[one.kind].append(one)
                kinds["all"].append(one)
        print(f"\n{title:<16}{'n':>6}{'computed':>18}{'chosen':>18}")
        for kind, found in sorted(kinds.items(), key=lambda item: (item[0] == "all", item[0])):
            print(f"{kind:<16}{len(found):>6}{shares_of(found, {}):>18}{shares_of(found, ways):>18}")


def shares_of(judged: Sequence[Judgement], ways: Mapping[tuple[str, str], str]) -> str:
    ranks = [one.rank(ways.get((one.title, one.situation), "computed")) for one in judged]
    return " / ".join(f"{100 * sum(0 <= rank < among for rank in ranks) / len(ranks):.0f}" for among in (1, 3, 5))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
