"""Helper processes end with whoever began them, at whatever moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENDED_WHILE_IT_STARTS = """
import asyncio, time
from bot import processes

processes.CONTEXT.set_forkserver_preload([])
spawn = processes.ProcessPoolExecutor._spawn_process

def slowly(pool):
    time.sleep(0.5)
    spawn(pool)

async def main():
    processes.ProcessPoolExecutor._spawn_process = slowly
    pool = processes.helpers()
    running = asyncio.create_task(processes.run(pool, time.sleep, 60))
    await asyncio.sleep(0.2)
    running.cancel()
    processes.end(pool)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_pool_that_is_ended_while_its_process_starts_leaves_nothing_to_wait_for(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(ENDED_WHILE_IT_STARTS)
    done = subprocess.run([sys.executable, str(script)], timeout=30)
    assert done.returncode == 0
