"""What computer players do from a position on until somebody else must decide: worked out in a helper process."""

from __future__ import annotations

from bot.engine.play.game import Game
from bot.engine.said import Said
from bot.engine.titles.registry import edition
from bot.engine.words.text import action_of, text_of
from bot.players.choosing import RuledOut, choose
from bot.players.reasons import compared
from bot.players.traits import STRENGTHS

from .thought import Thought

MOST_MOVES = 24
"""So many moves make a stretch: then people see them."""


def stretch(thought: Thought) -> list[tuple[str, Said | None]]:
    """The moves of these seats, each with its reason, until somebody else is asked."""
    game = opened(thought)
    ruled_out = ruled_out_at(thought, game)
    moves: list[tuple[str, Said | None]] = []
    while len(moves) < MOST_MOVES and not game.state.finished:
        player = next((player for player in game.asked() if player in thought.strengths), None)
        if player is None:
            break
        strength = STRENGTHS[thought.strengths[player]]
        choice = choose(game, player, thought.seed, strength, ruled_out.of(game, player))
        ruled_out.note(game, choice.action)
        moves.append((text_of(choice.action), choice.reason))
        game.apply(choice.action)
    return moves


def advice(thought: Thought) -> tuple[str, Said]:
    """What the strongest player would do in the one seat that is thought for, and why."""
    (player,) = thought.strengths
    game = opened(thought)
    ruled_out = ruled_out_at(thought, game).of(game, player)
    choice = choose(game, player, thought.seed, STRENGTHS[thought.strengths[player]], ruled_out)
    return text_of(choice.action), choice.reason or compared(choice.action)


def ruled_out_at(thought: Thought, game: Game) -> RuledOut:
    """What is not done in the round of this position."""
    texts = thought.ruled_out.items()
    return RuledOut(game, {player: [action_of(game.title, text) for text in some] for player, some in texts})


def opened(thought: Thought) -> Game:
    """The position by the rules of its game."""
    return Game.decode(edition(thought.title, thought.rules), thought.state)
