"""1820 by a second reader of the rulebook: issue and takeover rounds, the end, Victoria (§8 to §10)."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import Frame, Round
from tests.rearrangement import rearrange
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused, set_cash, token
from tests.titles.rulebook.birmingham import legal, with_revenue

PHASE_OF = ["yellow"] * 2 + ["green"] * 3 + ["blue"] * 3 + ["brown"] * 3 + ["red"] * 3 + ["gray"] * 3


def issue_round(game: Game) -> Game:
    """The issue and takeover round that follows the first operating round, from its very beginning."""
    game.state.round = Round("operating", 2, 1, 2)
    game.state.flow = [Frame("game", None, 2)]
    return e.settled(game)


def left(game: Game, kind: str) -> int:
    return sum(train.kind == kind and train.owner == DEPOT for train in game.state.trains)


def two_companies(phase: str = "yellow", loans: int = 0, money: int = 1000, at: int = 65) -> Game:
    """The LSR (65, Ann's three shares, £500) and the OW&WR (71, Bob's three shares)."""
    game = e.new_game()
    e.floated(game, "LSR", held={"@1": 3}, at=at)
    e.floated(game, "OW&WR", held={"@2": 3}, at=71, money=money, loans=loans)
    for name in ("LSR", "OW&WR"):
        e.give_trains(game, name, "2+")
    e.reach_phase(game, phase)
    return game


def with_a_third(game: Game) -> Game:
    """Bob has a third company, which is asked last: the round does not end with the takeover."""
    e.floated(game, "LUR", held={"@2": 3}, at=95, money=900)
    e.give_trains(game, "LUR", "2+")
    return game


def offers(game: Game) -> Game:
    """Companies may be offered; the LSR, at the lowest price, begins."""
    return e.issue_round(game, 3)


def sold(game: Game, bid: int) -> Game:
    """The LSR has won the OW&WR for this bid, whose director agrees."""
    act(game, "LSR offer OW&WR", f"@1 bid OW&WR {bid}")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    if game.frame.plan == "accept":
        act(game, "@2 agree")
    return game


# -- 8.1 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "phase"),
    [
        (0, 1, "yellow"),
        (1, 2, "green"),
        (3, 4, "green"),
        (4, 5, "blue"),
        (7, 8, "brown"),
        (10, 11, "red"),
        (13, 14, "gray"),
    ],
)
def test_8_1_the_marker_moves_a_space(before: int, after: int, phase: str) -> None:
    game = two_companies(PHASE_OF[before])
    e.title_state(game).column = before
    issue_round(game)
    assert (e.title_state(game).column, game.state.phase) == (after, phase)


@pytest.mark.parametrize(
    ("before", "counts"),
    [
        (2, {"3+": 15, "5+": 14}),
        (4, {"3+": 0, "5+": 13}),
        (5, {"5+": 13, "8+": 6}),
        (7, {"5+": 0, "8+": 5}),
        (13, {"5D+": 0, "FLOOD": 8}),
    ],
)
def test_8_1_one_train_is_discarded_and_those_of_an_older_colour(before: int, counts: dict[str, int]) -> None:
    game = two_companies(PHASE_OF[before])
    e.title_state(game).column = before
    issue_round(game)
    assert {kind: left(game, kind) for kind in counts} == counts


def test_8_1_the_last_of_a_colour_takes_the_first_of_the_next_along() -> None:
    game = two_companies("green")
    for train in [train for train in game.state.trains if train.kind == "3+"][1:]:
        rearrange(game, train, owner=REMOVED)
    issue_round(game)
    assert (left(game, "3+"), left(game, "5+")) == (0, 13)
    assert (e.title_state(game).column, game.state.phase) == (5, "blue")


def test_9_1_the_last_column_ends_the_game_at_once() -> None:
    game = two_companies("gray")
    e.title_state(game).column = 16
    issue_round(game)
    assert game.state.finished


# -- 8.2 ----------------------------------------------------------------------------------------------


def reducing(**company: object) -> Game:
    game = e.new_game()
    e.floated(game, "LSR", **company)  # type: ignore[arg-type]
    e.give_trains(game, "LSR", "2+")
    return game


def test_8_2_the_pool_is_bought_first_then_players_of_the_directors_choice() -> None:
    game = reducing(shares=10, held={"@1": 4, "@2": 2}, pool=1, at=65)
    e.issue_round(game, 1)
    refused(game, "LSR decrease 5 from @2:2", "")
    act(game, "LSR decrease 5 from @2:1")
    record = e.company(game)
    assert [record.count_of(Owner(one)) for one in ("@1", "@2", POOL, IPO)] == [4, 1, 0, 0]
    assert (cash(game, "LSR"), cash(game, "@2"), e.price(game)) == (370, 1065, 65)


@pytest.mark.parametrize(
    ("phase", "fits"), [("yellow", True), ("green", True), ("blue", True), ("brown", False), ("red", False)]
)
def test_8_2_not_from_brown_on(phase: str, fits: bool) -> None:
    game = reducing(shares=10, held={"@1": 4}, at=65)
    e.reach_phase(game, phase)
    e.issue_round(game, 1)
    assert game.allows(e.action("LSR decrease 5")) == fits


def test_8_2_to_a_private_company_whose_treasury_is_its_directors() -> None:
    game = reducing(shares=5, held={"@1": 3}, at=65)
    e.issue_round(game, 1)
    act(game, "LSR decrease 1 from @1:2")
    assert e.company(game).position is None
    assert e.title_state(game).private_track == ["LSR"]
    assert cash(game, "@1") == 1000 + 130 + 370
    assert cash(game, "LSR") == 0


def test_8_2_more_loans_than_shares_in_play_are_repaid() -> None:
    game = reducing(shares=10, held={"@1": 3}, pool=3, at=65, loans=6, money=900)
    e.issue_round(game, 1)
    act(game, "LSR decrease 5")
    # one share of the pool for 65; five in play, so one loan of 200 is repaid: a space up
    assert (cash(game, "LSR"), e.company(game).loans, e.price(game)) == (635, 5, 71)


# -- 8.3 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "held", "issued", "price"),
    [
        (5, 2, 1, 60),
        (5, 2, 3, 51),
        (10, 4, 2, 55),
        (20, 8, 3, 51),
        (50, 20, 1, 60),
        (50, 20, 3, 55),
        (50, 20, 5, 55),
        (50, 20, 6, 51),
    ],
)
def test_8_3_issued_shares_bring_the_price_before_and_move_it(shares: int, held: int, issued: int, price: int) -> None:
    # a space for each 5%, rounded up, or share, whichever are fewer
    game = reducing(shares=shares, held={"@1": held}, at=65, money=0)
    e.issue_round(game, 1)
    act(game, f"LSR issue {issued}")
    assert cash(game, "LSR") == 65 * issued
    assert e.company(game).count_of(POOL) == issued
    assert e.price(game) == price


@pytest.mark.parametrize(("at", "issued", "fits"), [(43, 1, True), (43, 2, False), (40, 1, False), (10, 1, False)])
def test_8_3_not_into_liquidation_nor_in_it(at: int, issued: int, fits: bool) -> None:
    game = two_companies()
    e.floated(game, "LUR", held={"@1": 2}, at=at)
    e.issue_round(game, 1)
    assert game.allows(e.action(f"LUR issue {issued}")) == fits


def test_8_3_private_companies_issue_nothing() -> None:
    game = two_companies()
    e.floated(game, "LUR", shares=1)
    e.issue_round(game, 1)
    refused(game, "LUR issue 1", "")


# -- 8.4 ----------------------------------------------------------------------------------------------

FORCING = [190, 190, 173, 157, 157, 142, 128, 128, 116, 105, 105, 95, 86, 86, 78, 71, 71]
"""71 moved up by the premium of each column."""


@pytest.mark.parametrize(("column", "price"), list(enumerate(FORCING)))
def test_8_4_2_the_forcing_bid_of_every_column(column: int, price: int) -> None:
    game = two_companies(PHASE_OF[column])
    set_cash(game, "LSR", 2000)
    e.title_state(game).column = column
    offers(game)
    act(game, "LSR offer OW&WR")
    below, forcing = (3 * price - 1) // 10 * 10, -(-3 * price // 10) * 10
    for bid in {below, forcing}:
        if bid < 3 * 71:
            continue
        other = game.copy()
        act(other, f"@1 bid OW&WR {bid}")
        while other.frame.plan == "takeover":
            act(other, f"{other.players_to_act()[0]} pass")
        assert (other.frame.plan == "accept") == (bid < 3 * price)


@pytest.mark.parametrize("bid", [210, 213, 225])
def test_8_4_2_bids_are_tens_from_the_value_of_the_shares_in_play(bid: int) -> None:
    game = offers(two_companies())
    act(game, "LSR offer OW&WR")
    refused(game, f"@1 bid OW&WR {bid}", "8.4.2")


def test_8_4_3_each_share_gets_its_part_rounded_down_and_the_rest_is_the_banks() -> None:
    game = sold(offers(with_a_third(two_companies())), 220)
    act(game, "LSR acquire")
    assert cash(game, "@2") == 1000 + 3 * 73
    assert cash(game, "LSR") == 500 - 220 + 1000
    assert [train.kind for train in game.state.trains_of(Owner("LSR"))] == ["2+", "2+"]
    assert e.company(game, "OW&WR").position is None
    assert e.price(game) == 65


@pytest.mark.parametrize(("loans", "price"), [(1, 60), (2, 55), (3, 51)])
def test_8_4_3_a_space_down_for_each_loan_acquired(loans: int, price: int) -> None:
    game = sold(offers(with_a_third(two_companies(loans=loans))), 220)
    act(game, "LSR acquire")
    assert (e.company(game).loans, e.price(game)) == (loans, price)


def test_8_4_2_the_director_declines_and_it_is_not_offered_again() -> None:
    game = offers(two_companies())
    act(game, "LSR offer OW&WR", "@1 bid OW&WR 220")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@2 refuse")
    assert e.price(game, "OW&WR") == 71
    refused(game, "LSR offer OW&WR", "8.4.1")


def test_8_4_2_the_director_of_the_lot_goes_10_above_the_others_at_most() -> None:
    game = two_companies()
    e.floated(game, "LUR", held={"@2": 3}, at=95, money=900)
    offers(game)
    act(game, "LSR offer OW&WR", "@1 bid OW&WR 220")
    refused(game, "@2 bid OW&WR 240", "8.4.2")
    act(game, "@2 bid OW&WR 230")


@pytest.mark.parametrize(("victoria", "ann"), [(False, 1000 + 500 + 97), (True, 1000 + 500 + 195)])
def test_8_4_1_the_bank_bids_half_or_all_for_a_company_that_offers_itself(victoria: bool, ann: int) -> None:
    game = two_companies()
    e.title_state(game).is_victoria_dead = victoria
    offers(game)
    act(game, "LSR offer LSR")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    # the treasury is divided among three shares and its remainder goes to the director: all of it is Ann's
    assert cash(game, "@1") == ann
    assert e.company(game).position is None


def test_8_4_1_shares_of_the_pool_leave_their_part_to_the_bank() -> None:
    game = two_companies()
    e.floated(game, "LUR", held={"@1": 2}, pool=2, at=65, money=101)
    e.give_trains(game, "LUR", "2+")
    game.state.flow = []
    offers(game)
    while "LUR offer LUR" not in legal(game):
        act(game, f"{game.frame.entity} pass")
    act(game, "LUR offer LUR")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    # half of 65 times four is 130; 231 in four parts of 57, and 3 over for the director
    assert cash(game, "@1") == 1000 + 2 * 57 + 3


def test_8_4_3_loans_for_the_purchase_no_more_than_needed() -> None:
    game = with_a_third(two_companies())
    set_cash(game, "LSR", 0)
    sold(offers(game), 220)
    refused(game, "LSR acquire", "")
    refused(game, "LSR acquire loans 3", "")
    act(game, "LSR acquire loans 2")
    assert (cash(game, "LSR"), e.company(game).loans, e.price(game)) == (1180, 2, 55)


# -- 8.5 ----------------------------------------------------------------------------------------------


def liquidation(money: int = 30, loans: int = 1, pool: int = 0) -> Game:
    game = two_companies()
    e.floated(game, "LUR", held={"@3": 2}, pool=pool, at=10, money=money, loans=loans)
    e.lay(game, "G7", "150", 1)
    token(game, "LUR", "G7")
    e.give_trains(game, "LUR", "2+")
    issue_round(game)
    while game.frame.plan == "reduce and issue":
        act(game, f"{game.players_to_act()[0]} done")
    return game


def test_8_5_the_bank_bids_the_minimum_and_holders_repay_the_loans() -> None:
    game = liquidation()
    act(game, *(f"{one} pass" for one in game.players_to_act()))
    # 30 and twice 10 make 50; 150 are missing, 75 a share
    assert cash(game, "@3") == 850
    assert [str(one) for one, _ in game.state.board.cities_of(e.company(game, "BR").id)] == ["G7"]


def test_8_5_a_higher_bid_goes_to_the_treasury_and_buys_trains_and_stations() -> None:
    game = liquidation()
    act(game, "@1 bid LUR 50")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, legal(game, "LSR acquire")[0])
    assert cash(game, "LSR") == 450
    assert cash(game, "@3") == 1000 - 2 * 60
    assert len(game.state.trains_of(Owner("LSR"))) == 2
    assert [str(one) for one, _ in game.state.board.cities_of(e.company(game).id)] == ["G7"]
    assert (e.company(game).loans, e.price(game)) == (0, 65)


def test_8_5_what_remains_is_divided_and_the_odd_pounds_are_the_directors() -> None:
    game = liquidation(money=300, loans=1, pool=1)
    act(game, *(f"{one} pass" for one in game.players_to_act()))
    # 300 and three times 10, less 200: 130 in three parts of 43, one over
    assert cash(game, "@3") == 1000 + 2 * 43 + 1


def test_8_1_who_enters_liquidation_in_the_round_is_not_liquidated_in_it() -> None:
    # 43, 40, 10: three loans acquired (§17.2 allows it)
    game = sold(offers(with_a_third(two_companies(loans=3, at=43))), 220)
    act(game, "LSR acquire")
    assert (e.company(game).loans, e.price(game)) == (3, 10)
    assert e.company(game).count_of(Owner("@1")) == 3


def test_10_2_who_cannot_pay_for_a_liquidation_ends_the_game() -> None:
    game = two_companies()
    e.floated(game, "LUR", held={"@3": 2}, at=10, money=0, loans=2)
    e.give_trains(game, "LUR", "2+")
    set_cash(game, "@3", 100)
    issue_round(game)
    while game.frame.plan == "reduce and issue":
        act(game, f"{game.players_to_act()[0]} done")
    act(game, *(f"{one} pass" for one in game.players_to_act()))
    # 400 less 20 make 190 a share: 380
    assert game.state.finished
    assert game.title.rules.worth(game, e.CID) == 0


# -- 9, 10.8 ------------------------------------------------------------------------------------------


def test_9_2_cash_and_shares_alone_count() -> None:
    game = e.new_game(cousins=("VF",))
    e.floated(game, "LSR", held={"@1": 3, "VF": 1}, at=65, money=900)
    e.floated(game, "LUR", shares=1)
    set_cash(game, "VF", 300)
    e.give_trains(game, "@1", "3+")
    assert game.title.rules.worth(game, e.ANN) == 1000 + 3 * 65


def test_9_1_500_by_a_dividend_ends_the_game_after_the_operating_round() -> None:
    game = two_companies(at=477)
    e.lay(game, "G7", "150", 1)
    token(game, "LSR", "G7")
    with_revenue(game, 480)
    act(game, "LSR pay")
    assert e.price(game) == 500
    assert not game.state.finished
    act(game, "LSR pass")
    assert game.state.finished


@pytest.mark.parametrize(("holders", "ends"), [({"@1": 3, "@2": 2}, True), ({"@1": 3, "@2": 1}, False)])
def test_9_1_500_after_a_stock_round_ends_the_game_at_once(holders: dict[str, int], ends: bool) -> None:
    game = e.new_game()
    e.floated(game, "LSR", held=holders, at=477)
    e.give_trains(game, "LSR", "2+")
    e.stock_turn(game, resolved=True)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.finished == ends


def test_9_1_without_any_company_after_a_stock_round_the_game_is_over() -> None:
    game = e.new_game()
    e.stock_turn(game, resolved=True)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.finished


@pytest.mark.parametrize(("column", "dies"), [(5, False), (8, True)])
def test_10_8_victoria_dies_after_the_first_round_that_starts_in_brown(column: int, dies: bool) -> None:
    game = two_companies(PHASE_OF[column])
    e.title_state(game).column = column
    game.state.round = Round("issue", 2, 1, 2)
    game.state.flow = [Frame("game", None, 3)]
    e.settled(game)
    while game.state.round.kind == "operating":
        turn = game.frame.entity
        moves = legal(game)
        act(
            game,
            next((text for text in moves if text in (f"{turn} pass", f"{turn} neglect", f"{turn} cover")), moves[0]),
        )
    assert e.title_state(game).is_victoria_dead == dies
    british = e.company(game, "BR")
    if dies:
        assert e.price(game, "BR") == 95
        assert british.percent_held_by(POOL) == 100
    else:
        assert british.position is None


@pytest.mark.parametrize(("ended", "income"), [(False, 800), (True, 0)])
def test_6_2_income_stops_after_the_round_that_follows_her_death(ended: bool, income: int) -> None:
    game = two_companies("brown")
    e.title_state(game).is_victoria_dead = True
    e.title_state(game).has_income_ended = ended
    game.state.round = Round("issue", 4, 2, 2)
    game.state.flow = [Frame("game", None, 0)]
    e.settled(game)
    assert cash(game, "@1") == 1000 + income
