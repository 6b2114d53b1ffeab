"""`make peer-speed PEER=…`: how fast recorded games are replayed here and by the engine of a checkout of 18xx.games.

The games are those that lie in the checkout. Both load them in turns, on one processor each; each turn gives a ratio, since what
else runs on the machine slows both. Here every action is checked and every revenue is computed again; there the revenues of
the file are trusted.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.garbage import tune_gc
from bot.titles.registry import TITLES
from tests.peer.campaign import why_not
from tests.peer.engine import Peer

TURNS = 5
BAR, BARS = 2.0, {"1830_game_end_bank": 1.7}
"""How many times as fast a game must be replayed here, in the middle of its turns."""


@dataclass(frozen=True)
class Measured:
    """One game: its actions, and the seconds of processor time here and there, turn by turn."""

    title: str
    name: str
    actions: int
    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def quartiles(self) -> list[float]:
        """How many times as fast as there it is replayed here: a quarter of the turns is below the first, half below the second."""
        return quantiles([there / here for here, there in zip(self.ours, self.theirs, strict=True)], method="inclusive")

    @property
    def bar(self) -> float:
        return BARS.get(self.name, BAR)

    @property
    def is_fast_enough(self) -> bool:
        return self.quartiles[1] >= self.bar


def stored(checkout: Path) -> Iterator[tuple[str, Path]]:
    """The games of the checkout that can be replayed here, with their titles."""
    for title in DIALECTS:
        for path in sorted((checkout / "public" / "fixtures" / title).glob("*.json")):
            yield title, path


def our_seconds(title: str, file: dict[str, Any]) -> tuple[float, int]:
    """How long the replay of a file keeps the processor busy, and the number of its actions."""
    gc.collect()
    began = time.process_time()
    runner = LogReplay(TITLES[title], DIALECTS[title], read_log(file))
    runner.run()
    return time.process_time() - began, len(runner.effective)


def measured(peer: Peer, title: str, path: Path, turns: int) -> Measured:
    """A game here and there, in turns.

    :raises Divergence: our rules do not follow it.
    """
    file = json.loads(path.read_bytes())
    ours, theirs, actions = [], [], 0
    for _ in range(turns):
        seconds, actions = our_seconds(title, file)
        ours.append(seconds)
        theirs.append(float(peer.load(file)["seconds"]))
    return Measured(title, path.stem, actions, ours, theirs)


def table(games: Sequence[Measured]) -> str:
    """The figures as they stand in docs/lab/performance.md, the least seconds of each side among them."""
    lines = [
        "| game | actions | 18xx.games, s | here, s | times as fast | quartiles | bar |",
        "|---|---|---|---|---|---|---|",
    ]
    for game in games:
        low, middle, high = game.quartiles
        lines.append(
            f"| {game.title}, {game.name} | {game.actions} | {min(game.theirs):.3f} | {min(game.ours):.3f} "
            f"| {middle:.2f} | {low:.2f} to {high:.2f} | {game.bar}{'' if game.is_fast_enough else ', missed'} |"
        )
    return "\n".join(lines)


def _turns(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 2 up")
    return int(text)


def main(arguments: list[str]) -> int:
    """Exit 1 if a game misses its bar; 0 also if there is nothing to compare with."""
    parser = argparse.ArgumentParser(prog="make peer-speed", description=__doc__)
    parser.add_argument("--peer", default=os.environ.get("PEER", ""), help="a checkout of 18xx.games")
    parser.add_argument("--turns", type=_turns, default=TURNS, help="how often each game is replayed")
    chosen = parser.parse_args(arguments)
    reason = why_not(chosen.peer)
    if reason:
        print(f"LOUD: {reason}; nothing was compared with 18xx.games", file=sys.stderr)
        return 0
    checkout = Path(chosen.peer)
    tune_gc()
    with Peer(checkout) as peer:
        games = [measured(peer, title, path, chosen.turns) for title, path in stored(checkout)]
    print(table(games))
    return 0 if all(game.is_fast_enough for game in games) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
