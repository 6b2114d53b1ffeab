"""A move is made, and its consequences are put into words."""

from __future__ import annotations

from bot.engine import Message, literal, msg
from bot.engine.notation import format_action, format_train, money, narrate
from bot.engine.play import Game
from bot.engine.state import Action, Answer, BuyPrivate, BuyTrain, Pass

OFFERS = "{by} offers {owner} {price} for {what}."


def apply_and_narrate(game: Game, action: Action) -> list[Message]:
    """Make the move; returns the events, in sentences.

    :raises Rejected: it is not allowed.
    """
    return narrate(game, game.apply(action)) or [fallback_message(game, action)]


def fallback_message(game: Game, action: Action) -> Message:
    """The log's sentence for a move without an event of its own: `Ann passes.`, `Ann: done.`"""
    if isinstance(action, Pass):
        return msg("{by} passes.", action.by)
    if isinstance(action, Answer):
        return msg("{by} agrees." if action.agree else "{by} refuses.", action.by)
    offer = game.state.offer
    if isinstance(action, BuyPrivate) and offer == action:
        owner = game.private(action.private).owner or action.by
        return msg(OFFERS, action.by, owner, money(game, action.price), action.private)
    if isinstance(action, BuyTrain) and isinstance(offer, BuyTrain) and offer.by == action.by:
        return msg(OFFERS, action.by, offer.source, money(game, offer.price), format_train(offer.kind))
    by, move = format_action(action).split(" ", 1)
    return msg("{by}: {move}.", by, literal(move))
