"""1844 under the option `rules: 18xx.games`: where that reading differs, beside what the other files test of it."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, HexId, TileId
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import certificate_count, president_of
from bot.engine.play.holdings.money import pay
from bot.engine.state.actions import (
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DeclareBankruptcy,
    DiscardTrain,
    LayTile,
    Par,
    Pass,
    SellShares,
)
from bot.engine.state.state import Frame, Round
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t1844.actions import ClaimTargets, LayFurka, PayDebt, TakeEva
from bot.titles.t1844.events import TargetReached
from bot.titles.t1844.flotation import pay_targets
from bot.titles.t1844.routes import stop_values
from bot.titles.t1844.state import title_state
from bot.titles.t1844.track import lay_furka
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    CID,
    DAN,
    EVE,
    TITLE,
    TRAINS,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, private, refused, set_cash

RHB, BLS, GB, STB, JN, NOB, FNM, SBB, MOB = (
    company(name) for name in ("RhB", "BLS", "GB", "STB", "JN", "NOB", "FNM", "SBB", "MOB")
)


def theirs(players: int = 3) -> Game:
    """A game by that reading."""
    return new_game(players, rules="18xx.games")


# -- §IV: who is asked in the auction ---------------------------------------------------------------------


def sold_p1(cash: dict[str, int], players: int = 3, rules: str = "18xx.games") -> Game:
    """Ann has bought P1 for 20; then somebody has had losses."""
    game = new_game(players, rules=rules)
    for player, amount in cash.items():
        set_cash(game, player, amount)
    game.apply(Bid(ANN, private("P1"), 20))
    while title_state(game).auctioned == "P1":
        game.apply(Pass(game.players_to_act()[0]))
    return game


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_IV_nobody_but_the_opener_is_asked_who_cannot_pay_the_least(rules: str) -> None:
    game = sold_p1({"@3": 49, "@4": 50}, 4, rules)
    assert game.players_to_act() == (BOB,)
    game.apply(Pass(BOB))
    assert game.players_to_act() == (DAN,), "P2 costs 50, and Cid has 49"
    game.apply(Pass(DAN))
    assert game.players_to_act() == (ANN,)


@pytest.mark.parametrize(("rules", "opener"), [("rulebook", BOB), ("18xx.games", CID)])
def test_IV_an_opener_who_can_pay_for_nothing_that_is_left_is_passed_over(rules: str, opener: str) -> None:
    game = sold_p1({"@2": 49}, rules=rules)
    assert game.players_to_act() == (opener,)
    if opener == BOB:
        game.apply(Pass(BOB))
    game.apply(Pass(CID))
    assert game.players_to_act() == (ANN,)


def test_IV_an_opener_who_can_pay_for_a_later_private_opens() -> None:
    game = sold_p1({})
    for sign in ("P2", "P3", "P4", "P5"):
        title_state(game).auctioned = private(sign)
        game.private(private(sign)).owner = CID
    title_state(game).auctioned, title_state(game).opener = private("P5"), ANN
    game.private(private("P5")).owner, game.frame.entity = None, ANN
    set_cash(game, "@2", 100)
    game.apply(Bid(ANN, private("P5"), 140))
    game.apply(Pass(CID))
    assert (title_state(game).auctioned, game.players_to_act()) == ("P6", (BOB,)), "P6 costs 180, P7 100"
    game.apply(Pass(BOB))
    assert game.players_to_act() == (CID,)


# -- §V: privates and the EVA ------------------------------------------------------------------------------


def private_of_bob(rules: str = "18xx.games") -> Game:
    """RhB is Ann's, P4 Bob's, the first 3 is sold."""
    game = new_game(rules=rules)
    sell_privates(game, {"P4": "@2"})
    started(game, "RhB", {"@1": 3})
    reach_phase(game, "3")
    return operating(game, "RhB", step=TRAINS)


def test_V_a_company_buys_from_any_player_who_agrees() -> None:
    game = private_of_bob()
    refused(game, BuyPrivate(RHB, private("P4"), 221), "§V")
    game.apply(BuyPrivate(RHB, private("P4"), 90))
    assert game.players_to_act() == (BOB,)
    assert "sell P4 to RhB for sfr 90?" in str(question(game))
    game.apply(Answer(BOB, True))
    assert game.private(private("P4")).owner == RHB
    assert (game.state.cash[BOB], game.state.cash[RHB]) == (890, 410)
    assert game.players_to_act() == (ANN,)
    assert game.audit() == []


def test_V_the_owner_of_a_private_may_refuse() -> None:
    game = private_of_bob()
    game.apply(BuyPrivate(RHB, private("P4"), 90))
    game.apply(Answer(BOB, False))
    assert (game.private(private("P4")).owner, game.state.cash[RHB]) == (BOB, 500)
    assert game.players_to_act() == (ANN,)


def test_V_by_the_rulebook_he_is_not_asked_at_all() -> None:
    refused(private_of_bob("rulebook"), BuyPrivate(RHB, private("P4"), 110), "§V")


def test_V_the_eva_comes_above_the_train_limit_and_another_train_goes() -> None:
    game = theirs()
    sell_privates(game, {"P7": "@1"})
    started(game, "STB", {"@1": 3})
    reach_phase(game, "5")
    operating(game, "STB", ["3H", "4"], step=TRAINS)
    rearrange(game, next(train for train in game.state.trains if train.id == "5-1"), owner=ANN)
    game.apply(TakeEva(STB))
    assert game.players_to_act() == (ANN,)
    game.apply(DiscardTrain(STB, "3H"))
    assert sorted(train.kind for train in game.state.trains_of(STB)) == ["4", "5H"]
    assert game.frame.entity == STB


def test_V_the_fnm_is_launched_there_as_soon_as_its_price_is_set() -> None:
    game = theirs()
    for sign in ("P1", "P2", "P3", "P4", "P5", "P6"):
        buyer = game.players_to_act()[0]
        game.apply(Bid(buyer, private(sign), game.private(private(sign)).price))
        while game.private(private(sign)).owner is None:
            game.apply(Pass(game.players_to_act()[0]))
    game.apply(Par(buyer, FNM, 80))
    assert (game.company(FNM).floated, game.state.cash[FNM]) == (True, 400)


# -- §VIII: targets ----------------------------------------------------------------------------------------


def line_to_disentis(rules: str) -> Game:
    """RhB has track from Chur to Disentis; the Furka-Oberalp, which is Ann's, is all that lacks to Brig."""
    game = new_game(rules=rules)
    sell_privates(game, {"P4": "@1"})
    started(game, "RhB", {"@1": 3}, cash=0)
    reach_phase(game, "3")
    game.state.board.place_token(HexId("G26"), 0, RHB)
    game.company(RHB).tokens_left = game.company(RHB).tokens_left[1:]
    lay(game, ("57", "G26", 0), ("58", "H25", 1), ("9", "J15", 1))
    return game


@pytest.mark.parametrize(("rules", "at_once"), [("rulebook", True), ("18xx.games", False)])
def test_VIII_what_a_share_round_joins_counts_there_from_the_next_turn_on(rules: str, at_once: bool) -> None:
    game = line_to_disentis(rules)
    stock_round(game)
    game.apply(LayFurka(ANN))
    assert (RHB not in title_state(game).waiting) is at_once
    assert game.state.cash[RHB] == (500 if at_once else 0)
    for _ in range(3):
        game.apply(Pass(game.players_to_act()[0]))
    assert game.frame.entity == RHB
    assert (title_state(game).waiting.count(RHB), game.state.cash[RHB]) == (0, 500)


def test_VIII_in_a_companys_turn_it_counts_at_once() -> None:
    game = line_to_disentis("18xx.games")
    operating(game, "RhB", has_home=False)
    game.apply(LayFurka(RHB))
    assert game.state.cash[RHB] == 500


def without_a_marker(rules: str) -> Game:
    """The RhB is connected with its target before its first turn; it is the turn of the BLS."""
    game = new_game(rules=rules)
    sell_privates(game, {"P4": "@1"})
    started(game, "RhB", {"@1": 3}, cash=0)
    started(game, "BLS", {"@2": 3}, director="@2")
    reach_phase(game, "3")
    lay_furka(game)
    lay(game, ("57", "G26", 0), ("58", "H25", 1), ("9", "J15", 1))
    operating(game, "BLS")
    pay_targets(game)
    return game


def test_VIII_before_its_first_marker_a_company_waits_until_18xx_games_says_so() -> None:
    game = without_a_marker("18xx.games")
    assert RHB in title_state(game).waiting
    refused(game, ClaimTargets(BLS, (BLS,)), "§VIII")
    assert ClaimTargets(BLS, (RHB,)) in game.legal_actions()
    assert TargetReached(RHB, 500) in game.apply(ClaimTargets(BLS, (RHB,)))
    game.apply(ClaimTargets(BLS, (RHB,)))
    assert game.state.cash[RHB] == 500


def test_VIII_by_the_rulebook_it_does_not_wait_and_nobody_says_so() -> None:
    game = without_a_marker("rulebook")
    assert (RHB in title_state(game).waiting, game.state.cash[RHB]) == (False, 500)
    refused(game, ClaimTargets(BLS, (RHB,)), "§VIII")


# -- §XVII: debts, bankruptcy, the SBB's trains -------------------------------------------------------------


@pytest.mark.parametrize(("rules", "may"), [("rulebook", False), ("18xx.games", True)])
def test_XVII_a_debtor_may_start_a_company_there_and_buy_nothing_else(rules: str, may: bool) -> None:
    game = new_game(rules=rules)
    started(game, "BLS", {"@1": 3})
    title_state(game).debts[ANN], title_state(game).lent = 30, 30
    stock_round(game)
    refused(game, BuyPrivate(ANN, private("T2"), 50), "§XVII")
    refused(game, BuyShares(ANN, BLS), "§XVII")
    if may:
        game.apply(Par(ANN, JN, 60))
        assert president_of(game.company(JN)) == ANN
        assert game.legal_actions() == (PayDebt(ANN),), "and pays back at once"
        game.apply(PayDebt(ANN))
        assert (title_state(game).debts, game.players_to_act()) == ({}, (BOB,))
    else:
        refused(game, Par(ANN, JN, 60), "§XVII")


def test_XVII_a_company_need_not_be_bound_to_own_a_train_for_its_director_to_give_up() -> None:
    game = theirs()
    started(game, "NOB", par=60, cash=0)
    set_cash(game, "@1", 10)
    reach_phase(game, "4")
    operating(game, "NOB", step=TRAINS)
    offered = [type(option) for step in game.open_steps() for option in step.options(game)]
    assert DeclareBankruptcy not in offered, "nobody is led to it who need not buy"
    game.apply(DeclareBankruptcy(NOB))
    assert (game.state.finished, str(game.state.ending)) == (True, "@1 is bankrupt")


def test_XVII_nobody_gives_up_while_his_company_has_a_train_or_money() -> None:
    for cash, trains in ((259, ["3H"]), (260, [])):
        game = theirs()
        started(game, "NOB", par=60, cash=cash)
        set_cash(game, "@1", 0)
        reach_phase(game, "4")
        refused(operating(game, "NOB", trains, step=TRAINS), DeclareBankruptcy(NOB), "§XVII")


@pytest.mark.parametrize(("rules", "refuses"), [("rulebook", False), ("18xx.games", True)])
def test_XVII_the_sbb_must_own_a_train_there(rules: str, refuses: bool) -> None:
    game = new_game(rules=rules)
    started(game, "SBB", {"@1": 3})
    reach_phase(game, "5")
    lay(game, ("57", "C12", 2), ("57", "D13", 2))
    game.state.board.place_token(HexId("C12"), 0, SBB)
    operating(game, "SBB", step=TRAINS, has_home=False)
    assert game.title.rules.must_own_train(game, SBB) is refuses


# -- §XII, §XXIII: the SBB and the end ----------------------------------------------------------------------


def merging(rules: str) -> Game:
    """Ann directs V1, V3 and V5, Bob V2, Cid V4; Eve has a quarter of four of them, and nothing lies in the pool."""
    game = new_game(5, rules=rules)
    for name, director, others in (
        ("NOB", "@1", {"@5": 1, "@4": 1}),
        ("SCB", "@2", {"@5": 1, "@4": 1}),
        ("VSB", "@1", {"@5": 2}),
        ("JS", "@3", {"@5": 2}),
        ("GB", "@1", {"@5": 2}),
    ):
        started(game, name, others, director=director, cash=0)
    sell_privates(game)
    reach_phase(game, "5")
    game.state.round = Round("operating", 5, 1, 3)
    game.state.flow = [Frame("game", None, 3)]
    title_state(game).is_forming = True
    game.state.money = sum(game.state.cash.values())
    game.advance()
    return game


@pytest.mark.parametrize(("rules", "counts"), [("rulebook", (4, 1, 1)), ("18xx.games", (3, 1, 2))])
def test_XII_the_double_certificate_comes_from_the_last_of_all_directors(
    rules: str, counts: tuple[int, int, int]
) -> None:
    game = merging(rules)
    assert president_of(game.company(SBB)) == EVE, "40% in single certificates, Ann has 30%"
    assert tuple(certificate_count(game, player) for player in (ANN, BOB, CID)) == counts
    assert certificate_count(game, EVE) == 7
    assert game.company(SBB).percent_held_by(POOL) == 0


@pytest.mark.parametrize(
    ("rules", "part", "is_ending", "forms"),
    [
        ("rulebook", 3, True, True),
        ("18xx.games", 3, True, False),
        ("18xx.games", 3, False, True),
        ("18xx.games", 2, True, True),
    ],
)
def test_XXIII_the_game_may_end_before_the_sbb_forms(rules: str, part: int, is_ending: bool, forms: bool) -> None:
    game = new_game(rules=rules)
    started(game, "NOB")
    sell_privates(game)
    reach_phase(game, "5")
    game.state.round = Round("operating", 5, part, 3)
    game.state.flow = [Frame("game", None, 3)]
    title_state(game).is_forming, game.state.ending = True, "the bank has run out of money" * is_ending
    game.advance()
    assert game.state.finished is (is_ending and part == 3)
    assert game.company(SBB).floated is forms


@pytest.mark.parametrize(
    ("rules", "left", "ends"),
    [("rulebook", 1, False), ("rulebook", 0, True), ("18xx.games", 0, False), ("18xx.games", -1, True)],
)
def test_XXIII_the_bank_breaks_there_when_it_owes_money(rules: str, left: int, ends: bool) -> None:
    game = new_game(rules=rules)
    pay(game, BANK, ANN, game.state.cash[BANK] - left, "a present")
    assert bool(game.state.ending) is ends


# -- what that engine refuses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "groups"), [("rulebook", ("", "Stuttgart", "")), ("18xx.games", ("N", "N", "S"))])
def test_XVIII_no_route_there_joins_two_off_boards_of_one_point(rules: str, groups: tuple[str, str, str]) -> None:
    found = {stop.hex: value.group for stop, value in stop_values(new_game(rules=rules)).items()}
    assert tuple(found[HexId(name)] for name in ("B11", "B17", "M8")) == groups
    assert found[HexId("C12")] == ""


def in_need(rules: str, seller: str = "@1", cash: int = 40) -> Game:
    """FNM must buy a train and has 30, Ann has 40; the BLS, which sells, is this player's."""
    game = new_game(rules=rules)
    started(game, "FNM", {"@1": 3}, cash=30)
    started(game, "BLS", {seller: 3}, director=seller)
    started(game, "MOB", {"@2": 3, "@1": 2}, director="@2", position=(2, 4))
    reach_phase(game, "3")
    give_train(game, "BLS", "3")
    lay(game, ("57", "L21", 0))
    set_cash(game, "@1", cash)
    return operating(game, "FNM", step=TRAINS)


def test_XVII_there_is_no_debt_there_for_a_train_of_ones_own_companies() -> None:
    by_the_book = in_need("rulebook")
    by_the_book.apply(BuyTrain(FNM, "3", 150, BLS))
    assert title_state(by_the_book).debts == {ANN: 80 + 40}
    game = in_need("18xx.games")
    assert "1 to" in refused(game, BuyTrain(FNM, "3", 71, BLS), "§XVII")
    game.apply(BuyTrain(FNM, "3", 70, BLS))
    assert (title_state(game).debts, game.state.cash[ANN]) == ({}, 0)


def test_XVII_there_a_train_costs_what_the_last_share_sold_for_it_makes_necessary() -> None:
    game = in_need("18xx.games")
    game.apply(SellShares(FNM, MOB, 1))
    each = title_state(game).sold_at
    assert each > 0
    most = min(180, 70 + each)
    assert "may" not in refused(game, BuyTrain(FNM, "3", 70, BLS), "§XVII")
    game.apply(BuyTrain(FNM, "3", most, BLS))
    give_train(game, "BLS", "3")
    set_cash(game, "FNM", 50)
    set_cash(game, "@1", 10 + each)
    assert "After a forced share sale this train costs at least sfr" in refused(
        game, BuyTrain(FNM, "3", 50, BLS), "§XVII"
    )
    set_cash(game, "@1", each - 10)
    assert "for sfr 41 to sfr 50" in refused(game, BuyTrain(FNM, "3", 40, BLS), "§XVII")
    game.apply(BuyTrain(FNM, "3", 41, BLS))


def test_XVII_another_directors_train_is_had_by_debt_there_too() -> None:
    game = in_need("18xx.games", seller="@2")
    game.apply(BuyTrain(FNM, "3", 180, BLS))
    assert title_state(game).debts == {ANN: 110 + 55}


def under_the_line(rules: str, edition: int = 2) -> Game:
    """The RhB reaches the line's track on the Gotthard (H19), but no tunnel's mouth."""
    title = OLDER_VERSIONS["1844", 1] if edition == 1 else TITLE
    game = Game.new(title, ("Ann", "Bob", "Cid"), {"rules": rules}, 1)
    sell_privates(game, {"T2": "@1"})
    started(game, "RhB", {"@1": 3})
    reach_phase(game, "3")
    lay(game, ("57", "G26", 0), ("58", "H25", 1))
    operating(game, "RhB")
    lay_furka(game)
    return game


def tunnel_at(hex_id: str, tile: str, rotation: int) -> LayTile:
    """The RhB builds it with T2."""
    return LayTile(RHB, TileId(tile), HexId(hex_id), rotation, private("T2"))


def test_VII_there_a_tunnel_under_the_line_is_connected() -> None:
    under_the_line("rulebook").apply(tunnel_at("H19", "X78", 3))
    assert "does not reach" in refused(under_the_line("18xx.games"), tunnel_at("H19", "X78", 3), "§VII")


def test_VII_there_a_tunnel_shares_no_edge_with_the_line() -> None:
    under_the_line("rulebook").apply(tunnel_at("H23", "X78", 2))
    assert "same edge" in refused(under_the_line("18xx.games"), tunnel_at("H23", "X78", 2), "§VII")


def test_games_begun_by_version_1_go_on_as_they_were_played() -> None:
    assert (TITLE.version, OLDER_VERSIONS["1844", 1].version) == (2, 1)
    under_the_line("18xx.games", edition=1).apply(tunnel_at("H19", "X78", 3))
