"""Sentences for what happens in 1844 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.message import Message, Sentence, joined, said
from bot.engine.notation.messages import money
from bot.engine.play.game import Game
from bot.engine.state.events import Event

from .board_rules import named
from .components import TARGETS
from .events import SbbFormed, TargetReached


def _formed(game: Game, event: SbbFormed) -> Message:
    paid = [
        said("{player} gets {amount}" if amount >= 0 else "{player} pays {amount}", player, money(game, abs(amount)))
        for player, amount in event.payments
        if amount
    ]
    result = joined("; ", paid) if paid else said("Nobody gets or pays anything")
    return said("The pre-SBB companies merge into the SBB. {result}.", result)


def _target(game: Game, event: TargetReached) -> Message:
    template = "{company} has reached {target} and gets the rest of its capital: {amount}."
    return said(template, event.company, named(TARGETS[event.company]), money(game, event.amount))


SENTENCES: Mapping[type[Event], Sentence] = {
    TargetReached: _target,
    SbbFormed: _formed,
}
