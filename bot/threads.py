"""Work beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def call_safely(function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
    """The result of a function whose outcome a future carries.

    :raises RuntimeError: it raised `StopIteration`, which no future can carry: before Python 3.12.1 its await never ends.
    """
    try:
        return function(*arguments, **named)
    except StopIteration as error:
        raise RuntimeError("StopIteration was raised beside the event loop") from error


async def run_in_thread(
    function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """The result of a function that runs in a thread, as `asyncio.to_thread`; errors as `call_safely`."""
    return await asyncio.to_thread(partial(call_safely, function, *arguments, **named))
