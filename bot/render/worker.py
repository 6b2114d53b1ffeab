"""Painting in a process of its own: nothing heavy on the event loop, and a crash costs one picture."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING

from bot.engine.game import Game
from bot.engine.ids import HexId
from bot.engine.title import Title

from .pictures import scene_of

if TYPE_CHECKING:
    from .paint import Painter, Picture

PARENT_CHECK_SECONDS = 2.0

SECONDS = 20.0
"""A picture that takes longer is given up."""

_painter: Painter | None = None


class PictureFailed(Exception):
    """The picture could not be painted; the message says why."""


def _titles() -> Mapping[str, Title]:
    from bot.engine.titles.registry import TITLES

    return TITLES


def _die_with(parent: int) -> None:
    """End this process soon after its parent is gone, also when the parent was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_CHECK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def paint_now(title: str, state: bytes, kind: str, changed: Sequence[str], subject: str) -> Picture:
    """Paint in this process.

    :raises Refusal: there is no such picture.
    """
    global _painter
    from .paint import Painter

    if _painter is None:
        _painter = Painter()
    game = Game.decode(_titles()[title], state)
    return _painter.paint(scene_of(game, kind, [HexId(name) for name in changed], subject))


class Studio:
    """A painting process. States go in as bytes, pictures come out as bytes."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def picture(self, game: Game, kind: str, changed: Sequence[str] = (), subject: str = "") -> Picture:
        """A picture of the position.

        :raises Refusal: there is no such picture.
        :raises PictureFailed: the process died or took too long; the next picture gets a new one.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=_die_with, initargs=(os.getpid(),)
            )
        loop = asyncio.get_running_loop()
        job = loop.run_in_executor(self._pool, paint_now, game.title.id, game.encode(), kind, tuple(changed), subject)
        try:
            return await asyncio.wait_for(job, SECONDS)
        except (BrokenProcessPool, TimeoutError) as error:
            self.close()
            raise PictureFailed(f"The picture could not be painted ({type(error).__name__}).") from error

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
