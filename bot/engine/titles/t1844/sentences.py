"""Sentences for what happens in 1844 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said
from bot.engine.words.narration import money

from .box.nouns import TARGETS
from .events import SbbFormed, TargetReached
from .land import named


def _formed(game: Game, event: SbbFormed) -> Said:
    paid = [
        said("{player} gets {amount}" if amount >= 0 else "{player} pays {amount}", player, money(game, abs(amount)))
        for player, amount in event.payments
        if amount
    ]
    result = joined("; ", paid) if paid else said("Nobody gets or pays anything")
    return said("The pre-SBB companies merge into the SBB. {result}.", result)


def _target(game: Game, event: TargetReached) -> Said:
    template = "{company} has reached {target} and gets the rest of its capital: {amount}."
    return said(template, event.company, named(TARGETS[event.company]), money(game, event.amount))


SENTENCES: Mapping[type[Event], Sentence] = {
    TargetReached: _target,
    SbbFormed: _formed,
}
