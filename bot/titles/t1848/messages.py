"""Sentences for what happens in 1848 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.message import Message, Sentence, joined, said
from bot.engine.notation.messages import money, price_moved
from bot.engine.play.game import Game
from bot.engine.state.events import Event, PriceMoved

from .bank_of_england import TakenOver
from .rounds import CitiesLinked


def _taken_over(game: Game, event: TakenOver) -> Message:
    paid = [joined(" £", compensation) for compensation in event.compensation]
    result = joined(", ", paid) if paid else said("none")
    return said("The Bank of England takes {company} over. Compensation: {result}.", event.company, result)


def _price_moved(game: Game, event: PriceMoved) -> Message:
    if event.after:
        return price_moved(game, event)
    return said("{company} falls from {price} into receivership.", event.company, money(game, event.before))


SENTENCES: Mapping[type[Event], Sentence] = {
    PriceMoved: _price_moved,
    TakenOver: _taken_over,
    CitiesLinked: "Sydney and Adelaide are linked.",
}
