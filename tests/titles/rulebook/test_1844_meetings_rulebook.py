"""1844 where two of its rules meet: targets and phases, the pool and downgrades, the SBB and what was there before."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import OperatingRoundMemory
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import (
    TOKEN,
    TRAINS,
    home,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
    tunnel,
)
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash

GSTAAD = (("57", "I6", 1), ("9", "I8", 1), ("58", "I10", 1), ("57", "H13", 1))
"""Of Montreux's line to Thun one tile is missing."""


def kinds(game: Game, owner: str) -> list[str]:
    """The owner's locomotives."""
    return sorted(train.kind for train in game.state.trains_of(Owner(owner)))


# -- targets ------------------------------------------------------------------------------------------


def montreux(phase: str, money: int) -> Game:
    """MOB, long launched, builds the last tile to its target, which costs 60."""
    game = new_game()
    sell_privates(game)
    started(game, "MOB", {"@1": 3}, par=80, cash=money)
    lay(game, *GSTAAD)
    reach_phase(game, phase)
    return operating(game, "MOB")


def test_viii_and_xx_launched_before_the_first_6_it_is_paid_at_its_target_after_it() -> None:
    game = montreux("6", 60)
    act(game, "MOB lay 8 H11 4")
    assert cash(game, "MOB") == 400


def test_viii_and_xiv_the_tile_that_reaches_the_target_is_paid_before() -> None:
    refused(montreux("3", 59), "MOB lay 8 H11 4", "XIV")


def test_viii_a_gotthard_tunnel_that_was_there_pays_the_gotthardbahn_when_it_is_launched() -> None:
    game = new_game()
    sell_privates(game)
    tunnel(game, "T1", "@2", "X79", "H19", 2)
    stock_round(game)
    act(game, "@1 par GB 70", "@2 pass", "@3 pass", "@1 pass")
    assert cash(game, "GB") == 280


# -- one turn -----------------------------------------------------------------------------------------


def test_v_vii_and_xiv_p2_a_tunnel_and_the_usual_tile_in_one_turn() -> None:
    game = new_game()
    sell_privates(game, {"P2": "@1", "T1": "@1"})
    started(game, "GB", {"@1": 1}, cash=500)
    lay(game, ("57", "G18", 2))
    reach_phase(game, "3")
    operating(game, "GB")
    act(game, "GB lay X79 H19 2 with T1", "GB lay 6 F17 5", "GB lay 9 I20 2 with P2")
    assert {"H19", "F17", "I20"} <= set(game.state.board.tiles)


# -- the pool -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "phase", "before", "lay_there", "left"),
    [("6", "6", "5", ["3H", "4"], ["4H"]), ("8E", "7", "6", ["4H", "5"], ["5H"]), ("4", "4", "3", ["2H", "3"], ["3H"])],
)
def test_xx_locomotives_in_the_pool_are_scrapped_and_become_h_too(
    first: str, phase: str, before: str, lay_there: list[str], left: list[str]
) -> None:
    game = new_game()
    reach_phase(game, phase)
    game.state.phase = before
    started(game, "BLS", {"@1": 3}, cash=2000)
    operating(game, "BLS", step=TRAINS)
    for kind in lay_there:
        rearrange(game, give_train(game, "BLS", kind), owner=Owner(POOL))
    act(game, f"BLS buy {first} for {game.title.trains[first].price}")
    assert kinds(game, POOL) == left


@pytest.mark.parametrize(("kind", "price", "may"), [("4", 300, False), ("4H", 260, True)])
def test_x_a_regional_company_takes_h_locomotives_alone_from_the_pool_too(kind: str, price: int, may: bool) -> None:
    game = new_game()
    reach_phase(game, "5")
    started(game, "JN", {"@1": 1}, cash=1000)
    operating(game, "JN", step=TRAINS)
    rearrange(game, give_train(game, "JN", kind), owner=Owner(POOL))
    if may:
        act(game, f"JN buy {kind} from pool for {price}")
        assert kinds(game, "JN") == ["4H"]
    else:
        refused(game, f"JN buy {kind} from pool for {price}", "")


def test_xvii_the_director_may_help_to_a_locomotive_of_the_pool_and_owes_the_rest() -> None:
    game = new_game()
    reach_phase(game, "4")
    started(game, "BLS", {"@1": 3}, cash=40)
    lay(game, ("57", "F11", 2), ("57", "G12", 2))
    set_cash(game, "@1", 9)
    operating(game, "BLS", step=TRAINS)
    rearrange(game, give_train(game, "BLS", "3H"), owner=Owner(POOL))
    act(game, "BLS buy 3H from pool for 150")
    assert (cash(game, "BLS"), cash(game, "@1"), sum(game.state.special.debts.values())) == (0, 0, 152)


# -- the SBB ------------------------------------------------------------------------------------------


def forming(nob: tuple[int, int] = (1, 6), scb: tuple[int, int] = (1, 1), done: bool = True, **privates: str) -> Game:
    """The BLS is about to buy the first 5; @1 directs NOB and holds a share of SCB, which @2 directs."""
    game = new_game()
    sell_privates(game, privates)
    started(game, "NOB", {}, position=nob, cash=33)
    started(game, "SCB", {"@1": 1}, director="@2", position=scb, cash=44)
    started(game, "BLS", {"@3": 3}, director="@3", cash=450)
    for name in ("NOB", "SCB"):
        home(game, name)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    memory = game.state.flow[1].memory
    assert isinstance(memory, OperatingRoundMemory)
    memory.done = [company(name) for name in (("NOB", "SCB", "BLS") if done else ("BLS",))]
    return game


def formed(game: Game, *after: str) -> Game:
    """After the round has ended."""
    act(game, "BLS buy 5 for 450", *after)
    if game.frame.plan == "company turn" and game.frame.entity == "BLS":
        act(game, "BLS pass")
    return game


def test_xii_until_the_end_of_the_round_pre_sbb_companies_operate() -> None:
    game = formed(forming(done=False))
    assert (game.frame.entity, game.company(Owner("SBB")).floated) == ("NOB", False)


@pytest.mark.parametrize(("nob", "scb"), [((1, 1), (1, 6)), ((1, 6), (1, 1))])
def test_xii_what_one_exchange_brings_pays_the_other_in_whatever_order(
    nob: tuple[int, int], scb: tuple[int, int]
) -> None:
    """Two shares at 120 and one at 70, or two at 70 and one at 120; without any money."""
    game = forming(nob, scb)
    set_cash(game, "@1", 0)
    formed(game)
    due = sum(game.state.special.dues.values()) + sum(game.state.special.debts.values())
    assert (cash(game, "@1"), due) == ((10, 0) if nob == (1, 6) else (0, 40))


def test_xii_and_v_the_eva_of_a_pre_sbb_company_goes_to_the_sbb() -> None:
    game = formed(forming(P7="@1"), "NOB eva")
    assert kinds(game, "SBB") == ["5H", "5H-SBB"]


def test_xii_and_xxii_above_half_in_the_pool_nobody_sells_the_sbb() -> None:
    game = formed(forming())
    stock_round(game, number=3)
    assert game.company(Owner("SBB")).percent_held_by(POOL) == 75
    refused(game, "@1 sell 1 SBB", "XXII")


def test_xii_and_xvi_no_place_is_kept_for_a_company_that_merged_before_it_began() -> None:
    """St. Gallen, the home of the VSB, has one place."""
    game = formed(forming())
    started(game, "AB", {"@1": 3}, cash=500)
    lay(game, ("15", "D25", 0), ("57", "C24", 2))
    operating(game, "AB", step=TOKEN)
    act(game, "AB token C24")
    assert cash(game, "AB") == 460


def test_xii_and_viii_targets_that_the_pre_sbb_companies_missed_are_lost() -> None:
    game = forming(T1="@1")
    started(game, "GB", {}, par=70, cash=0)
    home(game, "GB")
    memory = game.state.flow[1].memory
    assert isinstance(memory, OperatingRoundMemory)
    memory.done.append(company("GB"))
    formed(game)
    had = cash(game, "SBB")
    lay(game, ("57", "G18", 2))
    operating(game, "SBB")
    act(game, "SBB lay X79 H19 2 with T1")
    assert cash(game, "SBB") == had - 100
