"""`bot run` that paints sparingly: the first pictures of every kind and then one in some; the others are shown again.

Long games are about moves and posts; what pictures look like is tested elsewhere. `SIGNALBOX_PAINT_EVERY` is how many
pictures of a kind come from one painting.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bot.cli.main import main
from bot.engine.play.game import Game
from bot.render import worker
from bot.render.worker import Renderer

FIRST = 2
"""So many pictures of a kind are all painted."""

SECONDS = 600.0
"""How long a painter may take: these games are about moves, on machines however busy."""


def paint_sparingly(every: int) -> None:
    """Let studios paint one picture of a kind in `every`."""
    worker.SECONDS = SECONDS
    paint: Any = Renderer.picture
    counts: Counter[str] = Counter()
    shown: dict[tuple[str, str], Any] = {}

    async def picture(self: Renderer, game: Game, kind: str, changed: Sequence[str] = (), subject: str = "") -> Any:
        counts[kind] += 1
        if (game.title.id, kind) not in shown or counts[kind] <= FIRST or counts[kind] % every == 0:
            shown[game.title.id, kind] = await paint(self, game, kind, changed, subject)
        return shown[game.title.id, kind]

    Renderer.picture = picture  # type: ignore[method-assign]


if __name__ == "__main__":
    paint_sparingly(int(os.environ["SIGNALBOX_PAINT_EVERY"]))
    raise SystemExit(main(["run"]))
