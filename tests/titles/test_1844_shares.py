"""1844 §III to §VIII, §XXI, §XXII: auction, mountain railways, tunnel shares, companies, share rounds."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, POOL, CompanyId, HexId, Owner, TileId
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import certificate_count, president_of
from bot.engine.play.holdings.market import place_marker, price_of
from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.engine.state.actions import Bid, BuyPrivate, BuyShares, LayTile, Par, Pass, SellShares
from bot.engine.state.events import (
    BidMade,
    CompanyFloated,
    CompanyStarted,
    Paid,
    PriceReduced,
    PrivateBought,
    PrivatePaid,
    RoundBegan,
)
from bot.titles.t1844.auction import pay_incomes
from bot.titles.t1844.board_style import LOOK
from bot.titles.t1844.components import COMPANIES, PRIVATES, TRAINS
from bot.titles.t1844.rounds import net_worth
from bot.titles.t1844.state import title_state
from tests.message_helpers import told
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    CID,
    DAN,
    NAMES,
    TITLE,
    mountain,
    new_game,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, private, refused, set_cash

FNM, MOB, NOB, JN, BLS, SBB, STB = (company(name) for name in ("FNM", "MOB", "NOB", "JN", "BLS", "SBB", "STB"))


def bid(game: Game, lot: str, price: int) -> None:
    """Whoever is in turn bids."""
    game.apply(Bid(game.players_to_act()[0], Owner(lot), price))


def all_pass(game: Game, number: int) -> None:
    """So many passes in a row."""
    for _ in range(number):
        game.apply(Pass(game.players_to_act()[0]))


def sell_at_face(game: Game, *lots: str) -> None:
    """Each of these privates goes to its opener at the lowest bid."""
    for lot in lots:
        bid(game, lot, game.private(Owner(lot)).price)
        all_pass(game, len(game.state.order) - 1)


# -- §III ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cash"), [(3, 800), (4, 620), (5, 510), (6, 440), (7, 400)])
def test_III_starting_capital_of_12000(players: int, cash: int) -> None:
    game = new_game(players)
    assert {game.state.cash[player] for player in game.state.order} == {cash}
    assert game.state.money == 12_000


@pytest.mark.parametrize("players", [2, 8])
def test_III_three_to_seven_players(players: int) -> None:
    with pytest.raises(IllegalMove):
        Game.new(TITLE, [*NAMES, "Hal"][:players])


def test_III_three_shares_of_the_fnm_lie_in_the_pool() -> None:
    game = new_game()
    sell_at_face(game, "P1", "P2", "P3", "P4", "P5", "P6")
    game.apply(Par(game.players_to_act()[0], FNM, 90))
    assert game.company(FNM).percent_held_by(POOL) == 30
    assert game.company(FNM).percent_held_by(IPO) == 50


# -- §IV ----------------------------------------------------------------------------------------------


def test_IV_players_open_in_turn_and_the_highest_bid_wins() -> None:
    game = new_game()
    refused(game, Bid(ANN, Owner("P2"), 50), "§IV")
    refused(game, Bid(ANN, Owner("P1"), 19), "§IV")
    bid(game, "P1", 20)
    refused(game, Bid(BOB, Owner("P1"), 24), "§IV")
    bid(game, "P1", 25)
    game.apply(Pass(CID))
    game.apply(Pass(ANN))
    assert game.private(Owner("P1")).owner == BOB
    assert game.state.cash[BOB] == 800 - 25
    assert game.players_to_act() == (BOB,), "the second player opens P2"


def test_IV_a_bid_needs_the_money() -> None:
    refused(new_game(), Bid(ANN, Owner("P1"), 805), "§IV")


def test_IV_who_has_passed_stays_out() -> None:
    game = new_game(4)
    game.apply(Pass(ANN))
    bid(game, "P1", 20)
    game.apply(Pass(CID))
    bid(game, "P1", 30)
    assert game.players_to_act() == (BOB,)
    with pytest.raises(NotYourTurn):
        game.apply(Bid(ANN, Owner("P1"), 50))


def test_IV_who_cannot_pay_a_higher_bid_is_out() -> None:
    game = new_game(4)
    set_cash(game, BOB, 24)
    set_cash(game, CID, 25)
    bid(game, "P1", 20)
    assert game.players_to_act() == (CID,), "25 would be the next bid, and Bob has 24"
    bid(game, "P1", 25)
    game.apply(Pass(DAN))
    game.apply(Pass(ANN))
    assert game.private(Owner("P1")).owner == CID


def test_IV_nobody_left_who_can_pay_more_sells_at_once() -> None:
    game = new_game()
    events = game.apply(Bid(ANN, private("P1"), 800))
    assert BidMade(ANN, private("P1"), 800) in events and PrivateBought(ANN, private("P1"), BANK, 800) in events
    assert game.private(Owner("P1")).owner == ANN
    assert game.players_to_act() == (BOB,)


def test_IV_with_five_players_the_first_opens_p6_again() -> None:
    game = new_game(5)
    sell_at_face(game, "P1", "P2", "P3", "P4", "P5")
    assert game.players_to_act() == (ANN,)
    assert title_state(game).auctioned == "P6"


def test_IV_every_bid_that_he_can_pay_is_offered_up_to_20_more() -> None:
    game = new_game()
    assert [option.price for option in game.legal_actions() if isinstance(option, Bid)] == [20, 25, 30, 35, 40]
    set_cash(game, ANN, 30)
    assert [option.price for option in game.legal_actions() if isinstance(option, Bid)] == [20, 25, 30]


def test_IV_who_cannot_pay_the_least_is_not_asked_after_a_pause_either() -> None:
    game = new_game()
    sell_at_face(game, "P1")
    set_cash(game, CID, 40)
    all_pass(game, 3)
    assert game.players_to_act() == (BOB,)
    game.apply(Pass(BOB))
    assert game.players_to_act() == (ANN,), "P2 costs 50, and Cid has 40"


def test_IV_p1_falls_by_5_until_its_opener_must_take_it() -> None:
    game = new_game()
    all_pass(game, 2)
    assert PriceReduced(ANN, private("P1"), 15) in game.apply(Pass(CID))
    assert game.private(Owner("P1")).price == 15
    assert game.players_to_act() == (ANN,)
    all_pass(game, 9)
    assert game.private(Owner("P1")).owner == ANN
    assert game.state.cash[ANN] == 800


def test_IV_when_nobody_wants_the_next_private_those_sold_pay() -> None:
    game = new_game()
    sell_at_face(game, "P1")
    all_pass(game, 2)
    events = game.apply(Pass(game.players_to_act()[0]))
    assert "Nobody wants P2. The privates that are sold pay their owners." in told(game, events)
    assert [event.amount for event in events if isinstance(event, PrivatePaid)] == [5]
    assert game.private(Owner("P2")).price == 50, "P1 alone becomes cheaper"
    assert game.players_to_act() == (BOB,)


def test_IV_the_rest_of_the_first_round_begins_with_the_poorest() -> None:
    game = new_game()
    sell_at_face(game, "P1", "P2", "P3", "P4", "P5", "P6")
    game.apply(Par(CID, FNM, 100))
    bid(game, "P7", 100)
    game.apply(Pass(BOB))
    assert RoundBegan("stock", 1, 1, 1) in game.apply(Pass(CID))
    assert game.state.order == [CID, ANN, BOB]
    assert game.state.priority == CID
    assert [game.state.cash[player] for player in game.state.order] == [560, 570, 610]
    assert game.state.round.kind == "stock"


def test_IV_equal_cash_keeps_the_former_order() -> None:
    game = new_game()
    stock_round(game)
    for player in game.state.order:
        set_cash(game, player, 300)
    game.state.order = [BOB, CID, ANN]
    game.state.flow[1].memory.turns = 2  # type: ignore[union-attr]
    game.state.flow[2].entity = CID
    for player in (CID, ANN, BOB):
        game.apply(Pass(player))
    assert game.state.order == [BOB, CID, ANN]


def test_IV_and_XXI_the_richest_begins_the_next_round() -> None:
    game = stock_round(new_game())
    for player, cash in ((ANN, 100), (BOB, 300), (CID, 200)):
        set_cash(game, player, cash)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert game.state.order == [BOB, CID, ANN]


def test_IV_no_sales_in_the_round_in_which_the_last_private_was_sold() -> None:
    game = new_game()
    started(game, "MOB", {"@1": 2})
    stock_round(game, number=1)
    refused(game, SellShares(ANN, MOB, 1), "§IV")


@pytest.mark.parametrize(("name", "shares", "begins"), [("NOB", 0, True), ("JN", 0, False), ("JN", 1, True)])
def test_IV_half_of_the_shares_launch_a_company(name: str, shares: int, begins: bool) -> None:
    """2 of a pre-SBB company, 3 of a regional one; 5 of a large one below."""
    game = stock_round(new_game())
    game.apply(Par(ANN, company(name), 60))
    for _ in range(shares):
        game.apply(Pass(BOB))
        game.apply(Pass(CID))
        game.apply(BuyShares(ANN, company(name)))
    assert game.company(company(name)).floated is begins


def test_IV_a_large_company_needs_five_shares_and_the_pool_counts() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 1, "pool": 1}, par=70, floated=False, cash=0)
    stock_round(game)
    game.apply(BuyShares(ANN, BLS))
    assert game.company(BLS).floated
    assert game.state.cash[BLS] == 5 * 70


# -- §V -----------------------------------------------------------------------------------------------


def test_V_prices_and_incomes() -> None:
    printed = [(PRIVATES[private(f"P{n}")].price, PRIVATES[private(f"P{n}")].income) for n in range(1, 8)]
    assert printed == [(20, 5), (50, 10), (80, 15), (110, 20), (140, 25), (160, 30), (100, 0)]


def test_V_p6_costs_180_on_18xx_games() -> None:
    assert new_game().private(Owner("P6")).price == 160
    assert new_game(rules="18xx.games").private(Owner("P6")).price == 180


def test_V_p3_comes_with_a_tunnel_share() -> None:
    game = new_game()
    sell_at_face(game, "P1", "P2", "P3")
    assert game.private(Owner("T1")).owner == CID
    assert game.state.cash[CID] == 800 - 80


def test_V_p5_comes_with_a_share_of_the_mob_that_cannot_be_sold_yet() -> None:
    game = new_game()
    sell_at_face(game, "P1", "P2", "P3", "P4", "P5")
    assert game.company(MOB).percent_held_by(BOB) == 10
    stock_round(game, 2, "@2")
    refused(game, SellShares(BOB, MOB, 1), "§XXII")
    assert net_worth(game, BOB) == game.state.cash[BOB], "without a price it is worth nothing"


def test_V_p6_comes_with_the_fnm_at_a_price_of_its_buyers_choice() -> None:
    game = new_game()
    sell_at_face(game, "P1", "P2", "P3", "P4", "P5", "P6")
    refused(game, Par(CID, MOB, 80), "§V")
    refused(game, Par(CID, FNM, 75), "§XXII")
    assert CompanyStarted(CID, FNM, 80) in game.apply(Par(CID, FNM, 80))
    assert president_of(game.company(FNM)) == CID
    assert price_of(game, FNM) == 80
    assert game.state.cash[CID] == 800 - 80 - 160
    assert not game.company(FNM).floated
    sell_at_face(game, "P7")
    assert game.company(FNM).floated, "launched when all privates are sold"
    assert game.state.cash[FNM] == 5 * 80
    assert len(game.company(FNM).tokens_left) == 3


def test_V_to_VII_who_is_open_and_was_visited_pays_his_owner() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1", "P7": "@2", "T1": "@2", "T2": "@3"})
    mountain(game, "B1", "@3", "G14", "XM1")
    game.private(Owner("P2")).owner = BOB
    title_state(game).active.append(private("T2"))
    game.events = []
    pay_incomes(game)
    assert game.events == [
        event
        for sign, owner, income in (("P1", ANN, 5), ("T2", CID, 10))
        for event in (PrivatePaid(private(sign), owner, income), Paid(BANK, owner, income, f"income of {sign}"))
    ]


def test_V_privates_do_not_count_against_the_certificate_limit() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1", "P2": "@1", "T1": "@1", "B1": "@1"})
    assert certificate_count(game, ANN) == 0


# -- below the market -----------------------------------------------------------------------------------


def test_what_lies_under_the_hammer_and_who_owes_is_written_below_the_market() -> None:
    game = new_game()
    assert list(map(str, LOOK.lines(game))) == ["In auction: P1 Brienzer-Rothorn-Bahn, nobody has bid yet."]
    bid(game, "P1", 25)
    assert list(map(str, LOOK.lines(game))) == ["In auction: P1 Brienzer-Rothorn-Bahn, sfr 25 bid by Ann."]
    stock_round(game)
    title_state(game).debts[ANN], title_state(game).dues[BOB] = 150, 30
    told = list(map(str, LOOK.lines(game)))
    assert told[0].startswith("Ann owes the bank sfr 150")
    assert told[1] == "Bob owes the bank sfr 30 for the exchange into the SBB."
    assert told[2].endswith("XM1 10/20/50/80, XM2 10/40/50/60, XM3 10/50/80/10.")


# -- §VI ----------------------------------------------------------------------------------------------


def test_VI_a_mountain_railway_costs_150_and_is_placed_at_once() -> None:
    game = stock_round(new_game())
    assert PrivateBought(ANN, private("B1"), BANK, 150) in game.apply(BuyPrivate(ANN, private("B1"), 150))
    assert game.state.cash[ANN] == 650
    assert game.players_to_act() == (ANN,)
    refused(game, LayTile(ANN, TileId("XM1"), HexId("F21"), 0), "§VI")
    refused(game, LayTile(ANN, TileId("57"), HexId("G14"), 0), "§VI")
    refused(game, LayTile(ANN, TileId("XM1"), HexId("G14"), 1), "§VI")
    refused(game, LayTile(ANN, TileId("XM1"), HexId("G14"), 0, private("P2")), "§VI")
    events = game.apply(LayTile(ANN, TileId("XM2"), HexId("G14"), 0))
    assert "Ann puts B1 on Pilatus Bahn (G14), worth 10/40/50/60 by phase." in told(game, events)
    assert game.tile_at(HexId("G14")).nodes[0].revenue == (10, 40, 50, 60)
    assert game.players_to_act() == (BOB,), "one purchase a turn"


def test_VI_two_markers_of_each_kind_and_one_railway_on_a_mountain() -> None:
    game = new_game()
    mountain(game, "B1", "@2", "G14", "XM1")
    mountain(game, "B2", "@3", "F19", "XM1")
    stock_round(game)
    game.apply(BuyPrivate(ANN, private("B3"), 150))
    refused(game, LayTile(ANN, TileId("XM1"), HexId("H7"), 0), "§VI")
    refused(game, LayTile(ANN, TileId("XM2"), HexId("G14"), 0), "§VI")


def test_VI_one_mountain_railway_in_a_share_round() -> None:
    game = stock_round(new_game())
    game.apply(BuyPrivate(ANN, private("B1"), 150))
    game.apply(LayTile(ANN, TileId("XM1"), HexId("H7"), 0))
    game.apply(Pass(BOB))
    game.apply(Pass(CID))
    assert "a mountain railway" in refused(game, BuyPrivate(ANN, private("B2"), 150), "§VI")
    set_cash(game, ANN, 50)
    assert [option.private for option in game.legal_actions() if isinstance(option, BuyPrivate)] == ["T1"]
    game.apply(BuyPrivate(ANN, private("T1"), 50))
    set_cash(game, BOB, 150)
    assert [option.private for option in game.legal_actions() if isinstance(option, BuyPrivate)] == ["B2", "T2"]
    game.apply(BuyPrivate(BOB, private("B2"), 150))


def test_VI_worth_150_once_it_has_paid_and_nothing_before() -> None:
    game = new_game()
    mountain(game, "B1", "@1", "G14", "XM1")
    before = net_worth(game, ANN)
    assert before == game.state.cash[ANN]
    title_state(game).active.append(private("B1"))
    assert net_worth(game, ANN) == before + 150
    assert net_worth(game, BOB) == before


def test_VI_and_VII_the_shares_are_never_sold() -> None:
    game = new_game()
    sell_privates(game, {"B1": "@2", "T1": "@2"})
    stock_round(game)
    refused(game, BuyPrivate(ANN, private("B1"), 150), "§VI")
    refused(game, BuyPrivate(ANN, private("P1"), 20), "§XXII")


# -- §VII ---------------------------------------------------------------------------------------------


def test_VII_a_tunnel_share_costs_50_one_in_a_share_round() -> None:
    game = stock_round(new_game())
    refused(game, BuyPrivate(ANN, private("T1"), 40), "§VII")
    game.apply(BuyPrivate(ANN, private("T1"), 50))
    game.apply(Pass(BOB))
    game.apply(Pass(CID))
    refused(game, BuyPrivate(ANN, private("T2"), 50), "§VII")


def test_VII_worth_50_once_it_has_paid() -> None:
    game = new_game()
    sell_privates(game, {"T1": "@1"})
    assert net_worth(game, ANN) == 800
    title_state(game).active.append(private("T1"))
    assert net_worth(game, ANN) == 850


# -- §VIII --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "certificates", "tokens"),
    [
        ("NOB", (50, 25, 25), 2),
        ("JN", (40, 20, 20, 20), 3),
        ("BLS", (20, 10, 10, 10, 10, 10, 10, 10, 10), 5),
        ("SBB", (10, *(5,) * 10, 10, 10, 10, 10), 0),
    ],
)
def test_VIII_certificates_and_markers(kind: str, certificates: tuple[int, ...], tokens: int) -> None:
    noun = COMPANIES[company(kind)]
    assert noun.certificates == certificates
    assert len(noun.tokens) == tokens


def test_VIII_the_sbb_is_not_for_sale_before_it_has_formed() -> None:
    game = stock_round(new_game())
    refused(game, Par(ANN, SBB, 100), "§XII")
    refused(game, BuyShares(ANN, SBB), "§XII")


def test_VIII_a_larger_holder_becomes_director_and_gets_the_double_certificate() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 2})
    stock_round(game, 2, "@2")
    game.apply(BuyShares(BOB, BLS))
    assert president_of(game.company(BLS)) == BOB
    assert game.company(BLS).count_of(ANN) == 2
    assert game.company(BLS).percent_held_by(ANN) == 20


def test_VIII_with_equal_holdings_the_director_stays() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1})
    stock_round(game, 2, "@2")
    game.apply(BuyShares(BOB, BLS))
    assert president_of(game.company(BLS)) == ANN


def test_VIII_of_equals_the_next_after_the_old_director_follows() -> None:
    game = new_game(4)
    started(game, "BLS", {"@2": 2, "@3": 2, "@1": 1}, director="@1")
    game.state.order = [CID, ANN, BOB, DAN]
    stock_round(game, 2, "@1")
    game.apply(SellShares(ANN, BLS, 2))
    assert president_of(game.company(BLS)) == BOB


def test_VIII_half_of_the_directors_certificate_is_sold_when_the_pool_holds_four_shares() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 2, "pool": 4})
    stock_round(game)
    refused(game, SellShares(ANN, BLS, 2), "§XXII")
    game.apply(SellShares(ANN, BLS, 1))
    assert president_of(game.company(BLS)) == BOB
    assert game.company(BLS).percent_held_by(POOL) == 50


def test_VIII_the_same_holds_for_a_regional_railway() -> None:
    game = new_game()
    started(game, "JN", {"@2": 2, "pool": 1})
    stock_round(game)
    game.apply(SellShares(ANN, company("JN"), 1))
    assert president_of(game.company(Owner("JN"))) == BOB
    assert game.company(Owner("JN")).percent_held_by(ANN) == 20


def test_VIII_a_pre_sbb_company_goes_to_whoever_holds_two_shares_of_four() -> None:
    game = new_game()
    started(game, "NOB", {"@2": 2})
    stock_round(game)
    game.apply(SellShares(ANN, company("NOB"), 1))
    assert president_of(game.company(Owner("NOB"))) == BOB
    assert [game.company(Owner("NOB")).percent_held_by(owner) for owner in (ANN, BOB, POOL)] == [25, 50, 25]


# -- §XVI by price --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("price", "markers"), [(60, 1), (70, 2), (80, 3), (90, 4), (100, 5)])
def test_XVI_markers_of_a_large_company_by_its_issue_price(price: int, markers: int) -> None:
    game = stock_round(new_game())
    game.apply(Par(ANN, BLS, price))
    assert len(game.company(BLS).tokens_left) == markers


# -- §XXI, §XXII ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("price", "row"), [(100, 1), (90, 2), (80, 3), (70, 4), (60, 5)])
def test_XXII_five_issue_prices(price: int, row: int) -> None:
    game = stock_round(new_game())
    refused(game, Par(ANN, BLS, 110), "§XXII")
    game.apply(Par(ANN, BLS, price))
    assert game.company(BLS).position == (row, 4)
    assert game.state.cash[ANN] == 800 - 2 * price


@pytest.mark.parametrize(("players", "limit"), [(3, 24), (4, 18), (5, 15), (6, 13), (7, 11)])
def test_XXII_certificate_limit(players: int, limit: int) -> None:
    game = new_game(players)
    assert {TITLE.rules.certificate_limit(game, player) for player in game.state.order} == {limit}


def test_XXII_limits_of_holdings_and_of_the_pool_by_kind() -> None:
    game = new_game()
    limits = {name: TITLE.rules.holding_limit(game, company(name)) for name in ("NOB", "JN", "BLS", "SBB")}
    assert limits == {"NOB": 75, "JN": 60, "BLS": 60, "SBB": 55}
    assert TITLE.rules.pool_limit(game, BLS) == 50


def test_XXII_at_the_limit_nothing_more_is_bought() -> None:
    game = new_game(7)
    started(game, "BLS", {"@1": 4})
    started(game, "STB", {"@1": 4})
    assert certificate_count(game, ANN) == 10
    started(game, "MOB", {"@2": 1}, director="@2")
    stock_round(game)
    set_cash(game, ANN, 1000)
    game.apply(BuyShares(ANN, MOB))
    for player in game.state.order[1:]:
        game.apply(Pass(player))
    refused(game, BuyShares(ANN, MOB), "§XXII")


@pytest.mark.parametrize(("name", "more"), [("NOB", 1), ("JN", 1), ("BLS", 4)])
def test_XXII_beyond_half_of_a_company_only_from_the_pool(name: str, more: int) -> None:
    """3 of a pre-SBB company, 3 of a regional one, 6 of a large one."""
    game = new_game()
    started(game, name, {"@1": more, "pool": 1})
    stock_round(game)
    set_cash(game, ANN, 1000)
    if game.company(company(name)).percent_held_by(IPO):
        refused(game, BuyShares(ANN, company(name)), "§XXII")
    game.apply(BuyShares(ANN, company(name), POOL))
    assert game.company(company(name)).percent_held_by(ANN) > 50


def test_XXI_new_shares_cost_the_issue_price_old_ones_the_present() -> None:
    game = new_game()
    started(game, "BLS", {"pool": 1, "@2": 1}, par=80, position=(2, 8))
    stock_round(game)
    game.apply(BuyShares(ANN, BLS))
    assert game.state.cash[ANN] == 800 - 80
    game.apply(BuyShares(BOB, BLS, POOL))
    assert game.state.cash[BOB] == 800 - 135


def test_XXII_sell_then_buy_and_not_the_other_way_round() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1})
    started(game, "STB", {"@2": 2}, par=90)
    stock_round(game, 2, "@2")
    game.apply(SellShares(BOB, BLS, 1))
    game.apply(BuyShares(BOB, STB))
    assert game.players_to_act() == (CID,)


def test_XXII_what_was_sold_is_not_bought_in_the_same_round() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1})
    stock_round(game, 2, "@2")
    game.apply(SellShares(BOB, BLS, 1))
    refused(game, BuyShares(BOB, BLS), "§XXII")


def test_XXII_the_price_falls_one_row_a_sale_however_many_shares() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 3}, director="@1", position=(2, 8))
    stock_round(game, 2, "@2")
    game.apply(SellShares(BOB, BLS, 2))
    assert game.state.cash[BOB] == 800 + 2 * 135
    assert price_of(game, BLS) == 125
    refused(game, SellShares(BOB, BLS, 1), "§XXII")


def test_XXII_a_company_that_never_operated_falls_before_it_is_paid() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 3}, position=(2, 8), operated=False)
    stock_round(game, 2, "@2")
    game.apply(SellShares(BOB, BLS, 2))
    assert game.state.cash[BOB] == 800 + 2 * 125


def test_XXII_at_the_bottom_of_a_column_the_marker_stays() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 3}, position=(7, 2))
    stock_round(game, 2, "@2")
    game.apply(SellShares(BOB, BLS, 1))
    assert price_of(game, BLS) == 48


def test_XXII_no_more_than_half_of_a_company_in_the_pool() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 2, "pool": 4})
    stock_round(game, 2, "@2")
    refused(game, SellShares(BOB, BLS, 2), "§XXII")
    game.apply(SellShares(BOB, BLS, 1))


def test_XXII_the_directors_certificate_goes_to_nobody_but_a_player() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1})
    stock_round(game)
    refused(game, SellShares(ANN, BLS, 1), "§XXII")


def test_XXII_above_the_limit_one_must_sell_in_the_next_turn() -> None:
    game = new_game(7)
    for name in ("BLS", "STB"):
        started(game, name, {"@1": 5}, position=(2, 8))
    stock_round(game)
    assert certificate_count(game, ANN) == 12
    refused(game, Pass(ANN), "§XXII")
    game.apply(SellShares(ANN, BLS, 1))
    game.apply(Pass(ANN))


def test_XXI_shares_in_the_pool_pull_the_marker_to_the_left_and_sold_out_ones_push_it_up() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 2, "pool": 1}, position=(2, 8))
    started(game, "NOB", {"@2": 1, "@3": 1}, position=(2, 9))
    started(game, "JN", {"@2": 1}, position=(3, 5))
    started(game, "STB", {"@2": 2, "pool": 1}, position=(5, 0))
    started(game, "MOB", {"pool": 1}, position=(2, 4), floated=False)
    stock_round(game)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    positions = [game.company(company(name)).position for name in ("BLS", "NOB", "JN", "STB", "MOB")]
    assert positions == [(2, 7), (1, 9), (3, 5), (6, 0), (2, 4)], "the MOB is not launched"


def test_XXI_a_sold_out_company_at_the_top_stays() -> None:
    game = new_game()
    started(game, "NOB", {"@2": 1, "@3": 1}, position=(0, 9))
    stock_round(game)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert game.company(NOB).position == (0, 9)


def test_XXII_launched_companies_get_their_capital_and_lie_under_the_others() -> None:
    game = new_game()
    started(game, "STB", {"@2": 3}, par=90)
    stock_round(game)
    game.apply(Par(ANN, NOB, 90))
    assert game.state.cash[NOB] == 2 * 90
    assert game.state.stacks["2,4"] == [STB, NOB]


def test_XXII_a_company_is_launched_once() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 2}, par=70, floated=False, cash=0)
    stock_round(game)
    assert CompanyFloated(BLS, 5 * 70) in game.apply(BuyShares(ANN, BLS))
    assert BLS not in [event.company for event in game.apply(BuyShares(BOB, BLS)) if isinstance(event, CompanyFloated)]
    assert game.state.cash[BLS] == 5 * 70


@pytest.mark.parametrize(("rules", "above"), [("rulebook", NOB), ("18xx.games", BLS)])
def test_XXII_the_place_in_the_stack_counts_from_the_launch(rules: str, above: CompanyId) -> None:
    game = new_game(rules=rules)
    started(game, "BLS", {"@1": 2}, par=90, floated=False, cash=0)
    stock_round(game)
    game.apply(Par(ANN, NOB, 90))
    game.apply(Pass(BOB))
    game.apply(Pass(CID))
    game.apply(BuyShares(ANN, BLS))
    assert game.state.stacks["2,4"] == [above, BLS if above == NOB else NOB]


def test_XXII_a_regional_company_gets_five_issue_prices_after_the_first_6_too() -> None:
    game = new_game()
    game.state.phase = "6"
    started(game, "JN", par=80, floated=False, cash=0)
    stock_round(game)
    game.apply(BuyShares(ANN, JN))
    assert game.state.cash[JN] == 400


def test_XXII_the_whole_capital_of_a_large_company_after_the_first_6() -> None:
    game = new_game()
    game.state.phase = "6"
    started(game, "BLS", {"@1": 2}, par=80, floated=False, cash=0)
    stock_round(game)
    game.apply(BuyShares(ANN, BLS))
    assert game.state.cash[BLS] == 800
    assert BLS not in title_state(game).waiting


# -- the Elephant -----------------------------------------------------------------------------------------


def test_elephant_the_right_hand_neighbour_of_the_last_trader_begins() -> None:
    game = new_game(4, order="elephant")
    game.state.order = [BOB, DAN, ANN, CID]
    stock_round(game, 2, "@2")
    game.apply(Pass(BOB))
    game.apply(Pass(DAN))
    game.apply(BuyPrivate(ANN, private("T1"), 50))
    for player in (CID, BOB, DAN, ANN):
        game.apply(Pass(player))
    assert game.state.order == [DAN, BOB, ANN, CID], "to the right of Ann sits Dan"


def test_elephant_if_nobody_trades_the_order_stays() -> None:
    game = new_game(3, order="elephant")
    game.state.order = [CID, ANN, BOB]
    stock_round(game, 2, "@3")
    for player in (CID, ANN, BOB):
        game.apply(Pass(player))
    assert game.state.order == [CID, ANN, BOB]


# -- the tables ---------------------------------------------------------------------------------------------


def test_tables_of_locomotives() -> None:
    prices = {name: TRAINS[name].price for name in TRAINS}
    assert prices == {
        "2": 90,
        "2H": 70,
        "3": 180,
        "3H": 150,
        "4": 300,
        "4H": 260,
        "5": 450,
        "5H": 400,
        "6": 630,
        "6H": 550,
        "8E": 960,
        "8H": 700,
        "5H-SBB": 400,
    }
    depot = [train.family for train in new_game().state.trains if train.owner == "depot"]
    assert [depot.count(family) for family in ("2", "3", "4", "5", "6")] == [13, 9, 6, 4, 4]
    theirs = [train.family for train in new_game(rules="18xx.games").state.trains if train.owner == "depot"]
    assert (depot.count("8E") > 50, theirs.count("8E")) == (True, 20), "as many as are needed, or 20"


def test_the_bank_keeps_what_is_paid() -> None:
    game = stock_round(new_game())
    before = game.state.cash[BANK]
    game.apply(Par(ANN, BLS, 100))
    assert game.state.cash[BANK] == before + 200
    place_marker(game, BLS, (0, 17))
    assert price_of(game, BLS) == 350
