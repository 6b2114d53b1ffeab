"""Learn the weights of chances of winning: `python -m bot.cli.chances --computers DIR --people DIR [--title TITLE]`."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import msgspec

from bot.ai import chances as learning
from bot.ai.chances import ChanceWeights, Sighting, features, fit_doubt, fit_weights, lateness, shares_of_win, softmax
from bot.engine.play import Game
from bot.formats.peer18xx.divergence import Divergence
from bot.service.imports.formats import follow, load
from bot.titles.registry import title_folders
from bot.untrusted_input import InvalidFile

from .games import progress_bar

LEAST_PEOPLE = 10
"""With fewer games of people a title takes the doubt of all titles together."""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--computers", type=Path, required=True, help="a folder of games that computer players played")
    parser.add_argument("--people", type=Path, required=True, help="a folder of games that people played")
    arguments = parser.parse_args(argv)
    played, people = read_games(arguments.computers), read_games(arguments.people)
    together = [game for games in played.values() for game in games]
    weights = fit_weights([one for game in together for one in game])
    seen = [game for games in people.values() for game in games]
    doubt = fit_doubt(weights, [one for game in seen for one in game])
    write(Path(learning.__file__).with_name(learning.FILE), ChanceWeights(weights, len(together), *doubt, len(seen)))
    for title, games in sorted(played.items()):
        own = fit_weights([one for game in games for one in game], weights)
        theirs = people.get(title, [])
        known = theirs if len(theirs) >= LEAST_PEOPLE else seen
        doubt = fit_doubt(own, [one for game in known for one in game])
        folder = Path(str(title_folders()[title].folder))
        write(folder / learning.FILE, ChanceWeights(own, len(games), *doubt, len(theirs)))
        print(f"{title}: {len(games)} games, {describe(games, weights)}; of people {len(theirs)}")
    return 0


def read_games(folder: Path) -> dict[str, list[list[Sighting]]]:
    """By title what was seen at the beginning of every round of every finished game."""
    found = defaultdict(list)
    paths = sorted(folder.rglob("*.json"))
    for path in progress_bar(paths, "replaying", len(paths)):
        try:
            record = load(path)
            sightings = list(sightings_of(game for _, game in follow(record)))
        except (InvalidFile, Divergence) as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        if sightings:
            found[record.title].append(sightings)
    return dict(found)


def sightings_of(positions: Iterable[Game]) -> Iterator[Sighting]:
    before, seen, last = None, [], None
    for game in positions:
        here = (game.state.round.kind, game.state.round.number, game.state.round.part)
        if here != before and not game.state.finished:
            late = lateness(game)
            seen.append((features(game, late), late))
        before, last = here, game
    if last is not None and last.state.finished:
        wins = tuple(shares_of_win(last))
        yield from (Sighting(rows, wins, late) for rows, late in seen)


def describe(games: Sequence[Sequence[Sighting]], usual: Sequence[float], folds: int = 5) -> str:
    """Brier score and calibration error of weights that were learned without the games that are judged."""
    pairs: list[tuple[float, float]] = []
    for fold in range(folds):
        weights = fit_weights([one for at, game in enumerate(games) if at % folds != fold for one in game], usual)
        for game in games[fold::folds]:
            for one in game:
                pairs += zip(softmax(weights, one.features), one.wins, strict=True)
    brier = mean((part - won) ** 2 for part, won in pairs)
    return f"Brier {brier:.3f}, calibrated within {100 * calibration_error(pairs):.1f} points"


def calibration_error(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean distance between predicted chances and the part of them that came true, over tenths of the chances."""
    found = 0.0
    for tenth in range(10):
        some = [(part, won) for part, won in pairs if min(int(part * 10), 9) == tenth]
        if some:
            found += len(some) / len(pairs) * abs(mean(part for part, _ in some) - mean(won for _, won in some))
    return found


def write(path: Path, learned: ChanceWeights) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(learned), indent=1) + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
