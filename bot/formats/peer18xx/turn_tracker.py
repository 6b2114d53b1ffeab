"""How far a turn has come: here, and in a file that does not say where turns end."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.play import Game
from bot.engine.state import LayTile, Memory, NoMemory, Pass, StockTurnMemory, TurnMemory

from .dialect import Dialect, can_do_something
from .file_format import RawAction


def may_pass(game: Game) -> bool:
    """Whether a company or a player in turn is asked for something that can be passed over."""
    if game.state.finished or not isinstance(game.state.flow[-1].memory, TurnMemory | StockTurnMemory | NoMemory):
        return False
    step = game.step
    return step is not None and Pass in step.verbs


def has_choice(game: Game, dialect: Dialect) -> bool:
    """Whether 18xx.games asks the player or company in turn: a player who can do something, a company that builds.

    It passes silently only for others; companies are asked about track even if they cannot lay any.
    """
    step = game.step
    if isinstance(game.state.flow[-1].memory, StockTurnMemory):
        return can_do_something(game, dialect.optional_actions)
    return isinstance(game.state.flow[-1].memory, TurnMemory) and step is not None and LayTile in step.verbs


TURN_ORDER = {"lay_tile": 1, "place_token": 1, "run_routes": 3, "dividend": 4, "buy_train": 5, "convert": 5}
"""The steps of companies in their turns, in order; 2 is the pass after track and tokens, 6 the pass after trains."""


def is_of_turn(raw: RawAction) -> bool:
    return raw.get("entity_type") == "corporation" and raw["type"] in (*TURN_ORDER, "pass")


@dataclass
class FileTurn:
    """How far a company's turn has come in a file whose companies pass twice: from its own actions one after the other.

    `memory` is that of the turn here."""

    company: str = ""
    stage: int = 0
    memory: Memory | None = None

    def is_over_with(self, raw: RawAction) -> bool:
        if not is_of_turn(raw) or str(raw.get("entity")) != self.company:
            return False
        return self.stage == 6 or (TURN_ORDER.get(str(raw["type"])) == 1 and self.stage >= 2)

    def note_action(self, raw: RawAction, memory: Memory | None) -> None:
        stage = TURN_ORDER.get(str(raw["type"]), 2 if self.stage < 2 else 6)
        if raw.get("entity_type") == "player":
            self.company, self.stage = "", 0
        elif is_of_turn(raw):
            self.company, self.stage, self.memory = str(raw.get("entity")), stage, memory
