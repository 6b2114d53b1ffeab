"""Track and token in one decision, for titles where a token may be placed before, between or after the lays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import CompanyId
from bot.engine.play import Game
from bot.engine.state import Action, LayTile, Pass, PlaceToken

from .tokens import PlaceTokens
from .track import LayTrack


@dataclass(frozen=True)
class TrackBuild:
    """Lay track and place a token in any order; passing ends both.

    `may_build(game, company)` whether the company builds at all.
    """

    track: LayTrack
    tokens: PlaceTokens
    may_build: Callable[[Game, CompanyId], bool]
    name: str = "lay track or place a token"
    verbs: tuple[type[Action], ...] = (LayTile, PlaceToken, Pass)

    def opens(self, game: Game) -> bool:
        if not self.may_build(game, game.company_in_turn):
            return False
        return self.track.opens(game) or self.tokens.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.actor_in_turn)
        for step in (self.track, self.tokens):
            if step.opens(game):
                yield from (option for option in step.options(game) if not isinstance(option, Pass))

    def check(self, game: Game, action: LayTile | PlaceToken | Pass) -> None:
        if isinstance(action, LayTile):
            self.track.check(game, action)
        elif isinstance(action, PlaceToken):
            self.tokens.check(game, action)

    def apply(self, game: Game, action: LayTile | PlaceToken | Pass) -> None:
        if isinstance(action, LayTile):
            self.track.apply(game, action)
        elif isinstance(action, PlaceToken):
            self.tokens.apply(game, action)
        else:
            game.record_pass(action)
