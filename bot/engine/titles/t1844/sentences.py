"""Sentences for what happens in 1844 alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event
from bot.engine.ids import HexId
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said
from bot.engine.words.narration import money

from .box.nouns import PRIVATES, TARGETS
from .box.picture import values
from .events import (
    AuctionPaused,
    BeganToPay,
    Borrowed,
    Downgraded,
    EvaBuilt,
    EvaGiven,
    FurkaLaid,
    InterestDue,
    MountainPlaced,
    Repaid,
    SbbFormed,
    TargetReached,
    TokenReturned,
    TunnelBuilt,
)


def _place(game: Game, hex_id: HexId) -> str:
    called = game.title.land.map.hexes[hex_id].name
    return f"{called} ({hex_id})" if called else hex_id


def _placed(game: Game, event: MountainPlaced) -> Said:
    template = "{player} puts {private} on {hex}: {marker}."
    return said(template, event.player, event.private, _place(game, event.hex), values(event.marker))


def _formed(game: Game, event: SbbFormed) -> Said:
    paid = [
        said("{player} gets {amount}" if amount >= 0 else "{player} pays {amount}", player, money(game, abs(amount)))
        for player, amount in event.payments
        if amount
    ]
    result = joined("; ", paid) if paid else said("Nobody gets or pays anything")
    return said("The pre-SBB companies merge into the SBB. {result}.", result)


def _borrowed(game: Game, event: Borrowed) -> Said:
    amount = money(game, event.amount)
    if not event.interest:
        return said("{player} owes the bank {amount} more.", event.player, amount)
    template = "{player} owes the bank {amount} more, {interest} of it interest."
    return said(template, event.player, amount, money(game, event.interest))


def _target(game: Game, event: TargetReached) -> Said:
    template = "{company} has reached {target} and gets the rest of its capital: {amount}."
    return said(template, event.company, _place(game, TARGETS[event.company]), money(game, event.amount))


SENTENCES: Mapping[type[Event], Sentence] = {
    AuctionPaused: "Nobody wants {private}. The privates that are sold pay their owners.",
    TargetReached: _target,
    MountainPlaced: _placed,
    TunnelBuilt: lambda game, e: said(
        "{company} builds a tunnel at {hex} with {private}.", e.company, _place(game, e.hex), e.private
    ),
    FurkaLaid: lambda game, e: said(
        "The Furka-Oberalp line is laid; {owner} gets {payment}.", e.owner, money(game, e.payment)
    ),
    BeganToPay: lambda game, e: said(
        "{private} has been visited: it pays {income} a round from now on.",
        e.private,
        money(game, PRIVATES[e.private].income),
    ),
    Downgraded: "All {kind} trains become {into} trains.",
    EvaBuilt: "The EVA is built: {player} may give this 5H to a company of his.",
    EvaGiven: "{company} gets the EVA, a 5H train.",
    SbbFormed: _formed,
    TokenReturned: lambda game, e: said("The SBB takes a marker at {hex} back.", _place(game, e.hex)),
    Borrowed: _borrowed,
    InterestDue: lambda game, e: said(
        "{player}'s debt grows by {amount} of interest.", e.player, money(game, e.amount)
    ),
    Repaid: lambda game, e: said("{player} pays {amount} back.", e.player, money(game, e.amount)),
}
