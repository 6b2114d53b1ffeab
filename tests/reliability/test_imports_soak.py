"""Four people send hostile files without end; everybody else plays on (`make soak`)."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.load import resident_mb
from tests.discord_double.double import Double
from tests.discord_double.user import ScriptedUser
from tests.reliability.hostile import cheap_moves, own, shapes, text, undone

EACH = 30
"""Imports of each of the four; 120 in all."""

OTHERS_SECONDS, OWN_MB, ALL_MB = 1.0, 200.0, 600.0
"""The promise: how long others wait for an answer (p99), the bot's own memory, that of all its processes."""

HOSTILE_PAUSE, PAUSE = 2.0, 1.1
"""Seconds after which a hostile person who was told to wait asks again, and between the moves of others. The bot lets
everybody ask once a second, as it is shipped."""

WORK = 24_000
"""So many moves that are taken back and made again half as often are about as much work as is given to one game."""

TOLD_TO_WAIT = re.compile("being read|please wait")

pytestmark = pytest.mark.soak


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found


def memory(pids: list[int]) -> list[float]:
    """Resident megabytes of processes, of those that still live."""
    found = []
    for pid in pids:
        try:
            found.append(resident_mb(pid))
        except OSError:
            continue
    return found


class Siege:
    """What is measured while it lasts."""

    def __init__(self, double: Double, pid: int) -> None:
        self.double = double
        self.pid = pid
        self.answers: Counter[str] = Counter()
        self.waits: list[float] = []
        self.own = self.all = 0.0
        self.is_over = False

    async def watch(self) -> None:
        """Memory, until it is over."""
        while not self.is_over:
            found = memory(family(self.pid))
            self.own, self.all = max(self.own, found[0]), max(self.all, sum(found))
            await asyncio.sleep(0.1)

    async def besiege(self, person: ScriptedUser, files: Iterator[tuple[str, bytes]]) -> None:
        """Send all these files, as many at once as one may, and each until it is read."""
        async with asyncio.TaskGroup() as group:
            for _ in range(3):
                group.create_task(self._send(person, files))

    async def _send(self, person: ScriptedUser, files: Iterator[tuple[str, bytes]]) -> None:
        for name, content in files:
            while TOLD_TO_WAIT.search(answer := await self.bring(person, content)):
                self.answers["told to wait"] += 1
                await asyncio.sleep(HOSTILE_PAUSE)
            self.answers["taken" if "continues after" in answer else "refused"] += 1
            assert answer, name

    async def bring(self, person: ScriptedUser, content: bytes) -> str:
        reply = await person.slash("game import", self.double.channel, file=("game.json", content), wait=900.0)
        return reply.text

    async def play(self, person: ScriptedUser) -> None:
        """In a game of his own move and take it back, again and again, with the pauses that people make."""
        channel = self.double.add_channel(f"of-{person.name.lower()}")
        await person.slash("game import", channel, file=("game.json", text(own())))
        thread = self.double.threads[-1]
        while not self.is_over:
            for command, options in (("move", {"move": "buy P1"}), ("undo", {})):
                began = time.perf_counter()
                reply = await person.slash(command, thread, wait=900.0, **options)
                self.waits.append(time.perf_counter() - began)
                assert "P1" in reply.text, reply.text
                await asyncio.sleep(PAUSE)


async def test_hostile_imports_harm_nobody_else(
    double: Double, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    shipped = {"SIGNALBOX_PAINTERS": "2", "SIGNALBOX_RATE": ""}
    bot = await double.launch(data=tmp_path / "data", is_fresh=True, environment=shipped)
    siege = Siege(double, bot.pid)
    double.interactions.deadline = 900.0
    others = [asyncio.create_task(siege.watch())]
    for person in (double.ann, double.bob, double.cid):
        others.append(asyncio.create_task(siege.play(person)))
        await double.until(lambda: len(siege.waits) > len(others), 120)
    siege.waits.clear()
    files = [*shapes().items(), ("work", text(undone(WORK))), ("moves", cheap_moves())]
    hostile = [double.add_user(f"Eve {number}") for number in range(4)]
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number, person in enumerate(hostile):
            some = itertools.islice(itertools.cycle(files), number * EACH, (number + 1) * EACH)
            group.create_task(siege.besiege(person, some))
    seconds = time.perf_counter() - began
    assert "continues after 0 moves" in await siege.bring(double.dora, text(own()))
    siege.is_over = True
    await asyncio.gather(*others)
    waits = sorted(siege.waits)
    p99 = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
    figure = (
        f"{4 * EACH} hostile imports in {seconds:.0f} s ({dict(siege.answers)}); meanwhile {len(waits)} "
        f"moves of others: p50 {waits[len(waits) // 2]:.3f} s, p99 {p99:.3f} s, slowest {waits[-1]:.3f} s; memory at most "
        f"{siege.own:.0f} MB for the bot, {siege.all:.0f} MB for all its processes"
    )
    record_property("figure", figure)
    assert siege.answers["taken"] + siege.answers["refused"] == 4 * EACH, figure
    assert p99 < OTHERS_SECONDS, figure
    assert siege.own < OWN_MB, figure
    assert siege.all < ALL_MB, figure
