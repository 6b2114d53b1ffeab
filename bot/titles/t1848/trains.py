"""The remaining actions of a company of 1848 with trains; when 18xx.games asks it (1848 §9)."""

from __future__ import annotations

from bot.engine import DEPOT, CompanyId, IllegalMove, Owner
from bot.engine.play import Game
from bot.engine.play.holdings import (
    card_sides,
    counted_trains,
    find_train,
    has_phase_begun,
    next_phase,
    trains_for_sale,
)
from bot.engine.play.steps import BuyTrains, ask_for_excess, operating_turn
from bot.engine.state import LoanTaken, PhaseBegan, PrivateBought, TrainBought, TrainDiscarded, TurnMemory

from .bank_of_england import loans_left
from .components import GHAN_REBATE, LOAN, LOANS_PER_COMPANY
from .interpretations import interpretation_flags
from .privates import has_right

GHAN = "2E"
OVER = "no trains"
"""The note in a turn's memory that no train can be bought any more."""


def begin_buying(game: Game) -> None:
    """Ask for trains above the limit; on 18xx.games a company that can then pay for nothing is not asked later
    either.
    """
    _note_end(game, game.company_in_turn, may_borrow_first=True)
    ask_for_excess(game)


def on_purchase(game: Game, event: TrainBought) -> None:
    """A reaction: a purchase may have been the last that could be paid. A purchase that begins a phase is checked
    then.
    """
    if event.source != DEPOT or next_phase(game, game.title.trains[event.kind].family) is None:
        _note_if_buying(game)


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    _note_if_buying(game)


def on_means(game: Game, event: PrivateBought | TrainDiscarded | LoanTaken) -> None:
    """A reaction: money is spent, room is made, or the last loan is taken that could have helped to buy the Ghan."""
    _note_if_buying(game, may_borrow_first=True)


def _note_if_buying(game: Game, may_borrow_first: bool = False) -> None:
    """As `_note_end`, if a company in turn has reached its trains."""
    frame = next((frame for frame in reversed(game.state.flow) if isinstance(frame.memory, TurnMemory)), None)
    steps = game.title.plans[frame.plan].steps if frame else ()
    if frame and frame.at < len(steps) and isinstance(steps[frame.at], BuyTrains):
        _note_end(game, CompanyId(frame.entity or Owner("")), may_borrow_first)


def _note_end(game: Game, company: CompanyId, may_borrow_first: bool) -> None:
    used = operating_turn(game).used
    if (
        interpretation_flags(game).buys_while_it_can_pay
        and OVER not in used
        and not can_go_on(game, company, may_borrow_first)
    ):
        used.append(OVER)


def check_own(game: Game, company: CompanyId, kind: str) -> None:
    """Refuse trains to a company that could buy none when it reached them."""
    if interpretation_flags(game).buys_while_it_can_pay and OVER in operating_turn(game).used:
        sentence = "On 18xx.games {company} has bought its last train of this turn: it could pay for no other."
        raise IllegalMove(sentence, "1848 §8.1, 18xx.games", company)


def is_asked(game: Game, company: CompanyId) -> bool:
    """Whether 18xx.games waits for a purchase."""
    return OVER not in operating_turn(game).used


def can_borrow(game: Game, company: CompanyId) -> bool:
    """Whether a loan would be possible, ignoring a loan already taken in this turn."""
    return has_phase_begun(game, "3") and game.company(company).loans < LOANS_PER_COMPANY and loans_left(game) > 0


def can_go_on(game: Game, company: CompanyId, may_borrow_first: bool) -> bool:
    """Whether some train could be paid, or a loan could help to buy the Ghan."""
    cash = game.state.cash[company]
    if game.title.rules.must_own_train(game, company) or can_trade_in(game, company):
        return True
    if _has_room(game, company) and cash >= _lowest_price(game, company):
        return True
    return may_borrow_first and find_train(game, company, GHAN) is None and cash >= LOAN and can_borrow(game, company)


def _has_room(game: Game, company: CompanyId) -> bool:
    """Whether there is room for a train: not at the limit, except for the Ghan; above it, before trains are given up,
    there is.
    """
    return len(counted_trains(game, company)) != game.title.rules.train_limit(game, company) or can_buy_ghan(
        game, company
    )


def can_buy_ghan(game: Game, company: CompanyId) -> bool:
    """Whether the company could pay for the 2E, with P4's rebate if it has the right (§4.5)."""
    if not has_phase_begun(game, "5") or find_train(game, company, GHAN) is not None:
        return False
    rebate = 100 if has_right(game, company, GHAN_REBATE) else 0
    return game.state.cash[company] >= game.title.trains[GHAN].price - rebate


def _lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest train of the bank; 1 if any other company has a train, regardless of its price."""
    if any(train.owner in game.state.companies and train.owner != company for train in game.state.trains):
        return 1
    return min(side.price for card in trains_for_sale(game) for side in card_sides(game, card.family))


def can_trade_in(game: Game, company: CompanyId) -> bool:
    """Whether the company could pay for a train of the bank that takes one of its own in exchange."""
    cash = game.state.cash[company]
    families = {game.title.trains[train.kind].family for train in game.state.trains_of(company)}
    return any(
        cash >= side.price - discount
        for card in trains_for_sale(game)
        for side in card_sides(game, card.family)
        for family, discount in side.trade_in.items()
        if family in families
    )
