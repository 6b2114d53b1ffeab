"""What rounds of all titles have in common: companies in turn, the end of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.data.events import GameEnded, RoundBegan
from bot.engine.data.state import OperatingRoundMemory, TurnMemory
from bot.engine.ids import CompanyId

if TYPE_CHECKING:
    from bot.engine.play.game import Game


def operating_round(game: Game) -> OperatingRoundMemory:
    """Who has had a turn in the round on top.

    :raises TypeError: what is on top is no round in which companies take turns.
    """
    memory = game.frame.memory
    if not isinstance(memory, OperatingRoundMemory):
        raise TypeError("no round of companies is open")
    return memory


def take_turn(game: Game, company: CompanyId, plan: str = "company turn") -> None:
    """The company has its turn by that plan; then the step that called is asked again."""
    operating_round(game).done.append(company)
    game.frame.at -= 1
    game.push(plan, company, TurnMemory())


def begin_next_of_set(game: Game) -> None:
    """The next operating round of the set begins; after it the step that called is asked again."""
    current = game.state.round
    game.frame.at -= 1
    current.kind = "operating"
    current.part += 1
    game.happened(RoundBegan(current.kind, current.number, current.part, current.of))
    game.push("operating round", None, OperatingRoundMemory())


def is_in_turn(game: Game) -> bool:
    """Whether a company's turn is in progress, maybe beneath an interrupt."""
    return any(isinstance(frame.memory, TurnMemory) for frame in game.state.flow)


def end_game(game: Game, reason: str = "") -> None:
    """The game is over, for this reason or for the one already known; players are ranked by their worth."""
    state = game.state
    state.finished, state.ending = True, reason or state.ending
    worth = game.title.rules.worth
    scores = sorted(((seat.id, worth(game, seat.id)) for seat in state.players), key=lambda entry: -entry[1])
    game.happened(GameEnded(state.ending, tuple(scores)))
