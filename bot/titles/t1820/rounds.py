"""The table before the first stock round, and the circle of rounds (1820 §4, §5)."""

from __future__ import annotations

from bot.engine.chance import SeededRandom
from bot.engine.ids import BANK
from bot.engine.message import joined
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import deal_companies
from bot.engine.play.holdings.trains import deal_trains
from bot.engine.state.state import Private

from .companies import chosen
from .components import COMPANIES, COUSIN_COLOURS, COUSINS, COUSINS_OPTION, LOBBY, NUMBER_CARD, TRAIN_CARDS

BANK_CASH = 100_000
"""§2, about."""


def set_up(game: Game) -> None:
    """Number cards by lot, £10 a point, one cousin of each colour by lot."""
    state = game.state
    chance = SeededRandom(state.seed)
    state.order = chance.shuffled(state.order)
    state.priority = state.order[0]
    state.cash[BANK] = BANK_CASH
    for number, player in enumerate(state.order, 1):
        state.cash[player] = NUMBER_CARD * number
        state.cash[BANK] -= NUMBER_CARD * number
    state.cash[LOBBY] = 0
    deal_companies(game, COMPANIES.values())
    for company in state.companies.values():
        company.tokens_left, company.has_president = [], False
    choice = chosen(game, COUSINS_OPTION)
    for colour in COUSIN_COLOURS.values():
        eligible = [cousin for cousin in colour if choice in ("all", str(COUSINS[cousin].price))]
        cousin = eligible[chance.below(len(eligible))]
        state.privates[cousin] = Private(cousin, COUSINS[cousin].price)
        state.cash[cousin] = 0
    deal_trains(game, {kind: range(number) for kind, number in TRAIN_CARDS.items()})
    order = joined(", ", (joined(" ", card) for card in enumerate(state.order, 1)))
    cousins = joined(", ", (f"{cousin} {COUSINS[cousin].name}" for cousin in state.privates))
    game.tell("Number cards: {order}. Cousins: {cousins}.", order, cousins)
    game.push("game")
