"""A move made, and what is told of it."""

from __future__ import annotations

from bot.engine.data.actions import Action, BuyPrivate, BuyTrain
from bot.engine.play.game import Game
from bot.engine.words.narration import a_train, money, narrate
from bot.engine.words.text import text_of
from bot.tables.reading.words import with_names


def made(game: Game, action: Action) -> list[str]:
    """Make the move; returns what happened, in sentences.

    :raises Refusal: it is not allowed.
    """
    return narrate(game, game.apply(action)) or [plain_sentence(game, action)]


def plain_sentence(game: Game, action: Action) -> str:
    """What the log says of a move that no event tells of: `Ann: pass.`"""
    offer = game.state.offer
    if isinstance(action, BuyPrivate) and offer == action:
        owner = game.state.name(game.private(action.private).owner or action.by)
        return f"{action.by} offers {owner} {money(game, action.price)} for {action.private}."
    if isinstance(action, BuyTrain) and isinstance(offer, BuyTrain) and offer.by == action.by:
        return f"{action.by} offers {offer.source} {money(game, offer.price)} for {a_train(offer.kind)}."
    return with_names(game, f"{action.by}: {text_of(action).split(' ', 1)[1]}.")
