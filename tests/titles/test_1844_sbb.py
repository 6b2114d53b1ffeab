"""1844 §XII: the Swiss State Railway."""

from __future__ import annotations

import pytest

from bot.engine.games.corrections import apply_correction
from bot.engine.ids import BANK, POOL, HexId
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import certificate_count, president_of
from bot.engine.play.holdings.money import pay
from bot.engine.state.actions import BuyShares, BuyTrain, DiscardTrain, Pass, SellShares
from bot.engine.state.events import PresidentChanged
from bot.engine.state.state import Frame, OperatingRoundMemory, Round
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.t1844.actions import ReturnToken
from bot.titles.t1844.events import SbbFormed
from bot.titles.t1844.flotation import has_reached_target
from bot.titles.t1844.state import title_state
from tests.message_helpers import told
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    CID,
    DAN,
    TRAINS,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, refused, set_cash, token

NOB, SCB, VSB, JS, GB, SBB, BLS, FNM, AB = (
    company(name) for name in ("NOB", "SCB", "VSB", "JS", "GB", "SBB", "BLS", "FNM", "AB")
)


def formed(game: Game) -> Game:
    """The exchange, up to the next decision."""
    sell_privates(game)
    reach_phase(game, "5")
    game.state.round = Round("operating", 5, 3, 3)
    game.state.flow = [Frame("game", None, 3)]
    title_state(game).is_forming = True
    game.state.money = sum(game.state.cash.values())
    game.advance()
    assert game.audit() == []
    return game


def four(**options: str) -> Game:
    """A directs the V1 at 120 and has a quarter of the V2 at 70, as in the rulebook's example; B directs the V2."""
    game = new_game(4, **options)
    started(game, "NOB", position=(0, 5), cash=50)
    started(game, "SCB", {"@1": 1}, director="@2", position=(2, 2), cash=60)
    return game


def test_the_rulebooks_example() -> None:
    """A gets 2 x 20 for the V1 and pays 30 for the V2; a double certificate and a single one."""
    game = four()
    formed(game)
    assert game.state.cash[ANN] == 620 + 40 - 30
    assert game.company(SBB).percent_held_by(ANN) == 15
    assert game.company(SBB).count_of(ANN) == 2
    assert game.state.cash[BOB] == 620 - 2 * 30
    assert SbbFormed(((ANN, 40 - 30), (BOB, -2 * 30))) in game.events


def test_unsold_shares_go_to_the_pool() -> None:
    game = formed(four())
    assert game.company(SBB).percent_held_by(POOL) == 100 - 15 - 10


def test_it_starts_at_100_in_the_sixth_row() -> None:
    game = formed(four())
    assert game.company(SBB).position == (5, 8)
    assert game.state.stacks["5,8"] == [SBB]


def test_it_gets_everything_and_400_and_a_5H_of_its_own() -> None:
    game = four()
    give_train(game, "NOB", "4")
    give_train(game, "SCB", "3H")
    formed(game)
    assert game.state.cash[SBB] == 400 + 50 + 60
    assert sorted(train.kind for train in game.state.trains_of(SBB)) == ["3H", "4", "5H-SBB"]
    assert title_state(game).waiting == ["FNM", "RhB", "BLS", "STB", "AB", "MOB"], "what was not reached is lost"
    merged = [game.company(name) for name in (NOB, SCB, VSB, JS, GB)]
    assert all(company.closed and not company.floated for company in merged)


def test_above_four_trains_it_gives_some_up() -> None:
    game = four()
    for kind in ("4", "3H"):
        give_train(game, "NOB", kind)
        give_train(game, "SCB", kind)
    formed(game)
    other = Game.decode(game.title, game.encode())
    assert game.players_to_act() == (ANN,)
    game.apply(DiscardTrain(SBB, "3H"))
    assert len(game.state.trains_of(SBB)) == 4
    assert [train.kind for train in game.state.trains_of(POOL)] == ["3H"]
    assert game.state.round.kind == "stock"
    other.apply(DiscardTrain(SBB, "5H-SBB"))
    assert other.state.trains_of(POOL) == [], "nobody else may own it"


def test_markers_are_exchanged_and_the_others_cost_100_each() -> None:
    game = four()
    lay(game, ("57", "D19", 1), ("57", "C12", 2))
    for name, hex_id in (("NOB", "D19"), ("SCB", "C12")):
        game.company(company(name)).tokens_left = game.company(company(name)).tokens_left[1:]
        token(game, name, hex_id)
    formed(game)
    assert dict(game.state.board.cities_of(SBB)) == {HexId("D19"): 0, HexId("C12"): 0}
    assert game.company(SBB).tokens_left == (100,) * 8
    kept = {kept.company for kept in game.state.board.reservations}
    assert BLS in kept and not kept & {NOB, SCB, VSB, JS, GB}


def test_of_two_markers_in_one_city_one_goes_back() -> None:
    game = four()
    lay(game, ("15", "D13", 0))
    token(game, "NOB", "D13")
    token(game, "SCB", "D13")
    game.company(NOB).tokens_left, game.company(SCB).tokens_left = (), ()
    formed(game)
    assert list(game.state.board.cities_of(SBB)) == [(HexId("D13"), 0)]
    assert game.company(SBB).tokens_left == (100,) * 7


def test_the_marker_that_was_there_first_keeps_its_place() -> None:
    game = four()
    lay(game, ("909", "D19", 3))
    for name in ("NOB", "BLS", "SCB"):
        token(game, name, "D19")
        game.company(company(name)).tokens_left = game.company(company(name)).tokens_left[1:]
    formed(game)
    assert game.state.board.tokens_in(HexId("D19"), 0) == [SBB, BLS]


def test_the_place_of_a_marker_that_goes_back_is_open_to_others_at_once() -> None:
    """The way of the AB from Appenzell to Winterthur leads through Saint Gall."""
    game = four()
    started(game, "AB", {"@1": 3}, par=80, cash=400)
    lay(game, ("6", "D25", 0), ("14", "C24", 1), ("9", "C22", 1), ("59", "C20", 4))
    for name, hex_id in (("AB", "D25"), ("NOB", "C24"), ("SCB", "C24")):
        token(game, name, hex_id)
        game.company(company(name)).tokens_left = game.company(company(name)).tokens_left[1:]
    game.state.board.reservations = []
    assert not has_reached_target(game, AB)
    formed(game)
    assert AB not in title_state(game).waiting
    assert game.state.cash[AB] == 400 + 5 * 80


def test_of_two_markers_in_two_cities_of_a_space_the_director_chooses() -> None:
    game = four()
    lay(game, ("59", "C20", 4))
    token(game, "NOB", "C20", 0)
    token(game, "SCB", "C20", 1)
    game.company(NOB).tokens_left, game.company(SCB).tokens_left = (), ()
    formed(game)
    assert game.players_to_act() == (ANN,)
    writer = LogWriter(game.copy(), DIALECTS["1844"])
    writer.pieces[HexId("C20")] = "59-0"
    (returned,) = writer.write_text("SBB return C20.1")
    assert (returned["type"], returned["city"], returned["slot"]) == ("remove_token", "59-0-1", 0)
    refused(game, ReturnToken(SBB, HexId("D13"), 0), "§XII")
    assert list(game.legal_actions()) == [ReturnToken(SBB, HexId("C20"), city) for city in (0, 1)]
    assert "The SBB takes a marker at Winterthur & Frauenfeld (C20) back." in told(
        game, game.apply(ReturnToken(SBB, HexId("C20"), 0))
    )
    assert list(game.state.board.cities_of(SBB)) == [(HexId("C20"), 1)]
    assert game.company(SBB).tokens_left == (100,) * 7


def test_markers_that_a_moderator_placed_for_companies_without_a_director_stop_nobody() -> None:
    game = new_game(4)
    lay(game, ("59", "C20", 4))
    apply_correction(game, "correct token NOB C20.0")
    apply_correction(game, "correct token SCB C20.1")
    formed(game)
    assert game.state.round.kind == "stock"
    assert president_of(game.company(SBB)) is None


def test_who_cannot_pay_owes_and_sells_first_in_the_next_share_round() -> None:
    game = four()
    set_cash(game, "@1", 0)
    started(game, "VSB", director="@1", position=(6, 0))
    started(game, "BLS", {"@1": 3, "@2": 1}, director="@2", position=(2, 4))
    formed(game)
    # 40 from the V1, 30 and 130 to pay
    assert title_state(game).dues == {ANN: 120}
    assert game.state.cash[ANN] == 0
    assert game.state.round.kind == "stock"
    while game.players_to_act() != (ANN,):
        game.apply(Pass(game.players_to_act()[0]))
    refused(game, Pass(ANN), "§XII")
    refused(game, BuyShares(ANN, BLS), "§XVII")
    game.apply(SellShares(ANN, BLS, 2))
    assert title_state(game).dues == {}
    assert game.state.cash[ANN] == 180 - 120
    game.apply(Pass(ANN))


def test_dues_bear_no_interest_and_whatever_comes_in_pays_them() -> None:
    game = four()
    set_cash(game, "@2", 0)
    formed(game)
    assert title_state(game).dues == {BOB: 60}
    stock_round(game)
    for player in (ANN, BOB, CID, DAN):
        if player == BOB and any(isinstance(option, SellShares) for option in game.legal_actions()):
            break
        game.apply(Pass(player))
    assert title_state(game).dues == {BOB: 60}
    pay(game, BANK, BOB, 25, "income")
    assert title_state(game).dues == {BOB: 35}
    assert game.audit() == []


def test_on_18xx_games_the_lack_is_a_debt_like_others() -> None:
    game = four(rules="18xx.games")
    set_cash(game, "@2", 0)
    formed(game)
    assert title_state(game).debts == {BOB: 60}
    assert title_state(game).dues == {}


# -- the director ---------------------------------------------------------------------------------------------


def test_the_largest_holder_directs() -> None:
    game = formed(four())
    assert president_of(game.company(SBB)) == ANN


def test_of_equals_the_former_director_of_the_first_company() -> None:
    game = new_game(4)
    started(game, "NOB", director="@3")
    started(game, "SCB", director="@2")
    formed(game)
    assert president_of(game.company(SBB)) == CID


def test_who_has_single_certificates_alone_takes_a_double_one_from_the_pool() -> None:
    game = new_game(4)
    started(game, "NOB", {"@4": 2}, director="@2")
    started(game, "SCB", {"@4": 2}, director="@3")
    formed(game)
    company_ = game.company(SBB)
    assert president_of(company_) == DAN
    assert company_.percent_held_by(DAN) == 20
    assert company_.count_of(DAN) == 3
    assert company_.percent_held_by(BOB) == 10 and company_.count_of(BOB) == 1


def test_without_one_in_the_pool_he_exchanges_with_the_former_director_of_the_fifth() -> None:
    game = new_game(4)
    for name, director in (("NOB", "@1"), ("SCB", "@2"), ("VSB", "@3"), ("JS", "@2"), ("GB", "@1")):
        started(game, name, {"@4": 2}, director=director)
    formed(game)
    company_ = game.company(SBB)
    assert president_of(company_) == DAN
    assert company_.percent_held_by(DAN) == 50
    assert company_.percent_held_by(ANN) == 20
    assert company_.count_of(ANN) == 3, "a double one of the V1, two singles for that of the V5"


def test_by_18xx_games_the_director_whose_first_company_came_last_gives_the_double_one() -> None:
    game = new_game(4, rules="18xx.games")
    for name, director in (("NOB", "@1"), ("SCB", "@2"), ("VSB", "@3"), ("JS", "@2"), ("GB", "@1")):
        started(game, name, {"@4": 2}, director=director)
    numbers = ShareNumbers(game)
    formed(game)
    DIALECTS["1844"].follow_shares(game, numbers)
    held = {owner: sorted(own) for owner, own in numbers.holdings_of(SBB).items() if own}
    assert held == {"@1": [12, 14], "@2": [11, 13], "@3": [1, 2], "@4": [0, *range(3, 11)]}
    assert [game.company(SBB).count_of(player) for player in (ANN, BOB, CID, DAN)] == [2, 2, 2, 9]


def test_a_new_director_gives_a_double_certificate_if_he_has_one_else_two_single_ones() -> None:
    game = four()
    formed(game)
    stock_round(game, 6, "@2")
    game.apply(BuyShares(BOB, SBB, POOL))
    for player in (CID, DAN, ANN):
        game.apply(Pass(player))
    game.apply(BuyShares(BOB, SBB, POOL))
    assert president_of(game.company(SBB)) == BOB
    assert game.company(SBB).count_of(ANN) == 2, "a double one for the director's"
    assert game.company(SBB).percent_held_by(ANN) == 15


def test_double_and_single_certificates_are_bought_from_the_pool() -> None:
    game = formed(four())
    stock_round(game, 6, "@3")
    game.apply(BuyShares(CID, SBB, POOL, 2))
    assert game.state.cash[CID] == 620 - 200
    assert game.company(SBB).percent_held_by(CID) == 10
    assert certificate_count(game, CID) == 1


def test_which_certificates_are_sold_is_for_the_seller_to_say() -> None:
    game = new_game(4)
    started(game, "NOB", {"@2": 1}, director="@1")
    started(game, "SCB", {"@1": 1}, director="@2")
    started(game, "VSB", {"@2": 1}, director="@1")
    started(game, "JS", {"@3": 2}, director="@1")
    started(game, "GB", {"@3": 2}, director="@1")
    formed(game)
    game.company(SBB).operated = True
    stock_round(game, 6, "@2")
    other = Game.decode(game.title, game.encode())
    assert game.company(SBB).percent_held_by(POOL) < 50
    before = game.company(SBB).count_of(BOB)
    assert {SellShares(BOB, SBB, 2), SellShares(BOB, SBB, 2, 1)} <= {*game.legal_actions()}
    game.apply(SellShares(BOB, SBB, 2))
    other.apply(SellShares(BOB, SBB, 2, 1))
    assert (before - game.company(SBB).count_of(BOB), before - other.company(SBB).count_of(BOB)) == (2, 1)
    assert game.state.cash[BOB] == other.state.cash[BOB]


def test_if_nobody_held_a_share_all_lies_in_the_pool_and_can_be_bought() -> None:
    game = formed(new_game(4))
    company_ = game.company(SBB)
    assert company_.percent_held_by(POOL) == 100
    assert president_of(company_) is None
    stock_round(game, 6, "@1")
    game.apply(BuyShares(ANN, SBB, POOL, 2))
    assert president_of(company_) == ANN
    assert company_.percent_held_by(ANN) == 10


def test_if_nobody_directs_it_two_single_certificates_from_the_pool_become_the_directors() -> None:
    game = formed(new_game(4))
    company_ = game.company(SBB)
    stock_round(game, 6, "@1")
    game.apply(BuyShares(ANN, SBB, POOL))
    assert president_of(company_) is None
    for player in (BOB, CID, DAN):
        game.apply(Pass(player))
    assert PresidentChanged(SBB, ANN) in game.apply(BuyShares(ANN, SBB, POOL))
    assert president_of(company_) == ANN
    assert (company_.percent_held_by(ANN), company_.count_of(ANN)) == (10, 1)


# -- when ---------------------------------------------------------------------------------------------------------


def test_it_forms_at_the_end_of_the_round_of_the_first_5_and_operates_in_the_next() -> None:
    game = new_game(3)
    started(game, "NOB", {"@2": 1}, cash=100)
    started(game, "BLS", {"@2": 3}, director="@2", cash=1000)
    token(game, "NOB", "D19")
    game.company(NOB).tokens_left = game.company(NOB).tokens_left[1:]
    lay(game, ("57", "D19", 1))
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS, part=1, of=2)
    memory = game.state.flow[1].memory
    assert isinstance(memory, OperatingRoundMemory)
    memory.done.append(NOB)
    game.apply(BuyTrain(BLS, "5", 450))
    assert not game.company(SBB).floated
    events = game.apply(Pass(BLS))
    assert any(isinstance(event, SbbFormed) for event in events)
    assert PresidentChanged(SBB, ANN) in events
    assert game.state.round.part == 2
    assert game.frame.entity == SBB


def test_if_the_first_5_is_sold_abroad_it_forms_at_once_and_the_share_round_follows() -> None:
    game = new_game(3)
    started(game, "NOB", {"@2": 1}, cash=0)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "NOB", step=TRAINS, part=2, of=2)
    events = game.apply(Pass(NOB))
    assert any(isinstance(event, SbbFormed) for event in events)
    assert game.state.round.kind == "stock"
    assert game.company(SBB).floated


@pytest.mark.parametrize("players", [3, 7])
def test_all_five_merge_whether_launched_or_not(players: int) -> None:
    game = formed(new_game(players))
    assert [game.company(name).closed for name in (NOB, SCB, VSB, JS, GB)] == [True] * 5
    assert game.audit() == []
    assert FNM in game.state.companies
