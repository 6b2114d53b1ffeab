"""What 1820 has alone: lobbies that let found a company, foundations with other buyers, costs that must be met."""

from __future__ import annotations

from typing import Any

from bot.engine.data.actions import Action

from .judging import Judge, Rated, sampled, verb_of

MOST_LOBBIES, FOUNDING = 2, 260
"""So many lobbies a player has at once, and what he keeps for each: a company of five shares needs three buyers."""

LOBBY = 40.0
"""What the right to found a company is worth before the money that lies under the marker."""

MOST_FOUNDATIONS = 24
"""So many ways to found a company are compared."""

SOLVENCY = 60.0
"""What it is worth beside all else that a company meets its costs."""


HANDLED = ("float", "fund", "neglect", "pay_costs", "offer")
"""The verbs that are judged here. A company is never put up for takeover."""


def rate_alone(judge: Judge, actions: list[Action]) -> list[Rated]:
    """Moves that other titles do not know."""
    return [
        *(rate_lobby(judge, action) for action in actions if verb_of(action) == "fund"),
        *rate_foundations(judge, [action for action in actions if verb_of(action) == "float"]),
        *(Rated(action, judge.gain(action) + SOLVENCY) for action in actions if verb_of(action) == "pay_costs"),
        *(Rated(action, judge.gain(action)) for action in actions if verb_of(action) == "neglect"),
    ]


def rate_lobby(judge: Judge, action: Any) -> Rated:
    """One lobby more as long as there is money to found a company for each; the cheapest will do."""
    own = sum(lobby.player == judge.seat for lobby in judge.game.state.special.lobbies)
    may = min(MOST_LOBBIES, judge.game.state.cash[judge.seat] // FOUNDING)
    return Rated(action, LOBBY - action.amount / 2 if own < may and not action.lobby else -1.0)


def rate_foundations(judge: Judge, actions: list[Any]) -> list[Rated]:
    """First those for which nobody else has to pay."""
    alone = [action for action in actions if all(sale.buyer == judge.seat for sale in action.sales)]
    chosen = sampled(alone or actions, MOST_FOUNDATIONS)
    return [Rated(action, judge.gain(action)) for action in chosen]
