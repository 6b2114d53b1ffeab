"""Painting in a process of its own: nothing heavy on the event loop, and a crash costs one picture."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bot.engine import HexId, LocalisedError, Rejected
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import Game, Title
from bot.i18n import current_language, use_language
from bot.jobs.dispatch import try_run_on_worker
from bot.jobs.job_types import JobType
from bot.metrics import PICTURE_SECONDS, PICTURES_FAILED, PICTURES_WAITING
from bot.process_pool import create_pool, kill_pool, run
from bot.store import Server

from .painting.picture import Picture
from .picture_kinds import HistoryOf, PictureOf

if TYPE_CHECKING:
    from .painting.painter import Painter

SECONDS = 60.0
"""Maximum time to paint a picture."""

PAST_SECONDS = 120.0
"""Maximum time to paint a picture that needs a replay first."""

log = logging.getLogger(__name__)


@cache
def _painter() -> Painter:
    """The painter of this process: nobody else runs in it who could hand it over."""
    from .painting.painter import Painter

    return Painter()


class PictureFailed(LocalisedError):
    """The picture could not be painted; the message says why."""


def _titles() -> Mapping[str, Title]:
    from bot.titles.registry import TITLES

    return TITLES


def paint_sync(title: str, state: bytes, kind: str, changed: Sequence[str], subject: str, language: str) -> Picture:
    """Paint in this process, lettered in that language.

    :raises Rejected: there is no such picture.
    """
    from .catalogue import scene_of

    game = Game.decode(_titles()[title], state)
    with use_language(language):
        return _painter().paint(scene_of(game, kind, [HexId(name) for name in changed], subject))


def warm_sync(titles: Sequence[str]) -> None:
    """Paint and discard map and market of these titles in this process, to cache what all their pictures share."""
    for title in map(_titles().__getitem__, titles):
        names = [f"Player {number}" for number in range(title.players.start)]
        state = Game.new(title, names, {}, 1).encode()
        for kind in ("map", "market"):
            paint_sync(title.id, state, kind, (), "", "en")


def history_sync(kind: str, course: GameRecordFile, language: str) -> Picture:
    """Replay a game and paint how it went, in this process, lettered in that language.

    :raises Rejected: there is no such picture, or a move is not legal by its rules.
    """
    from .history_pictures import history_picture

    with use_language(language):
        return history_picture(_painter(), kind, course)


class HistoryRequest(NamedTuple):
    kind: str
    course: GameRecordFile
    language: str


def timelapse_sync(past: HistoryRequest) -> Picture:
    return history_sync(*past)


TIMELAPSE = JobType("timelapse", HistoryRequest, Picture, timelapse_sync, PAST_SECONDS, priority=2)


class Renderer:
    """Painting processes. Positions go in as bytes, pictures come out as bytes. Time-lapses go to a
    server's workers, if there are any.
    """

    def __init__(self, painters: int = 1, server: Server | None = None) -> None:
        self._painters = painters
        self._server = server
        self._free = asyncio.Semaphore(painters)
        self._pool: ProcessPoolExecutor | None = None
        self._past_pool: ProcessPoolExecutor | None = None

    async def try_picture(self, game: Game, kind: str, changed: Sequence[str] = (), subject: str = "") -> list[Picture]:
        """As `picture`, in a list of one; an empty list, and a line in the log, where it cannot be painted."""
        try:
            return [await self.picture(game, kind, changed, subject)]
        except (PictureFailed, Rejected) as error:
            log.warning("no picture (%s): %s", kind, error)
            return []

    async def picture(self, game: Game, kind: str, changed: Sequence[str] = (), subject: str = "") -> Picture:
        """A picture of the position, with its lettering and alt text in the current language.

        :raises Rejected: there is no such picture.
        :raises PictureFailed: the process died twice or took too long; the next picture gets a new process.
        """
        job = (game.title.id, game.encode(), kind, tuple(changed), subject, current_language())
        try:
            with PICTURE_SECONDS.labels(kind).time(), PICTURES_WAITING.track_inprogress():
                try:
                    return await self._paint(job)
                except BrokenProcessPool:
                    # It may have been another picture that its process died of.
                    return await self._paint(job)
        except (BrokenProcessPool, TimeoutError) as error:
            PICTURES_FAILED.inc()
            raise PictureFailed("The picture could not be drawn ({error}).", type(error).__name__) from error

    async def warm(self, titles: Sequence[str]) -> None:
        """Start the painters, so that the first pictures of these titles take no longer than later pictures."""
        if not titles:
            return
        self._pool = pool = self._pool or create_pool(self._painters)
        try:
            await asyncio.gather(*(run(pool, warm_sync, titles, seconds=SECONDS) for _ in range(self._painters)))
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("the painters could not begin early: %s", type(error).__name__)

    async def _paint(self, job: tuple[str, bytes, str, tuple[str, ...], str, str]) -> Picture:
        """One attempt; the time limit starts when a painter is free."""
        async with self._free:
            if self._pool is None:
                self._pool = create_pool(self._painters)
            pool = self._pool
            try:
                return await run(pool, paint_sync, *job, seconds=SECONDS)
            except (BrokenProcessPool, TimeoutError):
                self._discard(pool)
                raise

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """End broken processes; a hanging process is killed. Another call may have created a new pool already."""
        kill_pool(pool)
        if self._pool is pool:
            self._pool = None
        if self._past_pool is pool:
            self._past_pool = None

    async def paint(self, wanted: PictureOf | HistoryOf) -> Picture:
        """A picture of a position or of a game's course.

        :raises Rejected: there is no such picture.
        :raises PictureFailed: it could not be painted.
        """
        if isinstance(wanted, HistoryOf):
            return await self.history_picture(wanted.kind, wanted.course)
        return await self.picture(wanted.game, wanted.kind, (), wanted.subject)

    async def history_picture(self, kind: str, course: GameRecordFile) -> Picture:
        """How a game went: `worth`, `income`, `prices` (charts) or `timelapse` (an animated GIF).

        In a process of its own, since it takes long.

        :raises Rejected: there is no such picture, or a move is not legal by its rules.
        :raises PictureFailed: the process died or took too long.
        """
        if kind == TIMELAPSE.name and (
            found := await try_run_on_worker(TIMELAPSE, HistoryRequest(kind, course, current_language()), self._server)
        ):
            return found
        if self._past_pool is None:
            self._past_pool = create_pool()
        pool = self._past_pool
        try:
            with PICTURE_SECONDS.labels(kind).time():
                return await run(pool, history_sync, kind, course, current_language(), seconds=PAST_SECONDS)
        except (BrokenProcessPool, TimeoutError) as error:
            self._discard(pool)
            PICTURES_FAILED.inc()
            raise PictureFailed("The picture could not be drawn ({error}).", type(error).__name__) from error

    def close(self) -> None:
        for pool in (self._pool, self._past_pool):
            if pool is not None:
                kill_pool(pool)
        self._pool = self._past_pool = None
