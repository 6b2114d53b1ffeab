"""1848 §§5-6, 8.4 read a second time: companies, the Bank of England, loans, receivership, directors."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, IPO, POOL, HexId, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker, price_of
from bot.engine.state.state import Frame, OperatingRoundMemory, TurnMemory
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import TITLE, new_game, operating, reach_phase, started, stock_round
from tests.titles.positions import act, cash, company, deal, lay, refused, set_cash, token


def priced(game: Game, name: str) -> int:
    """The company's price on the chart."""
    return price_of(game, company(name))


def paying(game: Game, name: str, revenue: int) -> Game:
    """The company has earned this and decides about it."""
    operating(game, name)
    game.state.flow[-1].at = 5
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory)
    memory.revenue = revenue
    return game


def begin_operating_round(game: Game) -> Game:
    """The very beginning of an operating round."""
    game.state.flow = [Frame("game", None, 4), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    for record in game.state.privates.values():
        record.closed = True
    game.state.money = sum(game.state.cash.values())
    game.advance()
    return game


# -- §5.1 to 5.3 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["QR", "COM", "WA"])
@pytest.mark.parametrize("price", [70, 80, 90, 100])
def test_5_2_1_and_5_3_1_the_directors_share_costs_twice_the_price(name: str, price: int) -> None:
    game = stock_round(new_game())
    act(game, f"@1 par {name} {price}")
    assert (cash(game, "@1"), priced(game, name)) == (840 - 2 * price, price)
    assert game.company(Owner(name)).certificates[0].owner == "@1"


@pytest.mark.parametrize("price", [60, 75, 110, 0])
def test_5_2_1_no_other_initial_price(price: int) -> None:
    refused(stock_round(new_game()), f"@1 par VR {price}")


def test_5_2_1_car_starts_with_p6_only() -> None:
    game = stock_round(new_game())
    deal(game, "CAR", "@2", {})
    refused(game, "@1 par CAR 100")


@pytest.mark.parametrize("price", [70, 80, 90, 100])
def test_5_2_2_at_60_percent_ten_times_the_initial_price(price: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 2}, par=price, cash=0, floated=False)
    stock_round(game, player="@1")
    bank = cash(game, BANK)
    act(game, "@1 buy VR")
    assert not game.company(Owner("VR")).floated
    act(game, "@2 buy VR")
    assert game.company(Owner("VR")).floated
    assert (cash(game, "VR"), cash(game, BANK)) == (10 * price, bank + 2 * price - 10 * price)


def test_5_2_2_shares_in_the_pool_have_been_bought_too() -> None:
    game = new_game()
    started(game, "VR", {"@1": 1, "@2": 1, "pool": 1}, cash=0, floated=False)
    stock_round(game, player="@2")
    act(game, "@2 buy VR")
    assert cash(game, "VR") == 1000


@pytest.mark.parametrize(("phase", "floats"), [("3", False), ("5", False), ("6", True), ("8", True)])
def test_5_3_2_and_5_3_5_com_needs_no_link_from_the_first_6(phase: str, floats: bool) -> None:
    game = new_game()
    started(game, "COM", {"@1": 3}, par=80, cash=0, floated=False)
    reach_phase(game, phase)
    game.state.phase = phase
    stock_round(game, player="@2")
    act(game, "@2 buy COM")
    assert game.company(Owner("COM")).floated is floats
    assert cash(game, "COM") == (800 if floats else 0)


# -- §5.4: the Bank of England ------------------------------------------------------------------------


def with_loans(number: int) -> Game:
    """Companies have taken this many loans, never more than five each."""
    game = new_game()
    for name in ("VR", "SAR", "NSW", "QR", "WA"):
        started(game, name, {"@1": 4}, position=(1, 14))
    reach_phase(game, "3")
    for taken in range(number):
        name = ("VR", "SAR", "NSW", "QR", "WA")[taken // 5]
        place_marker(game, company(name), (1, 14))
        operating(game, name)
        act(game, f"{name} loan")
    return game


BANK_PRICES = {0: 70, 1: 80, 2: 90, 11: 180, 12: 195, 14: 225, 15: 240, 16: 260, 17: 280, 20: 340}


@pytest.mark.parametrize(("loans", "price"), BANK_PRICES.items())
def test_5_4_2_and_5_6_1_the_price_by_loans(loans: int, price: int) -> None:
    game = with_loans(loans)
    assert (priced(game, "BOE"), cash(game, "BOE")) == (price, 2000 - 100 * loans)


@pytest.mark.parametrize(("loans", "ends"), [(15, False), (16, True)])
def test_13_1_sixteen_loans_end_the_game(loans: int, ends: bool) -> None:
    assert ("16 loans" in with_loans(loans).state.ending) is ends


def test_5_4_2_bank_shares_keep_their_price_and_are_paid_to_the_ordinary_bank() -> None:
    game = stock_round(new_game())
    bank = cash(game, BANK)
    act(game, "@1 buy BOE from pool", "@2 buy BOE from pool")
    assert (cash(game, "@1"), cash(game, BANK), cash(game, "BOE"), priced(game, "BOE")) == (770, bank + 140, 2000, 70)


@pytest.mark.parametrize(("phase", "share"), [("2", 0), ("3", 10), ("4", 10), ("5", 20), ("6", 20), ("8", 30)])
def test_5_4_3_the_minimum_dividend_a_share(phase: str, share: int) -> None:
    game = new_game()
    for certificate, owner in zip(game.company(Owner("BOE")).certificates, ("@1", "@1", "@1", "@2"), strict=False):
        rearrange(game, certificate, owner=Owner(owner))
    started(game, "VR", {"@1": 4})
    reach_phase(game, phase)
    before = [cash(game, owner) for owner in ("@1", "@2", "@3", "BOE")]
    begin_operating_round(game)
    after = [cash(game, owner) for owner in ("@1", "@2", "@3", "BOE")]
    assert [late - early for early, late in zip(before, after, strict=True)] == [3 * share, share, 0, 0]
    assert priced(game, "BOE") == 70


# -- §5.5: receivership -------------------------------------------------------------------------------


def failing(treasury: int, bob: int = 2, cid: int = 1, players: int = 3, par: int = 100) -> Game:
    """VR at the last price before the hatched column, without revenue kept; Ann directs with four shares."""
    game = new_game(players)
    started(game, "VR", {"@1": 2, "@2": bob, "@3": cid, "pool": 1}, par=par, position=(1, 1), cash=treasury)
    reach_phase(game, "3")
    return paying(game, "VR", 0)


def test_5_5_1_and_5_5_2_the_company_pays_the_initial_price_to_all_but_the_director() -> None:
    game = failing(450)
    bank = cash(game, BANK)
    act(game, "VR withhold")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [840, 1040, 940]
    assert (cash(game, "VR"), cash(game, BANK)) == (0, bank + 150)
    assert game.company(Owner("VR")).closed or not game.company(Owner("VR")).floated


@pytest.mark.parametrize("par", [70, 80, 90])
def test_5_5_2_the_price_is_the_initial_one_not_the_present(par: int) -> None:
    game = failing(1000, par=par)
    act(game, "VR withhold")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [840, 840 + 2 * par, 840 + par]


def test_5_5_2_the_withheld_income_pays_first() -> None:
    game = failing(0)
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory)
    memory.revenue = 200
    act(game, "VR withhold")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [740, 1040, 940]


def test_5_5_3_then_the_director() -> None:
    game = failing(100)
    act(game, "VR withhold")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [640, 1040, 940]


def test_5_5_3_then_he_borrows_and_any_income_goes_to_the_debt() -> None:
    game = failing(100)
    set_cash(game, "@1", 30)
    game.state.money = sum(game.state.cash.values())
    act(game, "VR withhold")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [0, 1040, 940]
    started(game, "SAR", {"@1": 4}, cash=0)
    paying(game, "SAR", 100)
    act(game, "SAR pay")
    assert cash(game, "@1") == 0
    paying(game, "SAR", 200)
    act(game, "SAR pay")
    assert cash(game, "@1") == 60 + 120 - 170


def test_5_5_3_he_sells_shares_first() -> None:
    game = failing(0)
    started(game, "SAR", {"@1": 2}, par=70)
    set_cash(game, "@1", 100)
    game.state.money = sum(game.state.cash.values())
    act(game, "VR withhold")
    refused(game, "@1 pass", "")
    act(game, "@1 sell 2 SAR")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [0, 1040, 940]
    assert game.company(Owner("SAR")).certificates[0].owner == "@1"


def test_5_5_5_trains_and_shares_go_tokens_stay() -> None:
    game = failing(1000)
    rearrange(game, game.state.trains[0], owner=Owner("VR"))
    act(game, "VR withhold")
    assert not game.state.trains_of(Owner("VR"))
    assert all(not game.company(Owner("VR")).percent_held_by(owner) for owner in game.state.order)
    assert game.state.board.has_token(HexId("H11"), company("BOE"))


FIGURES = {3: (20, 18, 16, 14, 12, 10), 4: (17, 15, 13, 11, 10, 9), 5: (14, 13, 12, 10, 9, 8), 6: (12, 11, 10, 9, 8, 7)}


@pytest.mark.parametrize(
    ("players", "failed", "limit"), [(players, *entry) for players, row in FIGURES.items() for entry in enumerate(row)]
)
def test_12_2_1_the_limit_by_players_and_receiverships(players: int, failed: int, limit: int) -> None:
    game = new_game(players)
    game.state.special.receiverships = ["VR", "SAR", "NSW", "QR", "WA"][:failed]
    assert TITLE.rules.certificate_limit(game, game.state.order[0]) == limit


@pytest.mark.parametrize(("players", "more"), [(3, 2), (4, 2), (5, 1), (6, 1)])
def test_5_5_4_the_former_director_loses_more(players: int, more: int) -> None:
    game = failing(1000, players=players)
    act(game, "VR withhold")
    limits = [TITLE.rules.certificate_limit(game, player) for player in game.state.order]
    assert limits == [FIGURES[players][1] - more] + [FIGURES[players][1]] * (players - 1)


def test_5_5_7_every_token_in_receivership_earns_its_city() -> None:
    game = new_game()
    for certificate in game.company(Owner("BOE")).certificates[:5]:
        rearrange(game, certificate, owner=Owner("@2"))
    lay(game, ("57", "H11", 1), ("15", "E14", 0))
    for hex_id in ("H11", "E14", "E14"):
        token(game, "BOE", hex_id)
    game.state.special.receiverships = ["VR", "SAR"]
    for name in ("VR", "SAR"):
        game.company(Owner(name)).closed = True
    started(game, "NSW", {"@1": 4})
    reach_phase(game, "3")
    begin_operating_round(game)
    assert cash(game, "@2") == 840 + (100 + 20 + 30 + 30) // 2


@pytest.mark.parametrize(("phase", "removed", "then"), [("3", "5", "5"), ("6", "6", "6"), ("8", "8", "8")])
def test_5_4_4_the_second_receivership_removes_the_cheapest_permanent_train(
    phase: str, removed: str, then: str
) -> None:
    game = failing(1000)
    reach_phase(game, phase)
    game.state.phase = phase
    game.state.special.receiverships = ["SAR"]
    left = sum(train.family == removed and train.owner == DEPOT for train in game.state.trains)
    act(game, "VR withhold")
    assert sum(train.family == removed and train.owner == DEPOT for train in game.state.trains) == left - 1
    assert game.state.phase == then


@pytest.mark.parametrize("before", [0, 2, 3])
def test_5_4_4_other_receiverships_remove_none(before: int) -> None:
    game = failing(1000)
    game.state.special.receiverships = ["SAR", "QR", "WA"][:before]
    left = sum(train.owner == DEPOT for train in game.state.trains)
    act(game, "VR withhold")
    assert sum(train.owner == DEPOT for train in game.state.trains) == left


@pytest.mark.parametrize(("before", "ends"), [(3, False), (4, True)])
def test_5_5_6_the_fifth_ends_the_game(before: int, ends: bool) -> None:
    game = failing(1000)
    game.state.special.receiverships = ["SAR", "QR", "WA", "NSW"][:before]
    act(game, "VR withhold")
    assert bool(game.state.ending) is ends


# -- §5.6, 8.4: loans ---------------------------------------------------------------------------------


def borrowing(position: tuple[int, int] = (1, 8), phase: str = "3", step: int = 1, treasury: int = 0) -> Game:
    """VR may take a loan."""
    game = new_game()
    started(game, "VR", {"@1": 4}, position=position, cash=treasury)
    reach_phase(game, phase)
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    return operating(game, "VR", trains=["3"], step=step)


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_5_6_1_a_loan_at_any_time_of_the_turn(step: int) -> None:
    game = borrowing(step=step)
    act(game, "VR loan")
    assert (cash(game, "VR"), cash(game, "BOE"), priced(game, "VR"), priced(game, "BOE")) == (100, 1900, 110, 80)


def test_5_6_1_not_before_the_first_3() -> None:
    refused(borrowing(phase="2"), "VR loan", "5.6.1")


def test_5_6_3_one_a_round() -> None:
    game = borrowing()
    act(game, "VR loan")
    refused(game, "VR loan", "5.6.3")


@pytest.mark.parametrize(("taken", "may"), [(4, True), (5, False)])
def test_5_6_3_five_by_will(taken: int, may: bool) -> None:
    game = borrowing()
    game.company(Owner("VR")).loans = taken
    if may:
        act(game, "VR loan")
    else:
        refused(game, "VR loan", "5.6.3")


@pytest.mark.parametrize("column", [1, 2])
def test_5_6_2_and_5_5_1_a_loan_can_end_a_company(column: int) -> None:
    game = borrowing(position=(1, column))
    act(game, "VR loan")
    assert game.state.special.receiverships == ["VR"]


def forced(treasury: int, position: tuple[int, int], phase: str = "4", loans_given: int = 0) -> Game:
    """VR has a route and no train."""
    game = new_game()
    started(game, "VR", {"@1": 4}, position=position, cash=treasury)
    reach_phase(game, phase)
    game.state.special.loans_given = loans_given
    set_cash(game, "BOE", 2000 - 100 * loans_given)
    place_marker(game, company("BOE"), (6, loans_given))
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    return operating(game, "VR", step=7)


@pytest.mark.parametrize(
    ("treasury", "price", "left"), [(300, 180, 0), (299, 130, 99), (200, 130, 0), (100, 90, 0), (50, 60, 50)]
)
def test_8_4_1_as_many_loans_as_needed_two_spaces_then_three(treasury: int, price: int, left: int) -> None:
    game = forced(treasury, (1, 9))
    act(game, "VR buy 4 for 300")
    assert (priced(game, "VR"), cash(game, "VR")) == (price, left)


def test_8_4_2_in_receivership_the_train_stays_though_the_money_is_there() -> None:
    game = forced(200, (1, 2))
    act(game, "VR buy 4 for 300")
    assert game.state.special.receiverships == ["VR"]
    assert sum(train.family == "4" and train.owner == DEPOT for train in game.state.trains) == 4
    assert cash(game, "@1") == 840


def test_8_4_4_the_twentieth_loan_is_the_last() -> None:
    game = forced(200, (1, 12), loans_given=19)
    act(game, "VR buy 4 for 300")
    assert [train.kind for train in game.state.trains_of(Owner("VR"))] == ["4"]
    game = forced(100, (1, 12), loans_given=19)
    act(game, "VR buy 4 for 300")
    assert game.state.special.receiverships == ["VR"]


def test_8_4_3_and_5_6_3_beyond_five_loans_for_a_compulsory_train() -> None:
    game = forced(200, (1, 12))
    game.company(Owner("VR")).loans = 5
    refused(game, "VR loan", "5.6.3")
    act(game, "VR buy 4 for 300")
    assert game.company(Owner("VR")).loans == 6


@pytest.mark.parametrize("move", ["VR pass", "VR buy 4 for 300"])
def test_8_1_the_director_cannot_avoid_nor_pay_it(move: str) -> None:
    game = forced(0, (1, 16 - 2))
    if move == "VR pass":
        refused(game, move, "")
    else:
        act(game, move)
        assert cash(game, "@1") == 840


# -- §6.2: directors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "director"), [(3, "@1"), (4, "@2")])
def test_6_2_equal_shares_make_no_director_more_do(held: int, director: str) -> None:
    game = new_game()
    started(game, "VR", {"@1": 1, "@2": held - 1})
    stock_round(game, player="@2")
    act(game, "@2 buy VR")
    record = game.company(Owner("VR"))
    assert (record.certificates[0].owner, record.percent_held_by(Owner("@1"))) == (director, 30)


def test_6_2_a_tie_is_won_by_the_next_after_the_old_director() -> None:
    game = new_game(4)
    started(game, "VR", {"@2": 2, "@1": 3, "@4": 3}, director="@2")
    stock_round(game, player="@2")
    act(game, "@2 sell 2 VR")
    assert game.company(Owner("VR")).certificates[0].owner == "@4"
    assert [
        game.company(Owner("VR")).percent_held_by(owner) for owner in (Owner("@1"), Owner("@2"), Owner("@4"), POOL)
    ] == [
        30,
        20,
        30,
        20,
    ]


def test_6_2_with_four_in_the_bank_one_share_of_the_certificate_may_go() -> None:
    game = new_game()
    started(game, "VR", {"@2": 2, "@3": 2, "pool": 4})
    stock_round(game)
    act(game, "@1 sell 1 VR")
    record = game.company(Owner("VR"))
    assert (record.certificates[0].owner, record.percent_held_by(Owner("@1")), record.percent_held_by(POOL)) == (
        "@2",
        10,
        50,
    )
    assert record.percent_held_by(IPO) == 0


def test_6_2_without_a_heir_of_two_shares_the_certificate_stays() -> None:
    game = new_game()
    started(game, "VR", {"@2": 1})
    stock_round(game)
    refused(game, "@1 sell 1 VR", "")
