"""One timer for the clocks of all games, in the process that keeps house: it looks at each game when something is due
there, and at all of them a few times a minute as a net below that.
"""

from __future__ import annotations

import asyncio

from bot.engine import GameId
from bot.service.sessions import GameSession, SessionManager, log
from bot.store import EntryKind, LedgerRecord, StoreDamaged, StoreError

from .game_clocks import GameClocks

PULSE = 15.0
"""Seconds between two looks at all games with a clock, and between two notes that this program runs."""

OUTAGE = 3 * PULSE
"""Seconds without a pulse after which time has not counted for anybody."""

LEAST_PAUSE = 0.2
"""Minimum number of seconds between two looks, however much happens."""

MOST_UNSEEN = 300.0
"""Seconds after which a game is looked at again though nothing seems due: its players may have changed something."""


class ClockKeeper:
    def __init__(self, desk: SessionManager, clocks: GameClocks) -> None:
        self.desk, self.clocks = desk, clocks
        self._known: dict[GameId, tuple[int, float]] = {}
        self._pulse: tuple[float, float] | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        desk.listeners.append(self.listen)

    async def begin(self) -> None:
        """Look at all games, and go on looking."""
        if self._task is None:
            await self._sweep_safely()
            self._task = asyncio.create_task(self._run(), name="clocks of games")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def listen(self, game_id: GameId, saved: GameSession | None = None) -> None:
        """Look at a game with a clock soon: something was saved."""
        if game_id in self._known or saved is None or saved.record.clock is not None:
            self._news.set()

    async def _run(self) -> None:
        while True:
            self._news.clear()
            pause = await self._sweep_safely()
            try:
                async with asyncio.timeout(max(pause, LEAST_PAUSE)):
                    await self._news.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(LEAST_PAUSE)

    async def _sweep_safely(self) -> float:
        """As `sweep`, through all failures."""
        try:
            return await self.sweep()
        except StoreError as error:
            log.warning("clocks of games are looked at later: %s", error)
        except Exception:
            log.exception("clocks of games cannot be looked at")
        return PULSE

    async def sweep(self) -> float:
        """Look at every game in which something is due or has changed; returns after how many seconds to look again.

        :raises StoreError: the database does not answer.
        """
        if not self.desk.has_duties:
            self._pulse, self._known = None, {}
            return PULSE
        games = await self.desk.store.ledger.games_under_way()
        await self._note_pulse(games)
        self._known = {game: known for game, known in self._known.items() if game in games}
        for game, version in games.items():
            now = self.desk.now()
            known = self._known.get(game)
            if known is None or known[0] != version or known[1] <= now:
                self._known[game] = (version, await self._look_at(game, now))
        moments = [due - self.desk.now() for _, due in self._known.values()]
        return max(0.0, min([PULSE, *moments]))

    async def _look_at(self, game_id: GameId, now: float) -> float:
        """Settle a game; returns when to look at it again."""
        try:
            due = await self.clocks.settle(game_id)
        except StoreError as error:
            if not isinstance(error, StoreDamaged):
                raise
            log.error("the clock of a game cannot be looked at: %s", error, extra={"game": game_id})
            due = None
        except Exception:
            log.exception("the clock of a game cannot be looked at", extra={"game": game_id})
            due = None
        latest = now + MOST_UNSEEN
        return latest if due is None else min(due.timestamp(), latest)

    async def _note_pulse(self, games: dict[GameId, int]) -> None:
        """Note that a program runs; after a gap, no time has counted in it. A clock that was set is no gap: within this
        program, a clock that nobody sets says how long it was.
        """
        steady, now = self.desk.timekeeper.steady, self.desk.now()
        read = steady() if steady is not None else now
        if not games:
            # Nothing is written for tables without clocks.
            self._pulse = (now, read)
            return
        if self._pulse is None:
            last = await self.desk.store.ledger.last_pulse()
            gap = now - last if last is not None else 0.0
        else:
            gap = read - self._pulse[1]
            if gap < PULSE and now >= self._pulse[0]:
                return
        if gap > OUTAGE:
            log.warning("no program has run for %.0f s; that time counts for nobody", gap)
            begin = now - gap
            topic = f"{EntryKind.OUTAGE} {begin:.0f}"
            await self.desk.store.ledger.add(
                [
                    LedgerRecord(game, EntryKind.OUTAGE, topic, begin, None, version, now)
                    for game, version in games.items()
                ]
            )
        await self.desk.store.ledger.note_pulse(now)
        self._pulse = (now, read)
