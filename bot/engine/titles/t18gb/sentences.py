"""Sentences for what happens in 18GB alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, said

from .events import (
    BecameInsolvent,
    BecameSolvent,
    CompanyRemoved,
    Converted,
    HomeMoved,
    PriceCut,
    TokensEnded,
)


def _converted(game: Game, event: Converted) -> Said:
    if not event.capital:
        return said("{company} becomes a 10-share company.", event.company)
    return said("{company} becomes a 10-share company and receives £{capital}.", event.company, event.capital)


def _removed(game: Game, event: CompanyRemoved) -> Said:
    if not event.train:
        template = "{company} was never launched and leaves the game; its home token remains."
        return said(template, event.company)
    template = "{company} was never launched and leaves the game with a train ({train}); its home token remains."
    return said(template, event.company, event.train)


SENTENCES: Mapping[type[Event], Sentence] = {
    PriceCut: "Nobody bid for {private}: it costs £{price} now.",
    Converted: _converted,
    BecameInsolvent: "{company} has no train and is insolvent.",
    BecameSolvent: "{company} is no longer insolvent.",
    CompanyRemoved: _removed,
    HomeMoved: lambda game, e: said("{company}'s token stands in city {city} of {hex}.", e.company, e.city + 1, e.hex),
    TokensEnded: "Two trains or fewer are left: no more tokens are placed.",
}
