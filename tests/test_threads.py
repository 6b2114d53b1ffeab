"""Work in threads and processes."""

from __future__ import annotations

import asyncio

import pytest

from bot import process_pool
from bot.threads import run_in_thread


async def test_a_stop_iteration_in_a_thread_is_an_error_and_no_hang() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(run_in_thread(next, iter(())), 10)


async def test_results_arguments_and_other_errors_pass() -> None:
    assert await run_in_thread(sorted, [2, 1], reverse=True) == [2, 1]
    with pytest.raises(KeyError):
        await run_in_thread({}.__getitem__, "none")


async def test_a_stop_iteration_in_a_process_is_an_error_too() -> None:
    pool = process_pool.create_pool()
    try:
        with pytest.raises(RuntimeError, match="StopIteration"):
            await asyncio.wait_for(process_pool.run(pool, next, iter(())), 60)
    finally:
        process_pool.kill_pool(pool)
