"""1844 §§VIII, XVIII, XIX, XXI-XXIII read a second time: shares, prices, dividends, the end."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.state import TurnMemory
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import PAY, TITLE, new_game, operating, reach_phase, started, stock_round
from tests.titles.positions import act, cash, company, refused, set_cash


def priced(game: Game, name: str) -> int:
    """The company's price on the chart."""
    return price_of(game, company(name))


def paying(game: Game, name: str, revenue: int) -> Game:
    """The company has earned this and decides about it."""
    operating(game, name)
    game.state.flow[-1].at = PAY
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory)
    memory.revenue = revenue
    return game


def holding(position: tuple[int, int] = (1, 4), operated: bool = True, number: int = 2, **shares: int) -> Game:
    """Ann directs BLS with two shares and more; it is her turn in a share round."""
    game = new_game()
    held = {"@1": 2, "@2": 2} | {f"@{name[1:]}" if name != "pool" else name: more for name, more in shares.items()}
    started(game, "BLS", held, position=position, operated=operated)
    return stock_round(game, number)


# -- §XVIII: dividends --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("revenue", "shares", "paid"), [(150, 1, 8), (150, 2, 15), (150, 3, 23), (140, 1, 7), (10, 1, 1), (10, 3, 2)]
)
def test_xviii_odd_5_percents_are_rounded_up_for_the_player(revenue: int, shares: int, paid: int) -> None:
    game = new_game()
    reach_phase(game, "5")
    started(game, "SBB", {"@1": 1, "@2": shares})
    act(paying(game, "SBB", revenue), "SBB pay")
    assert cash(game, "@2") == 800 + paid


@pytest.mark.parametrize(("revenue", "player", "pool"), [(150, 38, 37), (130, 33, 32), (100, 25, 25), (10, 3, 2)])
def test_xviii_odd_25_percents_up_for_the_player_down_for_the_treasury(revenue: int, player: int, pool: int) -> None:
    game = new_game()
    started(game, "NOB", {"@2": 1, "pool": 1}, cash=0)
    act(paying(game, "NOB", revenue), "NOB pay")
    assert [cash(game, owner) for owner in ("@1", "@2", "NOB")] == [800 + revenue // 2, 800 + player, pool]


def test_xviii_new_shares_earn_nothing_old_ones_for_the_treasury() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1, "pool": 3}, cash=5)
    bank = cash(paying(game, "BLS", 100), BANK)
    act(game, "BLS pay")
    assert [cash(game, owner) for owner in ("@1", "@2", "@3", "BLS")] == [820, 810, 800, 35]
    assert cash(game, BANK) == bank - 60


def test_xviii_regional_shares_are_20_percent() -> None:
    game = new_game()
    started(game, "JN", {"@2": 1}, cash=0)
    act(paying(game, "JN", 50), "JN pay")
    assert [cash(game, owner) for owner in ("@1", "@2", "JN")] == [820, 810, 0]


# -- §XIX ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "position", "price"),
    [
        ("BLS", (1, 4), 110),
        ("BLS", (4, 11), 170),
        ("BLS", (3, 11), 190),
        ("BLS", (7, 5), 70 - 6),
        ("BLS", (0, 17), 350),
        ("BLS", (1, 17), 350),
        ("JN", (1, 4), 110),
        ("JN", (4, 11), 170),
        ("JN", (3, 11), 180),
        ("JN", (2, 11), 190),
        ("JN", (1, 11), 200),
        ("JN", (0, 11), 200),
    ],
)
def test_xix_and_x_a_dividend_moves_right_or_up(name: str, position: tuple[int, int], price: int) -> None:
    game = new_game()
    started(game, name, {"@1": 1}, position=position)
    act(paying(game, name, 100), f"{name} pay")
    assert priced(game, name) == price


@pytest.mark.parametrize(
    ("position", "price"),
    [((1, 4), 90), ((2, 0), 50), ((3, 0), 45), ((6, 0), 30), ((7, 0), 30), ((0, 2), 80), ((1, 1), 60)],
)
def test_xix_no_dividend_moves_left_or_at_the_edge_down(position: tuple[int, int], price: int) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3}, position=position, cash=0)
    act(paying(game, "BLS", 70), "BLS withhold")
    assert (priced(game, "BLS"), cash(game, "BLS")) == (price, 70)


# -- §§XXI, XXII: share rounds ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "operated", "received", "price"),
    [
        ((1, 4), True, 200, 90),
        ((1, 4), False, 180, 90),
        ((0, 16), True, 640, 310),
        ((7, 3), True, 108, 54),
        ((7, 3), False, 108, 54),
        ((4, 11), True, 320, 160),
    ],
)
def test_xxii_the_price_of_a_sale(position: tuple[int, int], operated: bool, received: int, price: int) -> None:
    game = holding(position, operated)
    act(game, "@1 sell 2 BLS")
    assert (cash(game, "@1"), priced(game, "BLS")) == (800 + received, price)


@pytest.mark.parametrize(("pool", "sold", "may"), [(3, 2, True), (4, 2, False), (4, 1, True)])
def test_xxii_at_most_half_in_the_pool(pool: int, sold: int, may: bool) -> None:
    game = holding(pool=pool)
    if may:
        act(game, f"@1 sell {sold} BLS")
        assert game.company(Owner("BLS")).percent_held_by(POOL) == 50
    else:
        refused(game, f"@1 sell {sold} BLS", "XXII")


@pytest.mark.parametrize(("name", "pool"), [("JN", 1), ("NOB", 1)])
def test_xxii_half_of_the_shares_may_lie_in_the_pool(name: str, pool: int) -> None:
    game = new_game()
    started(game, name, {"@1": 1, "pool": pool})
    act(stock_round(game), f"@1 sell 1 {name}")


def test_xxii_more_than_half_may_not() -> None:
    game = new_game()
    started(game, "JN", {"@1": 1, "pool": 2})
    refused(stock_round(game), "@1 sell 1 JN", "XXII")


def test_xxii_no_sales_in_the_first_share_round() -> None:
    refused(holding(number=1), "@1 sell 1 BLS", "")


def test_xxii_what_was_sold_is_not_bought_in_the_round() -> None:
    game = holding()
    act(game, "@1 sell 1 BLS")
    refused(game, "@1 buy BLS from pool", "XXII")
    refused(game, "@1 buy BLS", "XXII")


def test_xxii_buying_ends_the_turn() -> None:
    game = holding()
    act(game, "@1 sell 1 BLS", "@1 par JN 60")
    assert game.players_to_act() == ("@2",)


@pytest.mark.parametrize(("source", "price"), [("ipo", 100), ("pool", 130)])
def test_xxi_new_shares_at_the_issue_price_old_ones_at_the_present(source: str, price: int) -> None:
    game = holding((1, 7), pool=1)
    before = priced(game, "BLS")
    act(game, f"@1 buy BLS from {source}")
    assert (before, cash(game, "@1")) == (130, 800 - price)


@pytest.mark.parametrize(("players", "limit"), [(3, 24), (4, 18), (5, 15), (6, 13), (7, 11)])
def test_xxii_certificate_limits(players: int, limit: int) -> None:
    game = new_game(players)
    assert TITLE.rules.certificate_limit(game, game.state.order[0]) == limit


@pytest.mark.parametrize(
    ("name", "held", "may"), [("BLS", 5, True), ("BLS", 6, False), ("JN", 2, True), ("JN", 3, False)]
)
def test_xxii_more_than_half_only_from_the_pool(name: str, held: int, may: bool) -> None:
    game = new_game()
    started(game, name, {"@1": held - 2, "pool": 1})
    stock_round(game)
    if may:
        act(game, f"@1 buy {name}")
    else:
        refused(game, f"@1 buy {name}", "XXII")
        act(game, f"@1 buy {name} from pool")


@pytest.mark.parametrize(("held", "may"), [(2, True), (3, False)])
def test_xxii_three_shares_of_a_pre_sbb_company(held: int, may: bool) -> None:
    game = new_game()
    started(game, "NOB", {"@1": held - 2})
    stock_round(game)
    if may:
        act(game, "@1 buy NOB")
    else:
        refused(game, "@1 buy NOB", "XXII")


@pytest.mark.parametrize(
    ("position", "pool", "hands", "price"),
    [
        ((1, 4), 1, 7, 90),
        ((2, 0), 1, 7, 50),
        ((1, 4), 0, 8, 110),
        ((0, 5), 0, 8, 120),
        ((1, 4), 0, 7, 100),
        ((7, 0), 2, 6, 30),
    ],
)
def test_xxi_the_end_of_a_share_round(position: tuple[int, int], pool: int, hands: int, price: int) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 4, "@2": hands - 4, "pool": pool}, position=position)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert priced(game, "BLS") == price


@pytest.mark.parametrize(
    ("money", "order"),
    [((10, 30, 20), "231"), ((20, 20, 20), "123"), ((20, 30, 30), "231"), ((30, 10, 30), "132")],
)
def test_xxi_the_richest_begins_the_next_share_round(money: tuple[int, ...], order: str) -> None:
    game = new_game()
    for player, amount in zip(("@1", "@2", "@3"), money, strict=True):
        set_cash(game, player, amount)
    started(game, "BLS", {"@1": 3})
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.order == [f"@{number}" for number in order]


@pytest.mark.parametrize(("phase", "rounds"), [("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("7", 3)])
def test_xxi_operating_rounds_after_a_share_round(phase: str, rounds: int) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3})
    reach_phase(game, phase)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert (game.state.round.kind, game.state.round.of) == ("operating", rounds)


@pytest.mark.parametrize(("bob", "director"), [(2, "@1"), (3, "@2")])
def test_viii_more_shares_make_the_director(bob: int, director: str) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 1, "@2": bob})
    stock_round(game, player="@2")
    act(game, "@2 buy BLS")
    assert game.company(Owner("BLS")).certificates[0].owner == director


def test_viii_four_in_the_pool_and_half_of_the_directors_certificate_goes() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 2, "pool": 4})
    act(stock_round(game), "@1 sell 1 BLS")
    record = game.company(Owner("BLS"))
    assert (record.certificates[0].owner, record.percent_held_by(Owner("@1")), record.percent_held_by(POOL)) == (
        "@2",
        10,
        50,
    )


@pytest.mark.parametrize("lot", ["B1", "T1"])
def test_xxii_mountains_and_tunnel_shares_one_a_round(lot: str) -> None:
    game = stock_round(new_game())
    price = 150 if lot == "B1" else 50
    act(game, f"@1 buy {lot} for {price}")
    while len(game.state.flow) and game.procedure.steps and game.frame.plan == "mountain":
        game.apply(game.legal_actions()[0])
    act(game, "@2 pass", "@3 pass")
    refused(game, f"@1 buy {lot[0]}2 for {price}", "")


# -- §XXIII -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lot", "value"), [("B1", 150), ("T1", 50)])
@pytest.mark.parametrize("active", [True, False])
def test_xxiii_mountains_and_tunnels_count_if_they_ever_paid(lot: str, value: int, active: bool) -> None:
    game = stock_round(new_game())
    game.private(Owner(lot)).owner = Owner("@2")
    game.state.special.active = [lot] if active else []
    assert game.title.rules.worth(game, game.state.order[1]) == 800 + (value if active else 0)


def test_xxiii_cash_and_shares_only() -> None:
    game = holding((1, 7))
    rearrange(game, game.company(Owner("MOB")).certificates[1], owner=Owner("@3"))
    worth = [game.title.rules.worth(game, player) for player in game.state.order]
    assert worth == [800 + 4 * 130, 800 + 2 * 130, 800]
