"""The moves of computer players from a position until somebody else must decide: calculated in a helper process."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.ai.explanations import explain_by_comparison
from bot.ai.policy import Tabu, choose
from bot.ai.review import Review, ReviewWatcher
from bot.ai.title_parameters import STRENGTHS
from bot.engine import Message
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.engine.routes.revenue import RouteProblem, RouteSet
from bot.engine.routes.search import best_routes
from bot.service.imports.formats import watch_actions
from bot.titles.registry import title_version

from .ai_request import ReviewRequest, ThinkRequest

MOST_MOVES = 24
"""Maximum number of moves in a stretch; then people see them."""

LONGEST_SEARCH = 10.0
"""Seconds after which a computer player runs the best routes it has found: hardly any search takes as long,
but no table must wait for a search that does not end.
"""


def search_in_time(problem: RouteProblem, seconds: float, clock: Callable[[], float] | None) -> RouteSet:
    return best_routes(problem, LONGEST_SEARCH, time.monotonic)


def stretch(thought: ThinkRequest) -> list[tuple[str, Message | None]]:
    """The moves of these seats, each with its reason, until it is somebody else's turn."""
    game = position_of(thought)
    ruled_out = ruled_out_at(thought, game)
    # A run that has been searched for is not searched for again when it is made.
    game.is_redoing = True
    moves: list[tuple[str, Message | None]] = []
    while len(moves) < MOST_MOVES and not game.state.finished:
        player = next((player for player in game.players_to_act() if player in thought.strengths), None)
        if player is None:
            break
        strength = STRENGTHS[thought.strengths[player]]
        recalled = ruled_out.recollection(game, player)
        choice = choose(game, player, thought.seed, strength, ruled_out.of(game, player), recalled)
        ruled_out.note(game, choice.action)
        moves.append((format_action(choice.action), choice.reason))
        game.apply(choice.action)
    return moves


def advice(thought: ThinkRequest) -> tuple[str, Message]:
    """The strongest player's move for the only seat in the request, and the reason."""
    (player,) = thought.strengths
    game = position_of(thought)
    memory = ruled_out_at(thought, game)
    ruled_out, recalled = memory.of(game, player), memory.recollection(game, player)
    choice = choose(game, player, thought.seed, STRENGTHS[thought.strengths[player]], ruled_out, recalled)
    return format_action(choice.action), choice.reason or explain_by_comparison(choice.action)


def review(wanted: ReviewRequest) -> Review:
    watcher = ReviewWatcher()
    return watcher.finish(watch_actions(wanted.course, watcher.see), wanted.most, wanted.seat)


def ruled_out_at(thought: ThinkRequest, game: Game) -> Tabu:
    """With the intentions of the beginning of the stock round, or of this position if that is not known."""
    texts = thought.ruled_out.items()
    began = Game.decode(game.title, thought.began) if thought.began else game
    moves = {player: [parse_action(game.title, text) for text in some] for player, some in texts}
    memory = Tabu(began if began.state.round == game.state.round else game, moves)
    if thought.last is not None:
        memory.remember(Game.decode(game.title, thought.last.position), thought.last.companies)
    return memory


def position_of(thought: ThinkRequest) -> Game:
    game = Game.decode(title_version(thought.title, thought.rules), thought.state)
    game.route_search = search_in_time
    return game
