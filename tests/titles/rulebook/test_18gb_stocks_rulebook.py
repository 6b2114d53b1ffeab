"""18GB by a second reader of the rules: starting, floating, conversion, stock rounds, prices."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.events import CompanyFloated
from tests.rearrangement import rearrange
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, company, give_train, refused, set_cash

PRICES = (50, 55, 60, 65, 70, 75, 80, 90, 100, 115, 130, 145, 160, 180, 200, 220, 240, 265, 290, 320, 350, 380)


def priced(game: Game, name: str = "MR") -> int:
    return price_of(game, company(name))


def after(price: int, spaces: int) -> int:
    """The price so many spaces to the right."""
    return PRICES[min(max(PRICES.index(price) + spaces, 0), len(PRICES) - 1)]


def second_round(players: int = 4, phase: str = "2+1", number: int = 2, money: int = 1000, **options: str) -> Game:
    """@1 is in turn in a stock round with money."""
    game = gb.new_game(players, **options)
    gb.reach_phase(game, phase)
    gb.own(game)
    for player in game.state.players:
        set_cash(game, player.id, money)
    return gb.stock_round(game, number)


def holding(price: int = 100, train: bool = True, phase: str = "2+1", operated: bool = True, **shares: int) -> Game:
    """@1 directs MR, a company of five shares that stands at this price."""
    game = gb.new_game()
    gb.reach_phase(game, phase)
    held = {f"@{key[1:]}" if key != "pool" else key: number for key, number in shares.items()}
    gb.started(game, "MR", held, price=price, operated=operated, cash=0)
    if train:
        give_train(game, "MR", "5+2")
    for player in game.state.players:
        set_cash(game, player.id, 1000)
    return gb.stock_round(game)


# -- beginning ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("price", "may"), [(price, 70 <= price <= 100) for price in PRICES[2:11]])
def test_companies_start_at_the_red_prices(price: int, may: bool) -> None:
    game = second_round()
    if may:
        act(game, f"@1 par MR {price}")
        assert (cash(game, "@1"), priced(game)) == (1000 - 2 * price, price)
    else:
        refused(game, f"@1 par MR {price}")


@pytest.mark.parametrize("price", [70, 75, 80, 90, 100])
def test_companies_float_in_the_yellow_phase_at_40_percent_with_five_times_their_price(price: int) -> None:
    game = second_round()
    events = act(game, f"@1 par MR {price}")
    assert any(isinstance(event, CompanyFloated) for event in events)
    assert cash(game, "MR") == 5 * price


@pytest.mark.parametrize("phase", ["3+1", "4+2"])
def test_companies_float_from_the_green_phase_on_at_60_percent(phase: str) -> None:
    game = second_round(phase=phase)
    act(game, "@1 par MR 90")
    assert (game.company(Owner("MR")).floated, cash(game, "MR")) == (False, 0)
    act(game, "@2 buy MR from ipo")
    assert (game.company(Owner("MR")).floated, cash(game, "MR")) == (True, 450)


def test_companies_first_tier_alone_in_the_first_stock_round() -> None:
    for players, half in ((2, 3), (3, 4), (4, 5), (5, 6), (6, 6)):
        options = {"map": "north-south"} if players == 2 else {}
        game = second_round(players, number=1, **options)
        names = {text.split()[2] for text in gb.offered(game, "par")}
        assert len(names) == half
        other = next(name for name in game.state.companies if name not in names)
        refused(game, f"@1 par {other} 70")
        act(second_round(players, number=2, **options), f"@1 par {other} 70")


def brown(players: int = 4) -> Game:
    """The first 5+2 has just been bought; MR has not been started."""
    game = gb.new_game(players)
    gb.reach_phase(game, "5+2")
    game.state.phase = "4+2"
    gb.started(game, "NER", {"@2": 1}, cash=500)
    gb.operating(game, "NER", step=gb.TRAINS)
    act(game, "NER buy 5+2 for 500")
    for player in game.state.players:
        set_cash(game, player.id, 1000)
    return gb.stock_round(game, 3)


@pytest.mark.parametrize("price", [70, 100])
def test_companies_begun_in_the_brown_phase_have_ten_shares(price: int) -> None:
    game = brown()
    act(game, f"@1 par MR {price}")
    assert (cash(game, "@1"), game.company(Owner("MR")).percent_held_by(Owner("@1"))) == (1000 - 2 * price, 20)
    for seat in ("@2", "@3", "@4"):
        act(game, f"{seat} buy MR from ipo")
        assert not game.company(Owner("MR")).floated
    act(game, "@1 buy MR from ipo")
    assert cash(game, "MR") == 10 * price


@pytest.mark.parametrize(("name", "tokens"), [("MR", 4), ("NBR", 3), ("LYR", 3), ("CR", 4)])
def test_companies_begun_in_the_brown_phase_have_all_tokens(name: str, tokens: int) -> None:
    """Those of the charter and those of ten shares, less the one at home."""
    game = brown()
    assert len(game.company(Owner(name)).tokens_left) == tokens - 1


def test_companies_not_begun_leave_in_the_gray_phase_each_with_a_gray_train() -> None:
    game = gb.new_game()
    gb.reach_phase(game, "6X")
    game.state.phase = "5X"
    gb.started(game, "NER", {"@2": 1}, cash=700)
    gb.operating(game, "NER", step=gb.TRAINS)
    act(game, "NER buy 6X for 700")
    assert gb.number_in_depot(game, "6X") == max(0, 7 - 1 - 8)
    assert all(record.closed == (record.id != "NER") for record in game.state.companies.values())
    assert game.state.board.has_token("H19", Owner("MR"))


def test_companies_in_the_gray_phase_leave_one_train_each() -> None:
    game = gb.new_game()
    for name in ("CR", "GWR", "LNWR", "LSWR", "LYR", "MR"):
        gb.started(game, name)
    gb.reach_phase(game, "6X")
    game.state.phase = "5X"
    gb.started(game, "NER", {"@2": 1}, cash=700)
    gb.operating(game, "NER", step=gb.TRAINS)
    act(game, "NER buy 6X for 700")
    assert gb.number_in_depot(game, "6X") == 7 - 1 - 2
    assert {record.id for record in game.state.companies.values() if record.closed} == {"NBR", "SWR"}
    assert sum(train.family == "6X" and train.owner == REMOVED for train in game.state.trains) == 2


@pytest.mark.parametrize(("first", "ten", "closed"), [("5+2", True, False), ("6X", True, True)])
def test_companies_that_have_not_floated_count_as_not_begun(first: str, ten: bool, closed: bool) -> None:
    """@3 holds 40% of MR, which needs 60."""
    game = gb.new_game()
    gb.reach_phase(game, first)
    game.state.phase = gb.FAMILIES[gb.FAMILIES.index(first) - 1]
    gb.started(game, "NER", {"@2": 1}, cash=700)
    gb.started(game, "MR", {}, director="@3", cash=0, floated=False)
    if closed:
        gb.grow(game, "MR", [IPO] * 8)
    gb.operating(game, "NER", step=gb.TRAINS)
    act(game, f"NER buy {first} for {gb.TITLE.trains[first].price}")
    record = game.company(Owner("MR"))
    assert (len(record.certificates) == 9, record.closed) == (ten, closed)
    assert record.percent_held_by(Owner("@3")) == (0 if closed else 20)
    assert (cash(game, "MR"), cash(game, "@3")) == (0, 330)


# -- conversion ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("price", [50, 55, 60, 70, 100, 350])
def test_conversion_two_left_and_five_times_the_new_price(price: int) -> None:
    game = holding(price, s2=1)
    act(game, "@1 convert MR")
    assert (priced(game), cash(game, "MR")) == (after(price, -2), 5 * after(price, -2))


def test_conversion_makes_ten_shares_of_five() -> None:
    game = holding(100, s2=1, s3=1, pool=1)
    act(game, "@1 convert MR")
    record = game.company(Owner("MR"))
    assert [record.percent_held_by(Owner(owner)) for owner in ("@1", "@2", "@3", POOL, IPO)] == [20, 10, 10, 60, 0]


@pytest.mark.parametrize(("name", "more"), [("MR", 2), ("NBR", 1), ("LYR", 2), ("MSLR", 2), ("CR", 2)])
def test_conversion_brings_tokens(name: str, more: int) -> None:
    game = gb.new_game(6)
    gb.started(game, name, {"@2": 1})
    before = len(game.company(Owner(name)).tokens_left)
    gb.stock_round(game)
    act(game, f"@1 convert {name}")
    tokens = game.company(Owner(name)).tokens_left
    assert (len(tokens), tokens[-more:]) == (before + more, (50,) * more)


@pytest.mark.parametrize(("price", "paid"), [(100, 80), (50, 50), (65, 55), (130, 100)])
def test_conversion_the_director_may_buy_one_share_at_the_new_price(price: int, paid: int) -> None:
    game = holding(price, s2=1)
    act(game, "@1 convert MR", "@1 buy MR from pool")
    assert (cash(game, "@1"), game.company(Owner("MR")).percent_held_by(Owner("@1"))) == (1000 - paid, 30)
    assert game.players_to_act() == ("@2",)


def test_conversion_is_instead_of_selling_and_buying() -> None:
    game = holding(100, s1=1, s2=1)
    act(game, "@1 sell 1 MR")
    refused(game, "@1 convert MR")
    game = holding(100, s1=1, s2=1)
    gb.started(game, "NER", {"@2": 1}, director="@2")
    act(game, "@1 convert MR")
    refused(game, "@1 sell 1 MR")
    refused(game, "@1 buy NER from ipo")


def test_conversion_is_for_directors_of_five_share_companies_after_the_first_stock_round() -> None:
    game = holding(100, s2=1)
    act(game, "@1 pass")
    refused(game, "@2 convert MR")
    game = holding(100, operated=False, s2=1)
    gb.stock_round(game, 1)
    refused(game, "@1 convert MR")
    game = holding(100, s2=1)
    act(game, "@1 convert MR", "@1 pass", "@2 pass", "@3 pass", "@4 pass")
    refused(game, "@1 convert MR")


# -- buying -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("price", PRICES)
def test_stock_rounds_two_shares_a_turn_for_the_president_in_the_green_area(price: int) -> None:
    game = holding(price, s2=1, pool=1)
    act(game, "@1 buy MR from ipo")
    if price > 65:
        assert game.players_to_act() == ("@2",)
        return
    assert game.players_to_act() == ("@1",)
    act(game, "@1 buy MR from pool")
    assert (game.players_to_act(), cash(game, "@1")) == (("@2",), 1000 - 2 * price)


def test_stock_rounds_nobody_else_buys_two_in_the_green_area() -> None:
    game = holding(60, s2=1)
    act(game, "@1 pass", "@2 buy MR from ipo")
    assert game.players_to_act() == ("@3",)


@pytest.mark.parametrize(("held", "source", "may"), [(0, "ipo", True), (1, "ipo", False), (1, "pool", True)])
def test_stock_rounds_60_percent_come_from_the_ipo(held: int, source: str, may: bool) -> None:
    game = holding(100, s1=held, pool=1)
    if may:
        act(game, f"@1 buy MR from {source}")
        assert game.company(Owner("MR")).percent_held_by(Owner("@1")) == 40 + 20 * held + 20
    else:
        refused(game, f"@1 buy MR from {source}")


def test_stock_rounds_60_percent_of_ten_shares_too() -> None:
    game = holding(100)
    gb.grow(game, "MR", ["@1"] * 4 + ["ipo"] * 3 + ["pool"])
    refused(game, "@1 buy MR from ipo")
    act(game, "@1 buy MR from pool")


@pytest.mark.parametrize(("players", "limit"), [(2, 19), (3, 14), (4, 14), (5, 14), (6, 12)])
def test_stock_rounds_certificate_limit(players: int, limit: int) -> None:
    game = second_round(players)
    others = [name for name in game.state.companies if name != "LYR"]
    for name, held in zip(others, range(limit, 0, -5), strict=False):
        singles = min(held, 5) - 1
        gb.started(game, name, director="@1")
        gb.grow(game, name, ["ipo"] * (8 - singles) + ["@1"] * singles)
    gb.started(game, "LYR", director="@2")
    gb.stock_round(game)
    refused(game, "@1 buy LYR from ipo")
    rearrange(game, game.company(Owner(others[0])).certificates[-1], owner=Owner("@2"))
    game.board_changed()
    act(game, "@1 buy LYR from ipo")


# -- selling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize(("number", "price"), [(1, 100), (2, 100), (1, 65), (2, 65), (2, 55), (2, 50), (2, 115)])
def test_stock_rounds_sales_bring_the_price_or_half_of_it_and_go_down_a_space_each(
    train: bool, number: int, price: int
) -> None:
    game = holding(price, train, s1=2)
    act(game, f"@1 sell {number} MR")
    each = price if train else price // 2
    assert (cash(game, "@1"), priced(game)) == (1000 + number * each, after(price, -number))


@pytest.mark.parametrize("phase", ["2+1", "3+1", "4+2", "5+2", "4X", "5X", "6X"])
def test_stock_rounds_whose_sales_move_the_price(phase: str) -> None:
    game = holding(100, phase=phase, s1=1, s2=1)
    act(game, "@1 pass", "@2 sell 1 MR")
    assert priced(game) == (100 if phase == "6X" else 90)
    game = holding(100, phase=phase, s1=1, s2=1)
    act(game, "@1 sell 1 MR")
    assert priced(game) == 90


def test_stock_rounds_no_sales_in_the_first() -> None:
    game = holding(100, s1=1)
    gb.stock_round(game, 1)
    refused(game, "@1 sell 1 MR")


def test_stock_rounds_sell_then_buy() -> None:
    game = holding(60, s1=1)
    gb.started(game, "NER", {"@2": 1}, director="@2")
    gb.stock_round(game)
    act(game, "@1 sell 1 MR", "@1 buy NER from ipo")
    assert game.players_to_act() == ("@2",)
    game = holding(60, s2=1, pool=1)
    gb.started(game, "NER", {"@1": 1}, director="@2")
    gb.stock_round(game)
    act(game, "@1 buy MR from ipo")
    refused(game, "@1 sell 1 NER")


def test_stock_rounds_all_shares_may_lie_in_the_pool() -> None:
    game = holding(100, s1=2, pool=1)
    act(game, "@1 sell 4 MR")
    record = game.company(Owner("MR"))
    assert (record.percent_held_by(POOL), cash(game, "@1"), priced(game)) == (100, 1400, after(100, -4))


def test_stock_rounds_who_has_more_becomes_president() -> None:
    game = holding(100, s1=1, s2=2)
    act(game, "@1 sell 2 MR")
    record = game.company(Owner("MR"))
    assert (record.certificates[0].owner, record.percent_held_by(Owner("@1")), record.percent_held_by(Owner("@2"))) == (
        "@2",
        20,
        40,
    )


def test_stock_rounds_who_has_as_much_does_not() -> None:
    game = holding(100, s1=1, s2=2)
    act(game, "@1 sell 1 MR")
    assert game.company(Owner("MR")).certificates[0].owner == "@1"


@pytest.mark.parametrize("pool", [0, 2])
def test_stock_rounds_nothing_moves_at_the_end(pool: int) -> None:
    game = holding(100, s1=1, s2=2 - pool, pool=pool)
    for seat in ("@1", "@2", "@3", "@4"):
        act(game, f"{seat} pass")
    assert (game.state.round.kind, priced(game)) == ("operating", 100)


def test_stock_rounds_order_is_that_of_passing() -> None:
    game = holding(100, s2=1)
    act(game, "@1 pass", "@2 pass", "@3 buy MR from ipo", "@4 pass", "@1 buy MR from ipo")
    act(game, "@2 pass", "@3 pass", "@4 pass", "@1 pass")
    assert game.state.round.kind == "operating"
    assert game.state.order == ["@2", "@4", "@3", "@1"]


# -- dividends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "revenue", "spaces"),
    [
        (100, 10, 1),
        (100, 190, 1),
        (100, 200, 2),
        (100, 290, 2),
        (100, 300, 3),
        (100, 390, 3),
        (100, 400, 4),
        (100, 990, 4),
        (65, 120, 1),
        (65, 130, 2),
        (65, 190, 2),
        (65, 200, 3),
        (65, 260, 4),
        (50, 0, 0),
        (100, 0, -1),
        (290, 30, 1),
        (290, 580, 2),
        (320, 1280, 2),
        (380, 400, 0),
        (380, 0, -1),
    ],
)
def test_dividends_move_the_price(price: int, revenue: int, spaces: int) -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 1}, price=price, cash=0)
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=revenue)
    if revenue:
        act(game, "MR pay")
    assert priced(game) == after(price, spaces)


@pytest.mark.parametrize("price", [50, 55, 100, 350, 380])
def test_dividends_withheld_move_one_left(price: int) -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 1}, price=price, cash=7)
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=200)
    act(game, "MR withhold")
    assert (priced(game), cash(game, "MR")) == (after(price, -1), 207)


@pytest.mark.parametrize(("revenue", "shares"), [(100, (40, 20, 0, 20)), (130, (52, 26, 0, 26)), (50, (20, 10, 0, 10))])
def test_dividends_of_the_ipo_go_to_the_company(revenue: int, shares: tuple[int, ...]) -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 1, "pool": 1}, cash=0)
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=revenue)
    act(game, "MR pay")
    assert tuple(cash(game, owner) - (330 if owner[0] == "@" else 0) for owner in ("@1", "@2", "@3", "MR")) == shares


def test_dividends_of_ten_shares() -> None:
    game = gb.new_game()
    gb.started(game, "MR", {}, cash=0)
    gb.grow(game, "MR", ["@1", "@2", "@2", "pool", "pool", "ipo", "ipo", "ipo"])
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=170)
    act(game, "MR pay")
    assert [cash(game, owner) - 330 for owner in ("@1", "@2")] == [51, 34]
    assert cash(game, "MR") == 51
