"""Sentences for what happens in 1848 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event, PriceMoved
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said
from bot.engine.words.narration import money, price_moved

from .bank_of_england import TakenOver
from .rounds import CitiesLinked


def _taken_over(game: Game, event: TakenOver) -> Said:
    paid = [joined(" £", compensation) for compensation in event.compensation]
    result = joined(", ", paid) if paid else said("none")
    return said("The Bank of England takes {company} over. Compensation: {result}.", event.company, result)


def _price_moved(game: Game, event: PriceMoved) -> Said:
    if event.after:
        return price_moved(game, event)
    return said("{company} falls from {price} into receivership.", event.company, money(game, event.before))


SENTENCES: Mapping[type[Event], Sentence] = {
    PriceMoved: _price_moved,
    TakenOver: _taken_over,
    CitiesLinked: "Sydney and Adelaide are linked.",
}
