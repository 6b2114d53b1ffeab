"""The rest of the game as expected by the clock of the bank's trains."""

from __future__ import annotations

import pytest

from bot.ai import train_clock as clock_module
from bot.ai.company_forecast import Horizon, horizon, rounds_left
from bot.ai.evaluation import BEARABLE, FORCED, LEFT, RUIN, heir_of, payments_due, strain
from bot.ai.intention import Intention, Recollection, company_facts
from bot.ai.move_evaluator import Evaluator
from bot.ai.policy import is_fickle
from bot.ai.title_parameters import CLUB, STRONG
from bot.ai.train_clock import ClockWork, TrainClock, train_clock
from bot.engine.chance import SeededRandom
from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, Owner, seat
from bot.engine.play.game import Game
from bot.engine.state.actions import SellShares
from tests.ai.recorded_openings import position as recorded
from tests.rearrangement import rearrange
from tests.titles import builders_1820
from tests.titles.builders_1830 import TRACK, TRAINS, new_game, operating, own, reach_phase, started
from tests.titles.positions import company, set_cash

PRR, NYC = company("PRR"), company("NYC")


@pytest.fixture(autouse=True)
def _even_incomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every train earns 60."""
    monkeypatch.setattr(clock_module, "expected_income", lambda game, company, kinds, ahead: 60.0 * len(kinds))


def two_companies(cash: int, step: int = TRACK) -> Game:
    """Phase 5: PRR, in turn, has a 4 and this money; NYC has two 5s."""
    game = new_game()
    own(game)
    started(game, "PRR", {"@1": 4}, cash=cash, par=90)
    started(game, "NYC", {"@2": 4}, "@2", cash=0, par=71)
    reach_phase(game, "5")
    for player in game.state.order:
        set_cash(game, player, 0)
    operating(game, "PRR", ["4"], step)
    for card in [card for card in game.state.trains if card.kind == "5"][:2]:
        rearrange(game, card, owner=NYC)
    return game


def left_in_bank(game: Game, *kinds: str) -> Game:
    """Only these kinds, and all that are without limit."""
    for card in [card for card in game.state.trains if card.owner == DEPOT]:
        if card.kind not in kinds and not game.title.trains[card.family].is_unlimited:
            rearrange(game, card, owner=REMOVED)
    return game


def clock_of(game: Game, left: float = 8.0) -> TrainClock:
    found = train_clock(game, left)
    assert found is not None
    return found


def test_a_company_buys_what_its_treasury_allows_and_then_pays() -> None:
    rich, poor = (clock_of(left_in_bank(two_companies(cash), "6")).outlooks[PRR] for cash in (630, 100))
    assert (rich.dividends, rich.missing) == (60 + 7 * 120, 0)
    assert poor.dividends == 8 * 60


def test_a_company_saves_for_a_train_that_lasts_if_it_can_soon_pay_for_it() -> None:
    near, far = (clock_of(left_in_bank(two_companies(cash), "6")).outlooks[PRR] for cash in (520, 0))
    assert near.missing == 0 and near.payments < 8, "it kept two runs"
    assert far.payments == 8, "it cannot save six hundred"


def test_a_train_given_back_makes_the_diesel_cheaper() -> None:
    """Only D are left: with 800 PRR gives its 4 back; with 700 somebody else's D rusts it."""
    able, late = (two_companies(cash) for cash in (800, 500))
    for game in (able, late):
        left_in_bank(game)
    work = ClockWork(able, 8.0)
    assert work.build_clock().outlooks[PRR].missing == 0 and work.buyers[PRR].trains == ["D"]
    set_cash(late, "NYC", 0)
    for card in [card for card in late.state.trains if card.owner == NYC]:
        rearrange(late, card, owner=REMOVED)
    found = clock_of(late).outlooks
    assert found[NYC].missing == 1100 and found[PRR].missing > 0 and found[PRR].solvent < 8


def test_a_sister_helps_before_the_president_pays() -> None:
    game = without_trains(left_in_bank(two_companies(cash=0), "6"))
    alone = clock_of(game).outlooks[PRR].missing
    game.company("NYC").move_president(seat(1))
    assert alone == 630 and clock_of(game).outlooks[PRR].missing == 0


def test_players_with_the_money_start_companies_in_the_next_stock_round() -> None:
    game = two_companies(cash=0)
    assert clock_of(game).starts == ()
    set_cash(game, "@3", 900)
    found = clock_of(game)
    assert [player for _, _, player in found.starts] == [seat(3)]
    set_cash(game, "@3", 0)
    again = train_clock(game, 8.0, found.starts)
    assert again is not None and again.starts == found.starts, "positions are compared by the same rest of the game"


def test_dearer_companies_buy_first() -> None:
    game = two_companies(cash=0)
    order = [*ClockWork(game, 8.0).buyers]
    assert order.index(PRR) < order.index(NYC)


def test_where_presidents_need_not_pay_there_is_no_clock() -> None:
    games = (builders_1820.new_game(), recorded(42), recorded(20, "18GB"))
    assert [train_clock(game, 8.0) for game in games] == [None, None, None]


def clocked(game: Game, left: float = 8.0) -> Horizon:
    return Horizon(left, horizon(game).needy, clock_of(game, left))


def without_trains(game: Game) -> Game:
    for card in [card for card in game.state.trains if card.owner == PRR]:
        rearrange(game, card, owner=REMOVED)
    return game


def shared_trouble(*others: str) -> Game:
    """A stock round. @1 directs PRR with half of it; it has neither money nor a train. Each of the others has a tenth for every
    time that they are named."""
    game = without_trains(left_in_bank(two_companies(cash=0)))
    game.state.round.kind = "stock"
    certificates = game.company("PRR").certificates
    for certificate, owner in zip(certificates[1:], [*["@1"] * 3, *others, *["bank"] * 9], strict=False):
        game.company("PRR").move_certificates([certificate], Owner(owner) if owner != "bank" else IPO)
    return game


def test_a_president_can_leave_trouble_to_who_holds_a_presidents_share() -> None:
    for others, heir in ((["@2"], None), (["@2", "@2"], seat(2)), (["@2", "@3", "@3"], seat(3))):
        game = shared_trouble(*others)
        assert heir_of(game, game.company("PRR"), seat(1)) == heir
    game = shared_trouble("@2", "@2", *["pool"] * 2)
    for certificate in game.company("PRR").certificates[-2:]:
        game.company("PRR").move_certificates([certificate], POOL)
    assert heir_of(game, game.company("PRR"), seat(1)) is None, "the pool has no room for so many"


def test_what_is_due_is_feared_by_who_may_be_left_with_it() -> None:
    alone, shared = (payments_due(game, clocked(game)) for game in (shared_trouble("@2"), shared_trouble("@2", "@2")))
    due = alone[seat(1)]
    assert due > 0 and alone[seat(2)] == 0
    assert shared == {**alone, seat(1): pytest.approx((1 - LEFT) * due), seat(2): pytest.approx(LEFT * due)}


def test_payments_beyond_the_cash_cost_more_and_ruin() -> None:
    game = two_companies(cash=0)
    worth = game.title.rules.worth(game, seat(1))
    assert strain(game, seat(1), 0.0) == 0
    assert strain(game, seat(1), 100.0) == pytest.approx(FORCED * 100 + RUIN * max(0.0, 100 - BEARABLE * worth))
    assert strain(game, seat(1), worth) > (FORCED + RUIN * (1 - BEARABLE)) * worth - 1
    bare, rich = (without_trains(left_in_bank(two_companies(cash=0))) for _ in range(2))
    set_cash(rich, "@1", 3000)
    assert clock_of(bare).short[seat(1)] == 1100 > clock_of(rich).short[seat(1)] == 0


def test_only_club_looks_at_the_clock() -> None:
    game = two_companies(cash=0, step=TRAINS)
    assert Evaluator(game, seat(1), STRONG, SeededRandom(1)).clock is None
    assert Evaluator(game, seat(1), CLUB, SeededRandom(1)).clock == train_clock(game, rounds_left(game))


def test_who_must_expect_to_pay_may_sell_what_was_bought_lately() -> None:
    poor, rich = shared_trouble("@2"), shared_trouble("@2")
    set_cash(rich, "PRR", 2000)
    sale = SellShares(seat(1), PRR, 1)
    for game, is_kept in ((poor, False), (rich, True)):
        recalled = Recollection(Intention(), {PRR: company_facts(game, PRR)})
        judge = Evaluator(game, seat(1), CLUB, SeededRandom(1), recalled=recalled)
        assert is_fickle(judge, sale) == is_kept
