"""1848 as 18xx.games plays it, where it differs from the rulebook; and games that were begun by version 1 of the rules."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, POOL, HexId, Owner, TileId, as_private
from bot.engine.play.game import Game
from bot.engine.state.actions import BuyPrivate, BuyShares, BuyTrain, LayTile, Pass, SellShares, TakeLoan
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t1848 import bank_of_england as bank
from bot.titles.t1848.auction import lowest_price
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import (
    ANN,
    BOB,
    NAMES,
    TITLE,
    give_train,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, lay, refused, token

VR, SAR, NSW, BOE = (company(name) for name in ("VR", "SAR", "NSW", "BOE"))
THEIRS = "18xx.games"


def first_edition(players: int = 3, **options: str) -> Game:
    """A game that was begun by version 1 of the rules."""
    return Game.new(OLDER_VERSIONS["1848", 1], NAMES[:players], options, 1)


def tasmania_lays(game: Game) -> list[LayTile]:
    """How the Tasmania tile may be laid now."""
    return [action for action in game.legal_actions() if isinstance(action, LayTile) and action.tile == "241"]


# -- the Bank of England ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["rulebook", THEIRS])
def test_5_5_7_stations_in_perth_earn_the_value_of_the_phase(rules: str) -> None:
    game = new_game(rules=rules)
    reach_phase(game, "3")
    token(game, "BOE", "D1")
    assert bank.receivership_stations(game) == [40]


@pytest.mark.parametrize("rules", ["rulebook", THEIRS])
def test_12_2_2_nobody_buys_the_banks_eighth_share_with_three_players(rules: str) -> None:
    game = new_game(rules=rules)
    for certificate in game.company(BOE).certificates[:7]:
        rearrange(game, certificate, owner=ANN)
    refused(stock_round(game), BuyShares(ANN, BOE, POOL), "§12.2.2")


def test_12_2_1_the_banks_shares_need_room_under_the_certificate_limit() -> None:
    game = new_game(rules=THEIRS)
    for sign in ("VR", "SAR", "QR"):
        started(game, sign, {"@1": 5})
    for certificate in game.company(BOE).certificates[:2]:
        rearrange(game, certificate, owner=ANN)
    refused(stock_round(game), BuyShares(ANN, BOE, POOL), "§12.2.1")


@pytest.mark.parametrize("rules", ["rulebook", THEIRS])
def test_12_4_2_the_banks_shares_are_sold_in_the_first_stock_round_too(rules: str) -> None:
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4, "@2": 2})
    rearrange(game, game.company(BOE).certificates[0], owner=ANN)
    stock_round(game, 1)
    refused(game, SellShares(ANN, VR, 1), "§5.1.6")
    game.apply(SellShares(ANN, BOE, 1))
    assert game.state.cash[ANN] == 840 + 70


def test_on_18xx_games_a_company_is_sold_once_a_turn_the_bank_as_often_as_one_likes() -> None:
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4, "@2": 2})
    for certificate in game.company(BOE).certificates[:2]:
        rearrange(game, certificate, owner=ANN)
    stock_round(game)
    game.apply(SellShares(ANN, VR, 1))
    refused(game, SellShares(ANN, VR, 1), "18xx.games")
    game.apply(SellShares(ANN, BOE, 1))
    game.apply(SellShares(ANN, BOE, 1))


# -- trains removed and borrowed for ------------------------------------------------------------------


def removal_in(phase: str, **owners: str) -> Game:
    """VR falls into receivership in that phase, as the second company, by 18xx.games."""
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, position=(1, 1))
    started(game, "SAR", {"@2": 4}, director="@2")
    sell_privates(game, owners)
    reach_phase(game, phase)
    game.state.special.receiverships = [NSW]
    operating(game, "VR")
    game.apply(TakeLoan(VR))
    return game


def test_on_18xx_games_a_5_removed_in_phase_3_closes_the_privates_and_nothing_else() -> None:
    game = removal_in("3", P1="@1", P2="@2")
    assert game.state.phase == "3"
    assert sum(train.family == "5" and train.owner == DEPOT for train in game.state.trains) == 2
    assert all(private.closed for private in game.state.privates.values())
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "SAR", step=7)
    game.apply(BuyTrain(SAR, "5", 500))
    assert game.state.phase == "5"


def test_on_18xx_games_a_5_removed_in_phase_4_begins_phase_5() -> None:
    assert removal_in("4", P1="@1").state.phase == "5"


def test_on_18xx_games_the_tasmania_tile_is_laid_when_the_privates_close_by_a_removal() -> None:
    game = removal_in("3", P3="@2")
    assert game.players_to_act() == (BOB,)
    game.apply(tasmania_lays(game)[0])
    assert game.private(Owner("P3")).ability_used


def in_need(cash: int) -> Game:
    """VR must own a train, cannot pay a 3, and has not taken the loan of its turn."""
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, cash=cash, position=(1, 10))
    reach_phase(game, "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    return operating(game, "VR", step=7)


def test_on_18xx_games_the_loan_of_the_turn_comes_before_loans_for_a_train() -> None:
    game = in_need(20)
    refused(game, BuyTrain(VR, "3", 200), "18xx.games")
    assert not any(isinstance(action, BuyTrain) for action in game.legal_actions())
    game.apply(TakeLoan(VR))
    game.apply(BuyTrain(VR, "3", 200))
    assert (game.company(VR).loans, game.company(VR).position) == (2, (1, 5))


def test_on_18xx_games_a_company_with_five_loans_borrows_for_a_train_at_once() -> None:
    game = in_need(20)
    game.company(VR).loans = 5
    game.apply(BuyTrain(VR, "3", 200))
    assert game.company(VR).loans == 7


# -- trains that could not be paid, and the last loan -------------------------------------------------


def without_means(rules: str) -> Game:
    """VR has a train, £60 and no room to borrow for more before it comes to trains; another company has none."""
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, cash=60, position=(1, 10))
    reach_phase(game, "3")
    return operating(game, "VR", trains=("3",), step=6)


def test_on_18xx_games_who_could_pay_for_no_train_buys_none_after_a_loan() -> None:
    game = without_means(THEIRS)
    game.apply(TakeLoan(VR))
    game.state.cash[VR] = 500
    refused(game, BuyTrain(VR, "3", 200), "§8.1, 18xx.games")
    book = without_means("rulebook")
    book.apply(TakeLoan(VR))
    book.state.cash[VR] = 500
    book.apply(BuyTrain(VR, "3", 200))


def test_on_18xx_games_trains_are_over_when_no_other_could_be_paid() -> None:
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, cash=250, position=(1, 10))
    reach_phase(game, "3")
    operating(game, "VR", step=6)
    game.apply(BuyTrain(VR, "3", 200))
    game.apply(TakeLoan(VR))
    game.state.cash[VR] = 500
    refused(game, BuyTrain(VR, "3", 200), "§8.1, 18xx.games")


@pytest.mark.parametrize(("loans", "asked"), [(3, ["pass", "pass"]), (4, [])])
def test_on_18xx_games_trains_are_over_with_the_last_loan_that_could_have_helped_to_the_ghan(
    loans: int, asked: list[str]
) -> None:
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, cash=150, position=(1, 10))
    game.company(VR).loans = loans
    reach_phase(game, "3")
    operating(game, "VR", trains=("2", "2", "2", "2"), step=6)
    written = LogWriter(game, DIALECTS["1848"]).write_text("VR loan")
    assert [raw["type"] for raw in written] == ["take_loan", *asked]


@pytest.mark.parametrize(("rules", "edition", "may"), [("rulebook", 2, True), (THEIRS, 2, False), (THEIRS, 1, True)])
def test_3_1_3_on_18xx_games_nobody_passes_who_owns_no_private_and_can_pay_for_one(
    rules: str, edition: int, may: bool
) -> None:
    game = first_edition(rules=rules) if edition == 1 else Game.new(TITLE, NAMES[:3], {"rules": rules}, 1)
    for record in game.state.privates.values():
        record.price = lowest_price(record)
    game.apply(BuyPrivate(ANN, as_private("P1"), 0))
    if may:
        game.apply(Pass(BOB))
        return
    refused(game, Pass(BOB), "§3.1.2")
    game.state.cash[BOB] = 39
    game.apply(Pass(BOB))


@pytest.mark.parametrize("rules", ["rulebook", THEIRS])
def test_on_18xx_games_the_last_loan_before_receivership_is_taken(rules: str) -> None:
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, position=(1, 1))
    reach_phase(game, "3")
    operating(game, "VR", step=4)
    if rules == THEIRS:
        refused(game, Pass(VR), "§5.6.1, 18xx.games")
    else:
        game.apply(Pass(VR))


def test_5_6_1_next_to_receivership_a_company_without_trains_is_asked_for_a_loan_that_costs_it_its_freedom() -> None:
    """1848 §5.6.1, §5.6.2, §5.5.1, §5.5.5: two spaces to the left and so into the hatched column; its money goes back."""
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(1, 1))
    reach_phase(game, "3")
    operating(game, "VR", step=4)
    assert game.legal_actions() == (TakeLoan(VR), Pass(VR))
    game.apply(TakeLoan(VR))
    assert game.company(VR).loans == 1 and game.state.cash[VR] == 0
    assert game.state.special.receiverships == [VR] and game.controller_of(VR) is None
    other = new_game()
    started(other, "VR", {"@1": 4}, position=(1, 1))
    reach_phase(other, "3")
    operating(other, "VR", trains=("3",), step=4)
    assert TakeLoan(VR) not in other.legal_actions()


def test_on_18xx_games_the_tasmania_tile_is_laid_before_trains_are_given_up() -> None:
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, cash=2000, position=(1, 10))
    sell_privates(game, {"P3": "@2"})
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "VR", trains=("4", "4"), step=6)
    game.apply(BuyTrain(VR, "5", 500))
    assert game.frame.plan == "tasmania"
    game.apply(tasmania_lays(game)[0])
    assert game.frame.plan == "discard"


def test_on_18xx_games_the_last_companys_fall_has_trains_given_up_in_its_round() -> None:
    game = new_game(rules=THEIRS)
    started(game, "VR", {"@1": 4}, position=(1, 1))
    started(game, "SAR", {"@2": 4}, director="@2", cash=0)
    reach_phase(game, "4")
    game.state.special.receiverships = [NSW]
    operating(game, "VR")
    give_train(game, "SAR", "4")
    give_train(game, "SAR", "4")
    give_train(game, "SAR", "4")
    game.state.flow[1].memory.done.append(SAR)
    game.apply(TakeLoan(VR))
    assert (game.frame.plan, game.state.round.part, game.state.flow[1].at) == ("discard", 1, 4)


# -- the Tasmania tile --------------------------------------------------------------------------------


def tasmanian(owner: str, rules: str, step: int = 1) -> Game:
    """VR's turn; P3 has this owner."""
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, cash=2000)
    sell_privates(game, {"P3": owner})
    reach_phase(game, "3")
    return operating(game, "VR", step=step)


@pytest.mark.parametrize(
    ("rules", "owner", "step", "may"),
    [
        ("rulebook", "@1", 1, True),
        ("rulebook", "VR", 1, True),
        ("rulebook", "@1", 7, False),
        ("rulebook", "VR", 7, False),
        (THEIRS, "@1", 1, False),
        (THEIRS, "VR", 1, True),
        (THEIRS, "VR", 7, True),
    ],
)
def test_4_4_and_7_3_who_lays_the_tasmania_tile_and_when(rules: str, owner: str, step: int, may: bool) -> None:
    game = tasmanian(owner, rules, step)
    assert bool(tasmania_lays(game)) is may
    if not may:
        refused(game, LayTile(VR, TileId("241"), HexId("I10"), 0), "§4.4" if step == 7 else None)


def test_4_4_after_its_normal_build_a_company_can_still_lay_the_tasmania_tile() -> None:
    game = tasmanian("VR", "rulebook")
    for _ in range(2):
        game.apply(next(a for a in game.legal_actions() if isinstance(a, LayTile) and a.tile != "241"))
    assert game.step is not None
    assert game.step.name == "lay track"
    assert {type(action) for action in game.legal_actions() if isinstance(action, LayTile | Pass)} == {LayTile, Pass}
    game.apply(tasmania_lays(game)[0])
    assert game.step.name != "lay track"


# -- version 1 ----------------------------------------------------------------------------------------


def test_games_begun_by_version_1_go_on_as_they_were_played() -> None:
    assert (TITLE.version, OLDER_VERSIONS["1848", 1].version) == (2, 1)
    game = first_edition(rules=THEIRS)
    reach_phase(game, "3")
    token(game, "BOE", "D1")
    assert bank.receivership_stations(game) == [0]
    for certificate in game.company(BOE).certificates[:7]:
        rearrange(game, certificate, owner=ANN)
    stock_round(game).check(BuyShares(ANN, BOE, POOL))


def test_version_1_lets_the_tasmania_tile_be_laid_after_the_run() -> None:
    game = first_edition()
    started(game, "VR", {"@1": 4}, cash=2000)
    sell_privates(game, {"P3": "@1"})
    reach_phase(game, "3")
    assert tasmania_lays(operating(game, "VR", step=7))


def test_a_file_by_the_rulebook_has_no_pass_for_a_company_that_is_asked_nothing_there() -> None:
    """With its fourth train a company is at its limit."""
    game = new_game()
    started(game, "VR", {"@1": 3})
    operating(game, "VR", ("2", "2", "2"), step=7)
    assert [raw["type"] for raw in LogWriter(game, DIALECTS["1848"]).write_text("VR buy 2 for 100")] == ["buy_train"]


def test_a_file_by_the_rulebook_has_no_pass_for_a_player_who_is_asked_nothing_there() -> None:
    """There a second sale of a company in one turn is not possible."""
    game = new_game()
    started(game, "VR", {"@1": 3, "@2": 2}, position=(5, 0))
    stock_round(game)
    game.state.cash[ANN] = 0
    writer = LogWriter(game, DIALECTS["1848"])
    assert [raw["type"] for text in ("@1 sell 1 VR", "@1 pass") for raw in writer.write_text(text)] == ["sell_shares"]
