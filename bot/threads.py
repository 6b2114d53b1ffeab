"""Work in a thread beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def run_in_thread(
    function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """The result of a function that runs in a thread, as `asyncio.to_thread`.

    :raises RuntimeError: it raised `StopIteration`, which a future cannot carry: before Python 3.12.1 its await never ends.
    """

    def call() -> Result:
        try:
            return function(*arguments, **named)
        except StopIteration as error:
            raise RuntimeError("StopIteration was raised in a thread") from error

    return await asyncio.to_thread(call)
