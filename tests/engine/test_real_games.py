"""Real games from 18xx.games: every action legal, every recorded state equal, every revenue recomputed and never
above what our search finds."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from bot.bench.calls import count_calls
from bot.engine.games.game_record import build_game_record
from bot.engine.ids import CompanyId
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import route_problem, routes_of
from bot.engine.routes.revenue.score import validate
from bot.engine.routes.search import best_routes
from bot.engine.state.actions import Action, RunRoutes
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.export import export_log
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.trace_compare import compare
from bot.titles.registry import TITLES

GAMES = (
    "1848/101",
    "1848/1848_game_end_bank",
    "1844/160062",
    "18GB/18gb-3p",
    "18GB/18gb-6p",
    "18GB/18gb-leased_train",
)

PAID_LESS = {("18GB/18gb-leased_train", 555): 440}
"""Runs of which the file says less than its routes earn, by action id."""

pytestmark = pytest.mark.shared

CALLS = {
    "1848/101": 240,
    "1848/1848_game_end_bank": 300,
    "1844/160062": 365,
    "18GB/18gb-3p": 360,
    "18GB/18gb-6p": 400,
    "18GB/18gb-leased_train": 370,
}
"""Calls of our own functions that an action may take in a replay with all checks."""

each_game = pytest.mark.parametrize("name", GAMES)


def replay(shared: Path, name: str) -> LogReplay:
    """A replay of a stored game."""
    log = read_log(json.loads((shared / "peer-games" / f"{name}.json").read_bytes()))
    return LogReplay(TITLES[log.title], DIALECTS[log.title], log)


@each_game
def test_every_state_is_equal_and_so_is_the_result(shared: Path, name: str) -> None:
    runner = replay(shared, name)
    with gzip.open(shared / "peer-games" / f"{name}.trace.jsonl.gz", "rt") as lines:
        compared = compare(runner, (json.loads(line) for line in lines))
    runner.check_result()
    assert compared >= len(runner.effective) - 2


@each_game
def test_a_changed_amount_is_noticed(shared: Path, name: str) -> None:
    runner = replay(shared, name)
    player = next(iter(runner.log.result))
    runner.log.result[player] += 1  # type: ignore[index]
    with pytest.raises(Divergence):
        runner.run()


@each_game
def test_states_survive_encoding_after_every_action(shared: Path, name: str) -> None:
    runner = replay(shared, name)
    for step in runner.steps():
        if step.number % 7 == 0:
            data = runner.game.encode()
            assert Game.decode(runner.game.title, data).encode() == data
        assert runner.game.audit() == []


@each_game
def test_no_run_beats_the_proven_best(shared: Path, name: str) -> None:
    runner = replay(shared, name)
    runs = 0

    def judged(action: Action) -> None:
        nonlocal runs
        if isinstance(action, RunRoutes):
            problem = route_problem(runner.game, CompanyId(action.by))
            best = best_routes(problem)
            assert best.proven
            validate(problem, best.routes)
            ran = routes_of(problem, action).revenue
            written = sum(route["revenue"] for route in runner.raw["routes"])
            assert written == PAID_LESS.get((name, runner.raw["id"]), ran)
            assert written <= ran <= best.revenue
            runs += 1

    runner.watchers.append(judged)
    runner.run()
    assert runs


@each_game
def test_an_export_reads_back_to_the_same_game(shared: Path, name: str) -> None:
    runner = replay(shared, name)
    runner.run()
    game = runner.game
    course = build_game_record(game, runner.moves)
    log = read_log(json.loads(json.dumps(export_log(game.title, DIALECTS[game.title.id], course))))
    again = LogReplay(game.title, DIALECTS[game.title.id], log)
    for _ in again.steps():
        pass
    if game.state.finished:
        again.check_result()
    assert again.game.state.cash == game.state.cash
    assert again.game.state.board == game.state.board


@each_game
def test_an_action_takes_few_calls(shared: Path, name: str) -> None:
    replay(shared, name).run()  # what is kept for all games is found
    runner = replay(shared, name)
    calls, _ = count_calls(runner.run, with_builtins=False)
    assert calls / len(runner.effective) <= CALLS[name]
