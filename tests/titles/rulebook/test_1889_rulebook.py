"""1889 by a second reader, who has read what is known of its rules and none of its code. What happens is told by moves, one case a
line: the position, the moves, and what is so after them."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, POOL, HexId, Owner
from bot.engine.play.game import Game
from tests.rearrangement import rearrange
from tests.titles import builders_classic as rb
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash


def auction(*moves: str) -> Game:
    game = rb.new_game("1889", 4)
    act(game, *moves)
    return game


def shares(number: int = 2, player: str = "@1") -> Game:
    """A stock round: SR of @1 (40%), @2 (30%), the pool (10%) and the bank; its price is 100."""
    game = rb.new_game("1889", 4)
    rb.own(game)
    rb.started(game, "SR", {"@1": 2, "@2": 3, POOL: 1})
    return rb.stock_round(game, number, player)


def turn(name: str = "IR", step: int = rb.TRACK, phase: str = "2", **more: object) -> Game:
    game = rb.new_game("1889", 4)
    rb.own(game, **more.pop("privates", {}))  # type: ignore[arg-type]
    rb.started(game, name, {"@1": 3, POOL: 1})
    rb.reach_phase(game, phase)
    return rb.operating(game, name, step=step, phase=phase, **more)  # type: ignore[arg-type]


def held(game: Game, name: str, owner: str) -> int:
    return game.company(company(name)).percent_held_by(Owner(owner))


# -- the auction ------------------------------------------------------------------------------------------

PASSES = ("@1 pass", "@2 pass", "@3 pass", "@4 pass")


@pytest.mark.parametrize(("moves", "refusal"), [
    (["@1 bid SMR 54"], "55"),
    (["@1 bid SMR 56", "@2 bid SMR 60"], "61"),
    (["@1 bid UTF 340", *PASSES[1:], "@1 bid SIR 85"], "80"),
])  # fmt: skip
def test_of_the_auction_these_moves_are_refused(moves: list[str], refusal: str) -> None:
    """5 above the value or the highest bid; all bids together are bound."""
    assert refusal in refused(auction(*moves[:-1]), moves[-1])


@pytest.mark.parametrize(("moves", "owner", "money", "next_player"), [
    (["@1 bid MF 37", "@2 bid TE 20"], ("MF", "@1"), ("@1", 383), "@3"),
    (["@1 bid MF 35", "@2 bid MF 40", "@3 bid TE 20", "@1 pass"], ("MF", "@2"), ("@2", 380), "@4"),
    (["@1 bid MF 35", "@2 bid MF 40", "@3 bid TE 20", "@1 bid MF 45", "@2 pass"], ("MF", "@1"), ("@1", 375), "@4"),
    ([*PASSES, "@1 bid TE 15"], ("TE", "@1"), ("@1", 405), "@2"),
    ([*PASSES * 4], ("TE", "@1"), ("@1", 420), "@2"),
    (["@1 bid TE 20", *PASSES[1:], "@1 pass"], ("TE", "@1"), ("@1", 405), "@2"),
])  # fmt: skip
def test_who_gets_a_private_and_who_comes_next(
    moves: list[str], owner: tuple[str, str], money: tuple[str, int], next_player: str
) -> None:
    """The last line: when all pass after the first sale, the privates pay."""
    game = auction(*moves)
    assert (rb.owner_of(game, owner[0]), cash(game, money[0]), game.player_in_turn) == (owner[1], money[1], next_player)


# -- stock rounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "move", "refusal"), [
    (1, "@1 sell 1 SR", "first stock round"),
    (2, "@1 sell 5 SR", ""),
    (2, "@1 par IR 95", "not 95"),
    (2, "@1 par IR 67", "not 67"),
])  # fmt: skip
def test_in_a_stock_round_these_moves_are_refused(number: int, move: str, refusal: str) -> None:
    assert refusal in refused(shares(number), move)


def test_the_pool_holds_at_most_half() -> None:
    game = shares(2, "@2")
    for certificate in game.company(company("SR")).certificates:
        rearrange(game, certificate, owner=POOL if certificate.owner == IPO else certificate.owner)
    assert held(game, "SR", POOL) == 30
    assert "50%" in refused(game, "@2 sell 3 SR")
    act(game, "@2 sell 2 SR")


@pytest.mark.parametrize("price", [100, 90, 80, 75, 70, 65])
def test_a_presidents_certificate_costs_two_shares(price: int) -> None:
    game = shares()
    act(game, f"@1 par IR {price}")
    assert cash(game, "@1") == 420 - 2 * price


@pytest.mark.parametrize(("cell", "number", "price"), [((0, 3), 3, 75), ((7, 4), 2, 60), ((10, 0), 2, 10)])
def test_a_price_falls_a_row_a_share_and_stays_where_there_is_none(
    cell: tuple[int, int], number: int, price: int
) -> None:
    game = shares(2, "@2")
    rb.price_at(game, "SR", cell)
    worth = rb.price(game, "SR")
    act(game, f"@2 sell {number} SR")
    assert rb.price(game, "SR") == price and cash(game, "@2") == 420 + number * worth


def test_who_has_sold_does_not_buy_back_in_the_round() -> None:
    game = shares(2, "@2")
    act(game, "@2 sell 1 SR")
    assert "You sold SR" in refused(game, "@2 buy SR")


@pytest.mark.parametrize(("cell", "may_buy"), [((3, 3), False), ((5, 0), False), ((8, 0), True)])
def test_beyond_60_percent_only_in_orange(cell: tuple[int, int], may_buy: bool) -> None:
    game = rb.new_game("1889", 4)
    rb.started(game, "SR", {"@1": 4})
    rb.price_at(game, "SR", cell)
    rb.stock_round(game)
    assert ("@1 buy SR" in rb.offered(game, "buy")) == may_buy


def test_a_sold_out_company_rises_unless_it_is_at_the_top() -> None:
    for cell, price in (((2, 3), 90), ((0, 5), 125)):
        game = rb.new_game("1889", 4)
        rb.started(game, "SR", {"@1": 4, "@2": 4})
        rb.price_at(game, "SR", cell)
        rb.stock_round(game)
        act(game, *PASSES)
        assert rb.price(game, "SR") == price


# -- operating rounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "rounds", "limit"), [("2", 1, 4), ("3", 2, 4), ("4", 2, 3), ("5", 3, 2), ("6", 3, 2), ("D", 3, 2)])  # fmt: skip
def test_phases_set_rounds_and_limits(phase: str, rounds: int, limit: int) -> None:
    found = rb.new_game("1889").title.phase(phase)
    assert (found.operating_rounds, found.train_limit) == (rounds, limit)


@pytest.mark.parametrize(
    ("name", "left"), [("AR", 1), ("IR", 1), ("SR", 1), ("KO", 1), ("TR", 2), ("UR", 2), ("KU", 0)]
)
def test_tokens_beyond_the_home_cost_40_each(name: str, left: int) -> None:
    assert list(rb.new_game("1889").title.companies[company(name)].tokens) == [0] + [40] * left


@pytest.mark.parametrize(("kind", "cell", "price"), [("pay", (2, 3), 90), ("withhold", (2, 3), 75), ("pay", (1, 14), 350), ("withhold", (3, 0), 55), ("withhold", (10, 0), 10)])  # fmt: skip
def test_a_dividend_moves_the_price(kind: str, cell: tuple[int, int], price: int) -> None:
    game = turn(step=rb.PAY, trains=("2",), revenue=50)
    rb.price_at(game, "IR", cell)
    before = cash(game, "IR")
    act(game, f"IR {kind}")
    assert rb.price(game, "IR") == price
    assert cash(game, "IR") - before == (5 if kind == "pay" else 50), "the pool pays the company, the offering nothing"


@pytest.mark.parametrize(("hex_id", "cost"), [("E4", 80), ("H5", 80), ("K6", 80), ("I4", 80), ("D3", 0)])
def test_what_the_ground_costs(hex_id: str, cost: int) -> None:
    assert rb.new_game("1889").board_rules.map.hexes[HexId(hex_id)].cost == cost


@pytest.mark.parametrize(("phase", "buys"), [("5", False), ("6", True)])
def test_a_d_is_sold_once_a_6_was_and_costs_300_less_for_another_train(phase: str, buys: bool) -> None:
    game = turn(step=rb.TRAINS, phase=phase, trains=("5",))
    set_cash(game, "IR", 1100)
    if not buys:
        assert refused(game, "IR buy D for 1100")
        return
    act(game, "IR buy D for 800 trade 5")
    assert cash(game, "IR") == 300 and any(train.owner == POOL and train.kind == "5" for train in game.state.trains)


@pytest.mark.parametrize(("price", "is_sold"), [(0, False), (1, True), (1000, True), (1001, False)])
def test_other_companies_trains_cost_what_they_ask(price: int, is_sold: bool) -> None:
    game = turn(step=rb.TRAINS, trains=("2",))
    rb.started(game, "SR", {"@1": 3})
    give_train(game, "SR", "2")
    if is_sold:
        act(game, f"IR buy 2 from SR for {price}")
    else:
        refused(game, f"IR buy 2 from SR for {price}")


@pytest.mark.parametrize(("phase", "price", "is_sold"), [("2", 20, False), ("3", 19, False), ("3", 20, True), ("4", 80, True), ("4", 81, False), ("5", 40, False)])  # fmt: skip
def test_privates_are_sold_to_companies_in_phases_3_and_4_for_half_to_double(
    phase: str, price: int, is_sold: bool
) -> None:
    game = turn(phase=phase, privates={"ER": "@1"})
    if is_sold:
        act(game, f"IR buy ER for {price}")
        assert rb.owner_of(game, "ER") == "IR"
    else:
        refused(game, f"IR buy ER for {price}")


def test_dougo_is_exchanged_in_the_first_stock_round_before_iyo_has_a_price_and_by_anyone_in_turn() -> None:
    game = rb.new_game("1889", 4)
    rb.own(game, DR="@3")
    rb.stock_round(game, 1)
    act(game, "@3 exchange DR")
    assert held(game, "IR", "@3") == 10 and game.company(company("IR")).par is None and game.player_in_turn == "@1"


def test_an_exchange_may_float_iyo() -> None:
    game = rb.new_game("1889", 4)
    rb.own(game, DR="@3")
    rb.started(game, "IR", {"@1": 2}, cash=0, par=65, floated=False)
    rb.stock_round(game)
    act(game, "@3 exchange DR")
    assert game.company(company("IR")).floated and cash(game, "IR") == 650


def need(money: int, own_shares: int) -> Game:
    """IR must buy a train for 80 and has 10; its president has this money, and these shares of SR at 100 beside."""
    game = rb.new_game("1889", 4)
    rb.own(game)
    rb.started(game, "IR", {"@1": 3})
    rb.started(game, "SR", {"@1": own_shares, "@2": 3}, "@2")
    lay(game, ("5", "E2", 4))
    set_cash(game, "IR", 10)
    set_cash(game, "@1", money)
    return rb.operating(game, "IR", step=rb.TRAINS)


def test_in_need_shares_are_sold_only_as_many_as_needed() -> None:
    game = need(20, 2)
    assert rb.offered(game, "sell") and not any("2 SR" in move for move in rb.offered(game, "sell"))
    act(game, "IR sell 1 SR", "IR buy 2 for 80")
    assert (cash(game, "@1"), cash(game, "IR"), rb.price(game, "SR")) == (50, 0, 90)


@pytest.mark.parametrize(("money", "own_shares", "is_allowed"), [(20, 2, False), (20, 0, False), (80, 0, False)])
def test_nobody_is_bankrupt_who_could_pay(money: int, own_shares: int, is_allowed: bool) -> None:
    """Two shares of IR can be sold, too: nobody else has any."""
    assert ("IR bankrupt" in rb.offered(need(money, own_shares), "bankrupt")) == is_allowed


def test_a_bankruptcy_ends_the_game_at_once() -> None:
    game = need(20, 0)
    own = [one for one in game.company(company("IR")).certificates[1:] if one.owner == Owner("@1")]
    for certificate, owner in zip(own, ("@2", "@3", "@4"), strict=True):
        rearrange(game, certificate, owner=Owner(owner))
    act(game, "IR bankrupt")
    assert game.state.finished and cash(game, "@1") == 0


def test_worth_is_cash_shares_and_the_value_of_privates() -> None:
    game = rb.new_game("1889", 4)
    rb.own(game, UTF="@1", DR="@1")
    rb.started(game, "SR", {"@1": 1})
    assert game.title.rules.worth(game, game.state.order[0]) == 420 + 150 + 60 + 300


def test_a_bank_that_breaks_in_a_stock_round_lets_the_next_set_be_played() -> None:
    game = shares(2, "@2")
    set_cash(game, BANK, 10)
    game.state.money = sum(game.state.cash.values())
    act(game, "@2 sell 1 SR", "@2 pass", "@3 pass", "@4 pass", "@1 pass", "@2 pass")
    assert game.state.ending and not game.state.finished and game.state.round.kind == "operating"
    while not game.state.finished:
        act(game, f"{game.actor_in_turn} pass")
    assert game.state.round.kind == "operating"


def test_beginners_privates_are_not_sold_to_companies() -> None:
    title = rb.new_game("1889", 2, beginning="dealt").title
    assert all(title.privates[company(sign)].price_range is None for sign in ("DRb", "SIRb"))  # type: ignore[index]
