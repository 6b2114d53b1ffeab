"""An owner's offer to another, who agrees or refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.engine import NotYourTurn
from bot.engine.play import Game
from bot.engine.state import Action, Answer


@dataclass(frozen=True)
class AnswerOffer:
    """A player accepts or refuses what `State.offer` holds.

    `kind` is what was offered; `accept(game, offer)` carries it out.
    """

    name: str
    section: str
    kind: type[Action]
    accept: Callable[[Game, Any], None]
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return isinstance(game.state.offer, self.kind)

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(game.frame.asked[0], agree) for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("The offer was made to another player.", self.section)

    def apply(self, game: Game, action: Answer) -> None:
        offer = game.state.offer
        game.state.offer = None
        if action.agree and isinstance(offer, self.kind):
            self.accept(game, offer)
        else:
            game.log("{by} refuses.", action.by)
            game.next_step()
