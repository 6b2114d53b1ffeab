"""18GB by a second reader of the rules: trains and exports."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.state.events import TrainExported
from bot.titles.t18gb.companies import is_insolvent
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, company, give_train, refused

PRICES = {"2+1": 80, "3+1": 200, "4+2": 300, "5+2": 500, "4X": 550, "5X": 650, "6X": 700}
LIMITS = {"2+1": (3, 4), "3+1": (3, 4), "4+2": (2, 3), "5+2": (2, 3), "4X": (2, 2), "5X": (2, 2), "6X": (2, 2)}
RUSTED = {"4+2": "2+1", "4X": "3+1", "6X": "4+2"}
"""The train that begins a phase, and what it makes rust."""


def shop(phase: str = "2+1", money: int = 3000, trains: tuple[str, ...] = ("5+2",), begins: bool = False) -> Game:
    """MR of @1 buys trains; `begins`: the first train of the phase has not been sold yet."""
    game = gb.new_game(6)
    gb.own(game)
    gb.reach_phase(game, phase)
    if begins:
        game.state.phase = gb.FAMILIES[gb.FAMILIES.index(phase) - 1]
    gb.started(game, "MR", {"@2": 1}, cash=money)
    return gb.operating(game, "MR", trains, step=gb.TRAINS)


def kinds(game: Game, owner: str = "MR") -> list[str]:
    return [train.kind for train in game.state.trains_of(Owner(owner))]


# -- the bank's trains --------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "price"), PRICES.items())
def test_trains_prices(kind: str, price: int) -> None:
    game = shop(kind, price)
    refused(game, f"MR buy {kind} for {price - 1}", "")
    act(game, f"MR buy {kind} for {price}")
    assert cash(game, "MR") == 0


@pytest.mark.parametrize(
    ("phase", "on_sale"),
    [
        ("2+1", {"2+1"}),
        ("3+1", {"3+1"}),
        ("4+2", {"4+2"}),
        ("5+2", {"5+2"}),
        ("4X", {"4X", "5X"}),
        ("5X", {"5X", "6X"}),
        ("6X", {"6X"}),
    ],
)
def test_trains_5x_after_the_first_4x_and_6x_after_the_first_5x(phase: str, on_sale: set[str]) -> None:
    assert {text.split()[2] for text in gb.offered(shop(phase), "buy")} == on_sale


@pytest.mark.parametrize(("first", "gone"), RUSTED.items())
def test_trains_rust(first: str, gone: str) -> None:
    game = shop(first, begins=True)
    gb.started(game, "NER", {"@2": 1}, director="@2")
    for kind in (gone, "5+2"):
        give_train(game, "NER", kind)
    act(game, f"MR buy {first} for {PRICES[first]}")
    assert kinds(game, "NER") == ["5+2"]


@pytest.mark.parametrize("phase", LIMITS)
@pytest.mark.parametrize("ten", [False, True])
def test_trains_limits(phase: str, ten: bool) -> None:
    limit = LIMITS[phase][ten]
    game = shop(phase, trains=())
    if ten:
        gb.grow(game, "MR", ["@1"] * 4 + ["@2"] * 4)
    for _ in range(limit):
        assert gb.offered(game, "buy")
        act(game, f"MR buy {phase} for {PRICES[phase]}")
    assert game.frame.entity != "MR" or not gb.offered(game, "buy")
    assert kinds(game).count(phase) == limit


@pytest.mark.parametrize(("price", "may"), [(0, False), (1, True), (80, True), (160, True), (161, False)])
def test_trains_between_companies_for_1_to_twice_their_price(price: int, may: bool) -> None:
    game = shop()
    gb.started(game, "NER", cash=0)
    for _ in range(2):
        give_train(game, "NER", "2+1")
    move = f"MR buy 2+1 from NER for {price}"
    if may:
        act(game, move)
        assert (cash(game, "MR"), cash(game, "NER")) == (3000 - price, price)
    else:
        refused(game, move, "18GB trains")


@pytest.mark.parametrize(
    ("own", "others", "may"), [((), 1, True), ((), 2, True), (("5+2",), 1, False), (("5+2",), 2, True)]
)
def test_trains_the_last_one_goes_only_to_a_company_without(own: tuple[str, ...], others: int, may: bool) -> None:
    game = shop(trains=own, money=90)
    gb.started(game, "NER", cash=0)
    for _ in range(others):
        give_train(game, "NER", "2+1")
    if may:
        act(game, "MR buy 2+1 from NER for 70")
    else:
        refused(game, "MR buy 2+1 from NER for 70", "18GB trains")


@pytest.mark.parametrize("extra", ["", " contribute 10"])
def test_trains_players_pay_nothing(extra: str) -> None:
    game = shop(money=79, trains=())
    refused(game, f"MR buy 2+1 for 80{extra}", "")
    assert cash(game, "@1") == 305


@pytest.mark.parametrize(
    ("phase", "money", "must"),
    [
        ("2+1", 80, True),
        ("2+1", 79, False),
        ("4X", 650, True),
        ("4X", 649, False),
        ("4X", 550, False),
        ("6X", 700, True),
    ],
)
def test_trains_who_can_pay_for_the_dearest_must_buy(phase: str, money: int, must: bool) -> None:
    game = shop(phase, money, trains=())
    if must:
        refused(game, "MR pass", "18GB trains")
        return
    while game.frame.entity == "MR":
        act(game, "MR pass")
    assert is_insolvent(game, company("MR"))


def test_trains_who_has_one_may_pass() -> None:
    act(shop(), "MR pass")


def test_trains_discarded_ones_leave_the_game() -> None:
    game = shop("4+2", begins=True)
    gb.started(game, "NER", {"@2": 1}, director="@2")
    for _ in range(3):
        give_train(game, "NER", "3+1")
    act(game, "MR buy 4+2 for 300", "NER discard 3+1")
    assert kinds(game, "NER") == ["3+1", "3+1"]
    assert kinds(game, POOL) == []
    assert kinds(game, REMOVED)[0] == "3+1"


# -- exports ------------------------------------------------------------------------------------------


def end_round(game: Game, *moves: str) -> list[TrainExported]:
    """Make the moves and pass until the round is over; what was exported."""
    events = act(game, *moves)
    while game.state.round.kind == "operating" and game.step is not None:
        events += act(game, gb.offered(game, "pass")[0])
    return [event for event in events if isinstance(event, TrainExported)]


@pytest.mark.parametrize(
    ("moves", "exported"),
    [((), ["2+1"]), (("MR buy 2+1 for 80",), []), (("MR buy 2+1 from NER for 10",), ["2+1"])],
)
def test_exports_one_train_unless_a_new_one_was_bought(moves: tuple[str, ...], exported: list[str]) -> None:
    game = shop(money=200)
    gb.started(game, "NER", floated=False)
    give_train(game, "NER", "2+1")
    give_train(game, "NER", "2+1")
    before = gb.number_in_depot(game, "2+1")
    assert [event.kind for event in end_round(game, *moves)] == exported
    assert gb.number_in_depot(game, "2+1") == before - (1 if exported or "for 80" in moves[0] else 0)


def test_exports_begin_phases() -> None:
    game = shop("3+1", begins=True)
    assert [event.kind for event in end_round(game)] == ["3+1"]
    assert game.state.phase == "3+1"


def test_exports_rust_trains() -> None:
    game = shop("4+2", begins=True, trains=("2+1", "5+2"))
    end_round(game)
    assert (game.state.phase, kinds(game)) == ("4+2", ["5+2"])
