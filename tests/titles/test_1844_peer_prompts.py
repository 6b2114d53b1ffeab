"""1844 under the option `rules: 18xx.games`: whom its engine asks in a share round, and for what."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, TileId
from bot.engine.play.game import Game
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.state.actions import BuyPrivate, BuyTrain, Par, Pass, SellShares
from bot.engine.state.state import TileLay
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t1844.actions import LayFurka, PayDebt
from bot.titles.t1844.events import TargetReached
from bot.titles.t1844.peer18xx.questions import asks_for_track
from bot.titles.t1844.state import title_state
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    NAMES,
    TITLE,
    TRAINS,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, private, refused, set_cash

BLS, JN = company("BLS"), company("JN")


def new_game(rules: str, edition: int = 2, privates: dict[str, str] | None = None) -> Game:
    """Three players, phase 3."""
    title = TITLE if edition == 2 else OLDER_VERSIONS["1844", edition]
    game = Game.new(title, NAMES[:3], {"rules": rules}, 1)
    sell_privates(game, privates)
    reach_phase(game, "3")
    return game


# -- §XVII: debtors ---------------------------------------------------------------------------------------


def debtor(rules: str, cash: int, edition: int = 2, shares: int = 0) -> Game:
    """Ann directs the BLS, of which she can sell what she has beside her certificate, and owes 300."""
    game = new_game(rules, edition)
    started(game, "BLS", {"@1": shares})
    set_cash(game, "@1", cash)
    title_state(game).debts[ANN], title_state(game).lent = 300, 300
    return stock_round(game)


def test_XVII_a_debtor_who_can_do_nothing_else_there_pays_back() -> None:
    game = debtor("18xx.games", 119)
    refused(game, Pass(ANN), "§XVII")
    assert game.legal_actions() == (PayDebt(ANN),)
    game.apply(PayDebt(ANN))
    assert (title_state(game).debts, game.state.cash[ANN]) == ({ANN: 181}, 0)
    game.apply(Pass(ANN))
    assert game.players_to_act() == (BOB,)


@pytest.mark.parametrize(("cash", "shares", "other"), [(120, 0, Par(ANN, JN, 60)), (99, 1, SellShares(ANN, BLS, 1))])
def test_XVII_who_can_start_a_company_or_sell_shares_may_pass(cash: int, shares: int, other: Par | SellShares) -> None:
    game = debtor("18xx.games", cash, shares=shares)
    assert other in game.legal_actions()
    game.apply(Pass(ANN))
    assert (title_state(game).debts, game.players_to_act()) == ({ANN: 300}, (BOB,))


@pytest.mark.parametrize(("rules", "edition"), [("rulebook", 2), ("18xx.games", 1)])
def test_XVII_by_the_rulebook_and_in_games_of_version_1_a_debtor_may_pass(rules: str, edition: int) -> None:
    debtor(rules, 119, edition).apply(Pass(ANN))


# -- §XXII: certificate limit -----------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "edition"), [("rulebook", 2), ("18xx.games", 1), ("18xx.games", 2)])
def test_XXII_whoever_is_above_his_limit_sells_there_before_he_buys_a_mountain(rules: str, edition: int) -> None:
    game = new_game(rules, edition)
    for sign in ("BLS", "VZ", "STB", "MOB", "FNM", "RhB", "JN", "ChA", "AB"):
        started(game, sign, {"@1": 2}, director="@1")
    set_cash(game, "@1", 500)
    stock_round(game)
    purchase = BuyPrivate(ANN, private("B1"), 150)
    if (rules, edition) == ("18xx.games", 2):
        assert "must sell first" in refused(game, purchase, "§XXII")
    else:
        game.apply(purchase)


# -- §V: P2 -----------------------------------------------------------------------------------------------


def test_V_what_a_target_pays_for_a_lay_comes_too_late_to_buy_the_next_one_there() -> None:
    game = new_game("18xx.games", privates={"P2": "@2"})
    started(game, "BLS", {"@1": 2}, cash=200)
    operating(game, "BLS")
    operating_turn(game).lays.append(TileLay(HexId("G20"), TileId("8"), False))
    assert asks_for_track(game, BLS)
    game.events.append(TargetReached(BLS, 200))
    assert not asks_for_track(game, BLS)


# -- §V: P4 in a share round ------------------------------------------------------------------------------


def owner_of_the_line(rules: str, cash: int, edition: int = 2) -> Game:
    """Ann has P4 and no shares."""
    game = new_game(rules, edition, {"P4": "@1"})
    set_cash(game, "@1", cash)
    return stock_round(game)


def test_V_who_can_do_nothing_else_lays_no_line_in_a_share_round_there() -> None:
    game = owner_of_the_line("18xx.games", 49)
    refused(game, LayFurka(ANN), "§V")
    assert game.legal_actions() == (Pass(ANN),)


@pytest.mark.parametrize(
    ("rules", "cash", "edition"), [("18xx.games", 50, 2), ("rulebook", 49, 2), ("18xx.games", 49, 1)]
)
def test_V_who_is_asked_lays_the_line(rules: str, cash: int, edition: int) -> None:
    game = owner_of_the_line(rules, cash, edition)
    game.apply(LayFurka(ANN))
    assert game.private(private("P4")).closed


@pytest.mark.parametrize("edition", [1, 2])
def test_V_no_pass_is_written_for_who_can_only_lay_the_line(edition: int) -> None:
    writer = LogWriter(owner_of_the_line("18xx.games", 49, edition), DIALECTS["1844"])
    assert [raw["type"] for raw in writer.write_text("@1 pass")] == ["message"], "which keeps the move for us"


# -- §V: P4 in a company's turn ---------------------------------------------------------------------------


def at_its_trains(name: str, rules: str, edition: int, owner: str, cash: int) -> Game:
    """A company of Ann's has run; another one of hers has two trains."""
    game = new_game(rules, edition, {"P4": owner})
    started(game, "BLS")
    for kind in ("3H", "3H"):
        give_train(game, "BLS", kind)
    started(game, name, par=60, cash=cash)
    return operating(game, name, ["3H"], step=TRAINS)


@pytest.mark.parametrize(
    ("rules", "cash", "edition", "is_asked"),
    [("18xx.games", 0, 2, False), ("18xx.games", 1, 2, True), ("18xx.games", 0, 1, True), ("rulebook", 0, 2, True)],
)
def test_V_a_pre_sbb_company_that_can_pay_for_no_train_lays_no_line_there(
    rules: str, cash: int, edition: int, is_asked: bool
) -> None:
    game = at_its_trains("NOB", rules, edition, "@1", cash)
    assert (LayFurka(company("NOB")) in game.legal_actions()) is is_asked
    if is_asked:
        game.apply(LayFurka(company("NOB")))
    else:
        refused(game, LayFurka(company("NOB")), "§V")


@pytest.mark.parametrize(
    ("rules", "cash", "edition", "may_buy"),
    [("18xx.games", 0, 2, False), ("18xx.games", 1, 2, True), ("18xx.games", 0, 1, True), ("rulebook", 0, 2, True)],
)
def test_XVII_with_money_that_the_line_brings_too_late_no_train_is_bought_there(
    rules: str, cash: int, edition: int, may_buy: bool
) -> None:
    game = at_its_trains("RhB", rules, edition, "RhB", cash)
    game.apply(LayFurka(company("RhB")))
    assert game.state.cash["RhB"] == 80 + cash
    purchase = BuyTrain(company("RhB"), "3H", 1, BLS)
    assert (purchase in game.legal_actions()) is may_buy
    if not may_buy:
        refused(game, purchase, "§XVII")
