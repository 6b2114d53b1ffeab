"""What a bad disk does to the file is found and told in a sentence, and a backup takes its place."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops.backups import Backups
from bot.service.game_service import GameService
from bot.service.integrity.doctor import IntegrityReport
from bot.store import Store, StoreDamaged, StoreError, check_database
from bot.titles.registry import TITLES
from tests.ops.conftest import begin

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
FLIPS = [12, pytest.param(40, marks=pytest.mark.whole)]


async def examined(path: Path) -> list[IntegrityReport]:
    """What `signalbox doctor` finds.

    :raises StoreError: the file is not whole.
    """
    check_database(path)
    store = await Store.open(path)
    try:
        return await GameService(store, TITLES).doctor.examine_all()
    finally:
        await store.close()


def flip(path: Path, at: int, bit: int = 0) -> None:
    """Turn one bit of the file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.95])
async def test_a_truncated_file_is_found_and_restored(tables: GameService, backups: Backups, share: float) -> None:
    game = await begin(tables)
    await backups.make(NOON, is_proved=False)
    await tables.desk.store.close()
    content = backups.database.read_bytes()
    backups.database.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(StoreDamaged):
        await examined(backups.database)
    proof, aside = await backups.restore(backups.names()[-1], NOON)
    assert (proof.games, proof.faults) == (1, ())
    assert aside is not None and aside.stat().st_size == int(len(content) * share)
    assert [report.game for report in await examined(backups.database) if report.is_healthy] == [game]


async def test_a_bit_turned_in_a_move_or_a_position_is_named_with_the_game(
    tables: GameService, backups: Backups
) -> None:
    good, spoilt = await begin(tables), await begin(tables)
    state = await tables.desk.store.moves.snapshot(spoilt, 0)
    assert state is not None
    await tables.desk.store.close()
    content = backups.database.read_bytes()
    move = content.rindex(b"@2 buy P2")
    flip(backups.database, move + len(b"@2 buy P"))
    reports = await examined(backups.database)
    assert [report.game for report in reports if not report.is_healthy] in ([good], [spoilt])
    backups.database.write_bytes(content)
    store = await Store.open(backups.database)
    async with store.write_transaction() as connection:
        blob = (
            await connection.exec_driver_sql("SELECT state FROM snapshots WHERE game = 2 AND number = 0")
        ).scalar_one()
    await store.close()
    at = backups.database.read_bytes().rindex(blob[-40:]) + 20
    flip(backups.database, at)
    reports = await examined(backups.database)
    assert [report.is_healthy for report in reports].count(False) == 1


@pytest.mark.parametrize("flips", FLIPS)
async def test_wherever_a_bit_is_turned_nothing_worse_than_a_sentence_comes_of_it(
    tables: GameService, backups: Backups, flips: int
) -> None:
    await begin(tables)
    await tables.desk.store.close()
    content = backups.database.read_bytes()
    chance = random.Random(9)
    found = 0
    for place in (0, *(chance.randrange(len(content)) for _ in range(flips - 1))):
        backups.database.write_bytes(content)
        flip(backups.database, place, chance.randrange(8))
        try:
            found += any(not report.is_healthy for report in await examined(backups.database))
        except StoreError as error:
            assert str(error)
            found += 1
    assert 0 < found < flips
