"""Whose turn it is: in the order of need, not of asking; so many and no more."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine.refusals import IllegalMove
from bot.service.imports import fair_queue as turns
from bot.service.imports.fair_queue import MOST, MOST_OF_PERSON, MOST_OF_SERVER, FairQueue, ShuttingDown

Ask = tuple[str, str]


class Desk:
    """People who come to the queue and say when they have had their turn."""

    def __init__(self) -> None:
        self.turns = FairQueue()
        self.order: list[str] = []
        self.free = asyncio.Event()

    async def come(self, person: str, server: str) -> None:
        """Wait for a turn, and have it as soon as turns are had at all."""
        async with self.turns.turn(person, server):
            self.order.append(person)
            await self.free.wait()

    async def all_come(self, *asks: Ask) -> list[asyncio.Task[None]]:
        """They come in this order; the first one has his turn."""
        tasks = [asyncio.create_task(self.come(*ask)) for ask in asks]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return tasks


async def served(*asks: Ask) -> list[str]:
    """The order in which these people are served who all wait at once."""
    desk = Desk()
    tasks = await desk.all_come(*asks)
    desk.free.set()
    await asyncio.gather(*tasks)
    return desk.order


async def test_one_at_a_time_in_the_order_of_asking() -> None:
    desk = Desk()
    tasks = await desk.all_come(("ann", "x"), ("bob", "y"), ("cid", "z"))
    assert desk.order == ["ann"]
    desk.free.set()
    await asyncio.gather(*tasks)
    assert desk.order == ["ann", "bob", "cid"]


async def test_who_asks_a_lot_waits_for_those_who_ask_little() -> None:
    assert await served(("ann", "x"), ("ann", "x"), ("bob", "x"), ("cid", "x")) == ["ann", "bob", "cid", "ann"]


async def test_a_server_with_many_people_has_no_more_turns_than_another() -> None:
    many = [(name, "x") for name in "abcd"]
    assert await served(*many, ("ann", "y"), ("bob", "y")) == ["a", "ann", "b", "bob", "c", "d"]


async def test_several_servers_make_nobody_several_people() -> None:
    assert await served(("bob", "z"), ("ann", "x"), ("ann", "y"), ("cid", "z")) == ["bob", "ann", "cid", "ann"]


async def test_people_without_a_server_keep_nobody_out() -> None:
    many = [(str(number), "") for number in range(MOST_OF_SERVER)]
    assert await served(*many, ("ann", ""), ("bob", "y")) == [*map(str, range(MOST_OF_SERVER)), "ann", "bob"]


async def test_what_was_is_forgotten_when_nobody_waits() -> None:
    desk = Desk()
    desk.free.set()
    await desk.come("ann", "x")
    assert not desk.turns._persons and not desk.turns._servers


BOUNDS: dict[str, tuple[list[Ask], Ask, str]] = {
    "person": ([("ann", str(number)) for number in range(MOST_OF_PERSON)], ("ann", "new"), "of your files"),
    "server": ([(str(number), "x") for number in range(MOST_OF_SERVER)], ("new", "x"), "files from this server"),
    "all": (
        [(str(number), str(number)) for number in range(MOST)],
        ("new", "new"),
        f"{MOST} files are already being read",
    ),
}


@pytest.mark.parametrize("bound", BOUNDS)
async def test_whoever_is_over_is_told_so_and_may_come_again_later(bound: str) -> None:
    asks, one_more, sentence = BOUNDS[bound]
    desk = Desk()
    tasks = await desk.all_come(*asks)
    with pytest.raises(IllegalMove, match=sentence):
        await asyncio.wait_for(desk.come(*one_more), 1)
    desk.free.set()
    await asyncio.gather(*tasks)
    await desk.come(*one_more)
    assert len(desk.order) == len(asks) + 1


async def test_a_turn_that_fails_or_is_given_up_makes_room() -> None:
    desk = Desk()
    with pytest.raises(ValueError):
        async with desk.turns.turn("ann", "x"):
            raise ValueError
    first, waits, last = await desk.all_come(("ann", "x"), ("bob", "x"), ("cid", "x"))
    first.cancel()
    waits.cancel()
    desk.free.set()
    await last
    assert desk.order == ["ann", "cid"]
    assert [type(done) for done in await asyncio.gather(first, waits, return_exceptions=True)] == [
        asyncio.CancelledError,
        asyncio.CancelledError,
    ]


async def test_nobody_waits_longer_than_discord_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.01)
    desk = Desk()
    [first] = await desk.all_come(("ann", "x"))
    with pytest.raises(IllegalMove, match="ahead of yours"):
        await desk.come("bob", "x")
    desk.free.set()
    await first
    await desk.come("bob", "x")


async def test_at_the_end_whoever_waits_is_sent_away_and_whoever_has_his_turn_is_not() -> None:
    desk = Desk()
    tasks = await desk.all_come(("ann", "x"), ("bob", "x"), ("cid", "y"))
    desk.turns.close()
    desk.free.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ended] == [type(None), ShuttingDown, ShuttingDown]
    with pytest.raises(ShuttingDown, match="is restarting"):
        await desk.come("dora", "z")
