"""The Commonwealth Railways: what lets it begin (1848 §5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.data.events import Event
from bot.engine.holdings.trains import has_begun

from .box.nouns import ADELAIDE, SYDNEY
from .special import special

if TYPE_CHECKING:
    from bot.engine.play.game import Game


class CitiesLinked(Event, frozen=True, tag=True):
    """A train of infinite range could now run from Sydney to Adelaide."""


def may_launch(game: Game) -> bool:
    """The link has been built, or the first 6/6+ has been bought (§5.3.2, §5.3.5)."""
    return special(game).is_linked or has_begun(game, "6")


def look_for_link(game: Game) -> bool:
    """Note the link between Sydney and Adelaide once it stands; tokens do not block it (§5.3.2). True when new."""
    record = special(game)
    if record.is_linked or not game.land.are_linked(game, SYDNEY, ADELAIDE):
        return False
    record.is_linked = True
    game.happened(CitiesLinked())
    return True
