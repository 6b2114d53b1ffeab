"""Sentences for what happens only in 1844."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import Message, Sentence, join_values, msg
from bot.engine.notation import money
from bot.engine.play import Game
from bot.engine.state import Event

from .board_rules import format_hex
from .components import TARGETS
from .events import SbbFormed, TargetReached


def _format_formation(game: Game, event: SbbFormed) -> Message:
    paid = [
        msg("{player} gets {amount}" if amount >= 0 else "{player} pays {amount}", player, money(game, abs(amount)))
        for player, amount in event.payments
        if amount
    ]
    result = join_values("; ", paid) if paid else msg("Nobody gets or pays anything")
    return msg("The pre-SBB companies merge into the SBB. {result}.", result)


def _format_target(game: Game, event: TargetReached) -> Message:
    template = "{company} has reached {target} and gets the rest of its capital: {amount}."
    return msg(template, event.company, format_hex(TARGETS[event.company]), money(game, event.amount))


SENTENCES: Mapping[type[Event], Sentence] = {
    TargetReached: _format_target,
    SbbFormed: _format_formation,
}
