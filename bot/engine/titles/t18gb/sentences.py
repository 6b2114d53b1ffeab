"""Sentences for what happens in 18GB alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.data.events import Event
from bot.engine.play.game import Game

from .deeds import BecameInsolvent, BecameSolvent, BidMade, CompanyRemoved, Converted, HomeMoved, PriceCut, TokensEnded


def _converted(game: Game, event: Converted) -> str:
    received = f" and receives £{event.capital}" if event.capital else ""
    return f"{event.company} becomes a 10-share company{received}."


def _removed(game: Game, event: CompanyRemoved) -> str:
    train = f" with a train ({event.train})" if event.train else ""
    return f"{event.company} was never launched and leaves the game{train}; its home token remains."


SENTENCES: Mapping[type[Event], Callable[[Game, Any], str]] = {
    BidMade: lambda game, e: f"{game.state.name(e.by)} bids £{e.price} for {e.private}.",
    PriceCut: lambda game, e: f"Nobody bid for {e.private}: it costs £{e.price} now.",
    Converted: _converted,
    BecameInsolvent: lambda game, e: f"{e.company} has no train and is insolvent.",
    BecameSolvent: lambda game, e: f"{e.company} is no longer insolvent.",
    CompanyRemoved: _removed,
    HomeMoved: lambda game, e: f"{e.company}'s token stands in city {e.city + 1} of {e.hex}.",
    TokensEnded: lambda game, e: "Two trains or fewer are left: no more tokens are placed.",
}
