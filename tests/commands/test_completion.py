"""What Discord's client offers while somebody types: only the last letter needs an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from bot.commands.discord.slash.command_tree import TYPING, _completion
from bot.service.registry.command import Parameter, Request, Words


def typed(number: int, user: int = 1) -> Any:
    """An interaction, as far as a completion looks at it."""
    person = SimpleNamespace(id=user, display_name="Ann")
    return SimpleNamespace(id=number, client=SimpleNamespace(tables=None), user=person, namespace=SimpleNamespace())


async def test_of_a_hundred_completions_of_one_person_the_first_and_the_last_are_made() -> None:
    asked, is_open = list[str](), asyncio.Event()

    async def find(request: Request, text: str) -> Sequence[tuple[str, str]]:
        asked.append(text)
        await is_open.wait()
        return [(text, text)]

    complete = _completion(Parameter("move", Words(100), "The move", complete=find))
    mine = [asyncio.create_task(complete(typed(number), str(number))) for number in range(100)]
    other = asyncio.create_task(complete(typed(100, user=2), "of another"))
    await asyncio.sleep(0)
    assert asked == ["0", "of another"], "nobody waits for another"
    is_open.set()
    offers = [[one.value for one in await task] for task in [*mine, other]]
    assert asked == ["0", "of another", "99"]
    assert [found for found in offers if found] == [["0"], ["99"], ["of another"]]
    del mine, other
    assert not TYPING
