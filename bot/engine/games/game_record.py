"""A game as it was played, which is also the form of our game files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from bot.engine.notation import parse_action
from bot.engine.play import Game, Title
from bot.engine.state import Event

from .corrections import apply_correction, is_correction

FORMAT = "signalbox 1"
"""The value of `format` in a file."""


class GameRecordFile(Struct, frozen=True, tag_field="format", tag=FORMAT):
    """How a game was set up, its moves and corrections in their text form, the final totals by name, by which version
    of the rules it was played (None where a file does not say it; those of 0.1.0 do not), and whether somebody `stopped` it
    before its end."""

    title: str
    players: tuple[str, ...]
    moves: tuple[str, ...]
    options: dict[str, str] = {}
    seed: int = 0
    rules: int | None = None
    result: dict[str, int] = {}
    stopped: bool = False

    def positions(self, title: Title) -> Iterator[tuple[Game, list[Event]]]:
        """The game after its set-up and after every move, the same object each time, with the events of the move.

        :raises Rejected: a move is not legal by these rules, or cannot be read.
        """
        game = Game.new(title, self.players, self.options, self.seed)
        yield game, []
        for move in self.moves:
            if is_correction(move):
                apply_correction(game, move)
                yield game, []
            else:
                yield game, game.apply(parse_action(title, move))


def build_game_record(game: Game, moves: Iterable[str], stopped: bool = False) -> GameRecordFile:
    """The course of a game that these moves led to; the totals are those of now."""
    state, rules = game.state, game.title.rules
    return GameRecordFile(
        state.title,
        tuple(player.name for player in state.players),
        tuple(moves),
        dict(state.options),
        state.seed,
        game.title.version,
        {player.name: rules.worth(game, player.id) for player in state.players},
        stopped and not state.finished,
    )
