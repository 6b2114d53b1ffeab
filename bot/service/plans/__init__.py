"""Plans: what a player has decided ahead of their turn. Data, open facts, and what a plan does in a position; all of it pure.

A `Plan` is whose turn it is for, steps, and what ends it. From outside (a replay of games, say) it is used in two calls:

    for action in actions:
        before = game.copy()
        game.apply(action)
        reason = woken(before, game, player, plan)      # after every move of somebody else; a reason ends the plan
        ...
        decision = evaluate(game, player, plan, leads)  # when the player is asked
        # Act(action, plan): make the action; the plan is now `plan`. Wait: the player decides. Finish: the plan is over.

`leads` are the lots on which the player's bid is the last. Neither call changes the position, and neither uses more than
its player may know: `FACTS` is a closed table of open facts. Steps are moves as people type them (`Do("buy VR")`) or in the
exact form of the log (`Do("@2 buy VR")`).
"""

from .conditions import WAKE_WORDS, find_wakes, has_come_true, woken
from .decisions import Act, Decision, Finish, Wait, evaluate
from .facts import FACTS, round_key
from .plan import IDLE, OFFERS, AutoReply, Bids, Buy, Case, Do, Fact, Plan, RunBest, Stay, Step, When

__all__ = [
    "FACTS",
    "IDLE",
    "OFFERS",
    "WAKE_WORDS",
    "Act",
    "AutoReply",
    "Bids",
    "Buy",
    "Case",
    "Decision",
    "Do",
    "Fact",
    "Finish",
    "Plan",
    "RunBest",
    "Stay",
    "Step",
    "Wait",
    "When",
    "evaluate",
    "find_wakes",
    "has_come_true",
    "round_key",
    "woken",
]
