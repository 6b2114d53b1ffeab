"""What companies are expected to earn, and which trains they keep."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from bot.ai.company_forecast import (
    _value_of_next_train,
    companies_without_trains,
    expected_income,
    has_run,
    is_train_worth_it,
    kinds_of,
    maintenance_until,
    next_kind,
    outlook,
    rounds_between,
    rounds_left,
    train_lifetimes,
    within_limit,
)
from bot.ai.evaluation import prospects
from bot.ai.move_evaluator import Evaluator, best_of
from bot.ai.policy import rate
from bot.ai.title_parameters import STEADY, TRAITS
from bot.engine.chance import SeededRandom
from bot.engine.ids import DEPOT, REMOVED, CompanyId, Owner, seat
from bot.engine.play.game import Game
from bot.engine.state.actions import BuyTrain, DiscardTrain, Dividend
from bot.engine.state.state import Round
from tests.ai.recorded_openings import position
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import floated, new_game


def test_of_too_many_trains_the_dearest_are_kept() -> None:
    game, company = position(42), CompanyId("SAR")
    assert kinds_of(game, company) == ("2", "2", "2", "2+")
    assert within_limit(game, company, ("2", "2", "2", "2+")) == ("2", "2", "2", "2+")
    assert within_limit(game, company, ("2", "2", "2", "2+", "2E", "3")) == ("2", "2", "2+", "2E", "3")


def test_trains_above_the_limit_earn_nothing() -> None:
    game, other, company = position(57), position(57), CompanyId("SAR")
    for one in (game, other):
        rearrange(
            one, next(train for train in one.state.trains_of(CompanyId("CAR")) if train.kind == "3"), owner=company
        )
    rearrange(other, other.state.trains_of(company)[0], owner=REMOVED)
    assert len(kinds_of(game, company)) == len(kinds_of(other, company)) + 1 == 5
    assert outlook(game, company) == outlook(other, company)


def test_the_cheapest_train_above_the_limit_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    discards = tuple(DiscardTrain(Owner("SAR"), kind) for kind in ("3+", "3", "4"))
    monkeypatch.setattr(Evaluator, "options", lambda judge: discards)
    best = best_of(rate(Evaluator(position(57), seat(2), STEADY, SeededRandom(1))))
    assert best is not None and best.action == discards[1]


def test_half_a_price_that_the_end_would_take_comes_back_with_a_train(monkeypatch: pytest.MonkeyPatch) -> None:
    game, company, player = position(20, "18GB"), CompanyId("GWR"), seat(1)
    assert game.controller_of(company) == player and not game.state.trains_of(company)
    without = game.title.rules.worth(game, player)

    def given_back() -> float:
        """What the number adds to the position."""
        with monkeypatch.context() as other:
            other.setitem(TRAITS, "18GB", replace(TRAITS["18GB"], idle=0.0))
            plain = prospects(game)[player]
        return prospects(game)[player] - plain

    assert outlook(game, company).dividends > 0
    hoped = given_back()
    kept, game.state.trains = game.state.trains, []
    game.state.cash[company] = 0
    game.board_changed()
    assert given_back() == outlook(game, company).dividends == 0
    game.state.trains = kept
    rearrange(game, kept[0], owner=company)
    assert game.title.rules.worth(game, player) - without == hoped > 0


def test_what_trains_will_cost_is_reckoned_before_they_are_worn() -> None:
    game = new_game()
    game.state.special.column = 3
    assert [maintenance_until(game, ["2+"], since, until) for since, until in ((0, 1), (0, 2), (1, 1.5), (0.5, 9))] == [
        25,
        25 + 50,
        25,
        12.5 + 50,
    ]
    assert maintenance_until(game, ["2+", "3+", "8+"], 0, 2) == 25 + 50 + 10 + 25
    assert maintenance_until(position(40), ["2"], 0, 5) == 0


def test_a_company_of_1820_is_worth_less_by_what_its_trains_will_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=0)
    game.state.special.column = 3
    card = next(card for card in game.state.trains if card.kind == "2+")
    rearrange(game, card, owner=company)
    dear = outlook(game, company)
    free = {kind: (0,) * len(costs) for kind, costs in TRAITS["1820"].upkeep.items()}
    monkeypatch.setitem(TRAITS, "1820", replace(TRAITS["1820"], upkeep=free))
    game.state.cash[company] = 1
    assert outlook(game, company).dividends - dear.dividends >= 25 + 50


def test_a_train_more_that_costs_more_than_it_earns_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=1000)
    card = next(card for card in game.state.trains if card.kind == "2+")
    rearrange(game, card, owner=company)
    worth = []
    for cost in (0, 1, 900):
        costs = {kind: (cost,) * len(rows) for kind, rows in TRAITS["1820"].upkeep.items()}
        monkeypatch.setitem(TRAITS, "1820", replace(TRAITS["1820"], upkeep=costs))
        worth.append(_value_of_next_train(game, company, ("2+",), 1000, 9, train_lifetimes(game)))
    assert worth[0] > worth[1] > worth[2] == 0


def test_no_train_is_planned_that_costs_more_than_it_earns(monkeypatch: pytest.MonkeyPatch) -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=200)
    lasts = train_lifetimes(game)["2+"]
    worth = (maintenance_until(game, ["2+"], 0, lasts), lasts * expected_income(game, company, ("2+",), lasts / 2))
    assert 0 < worth[0] < worth[1]
    assert is_train_worth_it(game, company, (), "2+", 0, lasts, worth[1] - worth[0] - 1)
    assert not is_train_worth_it(game, company, (), "2+", 0, lasts, worth[1] - worth[0] + 1)
    assert not is_train_worth_it(game, company, (), "2+", 3, 3)
    assert is_train_worth_it(position(40), CompanyId("CAR"), (), "2", 3, 3, 1000)
    found = outlook(game, company)
    dear = {kind: tuple(cost + 500 for cost in costs) for kind, costs in TRAITS["1820"].upkeep.items()}
    monkeypatch.setitem(TRAITS, "1820", replace(TRAITS["1820"], upkeep=dear))
    game.state.cash[company] = 201
    assert found.dividends > outlook(game, company).dividends == 0


def test_in_1820_the_bank_sells_what_is_not_worn_by_then() -> None:
    game = new_game()
    ages = train_lifetimes(game)
    kinds = [next_kind(game, after) for after in range(9)]
    assert kinds[0] == "2+" and kinds[-1] not in ("2+", "3+")
    assert all(ages[kind] > after + 1 for after, kind in enumerate(kinds))


@pytest.mark.parametrize("each", [True, False])
def test_a_second_train_is_planned_if_it_earns_something(monkeypatch: pytest.MonkeyPatch, each: bool) -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=2000)
    alive: list[int] = []

    def earned(game: Game, company: CompanyId, kinds: tuple[str, ...], ahead: float) -> float:
        """What any number of trains earns, or each of them."""
        alive.append(len(kinds))
        return 200.0 * (len(kinds) if each else bool(kinds))

    costs = {kind: (10,) * len(rows) for kind, rows in TRAITS["1820"].upkeep.items()}
    monkeypatch.setitem(TRAITS, "1820", replace(TRAITS["1820"], upkeep=costs))
    monkeypatch.setattr("bot.ai.company_forecast.expected_income", earned)
    with_pairs = outlook(game, company).dividends
    monkeypatch.setattr("bot.ai.company_forecast.is_train_worth_it", lambda *asked: asked[2] == ())
    game.state.cash[company] += 1
    assert 2 in alive
    assert (with_pairs > outlook(game, company).dividends) is each


def test_operating_rounds_pass_one_by_one() -> None:
    stock, first, second = Round("stock", 3), Round("operating", 3, 1, 2), Round("operating", 3, 2, 2)
    merger, following = Round("merger", 3, 2, 2), Round("stock", 4, 1, 2)
    assert [rounds_between(first, now) for now in (first, second, merger, following)] == [0, 1, 1, 2]
    assert (
        rounds_between(stock, first) == 0
        and rounds_between(stock, second) == 1
        and rounds_between(second, following) == 1
    )


def test_trains_last_the_longer_the_fewer_companies_need_one() -> None:
    game = position(57)
    assert not companies_without_trains(game)
    depot = [card.family for card in game.state.trains if card.owner == DEPOT]
    counting = [kind for kind in depot if kind != "2E"]
    found = []
    for company in ("QR", "SAR"):
        for train in game.state.trains_of(CompanyId(company)):
            rearrange(game, train, owner=REMOVED)
        game.board_changed()
        needed, tempo = len(companies_without_trains(game)), TRAITS["1848"].tempo
        found.append((needed, train_lifetimes(game)["3"]))
        assert train_lifetimes(game)["3"] == 0.5 + (depot.index("6") - needed) / tempo
        sold = [int(min(1, after) * needed + after * tempo) for after in range(9)]
        assert [next_kind(game, after, needed) for after in range(9)] == [counting[number] for number in sold]
    assert (
        train_lifetimes(game)["2"] == 0.5 + max(0, depot.index("4") - needed) / tempo
        and train_lifetimes(game)["8"] == inf
    )
    assert found[0][0] < found[1][0] and found[0][1] > found[1][1]


def test_where_the_end_is_near_a_whole_set_follows_a_stock_round() -> None:
    game = position(42)
    game.state.ending = "the bank has run out of money"
    game.state.phase = "4"
    lefts = []
    for game.state.round in (Round("stock", 3), Round("operating", 3, 2, 2), Round("operating", 3, 1, 2)):
        lefts.append(rounds_left(game))
    assert lefts == [game.title.phase("4").operating_rounds, 1, 2] and lefts[0] > 1


def test_who_has_run_runs_next_in_the_following_round() -> None:
    before, after = position(63), position(64)
    assert [has_run(before, CompanyId(name)) for name in ("CAR", "SAR", "QR")] == [True, False, False]
    assert [has_run(after, CompanyId(name)) for name in ("CAR", "SAR", "QR")] == [True, True, False]
    assert not has_run(position(50), CompanyId("CAR")), "nobody has run in a stock round"
    for game in (before, after):
        game.state.ending = "the bank has run out of money"
    assert outlook(before, CompanyId("SAR")).dividends > 0
    assert outlook(after, CompanyId("SAR")).dividends == 0
    assert outlook(after, CompanyId("SAR")).income > 0


def test_in_the_last_round_nothing_is_kept_for_trains_that_never_run() -> None:
    game = position(64)
    game.state.ending = "the bank has run out of money"
    game.state.cash[CompanyId("SAR")] = 190
    judge = Evaluator(game, seat(2), STEADY, SeededRandom(1))
    gains = {action.kind: judge.gain(action) for action in judge.options() if isinstance(action, Dividend)}
    assert gains["pay"] > gains["withhold"] and gains["withhold"] <= 0
    game = position(65)
    game.state.ending = "the bank has run out of money"
    game.state.cash[CompanyId("SAR")] = 900
    for train in game.state.trains_of(CompanyId("SAR"))[1:]:
        rearrange(game, train, owner=REMOVED)
    bought = BuyTrain(Owner("SAR"), "3", game.title.trains["3"].price)
    assert game.allows(bought) and Evaluator(game, seat(2), STEADY, SeededRandom(1)).gain(bought) <= 0
