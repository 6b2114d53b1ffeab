"""Whom 18xx.games no longer asks, or passes over, where a private could still be used by the rulebook (1844 §V)."""

from __future__ import annotations

from bot.engine import CompanyId, IllegalMove
from bot.engine.play import Game
from bot.engine.play.holdings import card_sides, counted_trains, has_phase_begun, trains_for_sale
from bot.engine.state import BuyTrain, Pass, StockTurnMemory, TurnMemory

from .actions import LayFurka
from .components import PRE_SBB
from .interpretations import interpretation_flags

OVER = "over"
"""The note in a turn's memory that it is over on 18xx.games."""


def check_asked(game: Game) -> None:
    """Refuse the use of a private by a player whom 18xx.games does not ask."""
    if is_passed_over(game):
        raise IllegalMove("18xx.games skips players with no other option: do it in another turn.", "1844 §V")


def is_passed_over(game: Game) -> bool:
    """Whether 18xx.games has gone on to the next player or company."""
    if not interpretation_flags(game).privates_wait_for_questions:
        return False
    if isinstance(game.frame.memory, StockTurnMemory):
        return can_only_lay_the_line(game)
    return isinstance(game.frame.memory, TurnMemory) and is_over(game, game.company_in_turn)


def can_only_lay_the_line(game: Game) -> bool:
    """Whether the line is the only move left to the player in turn in a share round."""
    others = [step for step in (game.step, *game.procedure.anytime) if step and LayFurka not in step.verbs]
    return all(isinstance(option, Pass) for step in others for option in step.options(game))


def is_over(game: Game, company: CompanyId) -> bool:
    """Whether the company is a pre-SBB company that can buy no more trains: it is not asked about privates after
    that.
    """
    if game.title.companies[company].kind != PRE_SBB or game.step is None or BuyTrain not in game.step.verbs:
        return False
    return not asks_for_trains(game, company)


def note_late_money(game: Game) -> None:
    """Before a private brings money: a company that could pay for no train, and need not own any, buys no more trains
    there.
    """
    memory = game.frame.memory
    if (
        not interpretation_flags(game).late_money_buys_no_train
        or not isinstance(memory, TurnMemory)
        or game.step is None
        or BuyTrain not in game.step.verbs
    ):
        return
    company = game.company_in_turn
    must_buy = not game.state.trains_of(company) and game.title.rules.must_own_train(game, company)
    if not asks_for_trains(game, company) and not must_buy:
        memory.used.append(OVER)


def check_not_over(game: Game) -> None:
    memory = game.frame.memory
    if isinstance(memory, TurnMemory) and OVER in memory.used:
        raise IllegalMove(
            "On 18xx.games a company cannot buy a train with money that came only after it could afford none.",
            "1844 §XVII",
        )


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid, ignoring the company's limits."""
    has_room = len(counted_trains(game, company)) < game.title.rules.train_limit(game, company)
    return has_room and game.state.cash[company] >= _lowest_price(game, company)


def _lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest train of the bank; from phase 3 on 1 if any other company has a train, regardless of its price."""
    owners = {train.owner for train in game.state.trains if train.owner != company}
    if has_phase_begun(game, "3") and any(owner in game.state.companies for owner in owners):
        return 1
    return min(side.price for card in trains_for_sale(game) for side in card_sides(game, card.family))
