"""The table before the first stock round, and the circle of rounds (1820 §4, §5)."""

from __future__ import annotations

from bot.engine import BANK, SeededRandom, join_values
from bot.engine.play import Game
from bot.engine.play.holdings import set_up_companies, set_up_trains
from bot.engine.state import Private

from .companies import option_value
from .components import COMPANIES, COUSIN_COLOURS, COUSINS, COUSINS_OPTION, LOBBY, NUMBER_CARD, TRAIN_CARDS

BANK_CASH = 100_000
"""Approximately; §2."""


def set_up(game: Game) -> None:
    """Draw number cards at random, £10 a point, and a cousin of each colour."""
    state = game.state
    chance = SeededRandom(state.seed)
    state.order = chance.permutation(state.order)
    state.priority = state.order[0]
    state.cash[BANK] = BANK_CASH
    for number, player in enumerate(state.order, 1):
        state.cash[player] = NUMBER_CARD * number
        state.cash[BANK] -= NUMBER_CARD * number
    state.cash[LOBBY] = 0
    set_up_companies(game, COMPANIES.values())
    for company in state.companies.values():
        company.tokens_left, company.has_president = (), False
    choice = option_value(game, COUSINS_OPTION)
    for colour in COUSIN_COLOURS.values():
        eligible = [cousin for cousin in colour if choice in ("all", str(COUSINS[cousin].price))]
        cousin = eligible[chance.randrange(len(eligible))]
        state.privates[cousin] = Private(cousin, COUSINS[cousin].price)
        state.cash[cousin] = 0
    set_up_trains(game, {kind: range(number) for kind, number in TRAIN_CARDS.items()})
    order = join_values(", ", (join_values(" ", card) for card in enumerate(state.order, 1)))
    cousins = join_values(", ", (f"{cousin} {COUSINS[cousin].name}" for cousin in state.privates))
    game.log("Number cards: {order}. Cousins: {cousins}.", order, cousins)
    game.push("game")
