"""Plans as such: what each does in a position, in every title; held in random games against the moves themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace as changed

from bot.ai.fuzzer import RECKLESS, RandomGame, draw_action
from bot.engine.ids import CompanyId, HexId, Owner, PlayerId, TileId, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.state.actions import RunRoutes
from bot.engine.state.board import PlacedTile
from bot.service.plans import (
    FACTS,
    OFFERS,
    Act,
    AutoReply,
    Buy,
    Case,
    Do,
    Fact,
    Finish,
    Plan,
    RunBest,
    Stay,
    Wait,
    When,
    evaluate,
    find_wakes,
    round_key,
    woken,
)
from bot.service.plans.facts import value_of
from bot.service.plans.premove import as_if_turn, foresee, plan_of_turn
from bot.titles.registry import TITLES

from .planning_table import PlanningTable


def check_games(title: str, seeds: Sequence[int], moves: int) -> Counter[str]:
    acts: Counter[str] = Counter()
    for number in seeds:
        table = PlanningTable(title, number)
        table.play(moves)
        acts += table.acts
    return acts


@pytest.mark.parametrize("title", sorted(TITLES))
def test_no_plan_acts_against_its_wake_words(title: str) -> None:
    assert check_games(title, [1, 2], 400).total() > 20


@pytest.mark.whole
@pytest.mark.parametrize("title", sorted(TITLES))
def test_no_plan_acts_against_its_wake_words_in_longer_games(title: str) -> None:
    acts = check_games(title, range(2, 8), 800)
    assert {"Stay", "RunBest", "Case", "Buy"} <= acts.keys() and acts.total() > 100


@pytest.mark.soak
@pytest.mark.parametrize("title", sorted(TITLES))
def test_no_plan_acts_against_its_wake_words_in_whole_games(title: str) -> None:
    assert {"Stay", "RunBest", "Case", "Buy", "Bids"} <= check_games(title, range(10, 40), 2000).keys()


def stock_round() -> Game:
    """1848 in its first stock round, after the auction; Ann is in turn."""
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    for number, text in enumerate(("P1", "P2", "P3", "P4", "P5", "P6")):
        price = game.state.privates[text].price  # type: ignore[index]
        game.apply(parse_action(game.title, f"@{number % 3 + 1} buy {text} for {price}"))
    return game


def play(game: Game, *texts: str) -> None:
    for text in texts:
        game.apply(parse_action(game.title, text))


def follow(game: Game, player: PlayerId, plan: Plan) -> tuple[list[str], Plan | str]:
    """The moves that a plan makes as long as its player is asked, and the plan after them or the reason of its end."""
    made: list[str] = []
    while player in game.players_to_act():
        decision = evaluate(game, player, plan)
        if isinstance(decision, Finish):
            return made, str(decision.reason)
        if isinstance(decision, Wait):
            break
        game.apply(decision.action)
        made.append(format_action(decision.action))
        plan = decision.plan
    return made, plan


ANN, BOB, CID = (seat(number) for number in (1, 2, 3))


def test_a_sequence_takes_a_turn_for_each_purchase() -> None:
    game = stock_round()
    plan = Plan(ANN, (Do("par VR 90"), Do("buy VR"), Do("buy VR"), Stay()))
    made, kept = follow(game, ANN, plan)
    assert made == ["@1 par VR 90"] and isinstance(kept, Plan) and kept.steps[0] == Do("buy VR")
    play(game, "@2 pass", "@3 pass")
    made, kept = follow(game, ANN, kept)
    assert made[0] == "@1 buy VR" and isinstance(kept, Plan) and kept.steps == (Do("buy VR"), Stay())


def test_a_move_that_is_refused_ends_the_plan_with_the_rules_reason() -> None:
    game = stock_round()
    made, reason = follow(game, ANN, Plan(ANN, (Do("buy VR"),)))
    assert made == [] and isinstance(reason, str) and "buy VR" in reason


def test_a_plan_for_another_turn_waits() -> None:
    game = stock_round()
    assert evaluate(game, ANN, Plan("VR", (RunBest(),))) == Wait()
    assert evaluate(game, BOB, Plan(BOB, (Stay(),))) == Wait()
    assert evaluate(game, ANN, Plan(OFFERS, (AutoReply(True),))) == Wait()


def test_money_is_left_and_not_overspent() -> None:
    game = stock_round()
    cash = game.state.cash[ANN]
    plan = Plan(ANN, (Do("par VR 90"),), keep=cash - 100)
    assert isinstance(evaluate(game, ANN, plan), Finish)
    assert isinstance(evaluate(game, ANN, Plan(ANN, (Do("par VR 90"),), budget=100)), Finish)
    found = evaluate(game, ANN, Plan(ANN, (Do("par VR 90"),), budget=200))
    assert isinstance(found, Act) and found.plan.spent == 180


def test_a_case_is_judged_when_it_is_due() -> None:
    game = stock_round()
    rich = When(Fact("cash"), ">=", 10)
    case = Case((rich,), Do("par VR 90"), Do("par NSW 80"))
    found = evaluate(game, ANN, Plan(ANN, (case,)))
    assert isinstance(found, Act) and format_action(found.action) == "@1 par VR 90"
    case = Case((When(Fact("cash"), ">=", 9000),), Do("par VR 90"), Do("par NSW 80"))
    found = evaluate(game, ANN, Plan(ANN, (case,)))
    assert isinstance(found, Act) and format_action(found.action) == "@1 par NSW 80"


def test_own_moves_and_others_wakes_are_told_apart() -> None:
    game = stock_round()
    before = game.copy()
    play(game, "@1 par VR 90")
    assert str(woken(before, game, BOB, Plan(BOB, (Stay(),), find_wakes("start")))) == "VR has been started."
    assert woken(before, game, BOB, Plan(BOB, (Stay(),), find_wakes("start", ("NSW",)))) is None
    assert woken(before, game, BOB, Plan(BOB, (Stay(),), find_wakes("sale", ("mine",)))) is None
    other = Plan(BOB, (Stay(),), find_wakes("start"), at="stock 9.1")
    assert woken(before, game, BOB, other) is None


@pytest.mark.parametrize("title", sorted(TITLES))
def test_every_fact_can_be_asked_in_every_title(title: str) -> None:
    played = RandomGame(TITLES[title], 3, 1, is_audited=False)
    game = played.game
    for number, _ in enumerate(played.moves()):
        if number == 60:
            break
    names = {
        "company": list(game.state.companies),
        "private": list(game.state.privates),
        "hex": list(game.board_rules.map.hexes)[:5],
        "owner": [ANN, *game.state.companies],
        "": [""],
    }
    before = game.encode()
    for what, kind in FACTS.items():
        found = [value_of(game, ANN, Fact(what, name, BOB)) for name in names[kind.about]]
        assert found and all(value is None or isinstance(value, int) == kind.is_number for value in found), what
    assert game.encode() == before


def test_a_company_runs_every_turn_until_a_phase() -> None:
    table = PlanningTable("1889", 3)
    runs = 0
    for _ in range(600):
        game = table.game
        player = game.players_to_act()[0]
        entity = game.frame.entity
        if entity and game.state.trains_of(entity):
            steps = (RunBest("pay"), Stay())
            made, _ = follow(game, player, Plan(str(entity), steps, rounds="all", again=steps))
            runs += any(" pay" in text for text in made)
            if made:
                continue
        table.make(draw_action(table.title, game.legal_actions(), RECKLESS, table.chance), None)
        if runs > 3:
            return
    raise AssertionError(runs)


def test_a_limit_of_price_holds() -> None:
    game = stock_round()
    play(game, "@1 par VR 90")
    dear = evaluate(game, BOB, Plan(BOB, (Buy("VR", 40, 80),)))
    assert isinstance(dear, Finish) and "90" in str(dear.reason)
    assert isinstance(evaluate(game, BOB, Plan(BOB, (Buy("VR", 40, 90),))), Act)


def test_a_plan_of_a_round_ends_with_it_and_one_for_all_rounds_begins_anew() -> None:
    game = stock_round()
    gone = evaluate(game, ANN, Plan(ANN, (Do("par VR 90"),), at="stock 9.1"))
    assert gone == Finish("The round is over.")
    found = evaluate(game, ANN, Plan(ANN, (), rounds="all", at="stock 9.1", again=(Do("par VR 90"),)))
    assert isinstance(found, Act) and found.plan.at == round_key(game) and found.plan.steps == ()
    assert evaluate(game, ANN, found.plan) == Wait()


# -- a turn to come -----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_companys_turn_can_be_tried_before_it_comes(title: str) -> None:
    found, missed = 0, 0
    played = RandomGame(TITLES[title], 3, 1, is_audited=False)
    for number, game in enumerate(played.moves()):
        if number > 260:
            break
        owned = [(name, player) for name in game.state.companies if (player := game.controller_of(name))]
        for name, player in owned if number % 20 == 0 else ():
            if not game.company(name).floated or game.company(name).closed:
                continue
            before = game.encode()
            ahead = as_if_turn(game, name)
            assert game.encode() == before
            missed += ahead is None
            if ahead is not None:
                found += 1
                assert ahead.frame.entity == name and ahead.audit() == []
                made, end = foresee(ahead, player, Plan(name, (RunBest(), Stay())))
                assert made or end is not None
    assert found > 3 and missed <= found // 10, (found, missed)


def operating_round() -> Game:
    """1848: Cid's CAR is in turn, then Ann's VR."""
    game = stock_round()
    texts = "par VR 90|buy VR|buy CAR|buy VR|buy VR|buy CAR|buy VR|buy CAR|buy CAR|pass|pass|pass"
    for number, text in enumerate(texts.split("|")):
        play(game, f"@{number % 3 + 1} {text}")
    return game


def test_a_planned_turn_is_void_by_what_it_relies_on_and_not_by_its_own_token() -> None:
    game = operating_round()
    ahead = as_if_turn(game, CompanyId("VR"))
    assert ahead is not None
    actions = [parse_action(game.title, text) for text in ("VR lay 5 H11 1", "VR buy 2 for 100", "VR pass")]
    plan = plan_of_turn(ahead, "VR", actions)
    assert plan.steps == (Do("VR lay 5 H11 1"), Do("VR buy 2 for 100"), Stay())
    before = game.copy()
    for text in ("CAR pass", "CAR buy 2 for 100", "CAR pass"):
        play(game, text)
    assert game.frame.entity == "VR" and game.state.board.has_token("H11", "VR")  # type: ignore[arg-type]
    assert woken(before, game, ANN, plan) is None
    made, _ = follow(game, ANN, plan)
    assert made == ["VR lay 5 H11 1", "VR buy 2 for 100", "VR pass"]
    laid = before.copy()
    laid.state.board.tiles[HexId("H11")] = PlacedTile(TileId("5"), 2)
    assert str(woken(before, laid, ANN, plan)) == "H11 has changed."


def test_a_turn_with_a_run_is_made_again_for_at_least_as_much() -> None:
    table = PlanningTable("1889", 3)
    for _ in range(900):
        game = table.game
        entity = game.frame.entity
        player = game.players_to_act()[0] if game.players_to_act() else ANN
        if entity in game.state.companies and game.state.trains_of(Owner(str(entity))):
            made, _ = foresee(game.copy(), player, Plan(str(entity), (RunBest("pay"), Stay())))
            if any(isinstance(action, RunRoutes) for action in made):
                plan = plan_of_turn(game.copy(), str(entity), made)
                run = next(step for step in plan.steps if isinstance(step, RunBest))
                assert run.revenue == "pay" and run.least > 0
                more = changed(plan, steps=(RunBest("pay", run.least + 10),))
                end = foresee(game.copy(), player, more)[1]
                assert end is not None and "less than" in str(end.reason)
                return
        table.make(draw_action(table.title, game.legal_actions(), RECKLESS, table.chance), None)
    raise AssertionError("nobody ran")
