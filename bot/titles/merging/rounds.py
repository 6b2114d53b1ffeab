"""Set-up, rounds, phases, the end."""

from __future__ import annotations

from functools import partial

from bot.engine import BANK, IPO, CompanyId, PlayerId, SeededRandom, as_private
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, pay, set_up_cash, set_up_companies, set_up_trains
from bot.engine.play.steps import (
    PayDividend,
    begin_company_turn,
    begin_next_of_set,
    distribute,
    end_game,
    export_next,
    open_merger_round,
    operating_round,
    order_by_kinds,
    split_earnings,
    trigger_end,
)
from bot.engine.state import Paid, PhaseBegan, Private, Round

from .components import BANK_CASH, LAST_ROUNDS, STARTING_CASH, TRAIN_CARDS, TWO_PLAYERS_LACK, least_bid
from .family import BORROWING, kind_of, merging
from .nationalization import nationalize, take_over_trainless, units_of
from .prices import fall, left_of, move_by_dividend
from .state import title_state

BANK_BROKEN = "the bank has run out of money"
LAST_PHASE = "the last phase has begun"
TURNS = {"minor": "minor turn", "major": "company turn", "national": "national turn"}

# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    state, values = game.state, merging(game)
    set_up_cash(game, BANK_CASH, STARTING_CASH[len(state.players)])
    set_up_companies(game, values.companies.values())
    state.privates = {sign: Private(sign, least_bid(noun.price)) for sign, noun in values.privates.items()}
    cards = dict(TRAIN_CARDS)
    if len(state.players) == 2:
        chance = SeededRandom(state.seed)
        drawn = sorted(state.privates, key=lambda sign: chance.random_bits())
        for sign in drawn[:2]:
            del state.privates[as_private(sign)]
        cards.update({family: cards[family] - number for family, number in TWO_PLAYERS_LACK.items()})
    set_up_trains(game, {family: range(number) for family, number in cards.items()})
    title_state(game).promised = list(values.promised)
    for hex_id, city in values.kept:
        state.board.reserve(hex_id, city, values.national)
    for noun in values.companies.values():
        for home in noun.home:
            state.board.reserve(home, noun.home_city or 0, noun.id)
    if values.begins_at is not None:
        game.company(values.national).tokens_left = game.company(values.national).tokens_left[:-1]
        state.board.place_token(*values.begins_at, values.national)
    state.round = Round("auction")
    game.push("game")


# -- operating rounds ---------------------------------------------------------------------------------


def begin_operating_set(game: Game) -> None:
    """An automatic step: two operating rounds follow a stock round, three in the last set."""
    state, number = game.state, game.state.round.number
    state.round = Round("operating", number, 0, LAST_ROUNDS if title_state(game).last_set == number else 2)


def next_operating_round(game: Game) -> None:
    """An automatic step: the next operating round of the set; the game ends after the last set."""
    if not begin_next_of_set(game) and title_state(game).last_set == game.state.round.number:
        finish_game(game)


def operating_order(game: Game) -> list[CompanyId]:
    """Minors, then majors, by falling price; the national railway last, in phases 4 to 7, if it operates."""
    values, order = merging(game), order_by_kinds(game, ("minor", "major"))
    runs = values.operates and has_phase_begun(game, "4") and not has_phase_begun(game, "8")
    return [*order, values.national] if runs else order


def next_company(game: Game) -> None:
    """An automatic step: the first in operating order that has not had its turn."""
    done = operating_round(game).done
    company = next((one for one in operating_order(game) if one not in done), None)
    if company is not None:
        begin_company_turn(game, company, TURNS[kind_of(game, company)])


def end_round(game: Game) -> None:
    """An automatic step: the game ends if the bank is broken. In phases 4 to 7 a train is exported where the national
    railway does not operate; in phases 3 to 7 a merger round follows.
    """
    if game.state.ending == BANK_BROKEN:
        finish_game(game)
    elif not merging(game).operates and has_phase_begun(game, "4") and not has_phase_begun(game, "8"):
        export_next(game)


def begin_merger_round(game: Game) -> None:
    """An automatic step: in phases 3 to 7."""
    if not game.state.finished and has_phase_begun(game, "3") and not has_phase_begun(game, "8"):
        open_merger_round(game)


# -- a turn -------------------------------------------------------------------------------------------


def split_minor_earnings(game: Game) -> None:
    """An automatic step: half to the owner, half to the treasury; one space right, or left without earnings."""
    split_earnings(game, move_by_dividend)


def sum_paid(kind: str, revenue: int) -> int:
    """Everything, nothing, or all but half of it rounded down to a multiple of 10."""
    if kind == "half":
        return revenue - revenue // 20 * 10
    return revenue if kind == "pay" else 0


def build_dividend(section: str) -> PayDividend:
    return PayDividend(
        move_by_dividend,
        section,
        ("pay", "half", "withhold"),
        partial(distribute, earns_for=IPO),
        sum_paid,
        name="pay, half or withhold",
    )


def remember_loans(game: Game) -> None:
    """An automatic step: interest is owed on the loans with which the turn begins."""
    title_state(game).loans_due = game.company(game.company_in_turn).loans


def settle_loans(game: Game) -> None:
    """An automatic step: interest, then loans are repaid; who cannot pay interest is taken over."""
    company = game.company_in_turn
    if BORROWING.pay_interest(game, company, title_state(game).loans_due):
        BORROWING.repay(game, company)
    else:
        game.log("{company} cannot pay its interest.", company)
        nationalize(game, company)


def end_turn(game: Game) -> None:
    """An automatic step: a company without a train is taken over."""
    company = game.company_in_turn
    if not game.state.trains_of(company):
        game.log("{company} has no train.", company)
        nationalize(game, company)


# -- reactions ----------------------------------------------------------------------------------------


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    values, board = merging(game), game.state.board
    if event.phase == "3":
        for hex_id, _ in values.kept:
            board.free(hex_id, values.national)
    if event.phase == "5":
        remove_unstarted_minors(game)
    if event.phase == "6":
        take_privates(game)
    if event.phase == "8":
        for company in [one for one in operating_order(game) if kind_of(game, one) == "minor"]:
            nationalize(game, company)
        begin_last_phase(game)
    game.board_changed()
    game.push("discard")
    if event.phase in ("4", "6", "8"):
        take_over_trainless(game)


def remove_unstarted_minors(game: Game) -> None:
    for company in game.state.companies.values():
        if kind_of(game, company.id) == "minor" and company.position is None:
            company.closed = True
            company.tokens_left = ()
            for home in game.title.companies[company.id].home:
                game.state.board.free(home, company.id)


def take_privates(game: Game) -> None:
    """The national railway takes every private and gets its income; its holder gets the price."""
    values = merging(game)
    for private in game.state.privates.values():
        if private.owner is None or private.closed or private.owner == values.national:
            continue
        pay(game, BANK, private.owner, values.privates[private.id].price, private.id)
        private.owner = values.national
        game.log("{company} takes {private}.", values.national, private.id)


def begin_last_phase(game: Game) -> None:
    """One more set of three rounds ends the game; in some titles this set is the last if phase 8 begins in its first
    round.
    """
    current, record = game.state.round, title_state(game)
    game.state.ending = ""
    if merging(game).hurries and current.part == 1:
        record.last_set, current.of = current.number, LAST_ROUNDS
        trigger_end(game, LAST_PHASE, "after the third operating round of this set")
    else:
        record.last_set = current.number + 1
        trigger_end(game, LAST_PHASE, "after the next set of three operating rounds")


# -- the end ------------------------------------------------------------------------------------------


def detect_broken_bank(game: Game, event: Paid) -> None:
    if game.state.cash[BANK] < 0:
        break_bank(game)


def break_bank(game: Game) -> None:
    """The game ends after the operating round, unless phase 8 begins before that."""
    title_state(game).is_broken = True
    if not has_phase_begun(game, "8"):
        trigger_end(game, BANK_BROKEN, "after this or the next operating round")


def finish_game(game: Game) -> None:
    """Prices fall by the loans that are left."""
    for record in game.state.companies.values():
        fall(game, record.id, record.loans)
        record.loans = 0
    end_game(game)


def final_price(game: Game, company: CompanyId) -> int:
    """The price after one space to the left for each loan."""
    record = game.company(company)
    if record.position is None:
        return 0
    return game.title.market.price(left_of(game, record.position, record.loans))


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, shares at the final price, privates at their printed price."""
    companies = [company for company in game.state.companies if game.company(company).percent_held_by(player)]
    shares = sum(final_price(game, company) * units_of(game, company, player) for company in companies)
    privates = sum(game.title.privates[private.id].price for private in game.state.privates_of(player))
    return game.state.cash[player] + shares + privates
