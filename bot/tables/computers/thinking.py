"""What computer players do from a position on until somebody else must decide: worked out in a helper process."""

from __future__ import annotations

from bot.engine.data.actions import Action
from bot.engine.ids import PlayerId
from bot.engine.play.game import Game
from bot.engine.said import Said
from bot.engine.titles.registry import edition
from bot.engine.words.text import action_of, text_of
from bot.players.choosing import choose
from bot.players.reasons import compared
from bot.players.tournament import note
from bot.players.traits import STRENGTHS

from .thought import Thought

MOST_MOVES = 24
"""So many moves make a stretch: then people see them."""


def stretch(thought: Thought) -> list[tuple[str, Said | None]]:
    """The moves of these seats, each with its reason, until somebody else is asked."""
    game = opened(thought)
    ruled_out: dict[PlayerId, list[Action]] = {
        player: [action_of(game.title, text) for text in texts] for player, texts in thought.ruled_out.items()
    }
    moves: list[tuple[str, Said | None]] = []
    while len(moves) < MOST_MOVES and not game.state.finished:
        player = next((player for player in game.asked() if player in thought.strengths), None)
        if player is None:
            break
        strength = STRENGTHS[thought.strengths[player]]
        choice = choose(game, player, thought.seed, strength, ruled_out.get(player, ()))
        note(game, choice.action, ruled_out)
        moves.append((text_of(choice.action), choice.reason))
        game.apply(choice.action)
    return moves


def advice(thought: Thought) -> tuple[str, Said]:
    """What the strongest player would do in the one seat that is thought for, and why."""
    (player,) = thought.strengths
    game = opened(thought)
    ruled_out = [action_of(game.title, text) for text in thought.ruled_out.get(player, ())]
    choice = choose(game, player, thought.seed, STRENGTHS[thought.strengths[player]], ruled_out)
    return text_of(choice.action), choice.reason or compared(choice.action)


def opened(thought: Thought) -> Game:
    """The position by the rules of its game."""
    return Game.decode(edition(thought.title, thought.rules), thought.state)
