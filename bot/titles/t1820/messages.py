"""Sentences for what happens only in 1820 (and where its words differ)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import Message, Sentence, join_values, msg
from bot.engine.notation import format_treasury_purchase, parse_action
from bot.engine.play import Game
from bot.engine.state import Event
from bot.engine.state import events as shared

from . import events
from .components import COUSINS
from .consent import describe_proposal


def _format_round(game: Game, event: shared.RoundBegan) -> Message:
    if event.kind == "stock":
        return msg("Stock round {number} begins.", event.number)
    if event.kind == "operating":
        return msg("Operating round {number}.{part} begins.", event.number, event.part)
    return msg("Issue and takeover round {number}.{part} begins.", event.number, event.part)


def _format_dividend(game: Game, event: shared.DividendPaid) -> Message | None:
    if not event.revenue:
        return None
    shares = (
        join_values(" £", (msg("treasury") if owner == event.company else owner, amount))
        for owner, amount in event.amounts
    )
    parts = join_values(", ", shares) if event.amounts else msg("nobody holds a share")
    return msg("{company} pays £{revenue}: {parts}.", event.company, event.revenue, parts)


def _format_proposal_event(game: Game, event: events.Proposed) -> Message:
    what = describe_proposal(game, parse_action(game.title, f"{event.by} {event.text}"), lambda owner: owner)
    return msg("{by} proposes: {text}. Asked: {asked}.", event.by, what, join_values(", ", event.asked))


def _format_liquidation(game: Game, event: events.CompanyLiquidated) -> Message:
    buyer = event.buyer or msg("the bank")
    return msg("{buyer} takes what is left of {company} for £{amount}.", buyer, event.company, event.amount)


def _format_cousin_purchase(game: Game, event: shared.PrivateBought) -> Message:
    return msg(
        "{by} takes {private} {name} for £{price}.", event.by, event.private, COUSINS[event.private].name, event.price
    )


SENTENCES: Mapping[type[Event], Sentence] = {
    shared.SharesBought: format_treasury_purchase,
    shared.RoundBegan: _format_round,
    shared.DividendPaid: _format_dividend,
    shared.PrivateBought: _format_cousin_purchase,
    shared.PrivateClosed: lambda game, e: msg("{private} {name} leaves the game.", e.private, COUSINS[e.private].name),
    events.LotBidMade: "{by} bids £{amount} for {lot}.",
    events.Proposed: _format_proposal_event,
    events.LobbyResolved: "The lobby of {owner} (£{amount}) is resolved.",
    events.ChartMoved: "Cost of business: column {column}.",
    events.CompanyAcquired: "{buyer} takes {company} over for £{amount}, £{per_share} a share.",
    events.CompanyLiquidated: _format_liquidation,
}
