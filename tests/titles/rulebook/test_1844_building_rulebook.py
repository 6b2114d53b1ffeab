"""1844 §§V, VII, VIII, XVII read a second time: tunnels, the Furka-Oberalp, targets, locomotives sold abroad."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.state.events import TrainExported
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
from tests.titles.positions import act, cash, lay, refused, token

Tiles = tuple[tuple[str, str, int], ...]
STANS = ("57", "G18", 2)
"""GB's home with track to the Gotthard's northern mouth."""


def builder(*tiles: tuple[str, str, int], money: int = 500, name: str = "GB", **privates: str) -> Game:
    """The company of @1 begins to build; the privates belong to these."""
    game = new_game()
    sell_privates(game, privates)
    started(game, name, {"@1": 3} if name[0] not in "GNSVJ" else {"@1": 1}, cash=money)
    lay(game, *tiles)
    return operating(game, name)


# -- VII: building tunnels ----------------------------------------------------------------------------


@pytest.mark.parametrize(("money", "may"), [(99, False), (100, True)])
def test_vii_a_tunnel_costs_100(money: int, may: bool) -> None:
    game = builder(STANS, money=money, T1="@1")
    game.state.special.waiting.clear()
    if may:
        act(game, "GB lay X79 H19 2 with T1")
        assert cash(game, "GB") == 0
    else:
        refused(game, "GB lay X79 H19 2 with T1", "VII")


@pytest.mark.parametrize(
    "moves",
    [
        ("GB lay X79 H19 2 with T1", "GB lay 9 I20 2"),
        ("GB lay 6 F17 5", "GB lay X79 H19 2 with T1"),
    ],
)
def test_vii_a_tunnel_comes_beside_the_usual_tile_before_it_or_after(moves: tuple[str, ...]) -> None:
    game = builder(STANS, T1="@1")
    act(game, *moves)
    assert len(game.state.board.tiles) == 3


def test_vii_one_tunnel_for_each_right_in_one_turn() -> None:
    game = builder(STANS, T1="@1", T2="@1")
    act(game, "GB lay X79 H19 2 with T1", "GB lay 7 I20 2", "GB lay X79 H21 0 with T2")
    assert cash(game, "GB") >= 500 - 200 - 90


@pytest.mark.parametrize(
    ("move", "owner"),
    [
        ("GB lay X79 H19 2 with T1", "@2"),  # another player's right
        ("GB lay X79 H19 2 with T2", "@1"),  # a share that nobody has
        ("GB lay X79 H19 2", "@1"),  # the usual tile is no tunnel
        ("GB lay X79 H19 0 with T1", "@1"),  # no mouth to the south-west
        ("GB lay X78 H19 2 with T1", "@1"),  # no mouth to the right
        ("GB lay X79 K14 2 with T1", "@1"),  # the Simplon is out of reach
        ("GB lay X79 I20 2 with T1", "@1"),  # no tunnel space
        ("GB lay 9 H19 2 with T1", "@1"),  # no tunnel tile
    ],
)
def test_vii_where_and_by_whom_tunnels_are_built(move: str, owner: str) -> None:
    refused(builder(STANS, T1=owner), move, "VII")


def test_vii_one_tunnel_on_a_space() -> None:
    game = builder(STANS, T1="@1")
    tunnel(game, "T3", "@2", "X78", "H19", 3)
    refused(game, "GB lay X79 H19 2 with T1", "VII")


def test_vii_a_right_builds_one_tunnel() -> None:
    game = builder(STANS, T1="@1")
    tunnel(game, "T1", "@1", "X78", "H17", 1)
    refused(game, "GB lay X79 H19 2 with T1", "VII")


# -- V: the Furka-Oberalp -----------------------------------------------------------------------------

LINE = {"I16", "H17", "H19", "H21", "H23"}


def furka(phase: str, owner: str = "@1", name: str = "BLS") -> Game:
    game = new_game()
    sell_privates(game, {"P4": owner})
    started(game, name, {"@1": 3}, cash=10)
    reach_phase(game, phase)
    return operating(game, name)


@pytest.mark.parametrize("phase", ["1", "2"])
def test_v_the_furka_oberalp_waits_for_the_first_3(phase: str) -> None:
    refused(furka(phase), "BLS furka", "V")


@pytest.mark.parametrize("phase", ["3", "4"])
def test_v_the_furka_oberalp_is_laid_at_once_for_80_and_its_private_closes(phase: str) -> None:
    game = furka(phase)
    bank = cash(game, BANK)
    act(game, "BLS furka")
    assert set(game.state.board.tiles) == LINE
    assert (cash(game, "@1"), cash(game, "BLS"), cash(game, BANK)) == (880, 10, bank - 80)
    assert game.private(Owner("P4")).closed
    act(game, "BLS lay 57 F11 2")  # it is not the turn's tile


def test_v_a_company_that_owns_it_gets_the_80() -> None:
    game = furka("3", owner="BLS")
    act(game, "BLS furka")
    assert (cash(game, "@1"), cash(game, "BLS")) == (800, 90)


def test_v_nobody_else_lays_it() -> None:
    refused(furka("3", owner="@2"), "BLS furka", "V")


def test_v_in_a_share_round_its_owner_lays_it() -> None:
    game = new_game()
    sell_privates(game, {"P4": "@1"})
    reach_phase(game, "3")
    stock_round(game, 3)
    act(game, "@1 furka")
    assert cash(game, "@1") == 880
    assert game.players_to_act() == ("@1",)


@pytest.mark.parametrize(("owner", "paid"), [("@1", "@1"), ("@2", "@2"), ("BLS", "BLS")])
def test_v_with_the_first_5_it_must_be_laid_for_80(owner: str, paid: str) -> None:
    game = furka("5", owner)
    game.state.phase = "4"
    game.state.cash[Owner("BLS")] = 450
    game.state.cash[BANK] -= 440
    operating(game, "BLS", step=TRAINS)
    before = cash(game, paid)
    act(game, "BLS buy 5 for 450")
    assert cash(game, paid) == before + 80 - (450 if paid == "BLS" else 0)
    assert set(game.state.board.tiles) >= LINE


@pytest.mark.parametrize(("train", "earns"), [("2", 10 + 10), ("3", 10 + 10 + 10)])
def test_v_its_town_is_worth_10_and_lies_on_routes(train: str, earns: int) -> None:
    """Chur 10 (RhB), Disentis 10, Andermatt 10."""
    game = new_game()
    sell_privates(game, {"P4": "@1"})
    started(game, "RhB", {"@1": 3})
    reach_phase(game, "3")
    lay(game, ("58", "H25", 1))
    operating(game, "RhB", [train])
    act(game, "RhB furka", "RhB pass")
    if game.frame.at == TOKEN:
        act(game, "RhB pass")
    run = next(action for action in game.legal_actions() if type(action).__name__ == "RunRoutes")
    events = game.apply(run)
    assert max(getattr(event, "revenue", 0) for event in events) == earns


# -- VIII: targets ------------------------------------------------------------------------------------

OLTEN: Tiles = (("57", "C12", 2), ("57", "D13", 2), ("9", "E14", 2))
"""Of Basel's line to Lucerne one tile is missing."""


@pytest.mark.parametrize("par", [60, 70, 80, 90, 100])
def test_viii_a_pre_sbb_company_gets_twice_its_price_at_its_target(par: int) -> None:
    game = new_game()
    sell_privates(game)
    started(game, "NOB", {}, par=par, cash=0)
    lay(game, ("57", "D19", 1))
    operating(game, "NOB")
    act(game, "NOB lay 4 D17 1")
    assert cash(game, "NOB") == 2 * par


@pytest.mark.parametrize("par", [60, 70, 80, 90, 100])
def test_viii_a_large_company_gets_five_times_its_price_at_its_target(par: int) -> None:
    """MOB at Montreux by Gstaad to Thun."""
    game = new_game()
    sell_privates(game)
    started(game, "MOB", {"@1": 3}, par=par, cash=60)
    lay(game, ("57", "I6", 1), ("9", "I8", 1), ("58", "I10", 1), ("57", "H13", 1))
    reach_phase(game, "3")
    operating(game, "MOB")
    assert cash(game, "MOB") == 60
    act(game, "MOB lay 8 H11 4")
    assert cash(game, "MOB") == 5 * par


def marker(game: Game, name: str, hex_id: str, city: int = 0) -> None:
    """A company has placed one of its markers."""
    game.company(Owner(name)).tokens_left = game.company(Owner(name)).tokens_left[1:]
    token(game, name, hex_id, city)


def test_viii_another_company_may_build_the_connection() -> None:
    game = new_game()
    sell_privates(game)
    started(game, "NOB", {}, par=80, cash=0)
    started(game, "RhB", {"@2": 3}, director="@2")
    lay(game, ("57", "D19", 1))
    home(game, "NOB")
    marker(game, "RhB", "D15", 1)
    operating(game, "RhB")
    act(game, "RhB lay 4 D17 1")
    assert cash(game, "NOB") == 160


@pytest.mark.parametrize(("blocks", "has"), [(True, 30), (False, 30 - 30 + 160)])
def test_viii_a_city_full_of_others_markers_is_no_connection(blocks: bool, has: int) -> None:
    game = new_game()
    sell_privates(game)
    started(game, "SCB", {}, par=80, cash=30)
    started(game, "BLS", {"@2": 3}, director="@2")
    lay(game, *OLTEN)
    operating(game, "SCB")
    if blocks:
        lay(game, ("8", "F15", 2))
        marker(game, "BLS", "D13")
        operating(game, "SCB")
    else:
        act(game, "SCB lay 8 F15 2")
        marker(game, "BLS", "D13")
    assert cash(game, "SCB") == has


def test_viii_the_gotthard_is_the_gotthardbahns_target_whoever_builds_it() -> None:
    game = builder(("9", "I20", 2), ("9", "J21", 2), ("6", "K22", 0), ("57", "L21", 0), name="FNM", T1="@1")
    started(game, "GB", {}, director="@2", par=70, cash=0)
    act(game, "FNM lay X79 H19 2 with T1")
    assert cash(game, "GB") == 140


def test_viii_the_furka_line_on_the_gotthard_is_not_the_tunnel() -> None:
    game = furka("3")
    started(game, "GB", {}, director="@2", par=70, cash=0)
    act(game, "BLS furka")
    assert cash(game, "GB") == 0


# -- XVII: sold abroad --------------------------------------------------------------------------------


def end_of_round(game: Game) -> list[str]:
    """Pass until the round is over; the kinds that were sold abroad."""
    game.state.flow[1].at = len(game.title.plans["operating round"].steps)
    events = act(game, "NOB pass")
    return [event.kind for event in events if isinstance(event, TrainExported)]


@pytest.mark.parametrize(
    ("phase", "part", "of", "sold"),
    [("1", 1, 1, 0), ("2", 1, 1, 1), ("3", 1, 2, 0), ("3", 2, 2, 1), ("5", 1, 3, 0), ("5", 2, 3, 0), ("5", 3, 3, 1)],
)
def test_xvii_one_locomotive_is_sold_abroad_at_the_end_of_a_set(phase: str, part: int, of: int, sold: int) -> None:
    game = new_game()
    sell_privates(game)
    started(game, "NOB", {}, cash=1000)
    reach_phase(game, phase)
    operating(game, "NOB", step=TRAINS, part=part, of=of)
    bank, stock = cash(game, BANK), sum(train.owner == DEPOT for train in game.state.trains)
    exported = end_of_round(game)
    assert len(exported) == sold
    assert sum(train.owner == DEPOT for train in game.state.trains) == stock - sold
    assert cash(game, BANK) == bank


@pytest.mark.parametrize(("phase", "next_kind"), [("3", "3"), ("4", "4"), ("6", "6")])
def test_xvii_a_sale_abroad_begins_a_phase(phase: str, next_kind: str) -> None:
    game = new_game()
    sell_privates(game)
    started(game, "NOB", {}, cash=1000)
    reach_phase(game, phase)
    game.state.phase = {"3": "2", "4": "3", "6": "5"}[phase]
    operating(game, "NOB", step=TRAINS, part=2, of=2)
    assert [kind[0] for kind in end_of_round(game)] == [next_kind]
    assert game.state.phase == phase
    assert any(train.owner == REMOVED and train.family == next_kind for train in game.state.trains)
