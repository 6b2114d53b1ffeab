"""Sentences for what happens only in 1848."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import Message, Sentence, join_values, msg
from bot.engine.notation import format_price_move, money
from bot.engine.play import Game
from bot.engine.state import Event, PriceMoved

from .bank_of_england import TakenOver
from .rounds import CitiesLinked


def _format_receivership(game: Game, event: TakenOver) -> Message:
    paid = [join_values(" £", compensation) for compensation in event.compensation]
    result = join_values(", ", paid) if paid else msg("none")
    return msg("The Bank of England takes {company} over. Compensation: {result}.", event.company, result)


def _format_price_move(game: Game, event: PriceMoved) -> Message:
    if event.after:
        return format_price_move(game, event)
    return msg("{company} falls from {price} into receivership.", event.company, money(game, event.before))


SENTENCES: Mapping[type[Event], Sentence] = {
    PriceMoved: _format_price_move,
    TakenOver: _format_receivership,
    CitiesLinked: "Sydney and Adelaide are linked.",
}
