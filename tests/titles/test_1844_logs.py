"""1844 in the form of 18xx.games: random games go there and come back, and what no stored game contains is followed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from bot.ai.fuzzer import RandomGame
from bot.engine.games.game_record import build_game_record
from bot.engine.ids import REMOVED
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.title import Step
from bot.engine.state.actions import Action, DeclareBankruptcy, Pass
from bot.engine.state.events import WentBankrupt
from bot.engine.state.state import OperatingRoundMemory
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.export import export_log
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.trace_compare import position_tree
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.t1844 import flotation
from bot.titles.t1844.events import TargetReached
from bot.titles.t1844.state import title_state
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    NAMES,
    TITLE,
    TRAINS,
    home,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, private, set_cash

THEIRS = {"rules": "18xx.games", "order": "cash"}
DIALECT = DIALECTS["1844"]


def random_game(players: int, seed: int, options: dict[str, str], after_sbb: int) -> RandomGame:
    """A random game until so many moves after the SBB has formed."""
    table = RandomGame(TITLE, players, seed, options, is_audited=False)
    for game in table.moves():
        after_sbb -= game.company(company("SBB")).floated
        if after_sbb <= 0:
            break
    return table


def until_bankruptcy(players: int, seed: int) -> RandomGame:
    """A random game by their rules in which whoever may give up does."""
    table = RandomGame(TITLE, players, seed, THEIRS, is_audited=False)
    for game in table.moves():
        way_out = next((way for step in game.open_steps() if (way := bankruptcy(game, step))), None)
        if way_out is not None:
            table.texts.append(format_action(way_out))
            game.apply(way_out)
    return table


def bankruptcy(game: Game, step: Step) -> Action | None:
    """Giving up, where that is open."""
    return next(iter(step.options(game)), None) if step.verbs == (DeclareBankruptcy,) else None


def exported(game: Game, moves: list[str]) -> Any:
    """The game in the form of 18xx.games, as it comes back from a file."""
    return json.loads(json.dumps(export_log(TITLE, DIALECT, build_game_record(game, moves))))


def as_theirs(data: Any) -> Any:
    """The same as their engine would have written it: nothing of ours is in it, company passes say nothing, and what was
    offered in vain was agreed upon elsewhere."""
    settings = {name: value for name, value in data["settings"].items() if name != "signalbox_options"}
    actions: list[dict[str, Any]] = []
    for action in data["actions"]:
        if action["type"] != "signalbox":
            actions.append(action)
        elif not action["agree"]:
            actions.pop()
    return {**data, "settings": settings, "actions": actions}


def written(*actions: dict[str, Any], players: int = 3) -> LogReplay:
    """A replay of a file of theirs with these actions."""
    numbered = [{"id": number, **action} for number, action in enumerate(actions, 1)]
    people = [{"id": number, "name": name} for number, name in enumerate(NAMES[:players])]
    data = {"title": "1844", "players": people, "actions": numbered, "status": "active", "settings": {"seed": 1}}
    return LogReplay(TITLE, DIALECT, read_log(data))


def bid(player: int, private: str, price: int) -> dict[str, Any]:
    """A bid."""
    return {"type": "bid", "entity": player, "entity_type": "player", "company": private, "price": price}


def passed(player: int) -> dict[str, Any]:
    """A player's pass."""
    return {"type": "pass", "entity": player, "entity_type": "player"}


@pytest.fixture(scope="module")
def by_the_book() -> RandomGame:
    """A random game that has gone a little beyond the SBB."""
    return random_game(3, 4, {"rules": "rulebook", "order": "elephant"}, 20)


@pytest.fixture(scope="module")
def bankrupt() -> RandomGame:
    """A random game that has ended in a bankruptcy."""
    return until_bankruptcy(4, 16)


@pytest.mark.parametrize("name", ["by_the_book", "bankrupt"])
def test_a_random_game_reads_back_to_the_same_moves(name: str, request: pytest.FixtureRequest) -> None:
    table: RandomGame = request.getfixturevalue(name)
    runner = LogReplay(TITLE, DIALECT, read_log(exported(table.game, table.texts)))
    runner.run()
    runner.look_ahead()
    assert [format_action(action) for action in runner.taken] == table.texts
    assert runner.game.encode() == table.game.encode()
    assert runner.notes == []


def test_a_file_of_theirs_is_followed_to_the_bankruptcy(bankrupt: RandomGame) -> None:
    data = exported(bankrupt.game, bankrupt.texts)
    assert (data["status"], data["game_end_reason"]) == ("finished", "bankrupt")
    runner = LogReplay(TITLE, DIALECT, read_log(as_theirs(data)))
    game = runner.run()
    game.state.moves = bankrupt.game.state.moves  # those that led to nothing count there
    assert game.encode() == bankrupt.game.encode()
    loser = next(event.player for event in runner.game.events if isinstance(event, WentBankrupt))
    assert runner.game.state.cash[loser] == 0
    runner.log.result["0"] += 1  # type: ignore[index]
    with pytest.raises(Divergence, match="result"):
        runner.check_result()


def test_players_who_cannot_bid_on_say_nothing_in_the_file() -> None:
    with pytest.raises(Divergence, match=r"action 2 .id 2.: @2 bid P2 801 is refused: You can bid"):
        written(bid(0, "P1", 796), bid(1, "P2", 801)).run()
    game = written(bid(0, "P1", 796), bid(1, "P2", 50), passed(2)).run()
    assert [game.private(private(sign)).owner for sign in ("P1", "P2")] == [ANN, BOB]


def test_undo_redo_messages_and_programs_around_a_bid() -> None:
    runner = written(
        bid(0, "P1", 20),
        {"type": "message", "entity": 1, "entity_type": "player", "message": "hello"},
        bid(1, "P1", 25),
        {"type": "undo", "entity": 1, "entity_type": "player"},
        {"type": "redo", "entity": 1, "entity_type": "player"},
        {"type": "undo", "entity": 1, "entity_type": "player"},
        {"type": "program_auction_bid", "entity": 2, "entity_type": "player", "bid_target": "P1"},
        passed(1) | {"auto_actions": [passed(2), {"type": "program_disable", "entity": 2, "entity_type": "player"}]},
    )
    game = runner.run()
    assert game.private(private("P1")).owner == ANN
    assert game.players_to_act() == (BOB,)


# -- what no stored game contains -----------------------------------------------------------------------------


def standing(game: Game, *actions: dict[str, Any]) -> LogReplay:
    """A replay of these actions of theirs from a position on."""
    runner = written(*actions)
    runner.game = game
    return runner


def by_company(name: str, **more: Any) -> dict[str, Any]:
    """An action of a company or of a private."""
    kind = "corporation" if name in TITLE.companies else "company"
    return {"entity": name, "entity_type": kind, **more}


def test_which_of_two_equal_trains_is_given_up_is_for_the_file_to_say() -> None:
    game = new_game(rules="18xx.games")
    started(game, "BLS", {"@1": 3})
    reach_phase(game, "5")
    for number in (0, 1, 2):
        card = next(train for train in game.state.trains if train.id == f"3-{number}")
        rearrange(game, card, owner=company("BLS"), kind="3H")
    operating(game, "BLS", step=TRAINS)
    game.push("discard")
    game.advance()
    runner = standing(game, by_company("BLS", type="discard_train", train="3-1"))
    list(runner.steps())
    assert [train.id for train in game.state.trains_of(company("BLS"))] == ["3-1", "3-2"], "ours gives up the first"
    seen_there = position_tree(runner, game)["corps"]["BLS"]["train_ids"]
    assert seen_there == ["3-0", "3-2"]
    assert (runner.trains.own_number("3-0"), runner.trains.peer_number("3-1")) == ("3-1", "3-0")


def test_whoever_sells_a_private_in_the_file_has_agreed() -> None:
    game = new_game(rules="18xx.games")
    sell_privates(game, {"P4": "@2"})
    started(game, "RhB", {"@1": 3})
    reach_phase(game, "3")
    operating(game, "RhB", step=TRAINS)
    list(standing(game, by_company("RhB", type="buy_company", company="P4", price=100)).steps())
    assert (game.private(private("P4")).owner, game.state.cash[BOB]) == ("RhB", 900)


def test_a_private_used_in_a_share_round_is_used_in_its_owners_turn() -> None:
    game = new_game(rules="18xx.games")
    sell_privates(game, {"P4": "@2"})
    started(game, "RhB", {"@3": 3}, director="@3")
    set_cash(game, "@1", 0)
    reach_phase(game, "3")
    stock_round(game)
    list(standing(game, by_company("P4", type="choose_ability", choice="Place tile")).steps())
    assert game.private(private("P4")).closed
    assert game.players_to_act() == (BOB,), "Ann, who could do nothing there, was passed over"


def test_an_empty_run_after_anothers_silent_end_is_of_the_round_to_come() -> None:
    """BLS has nothing left to do but need not say so; then NOB, whose turn was first, runs nothing in the next round."""
    game = new_game(rules="18xx.games")
    started(game, "NOB", {"@2": 1}, position=(0, 8))
    started(game, "BLS", {"@1": 3})
    lay(game, ("57", "D19", 1), ("57", "F11", 2), ("57", "D17", 1))
    operating(game, "BLS", step=TRAINS)
    home_and_train(game, "NOB")
    rounds = game.state.flow[1].memory
    assert isinstance(rounds, OperatingRoundMemory)
    rounds.done.insert(0, company("NOB"))
    runner = standing(
        game,
        by_company("BLS", type="pass"),
        by_company("NOB", type="pass"),
        by_company("NOB", type="run_routes", routes=[]),
    )
    runner.round_before = replace(game.state.round)
    runner.taken.append(Pass(company("BLS")))
    list(runner.steps())
    assert (game.state.round.part, game.frame.entity) == (2, "NOB")
    assert format_action(runner.taken[-1]) == "NOB run nothing"


def home_and_train(game: Game, name: str) -> None:
    """Its home token and a 2H train."""
    home(game, name)
    give_train(game, name, "2H")
    game.board_changed()


def tunnel_then(director: str) -> LogReplay:
    """GB (Ann's) is in turn, a tunnel is built by T2, which is Ann's, and then STB acts."""
    game = new_game(rules="18xx.games")
    sell_privates(game, {"T2": "@1"})
    started(game, "GB")
    started(game, "STB", {director: 3}, director=director, par=60)
    reach_phase(game, "3")
    lay(game, ("57", "G18", 2))
    operating(game, "GB")
    return standing(
        game,
        by_company("T2", type="lay_tile", tile="X79-0", hex="H19", rotation=2),
        by_company("STB", type="lay_tile", tile="57-0", hex="D13", rotation=2),
    )


def test_a_tunnel_after_which_its_company_says_nothing_is_of_the_company_in_turn() -> None:
    runner = tunnel_then("@2")
    next(runner.steps())
    assert runner.game.state.cash[company("GB")] == 500 - 100 + 200, "a tunnel, and the rest of the GB's capital"
    assert title_state(runner.game).tunnels == {private("T2"): "H19"}


def test_a_tunnel_between_two_companies_of_one_director_is_of_the_one_in_turn_where_the_next_one_could_not_build_it() -> (
    None
):
    runner = tunnel_then("@1")
    next(runner.steps())
    assert [action.by for action in runner.taken] == ["GB"]


def test_a_target_that_is_reached_while_trains_are_given_up_is_noted_after_that_for_the_company_in_turn() -> None:
    game = new_game(4)
    started(game, "RhB", director="@1")
    started(game, "FNM", director="@2")
    operating(game, "RhB", step=TRAINS)
    for kind in ("3H", "3H", "3H", "3H", "3H"):
        give_train(game, "FNM", kind)
    writer = LogWriter(game, DIALECT)
    game.push("discard")
    game.advance()
    game.events.append(TargetReached(company("RhB"), 300))
    writer._watch(game)
    assert (writer.written, len(writer.held)) == ([], 1)
    written = writer.write_text("FNM discard 3H")
    while not any("auto_actions" in raw for raw in written):
        assert game.frame.plan == "discard"
        written = writer.write_text("FNM discard 3H")
    assert game.frame.plan != "discard"
    (noted,) = written[0]["auto_actions"]
    assert (noted["type"], noted["entity"], noted["corporations"]) == ("destination_connection", "RhB", ["RhB"])


def test_a_target_that_the_line_reaches_and_ends_the_turn_by_it_is_noted_for_the_next_company_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = new_game(rules="18xx.games")
    sell_privates(game, {"P4": "FNM"})
    started(game, "BLS")
    started(game, "RhB", director="@2")
    started(game, "FNM", par=100, cash=1)
    reach_phase(game, "3")
    operating(game, "FNM", ["3H"] * 4, step=TRAINS)
    home(game, "RhB")
    title_state(game).waiting = [company("RhB")]
    monkeypatch.setattr(flotation, "has_reached_target", lambda game, _: game.private(private("P4")).closed)
    written = LogWriter(game, DIALECT).write_text("FNM furka")
    assert game.actor_in_turn != "FNM"
    (noted,) = (note for note in written[-1]["auto_actions"] if note["type"] == "destination_connection")
    assert (noted["entity"], noted["corporations"]) == (game.actor_in_turn, ["RhB"])


def test_a_company_whose_forced_purchase_begins_phase_3_is_asked_about_privates_after_it() -> None:
    game = new_game(rules="18xx.games")
    sell_privates(game, {"P4": "@1"})
    started(game, "FNM", {"@1": 3}, cash=30)
    for train in game.state.trains:
        rearrange(game, train, owner=REMOVED if train.family == "2" else train.owner)
    lay(game, ("57", "L21", 0))
    set_cash(game, "@1", 500)
    operating(game, "FNM", step=TRAINS)
    writer = LogWriter(game, DIALECT)
    writer.turn.due_questions(game)
    first, *later = [raw["type"] for text in ("FNM buy 3 for 180", "FNM pass") for raw in writer.write_text(text)]
    assert (game.state.phase, first, later) == ("3", "buy_train", ["pass"])
