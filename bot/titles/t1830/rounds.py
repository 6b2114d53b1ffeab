"""Set-up, rounds, phases and the end of a game of 1830."""

from __future__ import annotations

from bot.engine import BANK, CompanyId, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import (
    set_up_cash,
    set_up_companies,
    set_up_trains,
    step_left_or_down,
    step_right,
    value_of_shares,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import close_private, reserve_homes, trigger_end
from bot.engine.state import PhaseBegan, Private, Round, WaterfallMemory

from .components import BANK_CASH, COMPANIES, MARKET, PRIVATES, SIXES_OPTION, STARTING_CASH, TRAIN_CARDS
from .interpretations import interpretation_flags

BANK_BROKEN = "the bank has run out of money"


def set_up(game: Game) -> None:
    state = game.state
    set_up_cash(game, BANK_CASH, STARTING_CASH[len(state.players)])
    set_up_companies(game, COMPANIES.values())
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in PRIVATES.values()}
    has_third = state.options[SIXES_OPTION.name] != SIXES_OPTION.default
    cards = TRAIN_CARDS | {"6": TRAIN_CARDS["6"] + has_third}
    set_up_trains(game, {family: range(number) for family, number in cards.items()})
    reserve_homes(game)
    state.round = Round("auction")
    game.push("game")


def begin_auction(game: Game) -> None:
    game.push("auction", game.state.order[0], WaterfallMemory())


def on_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """Right for a dividend, left without; at the end of a row up or down."""
    company = game.company(company_id)
    company.operated = True
    position = company.position or (0, 0)
    move(game, company_id, step_right(MARKET, position) if paid else step_left_or_down(MARKET, position))


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Privates close with the first 5-train; limits fall."""
    if event.phase == "5":
        for private in game.state.privates.values():
            close_private(game, private)
    game.push("discard")


def detect_game_end(game: Game, event: object) -> None:
    """When the bank has no money, finish the current set of operating rounds, or the next set. 18xx.games waits until
    the bank owes some.
    """
    if game.state.cash[BANK] < (0 if interpretation_flags(game).ends_when_bank_owes else 1):
        trigger_end(game, BANK_BROKEN)


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, shares, open privates at their printed price."""
    privates = sum(PRIVATES[private.id].price for private in game.state.privates_of(player))
    return game.state.cash[player] + value_of_shares(game, player) + privates
