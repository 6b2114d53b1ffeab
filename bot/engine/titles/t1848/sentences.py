"""Sentences for what happens in 1848 alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.data.events import Event
from bot.engine.play.game import Game

from .bank_of_england import Borrowed, Repaid, TakenOver
from .rounds import CitiesLinked


def _taken_over(game: Game, event: TakenOver) -> str:
    paid = ", ".join(f"{game.state.name(player)} £{amount}" for player, amount in event.compensation)
    return f"The Bank of England takes {event.company} over. Compensation: {paid or 'none'}."


SENTENCES: Mapping[type[Event], Callable[[Game, Any], str]] = {
    TakenOver: _taken_over,
    Borrowed: lambda game, e: f"{game.state.name(e.player)} borrows £{e.amount} from the bank.",
    Repaid: lambda game, e: f"{game.state.name(e.player)} pays back £{e.amount}.",
    CitiesLinked: lambda game, e: "Sydney and Adelaide are linked.",
}
