"""Set-up, rounds, phases and the players' worth."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import CompanyId, PlayerId, is_player
from bot.engine.play import Game, require_sound
from bot.engine.play.holdings import (
    set_up_cash,
    set_up_companies,
    set_up_trains,
    step_left_or_down,
    step_right,
    value_of_shares,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import close_private, reserve_homes
from bot.engine.state import PhaseBegan, Private, Round, WaterfallMemory

from .family import classic
from .powers import Stays
from .value_faults import list_faults_of_cards


def set_up(game: Game) -> None:
    state, values = game.state, classic(game)
    state.scenario = values.scenario(game)
    set_up_cash(game, values.bank, values.cash[len(state.players)])
    nouns = values.companies.values()
    set_up_companies(game, (replace(noun, certificates=values.certificates_of(game, noun.id)) for noun in nouns))
    state.privates = {sign: Private(sign, values.privates[sign].price) for sign in values.privates_in_play(game)}
    cards = values.cards(game)
    require_sound(values.id, list_faults_of_cards(values, cards))
    set_up_trains(game, {family: range(number) for family, number in cards.items()})
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


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, shares, open privates at their printed price."""
    privates = sum(game.title.privates[private.id].price for private in game.state.privates_of(player))
    return game.state.cash[player] + value_of_shares(game, player) + privates
