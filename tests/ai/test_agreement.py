"""Agreement of computer players with recorded moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.ai.agreement import AgreementWatcher, MoveComparison, agreement_by_kind
from bot.ai.policy import Tabu, choose
from bot.ai.title_parameters import LEARNER
from bot.cli.main import main
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import Bid, Pass
from bot.service.imports.file_io import encode_game_file
from bot.service.imports.formats import watch_actions
from bot.titles.registry import TITLES

NAMES = ("Ann", "Bob", "Cid")


def recorded(moves: int) -> tuple[list[str], Game]:
    """The first moves of a game of three learners, and the position after them."""
    game = Game.new(TITLES["1830"], list(NAMES), {}, 1)
    ruled_out, texts = Tabu(game, {}), []
    for _ in range(moves):
        player = game.players_to_act()[0]
        action = choose(game, player, 1, LEARNER, ruled_out.of(game, player)).action
        ruled_out.note(game, action)
        texts.append(format_action(action))
        game.apply(action)
    return texts, game


def compared(texts: Sequence[str]) -> list[MoveComparison]:
    watcher = AgreementWatcher(LEARNER)
    watch_actions(GameRecordFile("1830", NAMES, tuple(texts), {}, 1, TITLES["1830"].version, {}), watcher.see)
    return watcher.comparisons


def test_a_computer_agrees_with_its_own_moves() -> None:
    texts, _ = recorded(30)
    found = compared(texts)
    assert len(found) > 15
    assert {one.rank for one in found} == {1}
    assert [one.human for one in found] == [one.best for one in found]


def test_another_move_has_a_lower_rank_and_an_odd_one_none() -> None:
    texts, game = recorded(0)
    player = game.players_to_act()[0]
    own = choose(game, player, 1, LEARNER).action
    other = next(action for action in game.legal_actions() if isinstance(action, Bid | Pass) and action != own)
    odd = Bid(player, "CA", 210)
    assert game.allows(odd)
    ranks = []
    for action in (own, other, odd):
        *_, last = compared([*texts, format_action(action)])
        ranks.append(last.rank)
        assert last.human == format_action(action) and last.best == format_action(own)
    assert ranks[0] == 1 and ranks[1] != 1 and ranks[2] == 0


def test_a_pass_says_what_it_leaves_undone() -> None:
    _, game = recorded(0)
    texts = [format_action(Pass(game.players_to_act()[0]))]
    assert [one.kind for one in compared(texts)] == ["no bid"]


def test_parts_are_counted_by_kind() -> None:
    ranks = (1, 2, 4, 0)
    found = agreement_by_kind([MoveComparison(1, "@1", "bid", "", "", rank, 4) for rank in ranks])
    assert found["bid"] == found["all"]
    assert (found["bid"].first, found["bid"].three, found["bid"].five) == (25.0, 50.0, 75.0)
    assert (found["bid"].n, found["bid"].chance, found["bid"].unlisted) == (4, 25.0, 25.0)
    assert agreement_by_kind([]) == {}


def test_the_command_compares_what_it_can_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, _ = recorded(8)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(encode_game_file(GameRecordFile("1830", NAMES, tuple(texts), {}, 1, TITLES["1830"].version, {})))
    bad.write_text("{")
    assert main(["agreement", str(good), str(bad), "--strength", "learner", "--json", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    report = json.loads(said.out)
    assert report["title"] == "1830" and report["strength"] == "learner" and report["files"] == [str(good)]
    assert report["kinds"]["all"]["first"] == 100.0
    assert set(report["kinds"]["all"]) == {"n", "first", "three", "five", "chance", "unlisted"}
    assert set(report["rows"][0]) == {"file", "move", "seat", "kind", "human", "best", "rank", "legal"}
    assert "bad.json" in said.err
    assert main(["agreement", str(bad), "--jobs", "1"]) == 1
