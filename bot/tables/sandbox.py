"""Moves that are tried and not made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.actions import Action, LayTile, PlaceToken
from bot.engine.game import Game
from bot.engine.ids import HexId
from bot.engine.narration import narrate, question
from bot.engine.refusals import NotAllowed

from .play import Play, plain_sentence
from .reading import read


@dataclass(frozen=True)
class Preview:
    """What moves would do: the position after them (a copy), what happened in sentences, what is asked then."""

    game: Game
    actions: tuple[Action, ...]
    lines: tuple[str, ...]
    question: str

    @property
    def changed(self) -> list[HexId]:
        """The spaces that the moves would change."""
        return list(dict.fromkeys(a.hex for a in self.actions if isinstance(a, LayTile | PlaceToken)))


class Sandbox(Play):
    """Trying."""

    async def preview(self, game: int, person: str, said: str | Sequence[Action]) -> Preview:
        """What a message (or these actions) would do now, whoever is in turn. Nothing is changed.

        :raises Refusal: a move is not legal.
        """
        table, current = await self.begun(game)
        return await asyncio.to_thread(tried, current, said, table.seats_of(person))


def tried(before: Game, said: str | Sequence[Action], seats: Sequence[str] = ()) -> Preview:
    """The moves made on a copy.

    :raises Refusal: one is not legal.
    """
    actions = read(before, said, seats) if isinstance(said, str) else list(said)  # type: ignore[arg-type]
    if not actions:
        raise NotAllowed("There is no move in that.")
    after = before.copy()
    lines: list[str] = []
    for action in actions:
        lines += narrate(after, after.apply(action)) or [plain_sentence(after, action)]
    return Preview(after, tuple(actions), tuple(lines), question(after))
