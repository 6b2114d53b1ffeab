"""What sets the strengths apart, and what 1820, 18BF and 1844 need beside what all titles do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import ceil

import pytest

from bot.ai.bid_scores import ALL_IN, MARGIN, OPENING, auctioned_train_value, gain_if_won, score_bids
from bot.ai.company_forecast import Horizon, companies_without_trains, horizon, outlook, rounds_left, train_lifetimes
from bot.ai.evaluation import WOUND_UP, advantage, cost_to_float, debt_of, fall_of, float_percent
from bot.ai.fuzzer import BUILDER, draw_action
from bot.ai.move_evaluator import (
    OFTEN_OVERLOOKED,
    REFUSED,
    Evaluator,
    ScoredMove,
    gain_of_agreeing,
    is_asked_for_consent,
    open_actions,
    verb_of,
)
from bot.ai.policy import Tabu, choose, misjudgement, moves_thought_of, noisy, rate
from bot.ai.stock import (
    USUAL_PRICE,
    best_reply,
    is_too_dear,
    score_purchase,
    score_trades,
    spoils_launch,
    weighted_gain,
)
from bot.ai.title_parameters import LEARNER, STEADY, STRONG, TRAITS, SkillLevel
from bot.ai.track_plans import dead_ends, rest_of_capital, score_build, site, spends_first_train, target_of
from bot.ai.trains import TRAINLESS, WORN, score_discards, score_train
from bot.engine.chance import SeededRandom
from bot.engine.ids import BANK, DEPOT, POOL, REMOVED, CompanyId, HexId, Owner, PlayerId, PrivateId, TileId, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game, options_for_chance
from bot.engine.play.holdings.certificates import certificate_count
from bot.engine.state.actions import (
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    SellShares,
    TakeLoan,
)
from bot.engine.state.state import Certificate
from bot.titles.registry import TITLES
from bot.titles.t18bf import ai as t18bf
from bot.titles.t18gb.actions import Convert
from bot.titles.t1820.ai import score_title_moves
from bot.titles.t1820.components import BRITISH_RAIL, BRITISH_RAIL_PAR, MAINTENANCE
from bot.titles.t1820.operations.british_rail import resolve_victoria_event
from bot.titles.t1820.state import title_state
from bot.titles.t1844.actions import PayDebt
from bot.titles.t1844.components import BEGINS_AT, CAPITAL_SHARES, TARGETS
from tests.ai.recorded_openings import position as recorded
from tests.rearrangement import rearrange
from tests.titles import builders_1830 as rb
from tests.titles.builders_1820 import floated, give_trains, in_turn, issue_round, new_game, reach_phase
from tests.titles.positions import token
from tests.titles.test_18bf_mergers import takeover


def begun(title: str, *texts: str) -> Game:
    """A game of three after these moves."""
    game = Game.new(TITLES[title], ["Ann", "Bob", "Cid"], options_for_chance(TITLES[title], {}), 1)
    for text in texts:
        game.apply(parse_action(game.title, text))
    return game


def judge_of(game: Game, strength: SkillLevel = STRONG) -> Evaluator:
    """The judge of whoever is asked."""
    return Evaluator(game, game.players_to_act()[0], strength, SeededRandom(1))


def test_the_weaker_a_player_the_more_he_overlooks_and_keeps_back() -> None:
    for weaker, stronger in ((LEARNER, STEADY), (STEADY, STRONG)):
        assert weaker.overlooks > stronger.overlooks
        assert weaker.keeps > stronger.keeps
        assert weaker.noise > stronger.noise
        assert weaker.lays < stronger.lays
    assert STRONG.overlooks == STRONG.keeps == 0


def test_a_learner_sells_only_what_he_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ai.stock.best_reply", lambda judge, trial: (1000.0, None))
    game = recorded(42)
    for must in (True, False):
        for trades in (True, False):
            judge = judge_of(game, replace(STRONG, trades=trades))
            sales = [one for one in judge.options() if isinstance(one, SellShares)]
            assert sales and bool(score_trades(judge, sales, may_pass=not must)) is (must or trades)
    assert not LEARNER.trades and STEADY.trades and STRONG.trades


def test_nobody_sells_of_what_he_has_not_launched_yet_unless_he_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ai.stock.best_reply", lambda judge, trial: (1000.0, None))
    game = recorded(42)
    judge = replace(judge_of(game), seat=seat(3))
    sale = SellShares(seat(3), CompanyId("QR"), 1)
    assert game.controller_of(sale.company) == seat(3) and score_trades(judge, [sale], may_pass=True)
    game.company(sale.company).floated = False
    assert not score_trades(judge, [sale], may_pass=True)
    assert score_trades(judge, [sale], may_pass=False)


def test_a_learner_likes_what_is_cheap() -> None:
    judge = judge_of(recorded(42))
    trial = judge.game.copy()
    trial.state.cash[judge.seat] += 1000
    for cost in (25, 400):
        judge.game.state.cash[judge.seat] = trial.state.cash[judge.seat] + cost
        for thrift in (0.0, STEADY.thrift, LEARNER.thrift):
            one = replace(judge, strength=replace(STRONG, thrift=thrift))
            one.base = one.advantage(trial) - 60
            assert weighted_gain(one, trial, starts=False) == pytest.approx(60 * (USUAL_PRICE / cost) ** thrift)
    assert LEARNER.thrift > STEADY.thrift > STRONG.thrift


def test_a_learner_does_not_see_that_trains_will_rust() -> None:
    game, company = recorded(57), CompanyId("SAR")
    assert LEARNER.sight < STEADY.sight == STRONG.sight
    seen_ahead = horizon(game)
    near, far = outlook(game, company, seen_ahead._replace(left=LEARNER.sight)), outlook(game, company)
    assert near.payments <= LEARNER.sight < far.payments
    judge = judge_of(game, LEARNER)
    expected = advantage(game, judge.seat, seen_ahead._replace(left=LEARNER.sight))
    assert judge.base == expected < advantage(game, judge.seat)


def test_what_is_overlooked_is_not_chosen_but_nobody_overlooks_that_he_can_pass() -> None:
    judge = judge_of(recorded(42))
    rated = rate(judge)
    assert any(isinstance(one.action, OFTEN_OVERLOOKED) for one in rated) and any(
        isinstance(one.action, Pass) for one in rated
    )
    assert moves_thought_of(judge, rated) == rated
    blind = replace(judge, strength=replace(STRONG, overlooks=1.0))
    assert moves_thought_of(blind, rated) == [one for one in rated if not isinstance(one.action, OFTEN_OVERLOOKED)]
    only = [one for one in rated if isinstance(one.action, OFTEN_OVERLOOKED)]
    assert moves_thought_of(blind, only) == only
    dividend = [ScoredMove(Dividend(Owner("CAR"), "pay"), 5.0)]
    assert moves_thought_of(blind, dividend) == dividend


def test_of_many_things_the_part_is_overlooked_that_the_strength_says() -> None:
    judge = judge_of(recorded(42))
    rated = [ScoredMove(LayTile(Owner("CAR"), TileId("57"), HexId(f"A{n}"), 0), 1.0) for n in range(1000)]
    for part in (0.0, 0.25, 0.4):
        found = moves_thought_of(replace(judge, strength=replace(STRONG, overlooks=part)), rated)
        assert len(found) == pytest.approx(1000 * (1 - part), abs=40)


def test_nobody_changes_his_mind_before_the_next_stock_round() -> None:
    game = recorded(42)
    judge = judge_of(game, LEARNER)
    bought, sold = BuyShares(judge.seat, CompanyId("QR")), SellShares(judge.seat, CompanyId("QR"), 1)
    believed = misjudgement(judge, bought)
    assert believed and misjudgement(judge, sold) == -believed
    judge.chance.random_bits()
    game.state.moves += 1
    assert misjudgement(judge, bought) == believed
    assert misjudgement(replace(judge, seat=seat(2)), bought) != believed
    assert misjudgement(replace(judge, seed=5), bought) != believed
    assert misjudgement(judge, BuyShares(judge.seat, CompanyId("SAR"))) != believed
    game.state.round.number += 1
    assert misjudgement(judge, bought) != believed


def test_in_an_auction_everybody_looks_again() -> None:
    game = begun("1848")
    judge = judge_of(game, LEARNER)
    bought = BuyPrivate(judge.seat, PrivateId("P4"), 170)
    believed = {misjudgement(judge, bought) for game.state.moves in range(20)}
    assert len(believed) == 20


def test_nobody_overlooks_or_misjudges_the_launch_of_his_own_company_nor_that_he_can_pass() -> None:
    game = recorded(42)
    game.company(CompanyId("QR")).floated = False
    director = game.controller_of(CompanyId("QR"))
    assert director is not None
    judge = replace(judge_of(game, replace(LEARNER, overlooks=1.0)), seat=director)
    own, other = (ScoredMove(BuyShares(director, CompanyId(name)), 50.0) for name in ("QR", "SAR"))
    nothing = ScoredMove(Pass(director), 1.0)
    assert moves_thought_of(judge, [nothing, own, other]) == [nothing, own]
    assert noisy(judge, [nothing, own, other])[:2] == [nothing, own]
    assert noisy(judge, [nothing, own, other])[2] != other


def test_a_careful_player_keeps_money_in_hand_but_launches_what_he_has_started() -> None:
    game = recorded(42)
    game.state.round.number = 1 + STRONG.easy
    judge = judge_of(game)
    bought = next(one for one in judge.options() if isinstance(one, BuyShares) and one.company != "BOE")
    after = judge.after(bought)
    assert after is not None
    kept = after.state.cash[judge.seat] / game.title.rules.worth(game, judge.seat)
    for part, is_refused in ((kept - 0.001, False), (kept + 0.001, True)):
        careful = replace(judge, strength=replace(STRONG, keeps=part))
        assert is_too_dear(careful, bought, after) is is_refused
        assert (score_purchase(careful, bought).score == REFUSED) is is_refused
    assert kept * game.title.rules.worth(game, judge.seat) < STRONG.most_kept
    game.company(bought.company).floated = False
    assert game.controller_of(bought.company) != judge.seat
    assert is_too_dear(replace(judge, strength=replace(STRONG, keeps=1.0)), bought, after)
    for certificate in game.company(bought.company).certificates:
        rearrange(game, certificate, owner=judge.seat)
    assert not is_too_dear(replace(judge, strength=replace(STRONG, keeps=1.0)), bought, after)


def test_a_careful_player_keeps_no_more_than_a_bounded_sum() -> None:
    game = recorded(42)
    game.state.cash[seat(3)] += 1000
    game.state.round.number = 1 + STRONG.easy
    judge = judge_of(game, replace(STRONG, keeps=1.0))
    bought = next(one for one in judge.options() if isinstance(one, BuyShares) and one.company != "BOE")
    after = game.copy()
    for cash, is_refused in ((STRONG.most_kept, False), (STRONG.most_kept - 1, True)):
        after.state.cash[judge.seat] = cash
        assert is_too_dear(judge, bought, after) is is_refused


def test_a_careful_player_keeps_the_more_the_longer_the_game_lasts() -> None:
    game = recorded(42)
    judge = judge_of(game, replace(STRONG, keeps=0.2))
    bought = next(one for one in judge.options() if isinstance(one, BuyShares) and one.company != "BOE")
    after, worth = game.copy(), game.title.rules.worth(game, judge.seat)
    for number, part in ((1, 0.0), (2, 0.05), (1 + STRONG.easy, 0.2), (3 + STRONG.easy, 0.2)):
        game.state.round.number = number
        for more in (0, -1):
            after.state.cash[judge.seat] = ceil(part * worth) + more
            assert is_too_dear(judge, bought, after) is (more < 0)


def test_nobody_starts_what_he_cannot_launch_nor_what_cannot_be_launched_yet() -> None:
    game = recorded(42)
    for cash, company, is_refused in ((700, "FT", False), (599, "FT", True), (700, "COM", True)):
        game.state.cash[seat(3)] = cash
        judge = judge_of(game)
        assert (score_purchase(judge, Par(judge.seat, CompanyId(company), 100)).score == REFUSED) is is_refused


def test_nobody_starts_a_company_for_which_he_may_not_have_the_certificates() -> None:
    game = recorded(42)
    game.state.cash[seat(3)] = 2000
    limit = game.title.rules.certificate_limit(game, seat(3)) - certificate_count(game, seat(3))
    others = [one for one in game.company(CompanyId("COM")).certificates[1:] if one.percent == 10]
    for certificate in [*others, *game.company(CompanyId("VR")).certificates[1:]][: limit - 5]:
        rearrange(game, certificate, owner=seat(3))
    start = Par(seat(3), CompanyId("FT"), 100)
    assert score_purchase(judge_of(game), start).score > REFUSED
    rearrange(game, next(one for one in game.company(CompanyId("WA")).certificates[1:]), owner=seat(3))
    assert score_purchase(judge_of(game), start).score == REFUSED


def test_what_launches_a_company_of_ones_own_is_not_spent_on_another() -> None:
    game = recorded(42)
    game.state.cash[seat(3)] = 700
    game.apply(Par(seat(3), CompanyId("FT"), 100))
    for text in ("@1 pass", "@2 pass"):
        game.apply(parse_action(game.title, text))
    other, own = BuyShares(seat(3), CompanyId("SAR")), BuyShares(seat(3), CompanyId("FT"))
    price = game.company(CompanyId("SAR")).par or 0
    for cash, is_spoiled in ((400 + price, False), (399 + price, True), (400, True), (399, False)):
        game.state.cash[seat(3)] = cash
        for action, expected in ((other, is_spoiled), (own, False)):
            judge = judge_of(game)
            trial = judge.after(action)
            assert trial is not None
            assert spoils_launch(judge, action, trial) is expected
            assert (score_purchase(judge, action).score == REFUSED) is expected


def test_a_move_that_earns_more_does_not_shorten_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(57)
    game.state.cash[BANK] = 1000
    judge, seen_ahead = judge_of(game), []
    monkeypatch.setattr("bot.ai.move_evaluator.advantage", lambda game, seat, seen: seen_ahead.append(seen) or 0.0)
    trial = judge.after(BuyTrain(Owner("CAR"), "3", 200))
    assert trial is not None
    monkeypatch.setattr("bot.ai.company_forecast._total_income", lambda game: 900 if game is trial else 300)
    trial.company(CompanyId("VR")).floated = True
    rearrange(trial, trial.company(CompanyId("VR")).certificates[0], owner=seat(1))
    assert rounds_left(trial) < judge.horizon.left < 9 and companies_without_trains(trial) > judge.horizon.needy
    judge.advantage(trial)
    trial.state.round.number += 1
    judge.advantage(trial)
    trial.state.ending = "the bank has run out of money"
    judge.advantage(trial)
    assert [one.left for one in seen_ahead] == [judge.horizon.left, judge.horizon.left - game.state.round.of, 1]
    assert {one.needy for one in seen_ahead} == {judge.horizon.needy}


def test_a_company_more_does_not_shorten_the_lives_of_trains_but_a_train_for_one_that_has_none_is_no_haste() -> None:
    game = recorded(57)
    for train in game.state.trains_of(CompanyId("QR")):
        rearrange(game, train, owner=REMOVED)
    seen_ahead = horizon(game)
    assert seen_ahead.needy == {"QR"}
    before = outlook(game, CompanyId("CAR"), seen_ahead)
    after = game.copy()
    after.company(CompanyId("VR")).floated = True
    rearrange(after, after.company(CompanyId("VR")).certificates[0], owner=seat(1))
    assert companies_without_trains(after) == {"QR", "VR"}
    assert outlook(after, CompanyId("CAR"), seen_ahead) == before
    assert outlook(after, CompanyId("CAR")).dividends < before.dividends
    bought = next(card for card in after.state.trains if card.owner == DEPOT)
    rearrange(after, bought, owner=CompanyId("QR"))
    lasts = [train_lifetimes(game, 1)["3"], train_lifetimes(after, 0)["3"], train_lifetimes(after, 1)["3"]]
    assert lasts[0] == lasts[1] > lasts[2]


def test_what_a_title_has_alone_is_not_misjudged() -> None:
    judge = judge_of(recorded(42), LEARNER)
    assert misjudgement(judge, BuyTrain(Owner("CAR"), "2", 100)) and misjudgement(judge, Dividend(Owner("CAR"), "pay"))
    assert misjudgement(judge, TakeLoan(Owner("CAR"))) == misjudgement(judge, Answer(Owner("CAR"), True)) == 0


def test_what_the_last_run_pays_is_not_misjudged() -> None:
    game = recorded(42)
    judge, paid = judge_of(game, LEARNER), Dividend(Owner("CAR"), "pay")
    game.state.ending = "the bank has run out of money"
    game.state.round.kind, game.state.round.of = "operating", 2
    for game.state.round.part, is_misjudged in ((1, True), (2, False)):
        assert bool(misjudgement(judge, paid)) is is_misjudged


def test_a_company_of_18gb_does_not_take_on_shares_for_little(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(20, "18GB")
    gained = {}
    for cost in (0.0, 80.0):
        monkeypatch.setitem(TRAITS, "18GB", replace(TRAITS["18GB"], later={"convert": cost} if cost else {}))
        judge = judge_of(game)
        monkeypatch.setattr(judge, "options", lambda: (Convert(seat(1), CompanyId("GWR")),))
        monkeypatch.setattr(judge, "gain", lambda action: 50.0)
        (rated,) = rate(judge)
        gained[cost] = rated.score
    assert gained == {0.0: 50.0, 80.0: -30.0}


def test_minors_go_up_in_strides_and_nobody_puts_all_he_has_into_the_first() -> None:
    game = begun("18BF")
    bids, sold = Counter[str](), dict[str, int]()
    while not sold:
        action = choose(game, game.players_to_act()[0], 1).action
        before = game.state.cash.copy()
        if isinstance(action, Bid):
            bids[action.lot] += 1
        game.apply(action)
        sold = {
            one.id: before[player] - game.state.cash[player]
            for one in game.state.companies.values()
            if one.position is not None and (player := game.controller_of(one.id)) is not None
        }
    ((minor, price),) = sold.items()
    assert 100 < price <= ALL_IN * TITLES["18BF"].rules.worth(begun("18BF"), seat(1))
    assert bids[minor] <= 8 < (price - 100) // 5


def test_half_of_his_money_buys_one_minor_at_most_while_the_rest_could_buy_another() -> None:
    game = begun("18BF")
    for private in game.state.privates.values():
        private.closed = True
    judge = judge_of(game)
    for cash, price, is_too_much in ((400, 200, False), (400, 205, True), (195, 195, False)):
        game.state.cash[judge.seat] = cash
        (rated,) = score_bids(judge_of(game), [Bid(judge.seat, Owner("GJ"), price)])
        assert (rated.score < 0) is is_too_much


def test_a_company_more_is_worth_something() -> None:
    game = begun("18BF")
    for private in game.state.privates.values():
        private.closed = True
    judge = judge_of(game)
    bid = Bid(judge.seat, Owner("GJ"), 100)
    assert score_bids(judge, [bid])[0].score == pytest.approx(gain_if_won(judge, bid) - MARGIN * 100 + OPENING)


def test_of_public_companies_not_started_one_stands_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, minor = judge_of(begun("18BF")), Owner("GJ")
    monkeypatch.setattr(judge, "gain", lambda action: 50.0)
    texts = [
        "convert to CR",
        "convert to GER",
        "merge LB into CR",
        "merge LB into GER",
        "merge LB EK into GER",
        "join MR",
        "join NBR",
    ]
    proposed = [parse_action(judge.game.title, f"{minor} {text}") for text in texts]
    assert [one.action for one in t18bf.score_title_moves(judge, proposed)] == [proposed[at] for at in (0, 2, 4, 5, 6)]


def test_a_takeover_is_agreed_to_though_a_question_about_the_station_follows() -> None:
    game = takeover(money=100)
    action = parse_action(game.title, "VN join MR")
    judge = judge_of(game)
    agreeing = judge.after(action)
    assert agreeing is not None and not is_asked_for_consent(agreeing)
    assert [format_action(one) for one in open_actions(agreeing)] == ["MR agree", "MR refuse"]
    assert judge.gain(action) > REFUSED


def test_what_is_left_to_whoever_refuses_is_worked_out_once() -> None:
    game, answer, known = takeover(money=100), Answer(seat(2), True), dict[PlayerId, float]()
    game.apply(parse_action(game.title, "VN join MR"))
    gain = gain_of_agreeing(game, answer)
    assert gain_of_agreeing(game, answer, known) == gain
    known[seat(2)] += 10
    assert gain_of_agreeing(game, answer, known) == pytest.approx(gain - 10)


def test_privates_are_bought_for_a_company_of_18bf_once_it_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, minor = judge_of(begun("18BF")), Owner("GJ")
    private = next(iter(judge.game.state.privates))
    monkeypatch.setattr(judge, "gain", lambda action: 50.0)
    bought = [BuyPrivate(minor, private, price) for price in (1, 45)]
    outright = BuyPrivate(judge.seat, private, 45)
    for owner, offered in ((judge.seat, bought), (seat(2), bought[1:])):
        judge.game.private(Owner(private)).owner = owner
        assert [one.action for one in t18bf.score_title_moves(judge, [*bought, outright])] == offered
    for waits in (LayTile(minor, TileId("9"), HexId("V12"), 0), Dividend(minor, "pay")):
        assert t18bf.score_title_moves(judge, [*bought, waits]) == []


def test_nobody_builds_with_the_money_for_the_first_train(monkeypatch: pytest.MonkeyPatch) -> None:
    game, company = begun("18BF"), CompanyId("TV")
    trial = game.copy()
    for before, after, trains, spends in (
        (100, 80, False, True),
        (120, 100, False, False),
        (80, 60, False, False),
        (100, 80, True, False),
    ):
        game.state.cash[company], trial.state.cash[company] = before, after
        monkeypatch.setattr("bot.ai.track_plans.kinds_of", lambda *_, own=trains: ("2",) if own else ())
        assert spends_first_train(game, trial, company) is spends
    monkeypatch.undo()
    game = recorded(34)
    judge = judge_of(game)
    lay = next(one for one in judge.options() if isinstance(one, LayTile))
    before = site(game, CompanyId(lay.by))
    assert score_build(judge, lay, before, 0.0) is not None
    monkeypatch.setattr("bot.ai.track_plans.spends_first_train", lambda *_: True)
    assert score_build(judge, lay, before, 0.0) is None


def test_future_trains_are_bid_for_up_to_what_they_are_worth() -> None:
    game = begun("1820")
    kind = "3+"
    judge = judge_of(game)
    value = int(auctioned_train_value(game, kind))
    prices = [value - 10, value, value + 10]
    scores = [score_bids(judge, [Bid(judge.seat, Owner(kind), price)])[0].score for price in prices]
    assert scores[0] > 0 >= scores[1] > scores[2]


def test_who_has_won_future_trains_takes_them() -> None:
    game = begun("1820")
    while game.step is None or not any(verb.__name__ == "TakeLots" for verb in game.step.verbs):
        player = game.players_to_act()[0]
        bids = [one for one in game.legal_actions() if isinstance(one, Bid) and one.lot in game.title.trains]
        leads = game.title.bidder is not None and any(game.title.bidder(game, Owner(k)) == player for k in ("2+", "3+"))
        game.apply(bids[0] if bids and not leads and game.state.moves < 6 else Pass(Owner(player)))
    judge = judge_of(game)
    rated = score_title_moves(judge, list(judge.options()))
    assert rated and max(one.score for one in rated) > 0


def test_loans_are_a_debt_of_the_shareholders_in_1820_alone() -> None:
    game = begun("1820")
    company = game.company(CompanyId("LSR"))
    company.loans, company.position = 2, (0, 5)
    game.state.cash[company.id] = 100
    assert debt_of(game, company) == 300
    card = next(card for card in game.state.trains if card.kind == "2+")
    rearrange(game, card, owner=company.id)
    assert debt_of(game, company) == WOUND_UP * 300
    company.position = (0, 0)
    assert debt_of(game, company) == 300
    game.state.cash[company.id] = 400
    assert debt_of(game, company) == 0
    other = recorded(40)
    car = other.company(CompanyId("CAR"))
    car.loans = 3
    assert debt_of(other, car) == 0


def test_what_is_lent_is_no_capital() -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=100)
    without = outlook(game, company)
    game.company(company).loans, game.state.cash[company] = 2, 500
    assert outlook(game, company) == without
    game.company(company).loans = 0
    assert outlook(game, company).dividends > without.dividends


def test_no_loan_is_taken_for_nothing_however_bad_all_else_is() -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, shares=20, held={"@1": 20}, at=105, money=600, loans=3)
    reach_phase(game, "green")
    title_state(game).column = 8
    token(game, company, "G7")
    in_turn(game, company, "maintenance", ["3+", "3+"])
    judge = judge_of(game)
    scores = {verb_of(one.action): one.score for one in rate(judge)}
    assert scores["neglect"] < scores["pay_costs"] < -1
    assert scores["loan"] == REFUSED


@pytest.mark.parametrize(
    ("step", "trains", "money", "own", "pays"),
    [
        ("trains", [], 50, 0, True),
        ("trains", [], 500, 0, False),
        ("track", [], 50, 0, False),
        ("maintenance", ["3+", "3+"], 10, 0, True),
        ("maintenance", ["3+", "3+"], 10, 1000, True),
        ("maintenance", ["3+", "3+"], 500, 0, False),
    ],
)
def test_a_loan_is_taken_for_what_cannot_be_paid_without_it(
    step: str, trains: list[str], money: int, own: int, pays: bool
) -> None:
    game, company = new_game(), CompanyId("LSR")
    floated(game, company, held={"@1": 5}, money=money)
    for player in game.state.order:
        game.state.cash[player] = own
    reach_phase(game, "green")
    title_state(game).column = 3
    token(game, company, "G7")
    in_turn(game, company, step, trains)
    judge = judge_of(game)
    (loan,) = [one for one in rate(judge) if isinstance(one.action, TakeLoan)]
    assert (loan.score > 0) is pays


def test_british_rail_pays_well_though_nobody_directs_it() -> None:
    game = new_game()
    title_state(game).began_in_brown = True
    resolve_victoria_event(game)
    assert outlook(game, BRITISH_RAIL, Horizon(6.0, frozenset())).dividends == 6 * 1400
    issued = [one for one in game.company(BRITISH_RAIL).certificates if one.owner == POOL]
    before = advantage(game, seat(1), Horizon(6.0, frozenset()))
    rearrange(game, issued[0], owner=seat(1))
    game.state.cash[seat(1)] -= BRITISH_RAIL_PAR
    assert advantage(game, seat(1), Horizon(6.0, frozenset())) - before > 6 * 14 / 2


def test_who_has_a_train_takes_no_loan_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.titles.t1820.ai.score_train", lambda judge, action: ScoredMove(action, 1000.0))
    for trains, pays in (([], True), (["3+"], False)):
        game, company = new_game(), CompanyId("LSR")
        floated(game, company, held={"@1": 5}, money=50)
        reach_phase(game, "green")
        in_turn(game, company, "trains", trains)
        (loan,) = [one for one in rate(judge_of(game)) if isinstance(one.action, TakeLoan)]
        assert (loan.score > 0) is pays


def test_nobody_hurries_to_buy_a_train_with_his_own_money() -> None:
    scores = {}
    for treasury in (0, 100, 200, 300):
        game, company = new_game(), CompanyId("LSR")
        floated(game, company, held={"@1": 5}, money=treasury)
        reach_phase(game, "green")
        in_turn(game, company, "trains")
        judge, bought = judge_of(game), BuyTrain(Owner(company), "3+", 200)
        scores[treasury] = score_train(judge, bought).score - judge.gain(bought) - TRAINLESS
    assert scores == pytest.approx({0: 0, 100: STRONG.rush * 100, 200: STRONG.rush * 200, 300: STRONG.rush * 200})


def test_a_learner_is_content_with_one_train() -> None:
    for trains, more in (([], TRAINLESS), (["3+"], LEARNER.rush * 200)):
        game, company = new_game(), CompanyId("LSR")
        floated(game, company, held={"@1": 5}, money=500)
        reach_phase(game, "green")
        in_turn(game, company, "trains", trains)
        judge, bought = judge_of(game, LEARNER), BuyTrain(Owner(company), "3+", 200)
        assert score_train(judge, bought).score == pytest.approx(judge.gain(bought) + more)
    assert LEARNER.rush < 0 < STEADY.rush == STRONG.rush


@pytest.mark.parametrize(("trains", "is_offered"), [(["5+"], True), ([], False)])
def test_a_company_is_put_up_if_what_it_has_is_worth_its_price(trains: list[str], is_offered: bool) -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 5}, money=500)
    floated(game, "N&PR", held={"@2": 2, "@3": 2}, at=47, money=0)
    give_trains(game, "N&PR", *trains)
    game.state.money = sum(game.state.cash.values())
    issue_round(game, 3)
    while game.actor_in_turn != "LSR":
        game.apply(Pass(Owner(game.actor_in_turn)))
    judge = judge_of(game)
    offers = [one for one in score_title_moves(judge, list(judge.options())) if verb_of(one.action) == "offer"]
    (rated,) = [one for one in offers if one.action.company == "N&PR"]
    assert (rated.score > 0) is is_offered
    assert all(one.score < 0 for one in offers if one.action.company == "LSR")


def test_shares_in_the_pool_cost_1820s_price_after_a_stock_round() -> None:
    game = begun("1820")
    company = game.company(CompanyId("LSR"))
    company.position = (0, 9)
    game.state.special.directors[company.id] = seat(1)
    row = game.title.market.rows[0]
    for percent, shares, spaces in ((5, 20, 7), (20, 5, 2)):
        held = {POOL: 7 if shares == 20 else 2, seat(1): shares - (7 if shares == 20 else 2)}
        company.certificates = [Certificate(percent, owner) for owner, number in held.items() for _ in range(number)]
        assert fall_of(game, company) == row[9].price - row[9 - spaces].price
    game.state.special.directors.clear()
    assert fall_of(game, company) == 0
    sar = recorded(40)
    assert all(fall_of(sar, one) == 0 for one in sar.state.companies.values())


def test_1820_is_over_when_its_costs_come_to_their_end() -> None:
    game = begun("1820")
    lefts = []
    for column in (0, 14, 16):
        game.state.special.column = column
        lefts.append(rounds_left(game))
    assert lefts[0] > lefts[1] == 2 > lefts[2] == 1


def test_trains_of_1820_are_worn_when_their_costs_are_high() -> None:
    game = begun("1820")
    costs = TRAITS["1820"].upkeep
    assert set(costs) == set(MAINTENANCE) == set(game.title.trains)
    for kind, rows in costs.items():
        assert rows == MAINTENANCE[kind][: len(rows)]
        assert MAINTENANCE[kind][len(rows)] >= 80
    assert train_lifetimes(game)["2+"] == len(costs["2+"])
    game.state.special.column = len(costs["2+"]) + 1
    assert train_lifetimes(game)["2+"] == 0 < train_lifetimes(game)["3+"]


def test_a_worn_train_is_given_up_when_there_is_another() -> None:
    game = begun("1820")
    company = CompanyId("LSR")
    cards = [card for card in game.state.trains if card.kind == "2+"][:2]
    rearrange(game, cards[0], owner=company)
    game.state.special.column = len(TRAITS["1820"].upkeep["2+"])
    discard = DiscardTrain(company, "2+")
    assert score_discards(judge_of(game), [discard])[0].score == -80
    rearrange(game, cards[1], owner=company)
    assert score_discards(judge_of(game), [discard])[0].score == WORN
    game.state.special.column = 0
    assert score_discards(judge_of(game), [discard])[0].score == -80


def test_targets_count_before_they_are_reached() -> None:
    game = begun("1844")
    assert {company: target_of(game, company) for company in TARGETS} == TARGETS
    company = CompanyId("NOB")
    game.company(company).par = 100
    assert rest_of_capital(game, company) > 0
    game.state.special.waiting.remove(company)
    assert rest_of_capital(game, company) == 0


def test_in_1844_a_company_begins_with_a_part_of_its_shares_and_a_launch_changes_nothing_of_that() -> None:
    game = begun("1844")
    assert TRAITS["1844"].capital == {kind: shares for kind, shares in CAPITAL_SHARES.items() if shares}
    for name, kind in (("NOB", "pre-SBB"), ("FNM", "historical"), ("VZ", "regional")):
        company = game.company(CompanyId(name))
        assert game.title.companies[company.id].kind == kind
        company.par, company.position = 60, (0, 3)
        rearrange(game, company.certificates[0], owner=seat(1))
        assert float_percent(game, company) == BEGINS_AT[kind]
        before = outlook(game, company.id)
        company.floated, game.state.cash[company.id] = True, 60 * CAPITAL_SHARES[kind]
        seen_before = horizon(game)._replace(needy=frozenset())
        assert outlook(game, company.id, seen_before).dividends == before.dividends > 0
        company.floated, game.state.cash[company.id] = False, 0


def test_shares_are_sold_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("1844")
    company = game.company(CompanyId("VZ"))
    company.par = 60
    for certificate, costs in zip(company.certificates, (60, 0), strict=False):
        rearrange(game, certificate, owner=seat(1))
        assert cost_to_float(game, company) == costs
    company = game.company(CompanyId("FNM"))
    company.par = 70
    rearrange(game, company.certificates[0], owner=seat(1))
    assert cost_to_float(game, company) == 3 * 70
    monkeypatch.setattr("bot.ai.evaluation.float_percent", lambda *_: 45)
    assert cost_to_float(game, company) == 3 * 70


def test_what_was_refused_is_remembered_and_not_proposed_again_in_the_round() -> None:
    game = recorded(57)
    refused = Tabu(game, {})
    proposal, answer = BuyTrain(Owner("CAR"), "2", 100, Owner("SAR")), Answer(seat(2), False)
    game.apply(proposal)
    refused.note(game, answer)
    game.apply(answer)
    assert refused.of(game, seat(1)) == [proposal] and not refused.of(game, seat(2))
    others = [action for action in judge_of(game).options() if action != proposal]
    assert choose(game, seat(1), 1, LEARNER, others).action == proposal
    assert choose(game, seat(1), 1, LEARNER, [*others[1:], *refused.of(game, seat(1))]).action == others[0]


def test_a_company_whose_nearest_stop_is_kept_by_a_private_builds_towards_another() -> None:
    """From Montreal Burlington is a space away, but the Champlain & St. Lawrence keeps it: the company paid to build nothing
    for three sets."""
    game = rb.new_game()
    rb.own(game, CS="@2")
    rb.started(game, "CPR", {"@1": 6})
    rb.operating(game, "CPR", ("2", "3"))
    lays = [action for action in judge_of(game).options() if isinstance(action, LayTile)]
    assert {lay.hex for lay in lays} == {"B18"} and "B20" in dead_ends(game, lays)
    best = max(rate(judge_of(game)), key=lambda one: one.score)
    assert isinstance(best.action, LayTile)


def test_nothing_is_sold_for_a_purchase_that_is_overlooked() -> None:
    """Else the same share pays for one sale after another, and is never bought: half of all sales were made so."""
    judge = judge_of(recorded(42))
    trials = [judge.after(one) for one in judge.options() if isinstance(one, SellShares)]
    for overlooked in (0.0, 1.0):
        blind = replace(judge, strength=replace(STRONG, overlooks=overlooked))
        bought = [best_reply(blind, trial)[1] for trial in trials if trial is not None]
        assert bought and all(one is None for one in bought) is bool(overlooked)


def test_nobody_sells_a_rival_a_train_for_next_to_nothing_in_1820_either() -> None:
    """Its proposals are kept elsewhere than other titles' offers."""
    for price, is_too_little in ((39, True), (40, False)):
        game = new_game()
        floated(game, "LSR", money=1000)
        floated(game, "N&PR", held={"@2": 2}, money=0)
        give_trains(game, "N&PR", "2+", "2+")
        in_turn(game, step="trains", trains=["2+"])
        game.apply(BuyTrain(Owner("LSR"), "2+", price, Owner("N&PR")))
        reason = str(choose(game, seat(2), 1, STRONG).reason)
        assert (reason == "It costs less than half the bank's price for this train.") is is_too_little


def test_nobody_outbids_himself_where_bids_wait_for_their_lots() -> None:
    opening = ("@1 bid CA 165", "@2 pass", "@3 pass")
    for further, is_own in (((), True), (("@1 pass", "@2 bid CA 170", "@3 pass"), False)):
        judge = judge_of(begun("1830", *opening, *further))
        rated = {one.action.lot for one in score_bids(judge, [one for one in judge.options() if isinstance(one, Bid)])}
        assert judge.seat == seat(1) and ("CA" not in rated) is is_own and "MH" in rated


def test_outlooks_of_1844_hold_for_five_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(TITLES["1844"], ["Ann", "Bob", "Cid"], options_for_chance(TITLES["1844"], {}), 1)
    seen: list[float] = []

    def looked(game: Game, player: PlayerId, horizon: Horizon) -> float:
        seen.append(horizon.left)
        return 0.0

    monkeypatch.setattr("bot.ai.move_evaluator.advantage", looked)
    judge = judge_of(game)
    assert judge.horizon.left > TRAITS["1844"].sight == 5.0
    for title, sight in (("1844", 5.0), ("1848", judge.horizon.left)):
        monkeypatch.setitem(TRAITS, "1844", replace(TRAITS["1844"], sight=TRAITS[title].sight))
        judge.advantage(game)
        assert seen.pop() == sight


@pytest.mark.parametrize("strength", (LEARNER, STEADY, STRONG))
def test_whoever_owes_in_1844_pays_back_before_he_passes(strength: SkillLevel) -> None:
    game = Game.new(TITLES["1844"], ["Ann", "Bob", "Cid"], options_for_chance(TITLES["1844"], {}), 1)
    chance = SeededRandom(1)
    while game.state.round.kind != "stock" or game.state.round.number < 3:
        game.apply(draw_action(game.title, game.legal_actions(), BUILDER, chance))
    player = game.players_to_act()[0]
    game.state.cash[player] += 500
    game.state.special.debts[player] = 300
    game.state.special.lent += 300
    assert any(isinstance(action, PayDebt) for action in game.legal_actions())
    assert isinstance(choose(game, player, 1, strength).action, PayDebt)
