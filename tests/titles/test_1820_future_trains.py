"""1820 §6.4: future trains that the supply lacks, and turns that wait for one."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, REMOVED, as_company
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import LayTile
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t1820.actions import AssignTrain
from bot.titles.t1820.state import OpenCry
from bot.titles.t1820.stock.future_trains import begin_future_trains
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    company,
    floated,
    give_trains,
    in_turn,
    lay,
    memory,
    new_game,
    price,
    reach_phase,
    refused,
)
from tests.titles.positions import act, token

FIRST = OLDER_VERSIONS["1820", 1]


# -- §6.4.1 -------------------------------------------------------------------------------------------


def auction(number: int, *missing: str) -> Game:
    """The auction of this stock round, when the supply has no card of these kinds."""
    game = new_game(2)
    for train in game.state.trains:
        if train.kind in missing:
            rearrange(game, train, owner=REMOVED)
    game.state.round.kind, game.state.round.number = "stock", number
    game.state.flow = []
    game.push("game")
    game.frame.at = 2
    begin_future_trains(game)
    return game


def test_6_4_1_what_the_supply_lacks_is_not_sold_and_that_is_said() -> None:
    game = auction(3, "5D+")
    assert game.frame.plan == "game" and memory(game).auction is None
    assert told(game, game.events) == ["The supply has no 5D+ left, so none can be sold as a future train."]
    game = auction(2, "5+")
    assert memory(game).auction == OpenCry("future", ["8+"], least=20)
    act(game, "@1 bid 8+ 20", "@2 pass", "@1 take 8+")
    assert [train.kind for train in game.state.trains_of(ANN)] == ["8+"]
    game = auction(2, "5+", "8+")
    assert told(game, game.events) == ["The supply has no 5+ and 8+ left, so none can be sold as a future train."]


@pytest.mark.parametrize("number", [0, 4])
def test_6_4_1_in_other_rounds_nothing_is_sold_or_said(number: int) -> None:
    game = auction(number, "5D+")
    assert game.frame.plan == "game" and not game.events


def test_6_4_1_a_game_that_was_saved_in_the_auction_of_a_missing_train_goes_on() -> None:
    game = auction(3)
    for train in game.state.trains:
        if train.kind == "5D+":
            rearrange(game, train, owner=REMOVED)
    act(game, "@1 bid 5D+ 20", "@2 pass")
    refused(game, "@1 take 5D+", "no 5D\\+ train left", "§6.4.1")
    act(game, "@1 decline", "@2 pass")
    assert game.frame.plan != "future trains" and memory(game).auction is None


# -- §6.4.3 -------------------------------------------------------------------------------------------


def without_anything_to_build(holder: str = ANN, kind: str = "2+") -> Game:
    """LSR has a line, neither train nor station nor money; the holder has a future train."""
    game = new_game(2)
    reach_phase(game, "green")
    floated(game, "LSR", held={"@1": 2, "@2": 1}, money=0, stations=0, loans=3)
    lay(game, "G7", "150", 1)
    lay(game, "G9", "9", 1)
    lay(game, "G11", "57", 1)
    token(game, "LSR", "G7")
    give_trains(game, holder, kind)
    return game


def test_6_4_3_a_turn_waits_before_the_run_when_no_station_can_be_placed() -> None:
    game = in_turn(without_anything_to_build(kind="3+"), step="station")
    assert price(game) == 65
    assert str(question(game)).endswith("assign a future train before the run or pass.")
    refused(game, "LSR buy 3+ for 200", "after its run", "§7.2")
    refused(game, "LSR contribute 10", "after its run", "§7.2")
    refused(game, "LSR discard 3+", "after its run", "§7.2")
    act(game, "LSR assign 3+ from @1")
    assert game.step is not None and game.step.name == "run trains"
    act(game, "LSR run 3+-0=G7.c0>G9>G11.c0", "LSR withhold")
    assert price(game) == 60


def test_6_4_3_a_company_is_no_holder_of_future_trains() -> None:
    game = in_turn(without_anything_to_build(kind="3+"), step="station")
    floated(game, "LUR", held={"@2": 2})
    give_trains(game, "LUR", "3+")
    with pytest.raises(IllegalMove) as refusal:
        game.apply(AssignTrain(as_company("LSR"), "3+", as_company("LUR")))
    assert (refusal.value.sentence, refusal.value.rule) == ("LUR has no future 3+ train.", "1820 §6.4.3")


def test_6_4_3_a_turn_waits_for_the_future_train_of_another_player() -> None:
    game = in_turn(without_anything_to_build(BOB, "3+"), step="station")
    act(game, "LSR assign 3+ from @2", "@2 refuse", "LSR pass")
    # Without a train the price falls two spaces; then the assignment is offered once more.
    assert price(game) == 55 and game.frame.at == 9
    act(game, "LSR assign 3+ from @2", "@2 agree")
    assert [train.kind for train in game.state.trains_of("LSR")] == ["3+"]


def test_6_4_3_a_turn_waits_after_the_last_tile() -> None:
    game = in_turn(without_anything_to_build(kind="3+"), step="track")
    for _ in range(2):
        assert game.frame.at == 1
        game.apply(next(move for move in game.legal_actions() if isinstance(move, LayTile)))
    assert game.frame.at == 3 and price(game) == 65


@pytest.mark.parametrize("kind", ["5+", "FLOOD"])
def test_6_4_3_no_turn_waits_for_a_train_that_is_not_available(kind: str) -> None:
    game = in_turn(without_anything_to_build(kind=kind), step="station")
    assert price(game) == 55


def test_6_4_3_a_game_begun_by_the_first_edition_does_not_wait() -> None:
    game = in_turn(without_anything_to_build(kind="3+"), step="station")
    first = Game.decode(FIRST, game.encode())
    first.advance()
    assert price(first) == 55 and first.frame.at == 9
    first = Game.decode(FIRST, in_turn(without_anything_to_build(kind="3+"), step="station").encode())
    first.frame.at = 9
    act(first, "LSR assign 3+ from @1")
    assert company(first).floated and not any(train.owner == DEPOT for train in first.state.trains_of("LSR"))
