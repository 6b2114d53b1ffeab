"""`make golden`: writes the play-through of every title anew, by the moves that it holds as far as they are legal.

`make golden TITLE=1848 PLAYERS=3 SEED=7 TEMPER=builder MOVES=800` begins one from other chances.
"""

from __future__ import annotations

import argparse
import sys

from bot.ai.fuzzer import ALL_TEMPERS
from bot.titles.registry import TITLES

from . import lesson
from .playthrough import Beginning, beginning_of, path_of, written


def main() -> int:
    """Writes, and says what has become of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--title", choices=TITLES)
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--temper", choices=[temper.name for temper in ALL_TEMPERS], default="builder")
    parser.add_argument("--moves", type=int, default=1000, help="after how many it stops")
    wanted = parser.parse_args()
    for title in [TITLES[wanted.title]] if wanted.title else TITLES.values():
        path = path_of(title)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if wanted.players or not before:
            players = wanted.players or title.players.start
            begun = Beginning(title.id, players, wanted.seed, wanted.temper, wanted.moves)
        else:
            begun = beginning_of(before)
        after = written(title, begun)
        path.write_text(after, encoding="utf-8")
        state = "as it was" if after == before else "written anew"
        print(f"{title.id}: {after.count(chr(10) + '> ')} moves, {len(after) // 1024} KiB, {state}")
    if not wanted.title:
        print(f"lesson: {lesson.write()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
