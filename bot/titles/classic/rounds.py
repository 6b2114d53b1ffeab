"""Set-up, rounds, phases and the end of the game."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import BANK, CompanyId, PlayerId, is_player
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
from bot.engine.play.steps import close_private, end_game, reserve_homes, trigger_end
from bot.engine.state import PhaseBegan, PriceMoved, Private, Round, WaterfallMemory

from .family import classic
from .powers import Stays
from .stock import is_in_zone

BANK_BROKEN = "the bank has run out of money"
TOP_PRICE = "a share price has reached the end of the market"


def set_up(game: Game) -> None:
    state, values = game.state, classic(game)
    state.scenario = values.scenario(game)
    set_up_cash(game, values.bank, values.cash[len(state.players)])
    nouns = values.companies.values()
    set_up_companies(game, (replace(noun, certificates=values.certificates_of(game, noun.id)) for noun in nouns))
    state.privates = {sign: Private(sign, values.privates[sign].price) for sign in values.privates_in_play(game)}
    set_up_trains(game, {family: range(number) for family, number in values.cards(game).items()})
    reserve_homes(game)
    state.round = Round("auction")
    values.prepare(game)
    game.push("game")


def begin_auction(game: Game) -> None:
    game.push("auction", game.state.order[0], WaterfallMemory())


def on_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """Right for a dividend, left without; at the end of a row up or down."""
    company, market = game.company(company_id), game.title.market
    company.operated = True
    position = company.position or (0, 0)
    move(game, company_id, step_right(market, position) if paid else step_left_or_down(market, position))


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Privates close; limits fall."""
    values = classic(game)
    if event.phase == values.sold_in[1]:
        staying = [sign for sign, _ in values.privates_with(Stays)]
        for private in game.state.privates.values():
            if private.id not in staying or private.owner is None or not is_player(private.owner):
                close_private(game, private)
    game.push("discard")


def detect_game_end(game: Game, event: object) -> None:
    """When the bank is broken, finish the current set of operating rounds, or the next set."""
    if game.state.cash[BANK] < 1 and game.state.cash[BANK] < classic(game).breaks_below(game):
        trigger_end(game, BANK_BROKEN)


def detect_top_price(game: Game, event: PriceMoved) -> None:
    """A price at the end of the market ends the game after the round, even if the bank is broken."""
    if is_in_zone(game, event.company, classic(game).ends_at) and game.state.ending != TOP_PRICE:
        game.state.ending = ""
        trigger_end(game, TOP_PRICE, "after this round")


def end_at_top_price(game: Game) -> None:
    """The last step of a round."""
    if game.state.ending == TOP_PRICE:
        end_game(game)


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, shares, open privates at their printed price."""
    privates = sum(game.title.privates[private.id].price for private in game.state.privates_of(player))
    return game.state.cash[player] + value_of_shares(game, player) + privates
