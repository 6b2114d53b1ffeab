"""What computer players do from a position on until somebody else must decide: worked out in a helper process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from bot.ai.explanations import compared
from bot.ai.policy import Tabu, choose
from bot.ai.title_parameters import STRENGTHS
from bot.engine.message import Message
from bot.engine.notation.text import action_of, text_of
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import search_with
from bot.engine.routes.revenue.model import RouteProblem, RouteSet
from bot.engine.routes.search import best_routes
from bot.titles.registry import edition

from .ai_request import ThinkRequest

MOST_MOVES = 24
"""So many moves make a stretch: then people see them."""

LONGEST_SEARCH = 10.0
"""Seconds after which a computer player runs the best routes that it has found: hardly any search needs one, but no table
must wait for one that does not end."""

Found = TypeVar("Found")


def in_time(function: Callable[[ThinkRequest], Found], thought: ThinkRequest) -> Found:
    """What the function thinks, in a process that does nothing else: no search takes longer there."""
    search_with(search_in_time)
    return function(thought)


def search_in_time(problem: RouteProblem, seconds: float, clock: Callable[[], float] | None) -> RouteSet:
    """The best routes that are found until then."""
    return best_routes(problem, LONGEST_SEARCH, time.monotonic)


def stretch(thought: ThinkRequest) -> list[tuple[str, Message | None]]:
    """The moves of these seats, each with its reason, until somebody else is asked."""
    game = opened(thought)
    ruled_out = ruled_out_at(thought, game)
    # A run that has been searched for is not searched for again when it is made.
    game.is_redoing = True
    moves: list[tuple[str, Message | None]] = []
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


def advice(thought: ThinkRequest) -> tuple[str, Message]:
    """What the strongest player would do in the one seat that is thought for, and why."""
    (player,) = thought.strengths
    game = opened(thought)
    ruled_out = ruled_out_at(thought, game).of(game, player)
    choice = choose(game, player, thought.seed, STRENGTHS[thought.strengths[player]], ruled_out)
    return text_of(choice.action), choice.reason or compared(choice.action)


def ruled_out_at(thought: ThinkRequest, game: Game) -> Tabu:
    """What is not done in the round of this position."""
    texts = thought.ruled_out.items()
    return Tabu(game, {player: [action_of(game.title, text) for text in some] for player, some in texts})


def opened(thought: ThinkRequest) -> Game:
    """The position by the rules of its game."""
    return Game.decode(edition(thought.title, thought.rules), thought.state)
