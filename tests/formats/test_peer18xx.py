"""Logs of 18xx.games: undo and redo, bad files, round trips of random games, paid revenues, traces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bot.ai.fuzzer import TEMPERS, RandomGame
from bot.cli.title_check import difference_of
from bot.engine.games.game_record import build_game_record
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.export import export_log
from bot.formats.peer18xx.file_format import MOST_ACTIONS, InvalidLog, effective_actions, flatten_action, read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.snapshots import snapshot
from bot.formats.peer18xx.trace_compare import compare, merge
from bot.service.imports.file_io import read_file
from bot.titles.registry import TITLES, title_folders
from tests.families import few

TITLE, DIALECT = TITLES["1848"], DIALECTS["1848"]
THEIRS = {"rules": "18xx.games"}


def random_moves(players: int, seed: int, options: dict[str, str]) -> list[str]:
    """The moves of a whole random game."""
    game = RandomGame(TITLE, players, seed, options, is_audited=False)
    for _ in game.moves():
        pass
    return game.texts


def played(players: int, seed: int, options: dict[str, str], moves: list[str]) -> Game:
    """The position after these moves."""
    game = Game.new(TITLE, [f"Player {number}" for number in range(1, players + 1)], options, seed)
    for text in moves:
        game.apply(parse_action(TITLE, text))
    return game


def exported(players: int, seed: int, options: dict[str, str], moves: list[str]) -> Any:
    """The same in the form of 18xx.games, as it comes back from a file."""
    course = build_game_record(played(players, seed, options, moves), moves)
    return json.loads(json.dumps(export_log(TITLE, DIALECT, course)))


def replay(data: Any) -> LogReplay:
    """A replay of a decoded file."""
    return LogReplay(TITLE, DIALECT, read_log(data))


@pytest.fixture(scope="module")
def finished() -> Any:
    """A finished random game of three by 18xx.games' rules, in their form."""
    return exported(3, 6, THEIRS, random_moves(3, 6, THEIRS))


# -- undo and redo ------------------------------------------------------------------------------------


def history(text: str) -> list[dict[str, Any]]:
    """`a b undo message redo undo:2`: actions with ids from 1; a number names the action to go back to."""
    actions = []
    for number, word in enumerate(text.split(), 1):
        kind, _, target = word.partition(":")
        actions.append({"type": kind, "id": number} | ({"action_id": int(target)} if target else {}))
    return actions


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a b c", "a b c"),
        ("a b undo", "a"),
        ("a b undo undo", ""),
        ("a undo undo", ""),
        ("a b undo redo", "a b"),
        ("a b c undo undo redo", "a b"),
        ("a b c undo undo redo redo", "a b c"),
        ("a b undo c", "a c"),
        ("a b c d undo:2", "a b"),
        ("a b c d undo:2 redo", "a b c d"),
        ("a b c undo:0", ""),
        ("a b c undo:0 redo undo", "a b"),
        ("a message undo", "message"),
        ("a b message undo", "a message"),
        ("a b undo message redo", "a b message"),
        ("a b message c undo:1", "a message"),
    ],
)
def test_undo_and_redo_in_file_order(text: str, left: str) -> None:
    assert " ".join(action["type"] for action in effective_actions(history(text))) == left


@pytest.mark.parametrize("text", ["redo", "a undo b redo", "a undo:7"])
def test_an_undo_that_fits_nothing_is_a_bad_file(text: str) -> None:
    with pytest.raises(InvalidLog):
        effective_actions(history(text))


def test_ids_may_be_out_of_order() -> None:
    actions = [{"type": name, "id": number} for name, number in (("a", 5), ("b", 2), ("c", 9))]
    left = effective_actions([*actions, {"type": "undo", "id": 10, "action_id": 5}])
    assert [action["type"] for action in left] == ["a"]


def test_auto_actions_follow_their_action() -> None:
    more = {"type": "pass", "entity": 1, "entity_type": "player"}
    action = {"type": "program_share_pass", "id": 1, "auto_actions": [more]}
    assert flatten_action(action) == [action, more]
    with pytest.raises(InvalidLog):
        flatten_action({"type": "pass", "id": 1, "auto_actions": [7]})


@pytest.mark.parametrize("more", [None, True, 7, 1e308, "²", ["²"], [7], {"type": "pass"}])
@pytest.mark.parametrize("title", ["1848", "1830"])
def test_automatic_actions_that_are_none_are_refused_with_a_sentence(title: str, more: object) -> None:
    action = {"type": "bid", "entity_type": "company", "id": 1, "company": "P1", "price": 5, "auto_actions": more}
    players = [{"id": number, "name": name} for number, name in enumerate(("Ann", "Bob", "Cid"), 1)]
    file = {"id": 1, "title": title, "players": players, "actions": [action]}
    with pytest.raises(IllegalMove):
        read_file(json.dumps(file).encode())


# -- files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"title": None}, "title"),
        ({"players": "Ann"}, "players"),
        ({"players": [{"id": []}]}, "players[0]"),
        ({"players": [{"nom": "Ann"}]}, "neither id nor name"),
        ({"players": [{"id": 1}, {"id": 1}]}, "same id"),
        ({"actions": {}}, "actions"),
        ({"actions": [{"id": 1}]}, "action 1 has no type"),
        ({"actions": [{"type": "message"}] * (MOST_ACTIONS + 1)}, "limit"),
        ({"result": {"1": "much"}}, "result"),
    ],
)
def test_a_file_of_another_shape_is_refused_by_the_place(change: dict[str, Any], named: str) -> None:
    data = {"title": "1848", "players": [{"id": 1}, {"id": 2}, {"id": 3}], "actions": []}
    with pytest.raises(InvalidLog) as refused:
        read_log(data | change)
    assert named in str(refused.value)


def test_the_seed_is_the_stored_one_or_the_first_digits_of_the_id() -> None:
    data = {"title": "1848", "players": [], "actions": [], "id": "hs_abc_1692_7"}
    assert read_log(data).seed == 1692
    assert read_log(data | {"settings": {"seed": 5}}).seed == 5
    assert read_log(data | {"id": "none"}).seed == 0


def test_the_name_of_a_player_without_an_id_stands_for_it() -> None:
    data = {"title": "1848", "players": [{"name": "Ann"}, {"id": 0, "name": "Bob"}], "actions": []}
    assert read_log(data).players == (("Ann", "Ann"), ("0", "Bob"))
    with pytest.raises(InvalidLog, match="a player has neither id nor name"):
        read_log(data | {"players": [{"name": "Ann"}, {}]})


def test_totals_by_name_and_a_seed_in_words_are_read() -> None:
    players = [{"id": 5, "name": "Ann"}, {"id": "x", "name": "Bob"}]
    data = {"title": "1848", "players": players, "actions": [], "result": {"Ann": 10, "x": 20.0}}
    log = read_log(data | {"settings": {"seed": "12"}, "status": "archived"})
    assert (log.result, log.seed, log.is_finished) == ({"5": 10, "x": 20}, 12, True)
    assert read_log(data | {"result": [], "status": "archived"}).is_finished is False
    with pytest.raises(InvalidLog, match="result"):
        read_log(data | {"result": [5]})


@pytest.mark.parametrize(
    ("players", "rules", "scenario"),
    [
        (2, [], "2 north-south"),
        (2, ["two_player_ew"], "2 east-west"),
        (4, ["four_player_alt", "two_player_ew"], "4 alternative"),
        (6, ["four_player_alt"], "6"),
    ],
)
def test_optional_rules_choose_the_scenario_and_come_back(players: int, rules: list[str], scenario: str) -> None:
    title, dialect = TITLES["18GB"], DIALECTS["18GB"]
    seats = [{"id": number, "name": f"P{number}"} for number in range(players)]
    data = {"title": "18GB", "players": seats, "actions": [], "settings": {"optional_rules": rules}, "status": "active"}
    runner = LogReplay(title, dialect, read_log(data))
    assert runner.game.state.special.scenario == scenario
    assert runner.remarks() == []
    assert sorted(
        export_log(title, dialect, build_game_record(runner.game, ()))["settings"]["optional_rules"]
    ) == sorted(rules)


def test_an_optional_rule_that_is_not_known_is_said_and_passed_over(finished: Any) -> None:
    data = deepcopy(finished)
    del data["settings"]["signalbox_options"]
    data["settings"]["optional_rules"] = ["moon_railways"]
    (remark,) = replay(data).remarks()
    assert "moon_railways" in remark


BROKEN = [
    {"type": "lay_tile", "entity": "CAR", "entity_type": "corporation", "hex": "E4", "tile": [], "rotation": 0},
    {"type": "lay_tile", "entity": "CAR", "entity_type": "corporation", "tile": "57-0", "rotation": 0},
    {"type": "lay_tile", "entity": "CAR", "entity_type": "corporation", "hex": "E4", "tile": "57-0", "rotation": "x"},
    {"type": "bid", "entity": 77, "entity_type": "player", "company": "P1", "price": 30},
    {"type": "bid", "entity": 0, "entity_type": "player", "company": "P1", "price": None},
    {"type": "bid", "entity_type": "player", "company": "P1", "price": 30},
    {"type": "dance", "entity": 0, "entity_type": "player"},
    {"type": "sell_shares", "entity": 0, "entity_type": "player", "shares": [], "percent": 10},
    {"type": "buy_train", "entity": "CAR", "entity_type": "corporation", "train": "99-9", "price": 1},
    {
        "type": "run_routes",
        "entity": "CAR",
        "entity_type": "corporation",
        "routes": [{"train": "2-0", "nodes": ["Z9-0"]}],
    },
]


@pytest.mark.parametrize("action", BROKEN)
def test_an_action_that_cannot_be_followed_is_named(action: dict[str, Any], finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"].insert(2, action | {"id": 777})
    with pytest.raises((InvalidLog, Divergence)) as refused:
        replay(data).run()
    assert "action 3 (id 777" in str(refused.value)


# -- following ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
@pytest.mark.parametrize("seed", few(range(len(TEMPERS)), 0))
def test_an_exported_random_game_reads_back_to_the_same_moves(seed: int, rules: str) -> None:
    players, options = 3 + seed % 4, {"rules": rules}
    moves = random_moves(players, seed, options)
    for cut in (moves, moves[: len(moves) // (2 + seed)]):
        runner = replay(exported(players, seed, options, cut))
        runner.run()
        runner.look_ahead()
        assert [format_action(action) for action in runner.taken] == cut
        assert runner.game.encode() == played(players, seed, options, cut).encode()
        assert runner.notes == []


def test_ids_are_like_theirs(finished: Any) -> None:
    by_kind: dict[str, dict[str, Any]] = {}
    for action in finished["actions"]:
        by_kind.setdefault(action["type"], action)
    assert by_kind["lay_tile"]["tile"].endswith("-0")
    assert by_kind["buy_shares"]["shares"][0].rsplit("_", 1)[0] in TITLE.companies
    assert by_kind["par"]["share_price"] in {"100,1,5", "90,2,5", "80,3,5", "70,4,5"}
    assert by_kind["run_routes"]["routes"][0]["nodes"][0].rsplit("-", 1)[0] in TITLE.land.map.hexes
    assert {action["entity_type"] for action in finished["actions"]} <= {"player", "corporation", "company"}
    assert [action["id"] for action in finished["actions"]] == list(range(1, len(finished["actions"]) + 1))
    assert finished["game_end_reason"]
    assert finished["status"] == "finished"


def test_passes_that_their_engine_takes_silently_are_put_in(finished: Any) -> None:
    """Theirs writes no pass where a company or player can do nothing; company passes say nothing to us."""
    data = deepcopy(finished)
    del data["settings"]["signalbox_options"]
    data["actions"] = [a for a in data["actions"] if a["type"] != "pass" or a["entity_type"] == "player"]
    runner = replay(data)
    runner.run()
    assert runner.game.state.finished


def test_a_run_of_nothing_and_the_dividend_of_nothing_say_nothing_where_nobody_was_asked(finished: Any) -> None:
    data = deepcopy(finished)
    del data["settings"]["signalbox_options"]
    place = next(place for place, action in enumerate(data["actions"]) if action["type"] == "buy_train")
    by = {"entity": data["actions"][place]["entity"], "entity_type": "corporation"}
    data["actions"][place:place] = [
        by | {"type": "run_routes", "routes": [], "id": 901},
        by | {"type": "dividend", "kind": "withhold", "id": 902},
    ]
    assert replay(data).run().state.finished


def test_a_wrong_result_is_a_divergence_with_both_figures(finished: Any) -> None:
    data = deepcopy(finished)
    data["result"]["1"] += 1
    with pytest.raises(Divergence) as found:
        replay(data).run()
    assert found.value.what == "result of player 1"
    assert found.value.expected == found.value.actual + 1


def test_the_number_of_the_round_that_an_older_engine_counted_says_nothing_once_the_game_is_over(finished: Any) -> None:
    data = finished | {"turn": finished["turn"] - 1}
    runner = replay(data)
    for _ in runner.steps():
        pass
    runner.check_result()


def test_a_game_that_stops_early_but_says_it_is_over_diverges(finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"] = data["actions"][:50]
    with pytest.raises(Divergence):
        replay(data).run()


def test_a_game_ended_by_hand_is_scored_as_it_stands(finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"] = data["actions"][:60]
    game = replay(data)
    for _ in game.steps():
        pass
    worth = [TITLE.rules.worth(game.game, player.id) for player in game.game.state.players]
    data["actions"].append({"type": "end_game", "id": 61, "entity": 0, "entity_type": "player"})
    data |= {"result": {str(number): total for number, total in enumerate(worth)}, "round": None, "turn": None}
    assert not replay(data).run().state.finished


def test_a_paid_revenue_that_is_not_ours_is_kept_and_noted(finished: Any) -> None:
    data = deepcopy(finished)
    runs = [place for place, action in enumerate(data["actions"]) if action["type"] == "run_routes"]
    place = next(place for place in runs if data["actions"][place]["routes"][0]["revenue"] > 0)
    data["actions"] = data["actions"][: place + 1]
    data["actions"][place]["extra_revenue"] = 10
    data |= {"status": "active", "acting": [], "round": None, "turn": None}
    runner = replay(data)
    runner.run()
    (note,) = runner.notes
    assert (note.number, note.paid - note.computed) == (place + 1, 10)
    assert getattr(runner.game.frame.memory, "revenue", None) == note.paid
    assert "its routes earn" in str(note)


@pytest.fixture(scope="module")
def of_old() -> tuple[Any, Any]:
    """A whole random game, and the same as the oldest files have it: routes name the spaces of their stops alone."""
    now = exported(3, 5, THEIRS, random_moves(3, 5, THEIRS))
    then = deepcopy(now)
    for action in then["actions"]:
        action.pop("signalbox", None)
        action["routes"] = [
            {name: route[name] for name in ("train", "hexes", "revenue")} for route in action.get("routes", ())
        ]
    return now, then


def test_routes_of_old_files_are_read_from_their_spaces(of_old: tuple[Any, Any]) -> None:
    now, then = map(replay, of_old)
    assert now.run().state.cash == then.run().state.cash and then.game.state.finished
    assert sum(" run " in move and ">" in move for move in then.moves) > 50


@pytest.mark.parametrize("spaces", [["A1", "B2"], []])
def test_a_route_of_an_old_file_that_cannot_be_read_is_told_at_its_action(
    of_old: tuple[Any, Any], spaces: list[str]
) -> None:
    data = deepcopy(of_old[1])
    place = next(place for place, action in enumerate(data["actions"]) if action["routes"])
    data["actions"][place]["routes"][0]["hexes"] = spaces
    with pytest.raises(InvalidLog, match=f"^action {place + 1} .*(look the same|has no way)"):
        replay(data).run()


def test_messages_and_programs_say_nothing(finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"].insert(5, {"type": "message", "id": 900, "message": "hello"})
    data["actions"].insert(9, {"type": "program_buy_shares", "id": 901, "entity": 0, "entity_type": "player"})
    assert replay(data).run().state.finished


# -- traces -------------------------------------------------------------------------------------------


def test_merge_patches() -> None:
    state = {"a": 1, "b": {"c": 2, "d": [1, 2]}}
    assert merge(state, {"a": None, "b": {"c": None, "d": [3]}, "e": {"f": 4}}) == {"b": {"d": [3]}, "e": {"f": 4}}


ROUNDS = {"auction": "Auction", "stock": "Stock", "operating": "Operating"}


def trace(data: Any, upto: int) -> Iterator[dict[str, Any]]:
    """A trace of the auction as our own engine would write it."""
    runner = replay(data)

    def state() -> dict[str, Any]:
        now = runner.game.state.round
        found = snapshot(runner.game, runner.names, DIALECT)
        found["round"] = {"name": ROUNDS[now.kind], "turn": now.number, "num": now.part, "entity": "0"}
        return json.loads(json.dumps(found))

    yield {"initial": state()}
    for step in runner.steps(upto):
        yield {"i": step.number, "id": step.raw["id"], "d": state()}


def test_a_trace_is_compared_state_by_state(finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"] = data["actions"][:12]
    data |= {"status": "active", "result": {}}
    lines = list(trace(data, 12))
    assert compare(replay(data), lines) == 12
    lines[5]["d"]["players"]["1"]["cash"] += 5
    with pytest.raises(Divergence) as found:
        compare(replay(data), lines)
    assert found.value.number == 5
    assert "players.1.cash" in found.value.what
    assert found.value.expected == found.value.actual + 5


def test_a_trace_of_another_game_is_refused(finished: Any) -> None:
    data = deepcopy(finished)
    data["actions"] = data["actions"][:12]
    lines = list(trace(data, 12))
    for wrong in (lines[:-1], [*lines, lines[-1]], [{}], [], [lines[0], {"id": 99, "d": {}}]):
        with pytest.raises(InvalidLog):
            compare(replay(data), wrong)
    lines[4] |= {"full": {"phase": "7"}}
    with pytest.raises(InvalidLog, match="contradicts"):
        compare(replay(data), lines)


def test_a_stored_game_with_an_unknown_action_is_named(finished: Any, tmp_path: Path) -> None:
    game = deepcopy(finished)
    game["actions"].insert(2, {"type": "dance", "entity": 1, "entity_type": "player", "id": 777})
    file = tmp_path / "stored.json"
    file.write_text(json.dumps(game))
    assert difference_of(file).startswith("stored.json: ") and "unknown action dance" in difference_of(file)


def test_known_differences_name_steps_as_they_are_called() -> None:
    named = 0
    for title, folder in title_folders().items():
        steps = {step.name for step in TITLES[title].steps()}
        for known in folder.record.peer.differences if folder.record.peer else ():
            for words in re.findall(r"; here ([a-z ,'-]+)", known.pattern):
                assert any(name.startswith(words.strip()) for name in steps), (title, words)
                named += 1
    assert named > 2
