"""1844 §§XII-XX read a second time: the SBB, locomotives, phases."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.state import OperatingRoundMemory
from tests.titles.builders_1844 import TRAINS, home, new_game, operating, reach_phase, started
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash

COST = {"2": 90, "2H": 70, "3": 180, "3H": 150, "4": 300, "4H": 260, "5": 450, "5H": 400, "6": 630, "6H": 550}
COST |= {"8E": 960, "8H": 700}
PHASE = {"2": "1", "3": "3", "4": "4", "5": "5", "6": "6", "8": "7"}


def shop(name: str = "BLS", phase: str = "2", treasury: int = 3000, before: str = "") -> Game:
    """A company buys locomotives; the depot begins with those of the phase."""
    game = new_game()
    reach_phase(game, phase)
    game.state.phase = before or phase
    started(game, name, {"@1": 1}, cash=treasury)
    return operating(game, name, step=TRAINS)


def kinds(game: Game, owner: str) -> list[str]:
    """The owner's locomotives."""
    return sorted(train.kind for train in game.state.trains_of(Owner(owner)))


@pytest.mark.parametrize(("kind", "price"), COST.items())
def test_xvii_prices(kind: str, price: int) -> None:
    game = shop(phase=PHASE[kind[0]])
    refused(game, f"BLS buy {kind} for {price - 1}", "")
    act(game, f"BLS buy {kind} for {price}")
    assert cash(game, "BLS") == 3000 - price


@pytest.mark.parametrize(("family", "number"), [("2", 13), ("3", 9), ("4", 6), ("6", 4)])
def test_locomotives_number_of_cards(family: str, number: int) -> None:
    assert sum(train.family == family and train.owner == DEPOT for train in new_game().state.trains) == number


@pytest.mark.parametrize(
    ("first", "phase", "before", "owned", "left"),
    [
        ("3", "3", "2", ["2"], ["2H"]),
        ("3H", "3", "2", ["2H"], ["2H"]),
        ("4", "4", "3", ["2H", "3"], ["3H"]),
        ("5", "5", "4", ["3H", "4"], ["3H", "4"]),
        ("6", "6", "5", ["3H", "4"], ["4H"]),
        ("8E", "7", "6", ["4H", "5"], ["5H"]),
        ("8H", "7", "6", ["5H", "6"], ["5H", "6"]),
    ],
)
def test_xx_what_is_scrapped_and_what_becomes_an_h(
    first: str, phase: str, before: str, owned: list[str], left: list[str]
) -> None:
    game = shop(phase=phase, before=before)
    started(game, "RhB", {"@2": 3}, director="@2")
    for kind in owned:
        give_train(game, "RhB", kind)
    act(game, f"BLS buy {first} for {COST[first]}")
    assert kinds(game, "RhB") == left


@pytest.mark.parametrize(
    ("name", "phase", "limit"),
    [
        *(("BLS", phase, limit) for phase, limit in zip("234567", (4, 4, 3, 2, 2, 2), strict=True)),
        *(("NOB", phase, 2) for phase in "23"),
        *(("JN", phase, 2) for phase in "235"),
        ("SBB", "6", 4),
    ],
)
def test_ix_to_xii_and_xx_locomotive_limits(name: str, phase: str, limit: int) -> None:
    game = new_game()
    reach_phase(game, phase)
    started(game, name, {"@1": 1}, cash=5000)
    for _ in range(limit - 1):
        give_train(game, name, "2H" if phase in "123" else "6H")
    operating(game, name, step=TRAINS)
    family = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "8"}[phase]
    act(game, f"{name} buy {family}H for {COST[f'{family}H']}")
    assert not any(getattr(action, "kind", "") for action in game.legal_actions())


def test_x_regional_companies_own_h_locomotives_only() -> None:
    game = shop("JN")
    refused(game, "JN buy 2 for 90", "X")
    act(game, "JN buy 2H for 70")


def test_xvii_a_company_at_its_limit_may_not_buy_even_what_scraps_others() -> None:
    game = new_game()
    reach_phase(game, "4")
    game.state.phase = "3"
    started(game, "NOB", {"@1": 1}, cash=1000)
    for _ in range(2):
        give_train(game, "NOB", "2H")
    operating(game, "NOB")
    game.state.flow[-1].at = TRAINS
    refused(game, "NOB buy 4 for 300", "XVII")


@pytest.mark.parametrize(("price", "may"), [(0, False), (1, True), (70, True), (400, True)])
def test_xvii_between_companies_of_one_director(price: int, may: bool) -> None:
    game = shop(phase="3")
    started(game, "RhB", {"@1": 3}, cash=0)
    give_train(game, "RhB", "3")
    move = f"BLS buy 3 from RhB for {price}"
    if may:
        act(game, move)
        assert cash(game, "RhB") == price
    else:
        refused(game, move, "XVII")


@pytest.mark.parametrize(("price", "may"), [(179, False), (180, True), (181, False)])
def test_xvii_between_directors_at_the_printed_price(price: int, may: bool) -> None:
    game = shop(phase="3")
    started(game, "RhB", {"@2": 3}, director="@2", cash=0)
    give_train(game, "RhB", "3")
    move = f"BLS buy 3 from RhB for {price}"
    if may:
        act(game, move, "@2 agree")
        assert cash(game, "RhB") == 180
    else:
        refused(game, move, "XVII")


def test_xvii_not_between_companies_before_the_first_3() -> None:
    game = shop(phase="2")
    started(game, "RhB", {"@1": 3}, cash=0)
    give_train(game, "RhB", "2")
    refused(game, "BLS buy 2 from RhB for 50", "XVII")


def test_xvii_trains_above_a_new_limit_lie_in_the_pool() -> None:
    game = shop(phase="4", before="3")
    started(game, "RhB", {"@1": 3}, cash=0)
    for kind in ("3", "3", "3", "3H"):
        give_train(game, "RhB", kind)
    act(game, "BLS buy 4 for 300")
    if game.frame.plan == "discard":
        act(game, "RhB discard 3H")
    assert len(kinds(game, "RhB")) == 3
    assert kinds(game, POOL) == ["3H"]


def poor(private: int, treasury: int) -> Game:
    """BLS must have a locomotive: a 4H costs 260."""
    game = new_game()
    reach_phase(game, "4")
    started(game, "BLS", {"@1": 3}, cash=treasury)
    lay(game, ("57", "F11", 2), ("57", "G12", 2))
    set_cash(game, "@1", private)
    return operating(game, "BLS", step=TRAINS)


@pytest.mark.parametrize(
    ("private", "treasury", "left", "debt"),
    [(500, 0, 240, 0), (500, 100, 340, 0), (160, 0, 0, 150), (159, 0, 0, 152), (0, 0, 0, 390)],
)
def test_xvii_the_director_pays_then_owes_half_as_much_again(private: int, treasury: int, left: int, debt: int) -> None:
    game = poor(private, treasury)
    act(game, "BLS buy 4H for 260")
    assert (cash(game, "@1"), cash(game, "BLS")) == (left, 0)
    assert sum(game.state.special.debts.values()) == debt


# -- §XII ---------------------------------------------------------------------------------------------


def forming(**shares: dict[str, int]) -> Game:
    """The BLS is about to buy the first 5 as the last of an operating round; NOB stands at 120, SCB at 70."""
    game = new_game()
    started(game, "NOB", shares.get("nob", {}), position=(1, 6), cash=33)
    started(game, "SCB", shares.get("scb", {"@1": 1}), director="@2", position=(1, 1), cash=44)
    started(game, "BLS", {"@3": 3}, director="@3", cash=450)
    for name in ("NOB", "SCB"):
        home(game, name)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    memory = game.state.flow[1].memory
    assert isinstance(memory, OperatingRoundMemory)
    memory.done = [company(name) for name in ("NOB", "SCB", "BLS")]
    return game


def formed(game: Game) -> Game:
    """After the round has ended."""
    act(game, "BLS buy 5 for 450")
    if game.frame.plan == "company turn" and game.frame.entity == "BLS":
        act(game, "BLS pass")
    return game


def test_xii_the_example_of_the_exchange() -> None:
    game = formed(forming())
    sbb = game.company(Owner("SBB"))
    assert cash(game, "@1") == 800 + 40 - 30
    assert (sbb.percent_held_by(Owner("@1")), sbb.count_of(Owner("@1"))) == (15, 2)
    assert cash(game, "@2") == 800 - 60


def test_xii_treasuries_and_400() -> None:
    game = formed(forming())
    assert cash(game, "SBB") == 33 + 44 + 400


def test_xii_starts_at_100_in_the_sixth_row_with_a_5h() -> None:
    game = formed(forming())
    assert (price_of(game, company("SBB")), game.company(Owner("SBB")).position) == (100, (5, 8))
    assert [train.kind[:2] for train in game.state.trains_of(Owner("SBB"))] == ["5H"]


def test_xii_unsold_shares_go_to_the_pool() -> None:
    game = formed(forming())
    assert game.company(Owner("SBB")).percent_held_by(POOL) == 100 - 15 - 10


def test_xii_the_most_shares_direct_it() -> None:
    game = formed(forming())
    assert game.company(Owner("SBB")).certificates[0].owner == "@1"


def test_xii_a_tie_is_won_by_the_former_director_of_the_v1() -> None:
    game = formed(forming(scb={}))
    assert game.company(Owner("SBB")).certificates[0].owner == "@1"
    assert game.company(Owner("SBB")).percent_held_by(Owner("@2")) == 10


def test_xii_tokens_are_exchanged_and_the_others_cost_100() -> None:
    game = formed(forming())
    board = game.state.board
    placed = [owner for cities in board.tokens.values() for city in cities for owner in city]
    assert placed.count(company("SBB")) == 2
    assert game.company(Owner("SBB")).tokens_left == (100,) * 8


@pytest.mark.parametrize(("money", "debt"), [(60, 0), (59, 1), (0, 60)])
def test_xii_who_cannot_pay_owes_it(money: int, debt: int) -> None:
    game = forming()
    set_cash(game, "@2", money)
    game.state.money = sum(game.state.cash.values())
    formed(game)
    assert cash(game, "@2") == 0
    special = game.state.special
    assert sum(special.debts.values()) + sum(special.dues.values()) == debt


# -- §§XIV, XV ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "colours"),
    [("1", ["yellow"]), ("2", ["yellow"]), ("3", ["yellow", "green"]), ("4", ["yellow", "green"])]
    + [(phase, ["yellow", "green", "brown"]) for phase in "56"]
    + [("7", ["yellow", "green", "brown", "gray"])],
)
def test_xv_colours(phase: str, colours: list[str]) -> None:
    found = next(entry for entry in new_game().title.phases if entry.name == phase)
    assert list(found.colours) == colours


def test_xiv_one_tile_a_turn_also_in_the_green_phase() -> None:
    game = new_game()
    reach_phase(game, "3")
    started(game, "SCB", {"@1": 1})
    operating(game, "SCB")
    act(game, "SCB lay 57 C12 2")
    refused(game, "SCB lay 9 D13 2", "")


@pytest.mark.parametrize(
    ("name", "space", "cost"), [("SCB", "C12", 20), ("RhB", "G26", 20), ("GB", "G18", 0), ("VSB", "C24", 0)]
)
def test_xiv_the_price_of_the_first_build(name: str, space: str, cost: int) -> None:
    game = new_game()
    started(game, name, {"@1": 3 if name == "RhB" else 1})
    reach_phase(game, "3")
    operating(game, name)
    move = next(action for action in game.legal_actions() if getattr(action, "hex", "") == space)
    game.apply(move)
    assert cash(game, name) == 500 - cost
