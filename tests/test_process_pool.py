"""Helper processes end with whoever began them, at whatever moment."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from bot import process_pool
from bot.cli.main import main
from bot.garbage import YOUNG

ENDED_WHILE_IT_STARTS = """
import asyncio, time
from bot import process_pool

process_pool.CONTEXT.set_forkserver_preload([])
spawn = process_pool.ProcessPoolExecutor._spawn_process

def slowly(pool):
    time.sleep(0.5)
    spawn(pool)

async def main():
    process_pool.ProcessPoolExecutor._spawn_process = slowly
    pool = process_pool.create_pool()
    running = asyncio.create_task(process_pool.run(pool, time.sleep, 60))
    await asyncio.sleep(0.2)
    running.cancel()
    process_pool.kill_pool(pool)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_pool_that_is_ended_while_its_process_starts_leaves_nothing_to_wait_for(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(ENDED_WHILE_IT_STARTS)
    done = subprocess.run([sys.executable, str(script)], timeout=30)
    assert done.returncode == 0


def test_the_collector_looks_seldom_in_helpers_and_in_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = process_pool.create_pool()
    try:
        assert pool.submit(gc.get_threshold).result()[0] == YOUNG
        assert pool.submit(gc.get_freeze_count).result() > 0
    finally:
        process_pool.kill_pool(pool)
    seldom = []
    monkeypatch.setattr("bot.cli.main.tune_gc", lambda: seldom.append(True))
    assert main(["replay", "nowhere"]) == 2
    assert seldom


BEGUN_EARLY = """
import sys
from bot import process_pool

def loaded():
    return sorted({"bot.engine.message", "bot.render.worker"} & sys.modules.keys())

if __name__ == "__main__":
    process_pool.preload("bot.engine.message")
    pool = process_pool.create_pool()
    print(*pool.submit(loaded).result())
    process_pool.kill_pool(pool)
"""


def test_helpers_that_begin_early_have_imported_what_was_named_alone(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(BEGUN_EARLY)
    done = subprocess.run([sys.executable, str(script)], timeout=30, capture_output=True, text=True, check=True)
    assert done.stdout == "bot.engine.message\n"
