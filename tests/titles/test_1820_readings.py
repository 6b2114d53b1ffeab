"""1820: options, and readings where the text leaves a choice (docs/titles/1820.md)."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.titles.registry import OLDER_VERSIONS, TITLES
from bot.titles.t1820.components import COUSINS
from bot.titles.t1820.operations.turn import idle_turn
from tests.message_helpers import told
from tests.titles.builders_1820 import (
    ANN,
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
from tests.titles.positions import act, cash, set_cash, token

TITLE, FIRST = TITLES["1820"], OLDER_VERSIONS["1820", 1]
RUN = "LSR run 2+-0=G7.c0>G9>G11.c0"


def line(game: Game) -> Game:
    """Birmingham (30) with LSR's station, joined to a small city (20)."""
    lay(game, "G7", "150", 1)
    lay(game, "G9", "9", 1)
    lay(game, "G11", "57", 1)
    token(game, "LSR", "G7")
    return game


# -- §7.2.4, §16.2.3: option `withheld` ---------------------------------------------------------------


@pytest.mark.parametrize(("option", "word", "after"), [
    ("falls", "withhold", 60), ("stays", "withhold", 65), ("falls", "pay", 60), ("stays", "pay", 60),
])  # fmt: skip
def test_16_2_3_whether_a_price_falls_when_revenue_is_withheld_is_an_option(option: str, word: str, after: int) -> None:
    game = line(new_game(withheld=option))
    floated(game, "LSR", at=65, money=0)
    in_turn(game, step="run", trains=["2+"])
    act(game, RUN, f"LSR {word}")
    assert price(game) == after


def test_16_2_3_a_company_of_a_cousin_withholds_and_stays_by_option() -> None:
    for option, after in (("falls", 60), ("stays", 65)):
        game = line(new_game(cousins=["VF"], withheld=option))
        floated(game, "LSR", held={"@1": 1, "VF": 2}, director="VF")
        in_turn(game, step="run", trains=["2+"])
        idle_turn(game)
        assert (price(game), cash(game, "LSR")) == (after, 550)


@pytest.mark.parametrize("option", ["falls", "stays"])
def test_16_2_3_who_earns_nothing_falls_by_either_option(option: str) -> None:
    game = new_game(withheld=option)
    floated(game, "LSR", at=65, stations=0)
    assert price(in_turn(game, step="run")) == 55
    game = new_game(withheld=option)
    floated(game, "LSR", at=65, stations=0)
    assert price(in_turn(game, step="run", trains=["2+"])) == 60


def test_16_2_3_a_game_without_the_option_is_played_by_the_default() -> None:
    game = line(new_game())
    del game.state.options["withheld"], game.state.options["stock_round_fall"]
    floated(game, "LSR", at=65, money=0)
    in_turn(game, step="run", trains=["2+"])
    act(game, RUN, "LSR withhold")
    assert price(game) == 60
    assert set(Game.new(FIRST, ["Ann", "Bob"]).state.options) == {"stock_round_fall"}


# -- §4: option `cousins` -----------------------------------------------------------------------------


def test_4_by_option_only_cousins_of_120_are_in_the_game() -> None:
    found = set()
    for seed in range(12):
        game = Game.new(TITLE, ["Ann", "Bob"], {"cousins": "120"}, seed)
        assert len(game.state.privates) == 4
        found |= set(game.state.privates)
    assert found == {"GWS", "CBV", "BI", "JL", "VF"} and {COUSINS[cousin].price for cousin in found} == {120}


def test_4_without_the_option_the_lot_is_the_one_of_the_first_edition() -> None:
    for seed in range(12):
        game, first = (Game.new(title, ["Ann", "Bob"], {}, seed) for title in (TITLE, FIRST))
        assert list(game.state.privates) == list(first.state.privates) and game.state.order == first.state.order


# -- §7.2.7: freely given help ------------------------------------------------------------------------


def buying(money: int = 500, trains: tuple[str, ...] = (), **more: int) -> Game:
    """LSR buys trains in the blue phase: a 5+ costs 400; N&PR has a 3+ (fair: 150)."""
    game = new_game()
    floated(game, "LSR", money=money, **more)
    floated(game, "N&PR", held={"@2": 2})
    give_trains(game, "N&PR", "3+")
    give_trains(game, "LSR", *trains)
    reach_phase(game, "blue")
    return in_turn(game, step="trains")


def test_7_2_7_a_director_may_pay_more_of_a_train_than_the_treasury_lacks() -> None:
    game = buying()
    assert "LSR contribute 400" in [
        f"{move.by} contribute {getattr(move, 'amount', '')}" for move in game.legal_actions()
    ]
    events = act(game, "LSR contribute 300")
    assert told(game, events) == ["Ann will pay £300 of LSR's next train."]
    refused(game, "LSR contribute 300", "promised already", "§7.2.7")
    events = act(game, "LSR buy 5+ for 400")
    assert (cash(game, "LSR"), cash(game, ANN)) == (400, 700) and "Ann gives LSR £300 for a train." in told(
        game, events
    )
    # The promise was for one train; with it the company has one and is helped no more.
    assert memory(game).promised == 0


def test_7_2_7_what_is_promised_is_no_more_than_the_price_and_no_less_than_what_is_lacking() -> None:
    game = buying(money=500)
    act(game, "LSR contribute 1000", "LSR buy 5+ for 400")
    assert (cash(game, "LSR"), cash(game, ANN)) == (500, 600)
    game = buying(money=50)
    act(game, "LSR contribute 100", "LSR buy 5+ for 400")
    assert (cash(game, "LSR"), cash(game, ANN)) == (0, 650)


def test_7_2_7_a_promise_is_taken_back_and_ends_with_the_turn() -> None:
    game = buying()
    act(game, "LSR contribute 400")
    events = act(game, "LSR contribute 0")
    assert told(game, events) == ["Ann may only add what LSR's treasury lacks for its next train."]
    act(game, "LSR buy 5+ for 400")
    assert (cash(game, "LSR"), cash(game, ANN)) == (100, 1000)
    game = buying()
    act(game, "LSR contribute 400")
    in_turn(game, "N&PR")
    game.frame.at = 0
    game.advance()
    assert memory(game).promised == 0


def test_7_2_7_who_may_promise_what() -> None:
    game = buying()
    refused(game, "LSR contribute 1001", "Ann has £1000", "§7.2.7")
    refused(buying(trains=("3+",)), "LSR contribute 10", "may not pay for its trains", "§7.2.7")
    game = new_game()
    floated(game, "LSR", shares=1)
    in_turn(game, step="trains")
    refused(game, "LSR contribute 10", "LSR is a private company: its money belongs to its", "§13.2")


def test_7_2_7_with_promised_help_another_companys_train_costs_the_fair_price_at_most() -> None:
    game = buying()
    act(game, "LSR contribute 1")
    refused(game, "LSR buy 3+ from N&PR for 151", "£150 at most", "§7.2.7")
    act(game, "LSR contribute 0", "LSR buy 3+ from N&PR for 151", "@2 refuse", "LSR contribute 60")
    act(game, "LSR buy 3+ from N&PR for 150", "@2 agree")
    assert (cash(game, "LSR"), cash(game, "N&PR"), cash(game, ANN)) == (410, 650, 940)


def test_7_2_7_a_promise_alone_keeps_no_step_open() -> None:
    # Nothing to buy it with: Ann's money and the treasury's do not suffice for a 5+, and N&PR has nothing to sell.
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, money=100, loans=1)
    set_cash(game, ANN, 200)
    reach_phase(game, "blue")
    assert price(in_turn(game, step="trains")) == 10


# -- §7.2.9, §15.1: no way out of liquidation ---------------------------------------------------------


def indebted(step: str, *trains: str) -> Game:
    """LSR with two loans, in the green column where a 3+ costs £25."""
    game = new_game()
    reach_phase(game, "green")
    memory(game).column = 4
    floated(game, "LSR", held={"@1": 2, "@2": 1}, money=1000, loans=2)
    return in_turn(game, step=step, trains=trains)


def test_15_1_who_neglects_maintenance_repays_no_loans_and_is_liquidated() -> None:
    game = indebted("maintenance", "3+")
    act(game, "LSR neglect", "LSR pass")
    assert game.step is not None and game.step.name.startswith("pay interest")
    act(game, "LSR cover")
    assert price(game) == 10 and game.frame.plan != "company turn"
    game = indebted("maintenance", "3+")
    act(game, "LSR neglect", "LSR pass")
    game.frame.at = 12
    refused(game, "LSR repay 1", "LSR is liquidated this round; its loans are repaid then", "§15.1")


def test_15_1_who_ends_its_turn_without_a_train_repays_no_loans() -> None:
    game = indebted("trains")
    act(game, "LSR pass", "LSR cover")
    assert price(game) == 10 and game.frame.plan != "company turn"


def test_7_2_9_who_was_in_liquidation_before_its_turn_may_repay_its_way_out() -> None:
    game = indebted("interest", "3+")
    place_marker(game, "LSR", (0, 0))
    act(game, "LSR cover", "LSR repay 2")
    assert price(game) == 43


def test_7_2_9_by_the_first_edition_repaying_saved_a_company() -> None:
    game = Game.decode(FIRST, indebted("maintenance", "3+").encode())
    act(game, "LSR neglect", "LSR pass", "LSR cover", "LSR repay 2")
    assert price(game) == 43


# -- §12.3.3.2 against §14.4.2 ------------------------------------------------------------------------


def test_14_4_2_gas_light_makes_grimsby_big_beside_a_big_hull() -> None:
    game = new_game(cousins=["GLCC"])
    reach_phase(game, "green")
    floated(game, "LSR", held={"@1": 2, "GLCC": 1})
    token(game, "LSR", "D16")
    lay(game, "C15", "150", 0)
    lay(game, "D16", "57", 0)
    in_turn(game)
    upgrades = [move for move in game.legal_actions() if getattr(move, "hex", "") == "D16" and move.using == "GLCC"]
    assert upgrades
    game.apply(upgrades[0])
    assert cash(game, "GLCC") > 0
