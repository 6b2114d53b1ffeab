"""Sentences for what happens in 1844 alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.data.events import Event
from bot.engine.ids import HexId
from bot.engine.play.game import Game

from .box.nouns import PRIVATES, TARGETS
from .box.picture import values
from .events import (
    AuctionPaused,
    BeganToPay,
    BidMade,
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


def _placed(game: Game, event: MountainPlaced) -> str:
    return f"{game.state.name(event.player)} puts {event.private} on {_place(game, event.hex)}: {values(event.marker)}."


def _formed(game: Game, event: SbbFormed) -> str:
    paid = [
        f"{game.state.name(player)} {'gets' if amount >= 0 else 'pays'} {game.title.currency}{abs(amount)}"
        for player, amount in event.payments
        if amount
    ]
    return f"The pre-SBB companies merge into the SBB. {'; '.join(paid) or 'Nobody gets or pays anything'}."


def _borrowed(game: Game, event: Borrowed) -> str:
    money, interest = game.title.currency, event.interest
    added = f", {money}{interest} of it interest" if interest else ""
    return f"{game.state.name(event.player)} owes the bank {money}{event.amount} more{added}."


def _target(game: Game, event: TargetReached) -> str:
    target = _place(game, TARGETS[event.company])
    return (
        f"{event.company} has reached {target} and gets the rest of its capital: {game.title.currency}{event.amount}."
    )


SENTENCES: Mapping[type[Event], Callable[[Game, Any], str]] = {
    BidMade: lambda game, e: (
        f"{game.state.name(e.player)} bids {game.title.currency}{e.price} for {e.private} {PRIVATES[e.private].name}."
    ),
    AuctionPaused: lambda game, e: f"Nobody wants {e.private}. The privates that are sold pay their owners.",
    TargetReached: _target,
    MountainPlaced: _placed,
    TunnelBuilt: lambda game, e: f"{e.company} builds a tunnel at {_place(game, e.hex)} with {e.private}.",
    FurkaLaid: lambda game, e: (
        f"The Furka-Oberalp line is laid; {game.state.name(e.owner)} gets {game.title.currency}{e.payment}."
    ),
    BeganToPay: lambda game, e: (
        f"{e.private} has been visited: it pays {game.title.currency}{PRIVATES[e.private].income} a round from now on."
    ),
    Downgraded: lambda game, e: f"All {e.kind} trains become {e.into} trains.",
    EvaBuilt: lambda game, e: f"The EVA is built: {game.state.name(e.player)} may give this 5H to a company of his.",
    EvaGiven: lambda game, e: f"{e.company} gets the EVA, a 5H train.",
    SbbFormed: _formed,
    TokenReturned: lambda game, e: f"The SBB takes a marker at {_place(game, e.hex)} back.",
    Borrowed: _borrowed,
    InterestDue: lambda game, e: (
        f"{game.state.name(e.player)}'s debt grows by {game.title.currency}{e.amount} of interest."
    ),
    Repaid: lambda game, e: f"{game.state.name(e.player)} pays {game.title.currency}{e.amount} back.",
}
