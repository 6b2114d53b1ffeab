"""Set-up, rounds, phases and the end of a game of 1830."""

from __future__ import annotations

from bot.engine.ids import BANK, CompanyId, PlayerId
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import deal_companies, value_of_shares
from bot.engine.play.holdings.market import left_or_down, move, right
from bot.engine.play.holdings.money import deal_out
from bot.engine.play.holdings.trains import deal_trains
from bot.engine.play.steps.home_tokens import keep_homes
from bot.engine.play.steps.privates import close_private
from bot.engine.play.steps.rounds import trigger_end
from bot.engine.state.events import PhaseBegan
from bot.engine.state.state import Private, Round, WaterfallMemory

from .components import BANK_CASH, COMPANIES, MARKET, PRIVATES, SIXES_OPTION, STARTING_CASH, TRAIN_CARDS
from .interpretations import readings

BANK_BROKEN = "the bank has run out of money"


def set_up(game: Game) -> None:
    """Money, companies, privates, trains, places kept for home tokens, and the auction."""
    state = game.state
    deal_out(game, BANK_CASH, STARTING_CASH[len(state.players)])
    deal_companies(game, COMPANIES.values())
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in PRIVATES.values()}
    has_third = state.options[SIXES_OPTION.name] != SIXES_OPTION.default
    cards = TRAIN_CARDS | {"6": TRAIN_CARDS["6"] + has_third}
    deal_trains(game, {family: range(number) for family, number in cards.items()})
    keep_homes(game)
    state.round = Round("auction")
    game.push("game")


def begin_auction(game: Game) -> None:
    """The first player begins."""
    game.push("auction", game.state.order[0], WaterfallMemory())


def after_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right for a dividend, one to the left without; at the end of a row up or down."""
    company = game.company(company_id)
    company.operated = True
    position = company.position or (0, 0)
    move(game, company_id, right(MARKET, position) if paid else left_or_down(MARKET, position))


def on_phase(game: Game, event: PhaseBegan) -> None:
    """Privates close with the first 5-train; limits fall."""
    if event.phase == "5":
        for private in game.state.privates.values():
            close_private(game, private)
    game.push("discard")


def watch_for_the_end(game: Game, event: object) -> None:
    """When the bank has no money the set of operating rounds is played to its end, or the next one. 18xx.games waits until
    it owes some."""
    if game.state.cash[BANK] < (0 if readings(game).ends_when_bank_owes else 1):
        trigger_end(game, BANK_BROKEN)


def worth(game: Game, player: PlayerId) -> int:
    """The player's total: cash, shares, open privates at their printed price."""
    privates = sum(PRIVATES[private.id].price for private in game.state.privates_of(player))
    return game.state.cash[player] + value_of_shares(game, player) + privates
