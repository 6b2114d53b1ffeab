"""A move made, and what is told of it."""

from __future__ import annotations

from bot.engine.message import Message, said, verbatim
from bot.engine.notation.messages import a_train, money, narrate
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.state.actions import Action, Answer, BuyPrivate, BuyTrain, Pass

OFFERS = "{by} offers {owner} {price} for {what}."


def made(game: Game, action: Action) -> list[Message]:
    """Make the move; returns what happened, in sentences.

    :raises Rejected: it is not allowed.
    """
    return narrate(game, game.apply(action)) or [plain_sentence(game, action)]


def plain_sentence(game: Game, action: Action) -> Message:
    """What the log says of a move that no event tells of: `Ann passes.`, `Ann: done.`"""
    if isinstance(action, Pass):
        return said("{by} passes.", action.by)
    if isinstance(action, Answer):
        return said("{by} agrees." if action.agree else "{by} refuses.", action.by)
    offer = game.state.offer
    if isinstance(action, BuyPrivate) and offer == action:
        owner = game.private(action.private).owner or action.by
        return said(OFFERS, action.by, owner, money(game, action.price), action.private)
    if isinstance(action, BuyTrain) and isinstance(offer, BuyTrain) and offer.by == action.by:
        return said(OFFERS, action.by, offer.source, money(game, offer.price), a_train(offer.kind))
    by, move = text_of(action).split(" ", 1)
    return said("{by}: {move}.", by, verbatim(move))
