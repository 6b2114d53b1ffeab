"""The pictures of the guides, painted from games of chance: `make pictures` writes them anew into `docs/images`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bot.ai.fuzzer import TEMPERS, RandomGame
from bot.engine import HexId
from bot.engine.games.game_record import build_game_record
from bot.engine.notation import format_action
from bot.engine.state import LayTile, RunRoutes
from bot.render.catalogue import scene_of
from bot.render.history_pictures import history_picture
from bot.render.painting.painter import Painter
from bot.render.painting.picture import Picture
from bot.titles.registry import TITLES, Sample, example_title, title_folders

from .games import progress_bar

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
BUILDER = next(temper for temper in TEMPERS if temper.name == "builder")
SMALLEST = 9
"""PNG compression level: these pictures are painted once and fetched often."""


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    painter = Painter(SMALLEST)
    total = 0
    samples = {
        title: place.record.picture for title, place in title_folders().items() if place.record.picture is not None
    }
    for title, sample in progress_bar(samples.items(), "painting", len(samples)):
        for name, picture in pictures(painter, title, sample):
            (FOLDER / f"{name}.png").write_bytes(picture.png)
            total += len(picture.png)
            print(f"{name}.png: {len(picture.png) // 1024} KiB. {picture.alt[:90]}")
    print(f"{total // 1024} KiB in {FOLDER}")
    return 0


def pictures(painter: Painter, title: str, sample: Sample) -> Iterator[tuple[str, Picture]]:
    """The map of a title; of the example all other pictures, too."""
    played = RandomGame(TITLES[title], sample.players, sample.seed, None, BUILDER, is_audited=False)
    game, last_run, last_lay = played.game, None, None
    for number, game in enumerate(played.moves()):
        if RunRoutes in game.open_verbs() and number > sample.moves // 2:
            last_run = game.copy()
        if LayTile in game.open_verbs() and number > sample.moves // 2:
            last_lay = game.copy()
        if number >= sample.moves:
            break
    yield f"board-{title}", painter.paint(scene_of(game, "map"))
    if title != example_title():
        return
    yield "market", painter.paint(scene_of(game, "market"))
    director = game.state.players[0].name
    yield "player", painter.paint(scene_of(game, "player", (), director))
    yield "tiles", painter.paint(scene_of(game, "tiles", (), "green"))
    if last_run is not None:
        company = str(last_run.frame.entity)
        yield "routes", painter.paint(scene_of(last_run, "routes", (), company))
        yield "company", painter.paint(scene_of(last_run, "company", (), company))
    if last_lay is not None:
        lays = [action for action in last_lay.legal_actions() if isinstance(action, LayTile)]
        where: HexId = max({lay.hex for lay in lays}, key=lambda hex_id: sum(lay.hex == hex_id for lay in lays))
        yield "crop", painter.paint(scene_of(last_lay, "crop", (), str(where)))
        some = [format_action(lay) for lay in lays if lay.hex == where][:6]
        yield "choices", painter.paint(scene_of(last_lay, "choices", (), "\n".join(some)))
    course = build_game_record(game, played.texts)
    for kind in ("worth", "prices"):
        yield f"chart-{kind}", history_picture(painter, kind, course)


if __name__ == "__main__":
    sys.exit(main())
