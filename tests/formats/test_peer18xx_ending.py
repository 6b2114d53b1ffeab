"""Logs of 18xx.games: what a file says of its end is compared, no pass is made up for who had a choice, what says nothing
changes nothing, and the Ghan that runs on past its token."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.ids import HexId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from tests.titles import builders_18gb, builders_1848
from tests.titles.positions import lay, token

THEIRS = "18xx.games"
SEATS = [{"id": number, "name": name} for number, name in enumerate(builders_1848.NAMES)]


def company(name: str, kind: str, **more: Any) -> dict[str, Any]:
    """What a company does."""
    return {"type": kind, "entity": name, "entity_type": "corporation", **more}


def player(number: int, kind: str, **more: Any) -> dict[str, Any]:
    """What a player does."""
    return {"type": kind, "entity": number, "entity_type": "player", **more}


def followed(game: Game, *actions: dict[str, Any], **end: Any) -> LogReplay:
    """A replay of such a file that stands at this position, with all its actions."""
    numbered = [{"id": number, **action} for number, action in enumerate(actions, 1)]
    seats = SEATS[: len(game.state.players)]
    data = {"title": game.title.id, "players": seats, "actions": numbered, "status": "active", **end}
    runner = LogReplay(game.title, DIALECTS[game.title.id], read_log(data))
    runner.game = game
    for _ in runner.steps():
        pass
    return runner


# -- who had a choice ---------------------------------------------------------------------------------


def selling() -> Game:
    """Ann's turn in the second stock round; all three have money."""
    game = builders_1848.new_game(rules=THEIRS)
    builders_1848.started(game, "VR", {"@1": 3, "@2": 1, "@3": 1})
    return builders_1848.stock_round(game)


def test_no_pass_is_made_up_for_a_player_who_could_buy() -> None:
    with pytest.raises(Divergence, match=r"buy_shares by 1.*@1 has a choice"):
        followed(selling(), player(1, "buy_shares", shares=["VR_6"], percent=10))
    runner = followed(selling(), player(0, "pass"), player(1, "buy_shares", shares=["VR_6"], percent=10))
    assert [format_action(action) for action in runner.taken] == ["@1 pass", "@2 buy VR"]


def building() -> Game:
    """VR's turn, then that of NSW, in an operating round."""
    game = builders_1848.new_game(rules=THEIRS)
    for name, position in (("VR", (0, 9)), ("NSW", (1, 5))):
        builders_1848.started(game, name, {"@1": 4}, position=position)
    return builders_1848.operating(game, "VR")


def test_no_company_is_passed_over_that_could_have_built() -> None:
    lays = company("NSW", "lay_tile", hex="F17", tile="57-0", rotation=0)
    with pytest.raises(Divergence, match=r"lay_tile by NSW.*VR has a choice"):
        followed(building(), lays)
    assert followed(building(), company("VR", "pass"), lays).game.frame.entity == "NSW"


# -- what says nothing --------------------------------------------------------------------------------


def test_a_player_without_a_name_is_named_by_his_id() -> None:
    seats = [{"id": 7, "name": None}, {"id": "x"}]
    assert read_log({"title": "1848", "players": seats, "actions": []}).players == (("7", "7"), ("x", "x"))


def test_what_is_logged_says_nothing() -> None:
    runner = followed(selling(), player(1, "log", message="hello"), player(0, "pass"))
    assert [format_action(action) for action in runner.taken] == ["@1 pass"]


def test_a_programme_after_the_closing_of_a_private_asks_nobody_to_be_in_turn() -> None:
    game = builders_18gb.new_game(4, rules=THEIRS)
    builders_18gb.own(game, SD="@2")
    builders_18gb.started(game, "MR", {"@1": 1}, cash=500)
    builders_18gb.operating(game, "MR", ["2+1"])
    closing = {"type": "choose_ability", "entity": "SD", "entity_type": "company", "choice": "close"}
    lays = company("MR", "lay_tile", hex="H19", tile="G41-0", rotation=0)
    runner = followed(game, closing, player(3, "program_share_pass"), lays)
    assert [format_action(action) for action in runner.taken] == ["@2 close SD", "MR lay G41 H19 0"]


# -- the end ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "named"),
    [
        ({"round": "Stock Round", "turn": 2, "acting": [1]}, ""),
        ({"round": "SBB Formation Round", "turn": 9, "acting": [1]}, ""),
        ({"round": "Operating Round", "turn": 2, "acting": [1]}, "round: expected Operating Round, got stock round"),
        ({"round": "Stock Round", "turn": 3, "acting": [1]}, "number of the stock round: expected 3, got 2"),
        ({"round": "Stock Round", "turn": 2, "acting": [2, 0]}, "player in turn: expected 2 or 0, got 1"),
        ({"acting": [0]}, "player in turn: expected 0, got 1"),
        ({"status": "finished", "result": {"0": 5}}, "end of the game: expected finished, got stock round 2"),
    ],
)
def test_the_files_last_word_is_compared(end: dict[str, Any], named: str) -> None:
    runner = followed(selling(), player(0, "pass"), **end)
    if not named:
        runner.check_result()
        return
    with pytest.raises(Divergence, match=named):
        runner.check_result()


def test_the_reason_of_the_end_is_compared() -> None:
    game = selling()
    game.state.finished = True
    runner = followed(game, status="finished", game_end_reason="stock_market")
    with pytest.raises(Divergence, match="reason of the end: expected stock_market"):
        runner.check_result()


# -- the Ghan -----------------------------------------------------------------------------------------


def test_the_ghan_is_read_up_to_its_token_however_far_it_was_drawn() -> None:
    game = builders_1848.new_game(rules=THEIRS)
    builders_1848.started(game, "SAR", {"@1": 4})
    builders_1848.reach_phase(game, "5")
    lay(game, ("57", "G6", 2), ("57", "F5", 2), ("6", "E4", 3), ("8", "D5", 0), ("8", "C4", 3), ("8", "B5", 0))
    token(game, "SAR", "E4")
    builders_1848.operating(game, "SAR", ["2E"], step=3)
    drawn = {
        "train": "2E-0",
        "connections": [["G6", "F5"], ["F5", "E4"], ["E4", "D5", "C4", "B5", "A4"]],
        "nodes": ["G6-0", "F5-0", "E4-0", "A4-0"],
        "revenue": 60,
    }
    game.state.board.tokens[HexId("G6")] = []
    game.board_changed()
    runner = followed(game, company("SAR", "run_routes", routes=[drawn]))
    assert [format_action(action) for action in runner.taken] == ["SAR run 2E-0=A4.o0>B5>C4>D5>E4.c0"]
    assert runner.notes == []
