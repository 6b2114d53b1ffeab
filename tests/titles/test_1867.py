"""1867: what its values and the rules of its family do. The law is the title's page; no text of the printed rules is at hand."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, IPO, POOL, REMOVED, HexId, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.play.move_builder import first_built_move
from bot.engine.play.steps.routes import best_set
from bot.engine.state.actions import Bid
from bot.engine.state.state import Frame, Round
from bot.formats.peer18xx.registry import DIALECTS
from bot.titles.merging.actions import MergeMinors
from tests.rearrangement import rearrange
from tests.titles import builders_merging as mb
from tests.titles.positions import act, cash, company, give_train, lay, private, refused, set_cash, settled


def new_game(players: int = 3, **options: str) -> Game:
    return mb.new_game("1867", players, **options)


def in_stock_round(phase: str = "2", **owners: str) -> Game:
    """The first player's turn in a stock round."""
    return mb.stock_turn(mb.reach_phase(mb.sold(new_game(), **owners), phase), "@1")


def price(game: Game, name: str) -> int:
    return price_of(game, company(name))


def joined(game: Game) -> Game:
    """Track from Hamilton to Berlin and on to Guelph."""
    return lay(game, ("201", "E17", 3), ("202", "D16", 4), ("5", "E15", 0))


@pytest.mark.parametrize(
    ("players", "money", "limit", "privates"), [(2, 420, 21, 3), (3, 420, 21, 5), (4, 315, 16, 5), (6, 210, 11, 5)]
)
def test_the_box_is_used_by_the_number_of_players(players: int, money: int, limit: int, privates: int) -> None:
    game = new_game(players)
    assert cash(game, "@1") == money and cash(game, BANK) == 15_000 - players * money
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit
    assert game.title.rules.holding_limit(game, company("CPR")) == (70 if players == 2 else 60)
    assert len(game.state.privates) == privates
    assert sum(train.family == "2" for train in game.state.trains) == (7 if players == 2 else 10)
    assert game.state.board.tokens_in(HexId("F16"), 0) == ["CN"]
    assert "grid" in game.title.variants and len(game.title.variants["grid"].market.rows) == 10


def test_a_private_that_nobody_wants_falls_until_somebody_buys() -> None:
    game = new_game()
    refused(game, "@1 bid C&SL 15")
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.private(private("C&SL")).price == 15
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.private(private("C&SL")).price == 10
    act(game, "@1 pass", "@2 bid C&SL 10")
    assert game.private(private("C&SL")).owner == "@2" and cash(game, "@2") == 410
    assert game.player_in_turn == "@3", "the player to the buyer's left is the first for the next private"
    while game.private(private("NFB")).owner is None:
        act(game, f"{game.player_in_turn} pass")
    assert game.private(private("NFB")).owner == "@3" and cash(game, "@3") == 420, "for nothing"


def test_a_pass_before_the_first_bid_is_not_final() -> None:
    game = new_game()
    act(game, "@1 pass", "@2 bid C&SL 20", "@3 pass", "@1 bid C&SL 25", "@2 pass")
    assert game.private(private("C&SL")).owner == "@1" and cash(game, "@1") == 395
    act(game, "@2 bid NFB 30")
    refused(game, "@3 bid NFB 33")
    act(game, "@3 pass", "@1 bid NFB 35", "@2 bid NFB 40", "@1 pass")
    assert game.private(private("NFB")).owner == "@2" and game.player_in_turn == "@3"


def test_the_bid_is_the_treasury_and_half_of_it_the_price() -> None:
    game = in_stock_round()
    refused(game, "@1 bid BO 95")
    refused(game, "@1 bid BO 102")
    mb.bid_for(game, "@1", "BO", 145, "E17")
    assert cash(game, "BO") == 145 and price(game, "BO") == 70 and cash(game, "@1") == 275
    mb.bid_for(game, "@2", "CS", 400, "D16")
    assert price(game, "CS") == 135, "no more than that"
    assert mb.reach_phase(game, "5") and game.title.rules.worth(game, game.state.order[1]) == 20 + 2 * 135


def test_the_winner_of_a_minor_ends_the_turn() -> None:
    game = in_stock_round()
    act(game, "@1 bid BO 100", "BO token E17", "@2 bid BO 120", "@3 pass", "@1 pass")
    assert game.company(Owner("BO")).certificates[0].owner == "@2" and game.player_in_turn == "@3"
    set_cash(game, "@1", 100)
    set_cash(game, "@2", 100)
    act(settled(game), "@3 bid CS 100", "CS token D16")
    assert game.company(Owner("CS")).certificates[0].owner == "@3", "nobody else can bid more"
    assert game.player_in_turn == "@1"


def test_late_minors_come_with_the_first_3() -> None:
    game = in_stock_round()
    assert not mb.offered(game, "@1 bid TGB") and mb.offered(game, "@1 bid BO")
    refused(game, "@1 bid TGB 100")
    mb.reach_phase(game, "3")
    assert mb.offered(game, "@1 bid TGB")
    mb.started(game, "CS", money=800)
    mb.reach_phase(game, "4")
    for train in game.state.trains_of(DEPOT):
        rearrange(game, train, owner=REMOVED if train.family == "4" else DEPOT)
    act(mb.in_turn(game, "CS", "trains"), "CS buy 5 for 550")
    assert game.company(Owner("TGB")).closed, "with the first 5 those that nobody has are gone"


def test_a_token_of_a_minor_goes_to_an_empty_city() -> None:
    game = in_stock_round()
    act(game, "@1 bid BO 100")
    refused(game, "BO token F16.0")
    refused(game, "BO token D2")
    refused(game, "BO token L12.2")
    act(game, "BO token F16.1")
    assert game.state.board.tokens_in(HexId("F16"), 1) == ["BO"]
    assert "@2" in game.players_to_act()


def test_18xxgames_asks_also_who_could_bid_for_a_minor_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    game, waits = in_stock_round(), DIALECTS["1867"].peer_waits
    assert [move for move in game.legal_actions() if isinstance(move, Bid)] and waits(game)
    monkeypatch.setattr("bot.titles.merging.auction.home_places", lambda game, company: [])
    without = game.copy()
    assert not [move for move in without.legal_actions() if isinstance(move, Bid)] and waits(without)
    set_cash(without, "@1", 99)
    assert not waits(without)


def test_a_major_begins_with_its_money_and_a_token() -> None:
    game = in_stock_round("3")
    refused(game, "@1 par CPR 100")
    mb.reach_phase(game, "4")
    refused(game, "@1 par CPR 65")
    lay(game, ("201", "E17", 3), ("202", "D16", 4))
    act(game, "@1 par CPR 100")
    refused(game, "CPR token E17")
    refused(game, "CPR token F16.1")
    act(game, "CPR token D8")
    assert cash(game, "CPR") == 200 and cash(game, "@1") == 220 and game.player_in_turn == "@2"
    act(game, "@2 buy CPR")
    assert cash(game, "CPR") == 300, "the money for a share is the company's"


def test_only_the_presidents_sale_moves_the_price() -> None:
    game = in_stock_round("4")
    record = mb.started(game, "CPR", {"@1": 4, "@2": 2}, at=100)
    act(game, "@1 sell 2 CPR")
    assert price(game, "CPR") == 90, "one space for any number"
    refused(game, "@1 buy CPR")
    act(game, "@1 pass", "@2 sell 1 CPR")
    assert price(game, "CPR") == 90
    record.operated = False
    refused(game, "@2 sell 1 CPR")


def test_two_tiles_one_upgrade_and_20_for_the_second() -> None:
    game = in_stock_round("3")
    mb.started(game, "BO", money=100, tokens=[("E17", 0)])
    give_train(game, "BO", "2")
    mb.in_turn(lay(game, ("201", "E17", 3)), "BO", "track")
    refused(game, "BO lay 201 E17 3")
    act(game, next(move for move in mb.offered(game, "BO lay 207 E17")))
    assert cash(game, "BO") == 100
    assert not [move for move in mb.offered(game, "BO lay") if " E17 " in move]
    second = next(move for move in mb.offered(game, "BO lay") if " E17 " not in move)
    act(game, second)
    assert cash(game, "BO") == 80 and not mb.offered(game, "BO lay")


def test_track_borrows_what_is_missing() -> None:
    game = in_stock_round("3")
    mb.started(game, "BO", money=0, tokens=[("E17", 0)])
    give_train(game, "BO", "2")
    mb.in_turn(lay(game, ("201", "E17", 3)), "BO", "track")
    act(game, mb.offered(game, "BO lay 207 E17")[0])
    act(game, next(move for move in mb.offered(game, "BO lay") if " E17 " not in move))
    assert game.company(Owner("BO")).loans == 1 and cash(game, "BO") == 25


def test_granby_is_closed_until_phase_3() -> None:
    game = in_stock_round()
    mb.started(game, "BO", tokens=[("N12", 0)])
    lay(game, ("6", "N12", 1))
    mb.in_turn(game, "BO", "track")
    assert not [move for move in mb.offered(game, "BO lay") if " M13 " in move]
    assert "closed" in refused(game, "BO lay 58 M13 4")
    mb.reach_phase(game, "3")
    assert [move for move in mb.offered(game, "BO lay") if " M13 " in move]


def test_a_token_costs_its_price_for_each_hex() -> None:
    game = in_stock_round("4")
    mb.started(game, "CPR", money=500, tokens=[("E17", 0)])
    joined(game)
    lay(game, ("207", "E17", 3), ("207", "D16", 4), ("14", "E15", 0))
    mb.in_turn(game, "CPR", "token")
    moves = mb.offered(game, "CPR token")
    assert moves
    act(game, moves[0])
    spent = 500 - cash(game, "CPR")
    layout = game.board_rules.map.layout
    placed = next(hex_id for hex_id, _ in game.state.board.cities_of(company("CPR")) if hex_id != "E17")
    assert spent == 20 * layout.distance(HexId("E17"), placed) and game.company(Owner("CPR")).tokens_left == (40,)


def test_towns_fill_free_places_and_timmins_pays_with_a_capital() -> None:
    game = in_stock_round("3")
    mb.started(game, "BO", tokens=[("F16", 1)])
    lay(game, ("58", "B18", 0))
    give_train(game, "BO", "2")
    values = game.title.rules.route_problem(game, company("BO"), game.state.trains_of(Owner("BO"))).values
    tags = {stop.hex: worth.tags for stop, worth in values.items()}
    assert tags[HexId("D2")] == {"bonus"} and tags[HexId("F16")] == tags[HexId("O7")] == {"capital"}
    problem = game.title.rules.route_problem(game, company("BO"), game.state.trains_of(Owner("BO")))
    assert [(bonus.one, bonus.other, bonus.money) for bonus in problem.bonuses] == [("bonus", "capital", 40)]  # type: ignore[union-attr]
    train = problem.trains[0]
    assert train.reach == 2 and train.optional == {"town"}


def test_companies_buy_privates_that_earn_them_more() -> None:
    game = in_stock_round("3", NFB="@1", QB="@2")
    mb.started(game, "BO", tokens=[("E17", 0)])
    lay(game, ("201", "E17", 4))
    give_train(game, "BO", "2")
    before = best_set(game, company("BO")).revenue
    mb.in_turn(game, "BO", "trains")
    refused(game, "BO buy NFB for 46")
    act(game, "BO buy NFB for 45")
    assert best_set(game, company("BO")).revenue == before + 10
    act(game, "BO buy QB for 1")
    assert game.players_to_act() == ("@2",), "another player is asked"
    act(game, "@2 refuse")
    mb.reach_phase(game, "6")
    refused(game, "BO buy QB for 1")


def test_half_is_rounded_down_for_the_company() -> None:
    game = in_stock_round("4")
    mb.started(game, "CPR", {"@1": 5, "@2": 2}, at=100, money=0)
    give_train(game, "CPR", "4")
    mb.in_turn(game, "CPR", "dividend", revenue=150)
    purse = cash(game, "@1")
    act(game, "CPR half")
    assert cash(game, "@1") == purse + 5 * 8 and cash(game, "CPR") == 70 + 3 * 8
    assert price(game, "CPR") == 100, "less than the price was paid"
    mb.in_turn(game, "CPR", "dividend", revenue=200)
    act(game, "CPR half")
    assert price(game, "CPR") == 110


def test_interest_and_loans_are_paid_by_themselves() -> None:
    game = in_stock_round("4")
    record = mb.started(game, "CPR", at=100, money=130, loans=3)
    give_train(game, "CPR", "4")
    mb.in_turn(game, "CPR", "loans")
    assert record.loans == 1 and cash(game, "CPR") == 130 - 15 - 100
    record.loans = 1
    set_cash(game, "CPR", 0)
    mb.in_turn(game, "CPR", "loans")
    assert record.loans == 2 and cash(game, "CPR") == 40, "a further loan pays the interest"


def test_a_company_without_a_train_borrows_for_it_or_is_taken_over() -> None:
    game = in_stock_round()
    record = mb.started(game, "BO", money=30, tokens=[("E17", 0)])
    mb.in_turn(game, "BO", "trains")
    refused(game, "BO pass")
    act(game, "BO buy 2 for 100")
    assert record.loans == 2 and cash(game, "BO") == 20
    poor = mb.started(game, "CS", money=5, tokens=[("D16", 0)])
    purse = cash(game, "@1")
    act(mb.in_turn(game, "CS", "trains"), "CS pass")
    assert poor.closed and cash(game, "@1") == purse + 2 * 90, "one space lower"
    assert game.state.board.tokens_in(HexId("D16"), 0) == ["CN"]


def test_a_minor_converts_for_two_shares() -> None:
    game = in_stock_round("3")
    mb.started(game, "BO", money=250, at=120, loans=1, tokens=[("E17", 0)])
    give_train(game, "BO", "3")
    mb.merger_round(game)
    act(game, "BO convert to CPR")
    record = game.company(Owner("CPR"))
    assert record.certificates[0].owner == "@1" and price(game, "CPR") == 120 and record.loans == 1
    assert cash(game, "CPR") == 250 and record.tokens_left == (20, 40) and game.company(Owner("BO")).closed
    act(game, "@1 buy CPR", "@1 buy CPR", "@1 pass")
    assert record.percent_held_by(Owner("@1")) == 40 and cash(game, "CPR") == 490
    act(game, "@2 buy CPR")
    assert game.players_to_act() == ("@3",), "others buy one share"
    low = new_game()
    mb.merger_round(mb.reach_phase(mb.sold(low), "3"))
    mb.started(low, "BO", at=90, tokens=[("E17", 0)])
    assert not mb.offered(mb.merger_round(low), "BO convert")


def two_minors(cash_of_each: int = 300, **options: str) -> Game:
    """Two connected minors of two players in a merger round."""
    game = mb.reach_phase(mb.sold(new_game(**options)), "3")
    mb.started(game, "BO", "@1", at=90, money=50, tokens=[("L12", 0)])
    mb.started(game, "CS", "@2", at=70, money=60, loans=1, tokens=[("N12", 0)])
    for player in ("@1", "@2", "@3"):
        set_cash(game, player, cash_of_each)
    return game


def connected(game: Game) -> Game:
    """BO and CS in the two cities of one space that track joins."""
    board = game.state.board
    for name in ("BO", "CS"):
        board.remove_tokens(company(name))
    board.place_token(HexId("E17"), 0, company("BO"))
    board.place_token(HexId("D16"), 0, company("CS"))
    return mb.merger_round(lay(game, ("201", "E17", 2), ("621", "D16", 2)))


def test_minors_merge_when_their_owners_agree() -> None:
    game = connected(two_minors())
    assert game.frame.entity == "BO" and not mb.offered(game, "BO convert")
    act(game, "BO merge CS into GTR")
    assert game.players_to_act() == ("@2",)
    act(game, "@2 refuse")
    assert game.frame.entity == "CS" and game.company(Owner("GTR")).position is None
    game = connected(two_minors())
    act(game, "BO merge CS into GTR", "@2 agree")
    record = game.company(Owner("GTR"))
    assert price(game, "GTR") == 150 and cash(game, "GTR") == 110 and record.loans == 1
    assert record.tokens_left == (40,) and record.certificates[0].owner == IPO
    act(game, "@1 buy GTR")
    assert record.certificates[0].owner == "@1", "one share was paid, the president's certificate taken"
    assert record.percent_held_by(Owner("@1")) == 20 and cash(game, "@1") == 150
    act(game, "@1 pass", "@2 pass")
    assert game.players_to_act() == ("@1",), "now all may buy one"


def test_a_merger_is_put_together_by_questions() -> None:
    game = connected(two_minors())
    move = first_built_move(game.title.composers[MergeMinors], game, game.players_to_act()[0])
    assert move == MergeMinors(Owner("BO"), (company("CS"),), company("CNR"))


def test_a_merger_without_a_president_is_undone() -> None:
    game = connected(two_minors())
    act(game, "BO merge CS into GTR", "@2 agree", "@1 pass", "@2 pass")
    assert game.company(Owner("GTR")).position is None and price(game, "BO") == 90 and cash(game, "BO") == 50
    assert game.frame.entity == "CS", "it may not be proposed again in this turn"
    poor = connected(two_minors(100))
    assert not mb.offered(poor, "BO merge"), "with neither two minors nor the money for a share"


def test_a_new_major_keeps_two_tokens() -> None:
    game = two_minors()
    mb.started(game, "CV", "@1", at=100, tokens=[("E15", 0)])
    connected(game)
    lay(game, ("207", "D16", 2), ("5", "E15", 0))
    game.state.board.place_token(HexId("D16"), 0, company("CV"))
    game.state.board.remove_tokens(company("CV"))
    game.state.board.place_token(HexId("D16"), 0, company("CV"))
    mb.started(game, "KP", "@1", at=100, tokens=[("F16", 1)])
    game.state.board.remove_tokens(company("KP"))
    game.state.board.place_token(HexId("E17"), 0, company("KP"))
    lay(game, ("207", "E17", 2))
    mb.merger_round(game)
    who = game.company_in_turn
    others = [one for one in ("BO", "CS", "CV", "KP") if one != who]
    act(game, f"{who} merge {' '.join(others)} into NYC")
    if game.players_to_act() == ("@2",):
        act(game, "@2 agree")
    record = game.company(Owner("NYC"))
    assert len(list(game.state.board.cities_of(record.id))) == 2, "of two tokens in a city one stays"
    assert record.tokens_left == (40,) and record.certificates[0].owner == "@1"


def test_three_tokens_of_a_new_major_are_one_too_many() -> None:
    game = two_minors()
    mb.started(game, "CV", "@1", at=100, tokens=[("E15", 0)])
    connected(lay(game, ("57", "E15", 0)))
    who = game.company_in_turn
    act(game, f"{who} merge {' '.join(one for one in ('BO', 'CS', 'CV') if one != who)} into NYC", "@2 agree")
    assert mb.offered(game) == ["NYC remove E15", "NYC remove E17", "NYC remove D16"]
    refused(game, "NYC remove F16.1")
    act(game, "NYC remove E17")
    assert game.company(Owner("NYC")).tokens_left == (40,) and game.players_to_act() == ("@1",)
    assert not game.state.board.tokens_in(HexId("E17"), 0)


def test_a_company_taken_over_pays_its_price_after_its_loans() -> None:
    game = in_stock_round("4")
    record = mb.started(game, "CPR", {"@1": 3, "@2": 2}, at=200, money=60, loans=4, tokens=[("L12", 0), ("E17", 0)])
    purses = cash(game, "@1"), cash(game, "@2")
    mb.in_turn(game, "CPR", "trains")
    # One loan is repaid, three are left: 1 + 2 * 3 spaces.
    paid = (cash(game, "@1") - purses[0], cash(game, "@2") - purses[1])
    assert paid == (3 * 100, 2 * 100) and record.position is None and not record.closed
    assert all(one.owner == IPO for one in record.certificates) and record.tokens_left == (0, 20, 40)
    assert game.state.board.tokens_in(HexId("L12"), 0) == ["CN"] == game.state.board.tokens_in(HexId("E17"), 0)
    assert game.state.special.promised == []


def test_the_first_4_takes_minors_without_trains() -> None:
    game = in_stock_round("3")
    mb.started(game, "BO", "@2", money=10, tokens=[("E17", 0)])
    give_train(game, "BO", "2")
    major = mb.started(game, "CPR", {"@3": 2}, money=0, tokens=[("D8", 0)])
    mb.started(game, "CS", "@1", money=500, tokens=[("D16", 0)])
    for train in game.state.trains:
        if train.owner == "depot" and train.family in "23":
            rearrange(game, train, owner=REMOVED)
    mb.in_turn(game, "CS", "trains")
    act(game, "CS buy 4 for 350")
    assert game.company(Owner("BO")).closed and game.players_to_act() == ("@3",)
    assert mb.offered(game) == ["CPR pass", "CPR nationalise"]
    act(game, "CPR nationalise")
    assert major.position is None and game.players_to_act() != ("@3",)


def test_phase_8_ends_the_game_after_one_more_set_of_three() -> None:
    game = in_stock_round("7", C_SL="@1")
    mb.started(game, "BO", "@2", tokens=[("E17", 0)])
    give_train(game, "BO", "5")
    mb.started(game, "CPR", {"@1": 4}, money=2000, tokens=[("D8", 0)])
    give_train(game, "CPR", "5")
    for train in game.state.trains:
        if train.owner == "depot" and train.family in "234567":
            rearrange(game, train, owner=REMOVED)
    mb.in_turn(game, "CPR", "trains", part=2)
    act(game, "CPR buy 8 for 725 trade 5")
    refused(game, "CPR buy 2+2 for 0 trade 5+5E")
    give_train(game, "CPR", "5+5E")
    assert "worth more" in refused(game, "CPR buy 2+2 for 0 trade 5+5E")
    game.state.trains.pop(0)
    assert game.company(Owner("BO")).closed and game.state.special.last_set == 3
    assert [train.kind for train in game.state.trains_of(POOL)] == ["5"]
    act(game, "CPR pass")
    assert game.state.round.kind == "stock", "that was the second of two rounds"
    while game.state.round.kind != "operating":
        act(game, f"{game.player_in_turn} pass")
    assert game.state.round == Round("operating", 3, 1, 3)


def test_a_broken_bank_ends_the_game_after_the_round() -> None:
    game = in_stock_round("4")
    mb.started(game, "CPR", {"@1": 5}, at=100, money=400, loans=2, tokens=[("D8", 0)])
    give_train(game, "CPR", "4")
    mb.in_turn(game, "CPR", "dividend", revenue=300)
    set_cash(game, "@3", cash(game, "@3") + cash(game, BANK) - 100)
    act(settled(game), "CPR pay", "CPR pass")
    assert game.state.finished and "bank" in str(game.state.ending)
    assert game.company(Owner("CPR")).loans == 0 and isinstance(game.state.flow[0], Frame)
