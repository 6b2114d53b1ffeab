"""What a legal move costs, and what follows from it: made on a copy, and told where the move itself does not say it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.data import events as facts
from bot.engine.data.actions import Action, Bid, BuyPrivate, BuyTrain, Dividend, LayTile, SellShares
from bot.engine.data.events import Event
from bot.engine.ids import Owner
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal
from bot.engine.words.narration import money, sentence, upper

from .things import lot_note

ECHOES: tuple[type[Event], ...] = (
    facts.Passed,
    facts.PriceReduced,
    facts.PrivateBought,
    facts.CompanyStarted,
    facts.SharesBought,
    facts.SharesSold,
    facts.TileLaid,
    facts.TokenPlaced,
    facts.TrainBought,
    facts.TrainDiscarded,
    facts.RevenueWithheld,
)
"""What only says again which move was made; a title has its own (`Words.echoes`)."""

SAYS_PRICE = (Bid, BuyPrivate, BuyTrain)
"""Moves whose text names what whoever acts pays."""


def note(game: Game, action: Action) -> str:
    """What is said beside a move in a list: what it is about before anybody owns it, what it costs, what follows."""
    lot = action.lot if isinstance(action, Bid) else action.private if isinstance(action, BuyPrivate) else None
    about = lot_note(game, lot) if lot is not None else ""
    return " ".join(filter(None, [f"{about}." if about else "", foretold(game, action)]))


def foretold(game: Game, action: Action) -> str:
    """What the move costs or brings, and what follows at once, in a line; empty where the move says it all.

    Only the move itself is tried and nothing that happens by itself after it: no lot is drawn, nobody's answer guessed.
    """
    trial = game.copy()
    try:
        step = trial.taker(action)
    except Refusal:
        return ""
    trial.events = []
    step.apply(trial, action)
    news = (sentence(trial, event) for event in trial.events if is_news(trial, event))
    follows = (upper(one.shown(trial.state.names, str)) for one in news if one)
    return " ".join([*sums(trial, action), *dict.fromkeys(follows)])


def sums(trial: Game, action: Action) -> Iterator[str]:
    """Who has paid or got how much by the move that was tried, as far as its text does not say it."""
    if isinstance(action, Dividend):
        return
    payments = [event for event in trial.events if isinstance(event, facts.Paid)]
    decider = trial.decider(action.by)
    for owner in dict.fromkeys((action.by, *([decider] if decider else []))):
        paid = spent(payments, owner)
        if paid and not (owner == action.by and isinstance(action, SAYS_PRICE)):
            yield f"{trial.state.name(owner)} pays {money(trial, paid)}."
        got = sum(event.amount for event in payments if event.payee == owner)
        if got and isinstance(action, SellShares):
            yield f"{trial.state.name(owner)} gets {money(trial, got)}."
    if isinstance(action, LayTile) and not payments:
        yield "It costs nothing."


def spent(payments: list[facts.Paid], owner: Owner) -> int:
    """What somebody pays in all."""
    return sum(event.amount for event in payments if event.payer == owner)


def is_news(game: Game, event: Event) -> bool:
    """Whether an event says more than the move itself; a price that stays where it is does not."""
    is_still = isinstance(event, facts.PriceMoved) and event.before == event.after
    return not is_still and not isinstance(event, (*ECHOES, *game.title.words.echoes))
