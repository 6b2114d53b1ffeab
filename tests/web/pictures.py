"""The board page as the guides show it, on a desk and on a phone: `make pictures` takes both anew in Chromium."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from bot.ai.fuzzer import RandomGame
from bot.cli.pictures import BUILDER, FOLDER
from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import GameRecordFile
from bot.engine.state.actions import LayTile
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.store import Store
from bot.titles.registry import TITLES

from .chromium import ABSENT, DESK, PHONE, chromium, opened

NAMES = ("Ann", "Bob", "Cid", "Maximilian")
PERSON = "pictures"
COLOURS = 256
WIDTH = 1000
"""Of the picture of a desk; that of a phone is as wide as the phone."""


def course(title: str, seed: int, moves: int) -> tuple[GameRecordFile, str]:
    """A game of chance up to a lay after so many moves, and the space with most tiles to choose from."""
    played = RandomGame(TITLES[title], len(NAMES), seed, None, BUILDER, is_audited=False)
    for game in played.moves():
        lays = [one.hex for one in menus.legal_for(game, game.players_to_act()) if isinstance(one, LayTile)]
        if lays and len(played.texts) >= moves:
            record = GameRecordFile(title, NAMES, tuple(played.texts), options=dict(game.state.options), seed=seed)
            return record, max(sorted(set(lays)), key=lays.count)
    raise LookupError("the game has ended before")


async def taken(tables: GameService, board: BoardServer, title: str, seed: int, moves: int, **how: Any) -> bytes:
    """The page of such a game, with the tiles of that space, as whoever plays sees it."""
    brought, space = course(title, seed, moves)
    game = await tables.transfer.import_game(brought, PERSON)
    address = board.doors.play_address(await tables.links.make(game, PERSON, "play"))
    async with opened(address, **how) as it:
        await it.until("document.querySelectorAll('.hit.legal').length > 0")
        await it.page.locator(f"#at-{space}").click()
        await it.until("document.querySelector('.do')")
        if how["viewport"] == DESK:
            await it.page.evaluate("scrollTo(0, 0)")
        await it.page.mouse.move(0, 0)
        await it.page.wait_for_timeout(300)
        return await it.page.screenshot()


async def main() -> int:
    """Take them; those that are there are written over."""
    if chromium() is None:
        print(ABSENT)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "signalbox.db")
        tables = GameService(store, TITLES)
        board = BoardServer(tables)
        await board.open()
        try:
            desk = await taken(tables, board, "1844", 5, 240, viewport=DESK)
            phone = await taken(tables, board, "1848", 3, 180, viewport=PHONE, has_touch=True, is_mobile=True)
        finally:
            await board.close()
            await store.close()
    for name, png in (("board-page", desk), ("board-page-phone", phone)):
        picture = Image.open(BytesIO(png)).convert("RGB")
        picture.thumbnail((WIDTH, WIDTH))
        picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(FOLDER / f"{name}.png", optimize=True)
        print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
