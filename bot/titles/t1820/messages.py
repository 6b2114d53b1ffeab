"""Sentences for what happens in 1820 alone (and where its words differ)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.message import Message, Sentence, joined, said
from bot.engine.notation.messages import bought_of_treasury
from bot.engine.notation.text import action_of
from bot.engine.play.game import Game
from bot.engine.state import events as shared
from bot.engine.state.events import Event

from . import events
from .components import COUSINS
from .consent import described


def _round(game: Game, event: shared.RoundBegan) -> Message:
    if event.kind == "stock":
        return said("Stock round {number} begins.", event.number)
    if event.kind == "operating":
        return said("Operating round {number}.{part} begins.", event.number, event.part)
    return said("Issue and takeover round {number}.{part} begins.", event.number, event.part)


def _dividend(game: Game, event: shared.DividendPaid) -> Message | None:
    if not event.revenue:
        return None
    shares = (
        joined(" £", (said("treasury") if owner == event.company else owner, amount)) for owner, amount in event.amounts
    )
    parts = joined(", ", shares) if event.amounts else said("nobody holds a share")
    return said("{company} pays £{revenue}: {parts}.", event.company, event.revenue, parts)


def _proposed(game: Game, event: events.Proposed) -> Message:
    what = described(game, action_of(game.title, f"{event.by} {event.text}"), lambda owner: owner)
    return said("{by} proposes: {text}. Asked: {asked}.", event.by, what, joined(", ", event.asked))


def _liquidated(game: Game, event: events.CompanyLiquidated) -> Message:
    buyer = event.buyer or said("the bank")
    return said("{buyer} takes what is left of {company} for £{amount}.", buyer, event.company, event.amount)


def _cousin(game: Game, event: shared.PrivateBought) -> Message:
    template = "{by} takes {private} {name} for £{price}."
    return said(template, event.by, event.private, COUSINS[event.private].name, event.price)


SENTENCES: Mapping[type[Event], Sentence] = {
    shared.SharesBought: bought_of_treasury,
    shared.RoundBegan: _round,
    shared.DividendPaid: _dividend,
    shared.PrivateBought: _cousin,
    shared.PrivateClosed: lambda game, e: said("{private} {name} leaves the game.", e.private, COUSINS[e.private].name),
    events.LotBidMade: "{by} bids £{amount} for {lot}.",
    events.Proposed: _proposed,
    events.LobbyResolved: "The lobby of {owner} (£{amount}) is resolved.",
    events.ChartMoved: "Cost of business: column {column}.",
    events.CompanyAcquired: "{buyer} takes {company} over for £{amount}, £{per_share} a share.",
    events.CompanyLiquidated: _liquidated,
}
