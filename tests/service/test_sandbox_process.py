"""A porter's process: whatever it comes to, whoever asked gets a sentence, and the next game is carried."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.engine.games.game_record import GameRecordFile
from bot.engine.refusals import IllegalMove
from bot.process_pool import ResourceLimits
from bot.service.game_service import GameService
from bot.service.imports import sandbox_process as porters
from bot.service.imports.sandbox_process import LIMITS, LONGEST_SENTENCE, ImportProcess
from bot.store import Store
from tests.service.conftest import ANN
from tests.snapshot_helpers import kept_numbers

from . import failing_imports


@pytest_asyncio.fixture
async def porter() -> AsyncIterator[ImportProcess]:
    """Ended after the test."""
    porter = ImportProcess()
    yield porter
    porter.close()


async def begun(path: Path) -> int:
    """The number of a process that has begun to wait."""
    while not path.exists():
        await asyncio.sleep(0.01)
    return int(path.read_text())


async def goes_on(porter: ImportProcess) -> None:
    """The next job is done, and nothing is left of the last one."""
    assert not porter._pools
    assert await porter.run(int, "7") == 7


async def test_too_much_memory(porter: ImportProcess) -> None:
    with pytest.raises(IllegalMove, match="needs more memory"):
        await porter.run(bytearray, LIMITS.megabytes * 2**20)
    await goes_on(porter)


async def test_too_much_work(porter: ImportProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porters, "LIMITS", ResourceLimits(200, 1))
    with pytest.raises(IllegalMove, match="longer to replay than the limit of 1 s"):
        await porter.run(failing_imports.work)
    await goes_on(porter)


async def test_too_long_by_the_clock(porter: ImportProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porters, "LONGEST", 0.01)
    with pytest.raises(IllegalMove, match="too busy to replay"):
        await porter.run(failing_imports.begin_and_wait, str(tmp_path / "begun"))
    monkeypatch.undo()
    await goes_on(porter)


async def test_death(porter: ImportProcess) -> None:
    with pytest.raises(IllegalMove, match=r"process .* died\. Nothing was changed"):
        await porter.run(failing_imports.die)
    await goes_on(porter)


async def test_death_by_another_hand(porter: ImportProcess, tmp_path: Path) -> None:
    job = asyncio.create_task(porter.run(failing_imports.begin_and_wait, str(tmp_path / "begun")))
    os.kill(await begun(tmp_path / "begun"), signal.SIGKILL)
    with pytest.raises(IllegalMove, match="died"):
        await job
    await goes_on(porter)


async def test_long_sentences_are_cut_and_short_ones_keep_their_rule(porter: ImportProcess) -> None:
    with pytest.raises(IllegalMove, match=r"^x{40} \(1848 §1\)$"):
        await porter.run(failing_imports.refuse, 40)
    with pytest.raises(IllegalMove) as refused:
        await porter.run(failing_imports.refuse, 10**6)
    assert len(str(refused.value)) == LONGEST_SENTENCE + 1


async def test_what_is_nested_too_deeply(porter: ImportProcess) -> None:
    with pytest.raises(IllegalMove, match="nested too deeply"):
        await porter.run(failing_imports.go_deeper)


async def test_the_end_of_the_bot_is_the_end_of_what_is_under_way_and_of_waiting(
    porter: ImportProcess, tmp_path: Path
) -> None:
    async def carry(name: str) -> None:
        async with porter.turn(name, "x"):
            await porter.run(failing_imports.begin_and_wait, str(tmp_path / "begun"))

    jobs = [asyncio.create_task(carry(name)) for name in ("ann", "bob")]
    number = await begun(tmp_path / "begun")
    porter.close()
    for job in jobs:
        with pytest.raises(IllegalMove, match="is restarting"):
            await job
    with pytest.raises(IllegalMove, match="is restarting"):
        await porter.run(int, "7")
    while Path(f"/proc/{number}").exists():
        await asyncio.sleep(0.01)


# -- games --------------------------------------------------------------------------------------------


async def kept(tables: GameService, game_id: int) -> tuple[object, ...]:
    """All that is stored of a game, but for its number."""
    record, seats, _ = await tables.desk.store.games.find_with_seats(game_id) or (None, [], False)
    moves = await tables.desk.store.moves.list_of(game_id)
    states = [
        (number, await tables.desk.store.moves.snapshot(game_id, number))
        for number in await kept_numbers(tables.desk.store, game_id)
    ]
    own = [*moves, *seats, *await tables.desk.store.clocks.list_of(game_id), record]
    for each in own:
        if each is not None:
            setattr(each, "id" if each is record else "game", 0)
    posts = [
        (post.number, post.kind, post.lines, post.seat)
        for post in await tables.outbox.waiting_notices()
        if post.game == game_id
    ]
    return own, states, posts


async def test_a_game_is_stored_as_if_it_had_been_replayed_here(
    store: Store, porter: ImportProcess, clock: object
) -> None:
    from bot.titles.registry import TITLES

    tables = GameService(store, TITLES, clock)  # type: ignore[arg-type]
    moves = [f"correct cash @1 {150 + number % 2}" for number in range(120)]
    names, first = ("Ann", "Bob", "Cid"), "@1 buy P1 for 30"
    course = GameRecordFile("1848", names, (first, *moves, "@2 reduce P4"), {"rules": "18xx.games"}, 7)
    game = await tables.transfer.import_game(course, ANN)
    kinds = [move.kind for move in await store.moves.list_of(game)]
    assert kinds == ["start", "move", *["correct"] * 120, "move"]
    assert await kept_numbers(store, game) == [0, 50, 122]
    here = await kept(tables, game)
    tables.transfer.porter = porter
    assert await kept(tables, await tables.transfer.import_game(course, ANN)) == here
    with pytest.raises(IllegalMove, match=r"Move 2 \(@1 reduce P4\): "):
        await tables.transfer.import_game(GameRecordFile("1848", names, (first, "@1 reduce P4")), ANN)
    assert len(await store.games.list_all()) == 2
