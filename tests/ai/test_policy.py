"""Computer players: they choose legal moves of their own, the same again, and know no more than their seat."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import msgspec
import pytest

from bot.ai.bid_scores import bound_cash
from bot.ai.company_forecast import Horizon, has_run, kinds_of, kinds_on_sale, outlook
from bot.ai.explanations import reason
from bot.ai.fuzzer import BUILDER, RandomGame
from bot.ai.move_evaluator import REFUSED, Evaluator, ScoredMove, is_given_away, pending_proposal
from bot.ai.policy import Tabu, choose, is_ruled_out, noisy, rate, with_lookahead, without_seed
from bot.ai.stock import score_trades
from bot.ai.title_parameters import LEARNER, STEADY, STRENGTHS, STRONG, TRAITS, title_ai
from bot.ai.tournament import Match, is_idle, much_money, play_match, rotate_seats
from bot.ai.track_plans import LIGHT, MOST_SURVEYED, count_searchable, few_to_survey, score_builds
from bot.ai.trains import (
    MOST_TRAINS,
    is_idle_loan,
    replacement,
    run_for,
    score_forced_sales,
    score_train,
    score_trains,
    smallest_and_largest_sales,
)
from bot.engine.chance import SeededRandom
from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, CompanyId, Owner, PrivateId, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game, options_for_chance
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import (
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    LayTile,
    Par,
    Pass,
    ReducePrice,
    SellShares,
    TakeLoan,
)
from bot.engine.state.state import OperatingRoundMemory
from bot.titles.registry import TITLES
from bot.titles.t18gb.actions import ClosePrivate
from tests.ai.recorded_openings import position as recorded
from tests.rearrangement import rearrange

MOVES = 60


def position(title: str, moves: int = MOVES, seed: int = 3) -> Game:
    """A random game after so many moves."""
    table = RandomGame(TITLES[title], 3, seed, wanted=BUILDER, is_audited=False)
    for game in table.moves():
        if game.state.moves >= moves:
            return game
    raise AssertionError("the game is over before")


@pytest.mark.parametrize("title", TITLES)
def test_chooses_a_legal_move_of_its_own_and_the_same_again(title: str) -> None:
    for moves in (1, 70):
        game = position(title, moves)
        before = game.encode()
        player = game.players_to_act()[0]
        choice = choose(game, player, 7, LEARNER)
        assert game.encode() == before
        assert game.controller_of(choice.action.by) == player
        game.check(choice.action)
        assert choose(Game.decode(game.title, before), player, 7, LEARNER) == choice


def test_every_title_has_its_numbers() -> None:
    for title in TITLES:
        assert title_ai(title).parameters is not None
        traits = TRAITS[title]
        assert traits.most in TITLES[title].trains
        kinds = {company.kind for company in TITLES[title].companies.values()}
        assert set(traits.floats) <= {phase.name for phase in TITLES[title].phases} | kinds
        assert set(traits.capital) <= kinds
        assert set(traits.extras) <= set(TITLES[title].privates)


@pytest.mark.parametrize("title", [title for title, noun in TITLES.items() if not noun.shows_draws])
def test_nothing_depends_on_the_seed_of_the_game(title: str) -> None:
    game = position(title)
    other = Game.decode(game.title, game.encode())
    other.state.seed += 1
    player = game.players_to_act()[0]
    assert choose(game, player, 1, LEARNER) == choose(other, player, 1, LEARNER)
    assert without_seed(game).encode() == without_seed(other).encode()


@pytest.mark.parametrize("seed", range(7000, 7008))
def test_the_company_that_a_private_brings_is_known_to_who_must_price_it(seed: int) -> None:
    """18Chesapeake draws it from the seed, and shows it, at the start."""
    game = Game.new(TITLES["18Chesapeake"], ["Ann", "Bob", "Cid"], {}, seed)
    cheapest = sorted(game.title.privates.values(), key=lambda private: private.price)
    for private in cheapest:
        game.apply(Bid(game.players_to_act()[0], Owner(private.id), private.price))
    assert {type(action) for action in game.legal_actions()} == {Par}
    player = game.players_to_act()[0]
    game.apply(choose(game, player, 1, STRONG).action)


@pytest.mark.parametrize("title", list(TITLES))
def test_players_see_what_is_printed_for_everybody(title: str) -> None:
    """In 18BF that are the minors of later batches."""
    game = position(title)
    sight = without_seed(game)
    assert list(map(str, sight.title.look.lines(sight))) == list(map(str, game.title.look.lines(game)))
    sight.state.seed = game.state.seed
    assert sight.encode() == game.encode()


def test_who_is_not_asked_chooses_nothing() -> None:
    game = position("1848")
    other = next(player for player in game.state.order if player not in game.players_to_act())
    with pytest.raises(IllegalMove, match="turn"):
        choose(game, other, 1)


def test_what_was_refused_is_not_proposed_again() -> None:
    game = position("1848")
    player = game.players_to_act()[0]
    first = choose(game, player, 1, LEARNER).action
    assert choose(game, player, 1, LEARNER, (first,)).action != first


@cache
def opening() -> Match:
    """The first moves of three steady players."""
    return play_match(TITLES["1848"], ("steady", "steady", "steady"), 1, 75)


def test_companies_are_launched_and_buy_trains() -> None:
    assert opening().happened["CompanyFloated"] > 0 and opening().happened["TrainBought"] > 0


def test_players_of_1820_found_companies() -> None:
    match = play_match(TITLES["1820"], ("steady", "steady", "steady"), 500, 70)
    assert not match.reason
    assert match.happened["CompanyFloated"] >= 3 and match.happened["TrainBought"] >= 3


def test_who_starts_a_company_launches_it() -> None:
    title = TITLES["1848"]
    match = opening()
    game = Game.new(title, match.seats, options_for_chance(title, {}), 1)
    for text in match.texts:
        game.apply(parse_action(title, text))
        if game.state.round.kind == "operating":
            break
    started = [company for company in game.state.companies.values() if company.par and company.has_president]
    assert game.state.round.kind == "operating" and len(started) >= 3
    assert [company.id for company in started if not company.floated] == []


def test_a_match_repeats_exactly() -> None:
    first, again = (play_match(TITLES["18GB"], ("learner", "random", "learner"), 2, 40) for _ in range(2))
    assert first.texts == again.texts
    assert len(first.texts) == 40
    assert first.reason == ""


def test_seats_rotate() -> None:
    assert [rotate_seats("abc", number) for number in range(4)] == [
        ["a", "b", "c"],
        ["b", "c", "a"],
        ["c", "a", "b"],
        ["a", "b", "c"],
    ]


def test_strengths_by_name() -> None:
    assert list(STRENGTHS) == ["learner", "steady", "strong", "club"]
    assert STRENGTHS["steady"] is STEADY


def test_offers_are_answered_by_what_they_are_worth() -> None:
    for trains, agrees in ((4, True), (1, False)):
        game = recorded(57)
        for train in game.state.trains_of(CompanyId("SAR"))[trains:]:
            rearrange(game, train, owner=REMOVED)
        game.apply(BuyTrain(Owner("CAR"), "2", 100, Owner("SAR")))
        assert game.players_to_act() == (seat(2),)
        choice = choose(game, seat(2), 1)
        assert choice.action == Answer(Owner("@2"), agrees)
        assert (str(choice.reason) == "It is the company's only train.") is not agrees


def test_nobody_sells_a_rival_a_train_for_next_to_nothing() -> None:
    game = recorded(57)
    game.apply(BuyTrain(Owner("CAR"), "2", 100, Owner("SAR")))
    for price, is_too_little in ((50, False), (49, True)):
        game.state.offer = BuyTrain(Owner("CAR"), "2", price, Owner("SAR"))
        assert is_given_away(game, game.state.offer) is is_too_little
    choice = choose(game, seat(2), 1)
    assert choice.action == Answer(Owner("@2"), False)
    assert str(choice.reason) == "It costs less than half the bank's price for this train."


def test_nobody_asks_a_rival_for_a_train_that_they_would_not_sell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody asks the seller: everybody is taken to agree."""
    game = recorded(57)
    judge = Evaluator(game, seat(1), STRONG, SeededRandom(1), 1)
    monkeypatch.setattr(Evaluator, "_is_agreed", lambda self, trial: trial.apply(Answer(Owner("@2"), True)) is not None)
    refused = {}
    for is_cheap in (True, False):
        monkeypatch.setattr("bot.ai.trains.is_given_away", lambda *_, is_cheap=is_cheap: is_cheap)
        for gain in (-1, 1):
            monkeypatch.setattr("bot.ai.trains.advantage", lambda one, *_, gain=gain: gain * (one is not game))
            found = score_train(judge, BuyTrain(Owner("CAR"), "2", 100, Owner("SAR")))
            refused[is_cheap, gain] = found.score == REFUSED
    assert refused == {(True, -1): True, (True, 1): True, (False, -1): True, (False, 1): False}


@cache
def train_offer(title: str) -> bytes:
    """A random game in which somebody is asked to sell a train to somebody else's company."""
    for game in RandomGame(TITLES[title], 3, 0, wanted=BUILDER, is_audited=False).moves():
        if isinstance(pending_proposal(game), BuyTrain):
            return game.encode()
    raise AssertionError("nobody is asked to sell a train")


@pytest.mark.parametrize("beside", [False, True], ids=["answers alone", "something else beside them"])
@pytest.mark.parametrize("title", TITLES)
def test_nobody_sells_the_train_that_runs_for_next_to_nothing_whatever_else_could_be_done(
    title: str, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.decode(TITLES[title], train_offer(title))
    offer, player = pending_proposal(game), game.players_to_act()[0]
    assert isinstance(offer, BuyTrain)
    cheap = msgspec.structs.replace(offer, price=1)
    if game.state.offer is not None:
        game.state.offer = cheap
    else:
        game.state.special.proposal = cheap
    sold, *others = sorted(game.state.trains_of(Owner(offer.source)), key=lambda train: train.kind != offer.kind)
    if beside:
        options = Evaluator.options
        monkeypatch.setattr(
            Evaluator, "options", lambda judge: (*options(judge), ClosePrivate(player, PrivateId("none")))
        )
    for kept in (others, []):
        for train in others[len(kept) :]:
            rearrange(game, train, owner=REMOVED)
        for name, strength in STRENGTHS.items():
            choice = choose(game, player, 1, strength)
            assert choice.action == Answer(player, False), (name, sold.kind, kept)
            told = "It costs less than half the bank's price for this train."
            assert str(choice.reason) == (told if kept else "It is the company's only train."), name


def test_a_train_does_not_go_to_and_fro_between_companies_of_one_director() -> None:
    game = recorded(64)
    for certificate in game.company(CompanyId("QR")).certificates:
        rearrange(game, certificate, owner=Owner("@2") if certificate.owner == "@3" else certificate.owner)
    less, more = (run_for(game, seat(2), (CompanyId(one),)) for one in ("QR", "SAR"))
    assert less > 0 and more > 0
    for train in game.state.trains_of(CompanyId("QR")):
        rearrange(game, train, owner=Owner("SAR"))
    assert run_for(game, seat(2), (CompanyId("QR"), CompanyId("SAR"))) < less + more
    assert replacement(game, CompanyId("QR"), seat(2)) == 0
    game.state.cash[CompanyId("QR")] = 30
    assert replacement(game, CompanyId("QR"), seat(2)) == game.title.trains["3"].price - 30
    assert replacement(game, CompanyId("QR"), seat(3)) == replacement(game, CompanyId("SAR"), seat(2)) == 0
    rearrange(game, next(card for card in game.state.trains if card.kind == "2E"), owner=Owner("QR"))
    assert kinds_of(game, CompanyId("QR")) == ("2E",)
    assert replacement(game, CompanyId("QR"), seat(2)) == game.title.trains["3"].price - 30


def test_a_train_of_ones_own_company_must_earn_more_where_it_goes() -> None:
    game = recorded(57)
    for certificate in game.company(CompanyId("SAR")).certificates:
        rearrange(game, certificate, owner=Owner("@1") if certificate.owner == "@2" else certificate.owner)
    judge = Evaluator(game, seat(1), STEADY, SeededRandom(1))
    bought = BuyTrain(Owner("CAR"), "2", 1, Owner("SAR"))
    after = judge.after(bought)
    assert after is not None
    both = (CompanyId("SAR"), CompanyId("CAR"))
    assert run_for(after, seat(1), both) <= run_for(game, seat(1), both)
    assert score_train(judge, bought).score <= 0


def test_no_company_loses_its_only_train_before_its_run() -> None:
    """SAR's turn comes after CAR's in this round: a train that CAR took would run for neither."""
    game = recorded(57)
    for certificate in game.company(CompanyId("SAR")).certificates:
        rearrange(game, certificate, owner=Owner("@1") if certificate.owner == "@2" else certificate.owner)
    bought = BuyTrain(Owner("CAR"), "2+", 1, Owner("SAR"))
    assert score_train(Evaluator(game, seat(1), STEADY, SeededRandom(1)), bought).score > REFUSED / 2
    for train in game.state.trains_of(CompanyId("SAR")):
        rearrange(game, train, owner=train.owner if train.kind == "2+" else REMOVED)
    assert kinds_of(game, CompanyId("SAR")) == ("2+",) and not has_run(game, CompanyId("SAR"))
    assert score_train(Evaluator(game, seat(1), STEADY, SeededRandom(1)), bought).score == REFUSED / 2
    money, game.state.cash[CompanyId("CAR")] = game.state.cash[CompanyId("CAR")], 10
    assert score_train(Evaluator(game, seat(1), STEADY, SeededRandom(1)), bought).score > REFUSED / 2, (
        "it cannot buy one of the bank"
    )
    game.state.cash[CompanyId("CAR")] = money
    operating = next(one.memory for one in game.state.flow if isinstance(one.memory, OperatingRoundMemory))
    operating.done.append(CompanyId("SAR"))
    assert score_train(Evaluator(game, seat(1), STEADY, SeededRandom(1)), bought).score > REFUSED / 2


def test_the_banks_trains_are_compared_however_many_others_are_offered() -> None:
    judge = Evaluator(recorded(57), seat(1), STEADY, SeededRandom(1))
    many = [BuyTrain(Owner("CAR"), "2", price, Owner("SAR")) for price in range(1, 41)]
    bank, pool = BuyTrain(Owner("CAR"), "3", 200, DEPOT), BuyTrain(Owner("CAR"), "2", 100, POOL)
    rated = [one.action for one in score_trains(judge, [*many[:4], pool, *many[4:20], bank, *many[20:]])]
    assert {bank, pool} < set(rated) and len(rated) <= MOST_TRAINS


def test_nobody_sells_in_a_stock_round_what_he_has_bought_in_it() -> None:
    game = recorded(45)
    ruled_out = Tabu(game, {})
    bought = BuyShares(seat(1), CompanyId("SAR"), POOL)
    ruled_out.note(game, bought)
    assert is_ruled_out(SellShares(seat(1), CompanyId("SAR"), 2), ruled_out.of(game, seat(1)))
    assert not is_ruled_out(SellShares(seat(1), CompanyId("CAR"), 1), ruled_out.of(game, seat(1)))
    assert not is_ruled_out(bought, ruled_out.of(game, seat(1))), "but he may buy more of it"
    ruled_out.note(game, BuyTrain(Owner("CAR"), "3", 200))
    assert len(ruled_out.of(game, seat(1))) == 1 and not ruled_out.of(game, seat(2))


def test_what_is_ruled_out_ends_with_its_round() -> None:
    game, sale = recorded(45), SellShares(seat(1), CompanyId("SAR"), 1)
    ruled_out = Tabu(game, {seat(1): (sale,), seat(2): (sale,)})
    assert ruled_out.of(game, seat(1)) == (sale,)
    game.state.round.part += 1
    ruled_out.note(game, BuyShares(seat(1), CompanyId("QR"), POOL))
    assert not ruled_out.of(game, seat(2)) and not is_ruled_out(sale, ruled_out.of(game, seat(1)))
    assert is_ruled_out(SellShares(seat(1), CompanyId("QR"), 1), ruled_out.of(game, seat(1)))


def test_where_everything_that_is_rated_is_ruled_out_something_else_is_left() -> None:
    game = recorded(57)
    rated = [one.action for one in rate(Evaluator(without_seed(game), seat(1), LEARNER, SeededRandom(1)))]
    options = Evaluator(game, seat(1), LEARNER, SeededRandom(1)).options()
    assert choose(game, seat(1), 1, LEARNER, rated).action in set(options) - set(rated)


def test_whoever_must_sell_sells_what_he_has_bought_if_he_has_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    game, sale = recorded(42), SellShares(seat(3), CompanyId("QR"), 1)
    monkeypatch.setattr(Evaluator, "options", lambda judge: (sale,))
    assert choose(game, seat(3), 1, STEADY, (sale,)).action == sale


def test_a_loan_brings_a_train_in_reach_or_is_not_taken() -> None:
    game, loan = recorded(57), TakeLoan(Owner("SAR"))
    assert kinds_of(game, CompanyId("SAR"))
    prices = sorted({game.title.trains[kind].price for kind in kinds_on_sale(game)})
    for cash, is_vain in ((prices[0] - 101, True), (prices[0] - 100, False), (prices[-1], True), (0, True)):
        game.state.cash[CompanyId("SAR")] = cash
        assert is_idle_loan(game, loan) is is_vain, cash
    for train in game.state.trains_of(CompanyId("SAR")):
        rearrange(game, train, owner=REMOVED)
    assert not is_idle_loan(game, loan), "the director pays for the first train"
    game.state.cash[CompanyId("SAR")] = prices[-1]
    assert is_idle_loan(game, loan)
    assert not is_idle_loan(position("18BF", 200), loan), "a loan of 18BF costs no share price"


def test_what_is_hopeless_does_not_make_judgement_worse() -> None:
    judge = Evaluator(recorded(20), seat(3), STEADY, SeededRandom(1))
    nothing, poor, hopeless = (
        ScoredMove(Pass(Owner(str(n))), score) for n, score in ((1, 1.0), (2, -5.0), (3, -1000.0))
    )
    for _ in range(50):
        assert max(noisy(judge, [nothing, poor, hopeless]), key=lambda one: one.score).action == nothing.action


def test_whoever_may_not_pass_sells_something() -> None:
    game = recorded(42)
    judge = Evaluator(game, seat(3), STEADY, SeededRandom(1))
    sales = [action for action in judge.options() if isinstance(action, SellShares)]
    assert sales and {one.action for one in score_trades(judge, sales, may_pass=False)} >= set(
        smallest_and_largest_sales(sales)
    )
    assert not score_trades(judge, sales, may_pass=True)


def test_what_is_sold_for_a_train_is_judged_by_the_train() -> None:
    game = position("1830", 327, 14)
    judge = Evaluator(game, game.players_to_act()[0], STEADY, SeededRandom(1))
    sales = [action for action in judge.options() if isinstance(action, SellShares)]
    assert sales and judge.game.actor_in_turn == "NYNH" and not kinds_of(game, CompanyId("NYNH"))
    rated = score_forced_sales(judge, sales)
    assert all(judge.gain(one.action) < 0 < one.score for one in rated)
    best = max(rate(judge), key=lambda one: one.score)
    assert best.action in sales, "a train of the bank for shares is better than the only one of another company of his"
    assert str(reason(judge, best)) == "NYNH must buy a train, and @1 pays what the treasury lacks."


def test_bids_that_wait_bind_money() -> None:
    game = Game.new(TITLES["1830"], ["Ann", "Bob", "Cid"], options_for_chance(TITLES["1830"], {}), 1)
    for text in ("@1 bid BO 225", "@2 bid CA 165", "@3 pass", "@1 bid CA 190"):
        game.apply(parse_action(game.title, text))
    assert [bound_cash(game, seat(1), Owner(lot)) for lot in ("BO", "CA", "MH")] == [190, 225, 415]


def test_the_first_lay_is_chosen_with_the_second() -> None:
    game = recorded(22, "18GB")
    best = []
    for pairs in (0, STEADY.pairs):
        judge = Evaluator(game, game.players_to_act()[0], replace(STEADY, pairs=pairs), SeededRandom(1))
        lays = [action for action in judge.options() if isinstance(action, LayTile)]
        best.append(max(one.score for one in score_builds(judge, [*lays])))
    alone, together = best
    assert together > alone > 0


def test_of_a_company_with_long_trains_and_many_tokens_few_lays_are_searched() -> None:
    game, company = recorded(57), CompanyId("SAR")
    assert kinds_of(game, company) == ("2", "2", "2", "2+")
    assert sum(1 for _ in game.state.board.cities_of(company)) == 1
    assert count_searchable(game, company, 12) == 12
    cities = next(iter(game.state.board.tokens.values()))
    cities[0].extend([company] * 14)
    assert count_searchable(game, company, 12) == 12 * LIGHT // (15 * 4 * 2**2) == 6
    assert count_searchable(game, company, 1) == 1
    rearrange(game, next(train for train in game.state.trains if train.kind == "4"), owner=company)
    assert count_searchable(game, company, 12) == 12 * LIGHT // (15 * (4 * 2**2 + 4**2)) == 3


def test_of_heavy_searches_few_second_lays_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(22, "18GB")
    tried = []
    for light in (10_000, 8):
        monkeypatch.setattr("bot.ai.track_plans.LIGHT", light)
        monkeypatch.setattr("bot.ai.track_plans.kinds_of", lambda game, company: ("3+1",))
        judge = Evaluator(game, game.players_to_act()[0], replace(STEADY, lays=4, pairs=9), SeededRandom(1))
        lays = [action for action in judge.options() if isinstance(action, LayTile)]
        score_builds(judge, [*lays])
        tried.append(judge.looks)
    assert tried == [4 + 3 * (1 + 3), 2 + 1 * (1 + 1)]


def test_the_second_lay_has_the_horizon_of_the_first() -> None:
    game = recorded(22, "18GB")
    added = []
    for left in (0.0, 5.0):
        judge = Evaluator(game, game.players_to_act()[0], replace(STEADY, lays=4, pairs=9), SeededRandom(1))
        judge.horizon = Horizon(left, frozenset())
        lays = [lay for lay in judge.options() if isinstance(lay, LayTile)]
        added.append(max(one.score for one in score_builds(judge, [*lays])))
    # Without a round to come no track earns anything, the first nor the second.
    assert added[0] <= 0 < added[1]


def test_what_the_ipo_earns_is_the_companys() -> None:
    game = recorded(30, "18GB")
    company = CompanyId("GWR")
    assert kinds_of(game, company) == ("2+1",) * 3
    whole = outlook(game, company)
    for certificate in game.company(company).certificates:
        rearrange(game, certificate, owner=Owner("@1") if certificate.owner == IPO else certificate.owner)
    assert whole.dividends > outlook(game, company).dividends


def test_where_nobody_adds_to_a_companys_money_it_waits_for_its_train() -> None:
    game = recorded(30, "18GB")
    company = CompanyId("GWR")
    for train in game.state.trains_of(company):
        rearrange(game, train, owner=REMOVED)
    dividends = []
    for cash in (400, 0):
        game.state.cash[company] = cash
        found = outlook(game, company)
        assert found.missing == 0
        dividends.append(found.dividends)
    assert dividends[0] > dividends[1] > 0


def test_idle_is_who_passes_with_money_that_could_buy() -> None:
    game = recorded(42)
    much = much_money(recorded(0))
    player = game.players_to_act()[0]
    assert [is_idle(game, Pass(Owner(player)), some) for some in (much, 0)] == [False, True]
    game.state.cash[player] = int(much) + 1
    assert is_idle(game, Pass(Owner(player)), much)
    assert not is_idle(game, BuyShares(Owner(player), CompanyId("SAR")), much)


def test_a_private_that_keeps_a_company_from_its_home_is_closed() -> None:
    game = recorded(27, "18GB")
    assert game.actor_in_turn == "LNWR" and game.private(PrivateId("LB")).owner == seat(2)
    assert format_action(choose(game, seat(2), 1).action) == "@2 close LB"


def auction_of_1830() -> list[Bid]:
    game = Game.new(TITLES["1830"], ["Ann", "Bob", "Cid"], options_for_chance(TITLES["1830"], {}), 1)
    bids = []
    for _ in range(40):
        action = choose(game, game.players_to_act()[0], 2, STRONG).action
        if isinstance(action, Bid) and action.price > TITLES["1830"].privates[PrivateId(action.lot)].price:
            bids.append(action)
        game.apply(action)
    return bids


def test_a_lot_that_is_fought_for_goes_up_in_strides_where_nobody_knows_what_people_pay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(TRAITS, "1830", replace(TRAITS["1830"], paid={}, kept=0, reserve=420))
    prices = [bid.price for bid in auction_of_1830() if bid.lot == "BO"]
    assert 1 < len(prices) <= 8 and prices[-1] - prices[0] > 5 * len(prices)


def test_bids_go_up_by_the_least_step_to_what_people_pay_and_leave_money_for_a_company() -> None:
    """Three players of 1830 keep £320 of their £800 each."""
    bids, paid, highest = auction_of_1830(), TRAITS["1830"].paid, dict[Owner, int]()
    assert {bid.lot for bid in bids} >= {"CA", "MH"}
    for bid in bids:
        assert bid.price == highest.get(bid.lot, TITLES["1830"].privates[PrivateId(bid.lot)].price) + 5
        assert bid.price <= paid[bid.lot]
        highest[bid.lot] = bid.price
    for player in {bid.by for bid in bids}:
        last = {bid.lot: bid.price for bid in bids if bid.by == player}
        assert sum(last.values()) <= 800 - 320


def test_the_price_that_is_farthest_above_what_people_pay_falls_first() -> None:
    """1848: nothing is bought for more than that, and nothing is lowered that is worth its price."""
    game, paid = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], {}, 1), TRAITS["1848"].paid
    while unsold := {p.id: p.price for p in game.state.privates.values() if p.owner is None and p.id in paid}:
        player = game.players_to_act()[0]
        action = choose(game, player, 2, STRONG).action
        above = {private: price - paid[private] for private, price in unsold.items()}
        if isinstance(action, BuyPrivate):
            assert above[action.private] <= 0
        elif isinstance(action, ReducePrice):
            assert above[action.private] == max(above.values())
            affordable = [private for private, price in unsold.items() if price <= game.state.cash[player]]
            assert all(above[private] > 0 for private in affordable)
        game.apply(action)
        if game.state.round.kind != "auction":
            break
    assert not unsold or len(unsold) < len(paid)


def test_what_people_pay_at_the_auction_is_not_offered_to_a_rival_who_would_refuse_it() -> None:
    game = played_on_to_offers()
    judge = Evaluator(without_seed(game), game.players_to_act()[0], STRONG, SeededRandom(1))
    offers = [one for one in rate(judge) if isinstance(one.action, BuyPrivate)]
    assert {one.action.private for one in offers if isinstance(one.action, BuyPrivate)} & set(TRAITS["1830"].paid)
    assert all(one.score <= REFUSED for one in offers if isinstance(one.action, BuyPrivate) and one.action.price == 1)


def played_on_to_offers() -> Game:
    """1830: the first position in which a player could offer to buy another's private."""
    table = RandomGame(TITLES["1830"], 3, 3, wanted=BUILDER, is_audited=False)
    return next(
        game.copy()
        for game in table.moves()
        if game.state.round.kind == "stock" and any(isinstance(action, BuyPrivate) for action in game.legal_actions())
    )


def test_no_clock_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked() -> float:
        raise AssertionError("a clock was looked at")

    for name in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, name, looked)
    for moves in (54, 60, 64):
        game = recorded(moves)
        choose(game, game.players_to_act()[0], 1, STRONG)


def test_the_strong_player_looks_ahead_within_a_counted_budget() -> None:
    game = recorded(54)
    looks = []
    for budget in (0, STRONG.looks):
        judge = Evaluator(game.copy(), seat(1), replace(STRONG, looks=budget), SeededRandom(1))
        rated = rate(judge)
        before = judge.looks
        with_lookahead(judge, rated)
        looks.append(judge.looks - before)
    assert looks[0] <= STRONG.ahead < looks[1]


def test_of_a_company_that_reaches_twice_as_much_a_quarter_is_surveyed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(58)
    lay = next(
        action for action in Evaluator(game, seat(2), STEADY, SeededRandom(1)).options() if isinstance(action, LayTile)
    )
    spaces = len(game.board_rules.network(game, CompanyId("SAR")).hexes)
    assert spaces > 1 and not few_to_survey(game, [])
    counts = []
    for wide in (10 * spaces, spaces, spaces // 2, 0):
        monkeypatch.setattr("bot.ai.track_plans.WIDE", wide)
        counts.append(len(few_to_survey(game, [lay] * 4 * MOST_SURVEYED)))
    assert counts[0] == counts[1] == MOST_SURVEYED > 4 * (counts[2] - 1) > counts[3] == 1


@pytest.mark.whole
@pytest.mark.parametrize("title", TITLES)
def test_beginners_come_out_of_the_auction_and_buy_trains(title: str) -> None:
    match = play_match(TITLES[title], ["learner"] * 3, 1, 300)
    assert match.happened["TrainBought"] > 0
