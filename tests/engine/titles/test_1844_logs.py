"""1844 in the form of 18xx.games: random games go there and come back, and what no stored game contains is followed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.actions import Action
from bot.engine.game import Game
from bot.engine.logs18xx import Divergence, Replay, read_log
from bot.engine.logs18xx.export import export_log
from bot.engine.selfplay import RandomGame
from bot.engine.text import text_of
from bot.engine.title import Step
from bot.engine.titles.registry import DIALECTS
from bot.engine.titles.t1844.actions import DeclareBankruptcy
from bot.engine.titles.t1844.special import special

from .switzerland import ANN, BOB, NAMES, TITLE, company, private

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
            table.texts.append(text_of(way_out))
            game.apply(way_out)
    return table


def bankruptcy(game: Game, step: Step) -> Action | None:
    """Giving up, where that is open."""
    return next(iter(step.options(game)), None) if step.verbs == (DeclareBankruptcy,) else None


def exported(game: Game, moves: list[str]) -> Any:
    """The game in the form of 18xx.games, as it comes back from a file."""
    own = {
        "players": [player.name for player in game.state.players],
        "options": dict(game.state.options),
        "seed": game.state.seed,
        "moves": moves,
        "result": {player.name: TITLE.rules.worth(game, player.id) for player in game.state.players},
    }
    return json.loads(json.dumps(export_log(TITLE, DIALECT, own)))


def as_theirs(data: Any) -> Any:
    """The same as their engine would have written it: nothing of ours is in it, and company passes say nothing."""
    settings = {name: value for name, value in data["settings"].items() if name != "signalbox_options"}
    return {**data, "settings": settings}


def written(*actions: dict[str, Any], players: int = 3) -> Replay:
    """A replay of a file of theirs with these actions."""
    numbered = [{"id": number, **action} for number, action in enumerate(actions, 1)]
    people = [{"id": number, "name": name} for number, name in enumerate(NAMES[:players])]
    data = {"title": "1844", "players": people, "actions": numbered, "status": "active", "settings": {"seed": 1}}
    return Replay(TITLE, DIALECT, read_log(data))


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
    runner = Replay(TITLE, DIALECT, read_log(exported(table.game, table.texts)))
    runner.run()
    runner.look_ahead()
    assert [text_of(action) for action in runner.taken] == table.texts
    assert runner.game.encode() == table.game.encode()
    assert runner.notes == []


def test_a_file_of_theirs_is_followed_to_the_bankruptcy(bankrupt: RandomGame) -> None:
    data = exported(bankrupt.game, bankrupt.texts)
    assert (data["status"], data["game_end_reason"]) == ("finished", "bankrupt")
    runner = Replay(TITLE, DIALECT, read_log(as_theirs(data)))
    assert runner.run().encode() == bankrupt.game.encode()
    loser = special(runner.game).bankrupt
    assert loser is not None and runner.game.state.cash[loser] == 0
    runner.log.result["0"] += 1  # type: ignore[index]
    with pytest.raises(Divergence, match="result"):
        runner.check_result()


def test_players_who_cannot_bid_on_say_nothing_in_the_file() -> None:
    with pytest.raises(Divergence, match="You have"):
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
    assert game.asked() == (BOB,)
