"""Many games: the bot starts as quickly, and those that nobody plays cost nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks.load import cpu_seconds, load, populate
from tests.discord_double.double import Double

GAMES, READY_SECONDS, MOST_MB = 10_000, 3.0, 300.0

pytestmark = pytest.mark.soak


async def test_ready_with_ten_thousand_games(
    double: Double, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    await populate(tmp_path / "data" / "signalbox.db", GAMES)
    bot = await double.launch(data=tmp_path / "data", is_fresh=True)
    times, worked = [], []
    for _ in range(5):
        await bot.kill()
        began = time.monotonic()
        await bot.start()
        times.append(time.monotonic() - began)
        worked.append(cpu_seconds(bot.pid))
    await double.ann.slash("game new", double.channel, title="1848")
    await double.idle()
    memory = bot.resident_mb()
    work = f"{min(worked):.2f} to {max(worked):.2f} s of work"
    figure = f"{GAMES} games: ready after {min(times):.2f} to {max(times):.2f} s ({work}), {memory:.0f} MB"
    record_property("figure", figure)
    assert min(worked) < READY_SECONDS, "on a machine that does nothing else"
    assert memory < MOST_MB


async def test_moves_in_many_games_are_all_saved(record_property: pytest.RecordProperty) -> None:
    found = await load(30, 300, 5)
    record_property("figure", f"under load: {found}")
    assert found["load_moves_lost"] == 0
    assert found["load_moves"] > 0
    assert found["load_loop_work_ms_max"] < 50
