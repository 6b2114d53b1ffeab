"""Computer players of an earlier commit, in a process that runs that commit's own code (`tournament --against COMMIT`)."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.engine import PlayerId
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.engine.state import Action
from bot.untrusted_input import InvalidFile

PROJECT = Path(__file__).resolve().parents[2]

THEIR_SIDE = """
import json, sys
from bot.ai import policy
from bot.ai.move_evaluator import Evaluator
from bot.ai.policy import Tabu, ranking
from bot.ai.title_parameters import STRENGTHS
from bot.engine import SeededRandom, seat_number
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.titles.registry import TITLES

# Up to version 0.2.0 it was called blinded.
without_seed = getattr(policy, "without_seed", None) or policy.blinded
for line in sys.stdin:
    told = json.loads(line)
    if "title" in told:
        game = Game.new(TITLES[told["title"]], told["names"], told["options"], told["seed"])
        ruled_out = Tabu(game, {})
    elif "move" in told:
        action = parse_action(game.title, told["move"])
        ruled_out.note(game, action)
        game.apply(action)
    else:
        player, seed = told["player"], told["seed"]
        number = seed * 7919 + game.state.moves * 104729 + seat_number(player)
        judge = Evaluator(without_seed(game), player, STRENGTHS[told["strength"]], SeededRandom(number), seed)
        best = ranking(judge, ruled_out.of(game, player))[: told["best"]]
        print(json.dumps([format_action(one.action) for one in best]), flush=True)
"""
"""The program of that process: each line begins a game, tells a move, or asks for the best moves of a seat."""


class FormerPlayers:
    """The process of one game. It follows the game move by move, by its own rules."""

    def __init__(self, checkout: Path, game: Game) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", THEIR_SIDE],
            cwd=checkout,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        names = [player.name for player in game.state.players]
        self._say({"title": game.title.id, "names": names, "options": game.state.options, "seed": game.state.seed})

    def note(self, action: Action) -> None:
        self._say({"move": format_action(action)})

    def best_moves(self, game: Game, player: PlayerId, seed: int, strength: str, best: int) -> Sequence[Action]:
        """:raises InvalidFile: that commit's process has died."""
        self._say({"player": player, "seed": seed, "strength": strength, "best": best})
        answer = self._process.stdout.readline() if self._process.stdout else ""
        if not answer:
            raise InvalidFile("the computer players of that commit do not answer; its own words stand above")
        return [parse_action(game.title, text) for text in json.loads(answer)]

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _say(self, told: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(told) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise InvalidFile("the computer players of that commit have died; its own words stand above") from error


@contextmanager
def checkout_of(commit: str) -> Iterator[Path]:
    """A folder with the tree of a commit of this project, until it is left.

    :raises InvalidFile: there is no such commit, or the program does not run from a checkout.
    """
    with tempfile.TemporaryDirectory(prefix="signalbox-") as name:
        folder, archive = Path(name) / "tree", Path(name) / "tree.zip"
        found = subprocess.run(
            ["git", "archive", f"--output={archive}", "--end-of-options", commit],
            cwd=PROJECT,
            capture_output=True,
            text=True,
        )
        if found.returncode:
            raise InvalidFile(f"{commit}: {found.stderr.strip() or 'there is no such commit'}")
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        yield folder
