"""Sentences for what happens in 1848 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said

from .bank_of_england import TakenOver
from .rounds import CitiesLinked


def _taken_over(game: Game, event: TakenOver) -> Said:
    paid = [joined(" £", compensation) for compensation in event.compensation]
    result = joined(", ", paid) if paid else said("none")
    return said("The Bank of England takes {company} over. Compensation: {result}.", event.company, result)


SENTENCES: Mapping[type[Event], Sentence] = {
    TakenOver: _taken_over,
    CitiesLinked: "Sydney and Adelaide are linked.",
}
