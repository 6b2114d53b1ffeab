"""The readings of 1844: by the rulebook or as 18xx.games plays it (option `rules`), and by which version of the
rules."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations1844(InterpretationFlags):
    passes_over_poor_openers = Interpretation()
    """A player who can pay for no remaining private opens no auction (§IV)."""
    p6_costs_180 = Interpretation()
    """§V"""
    fnm_begins_at_once = Interpretation()
    """The FNM is launched as soon as its price is set (§V)."""
    buys_privates_from_anyone = Interpretation()
    """A company buys privates from any player who agrees (§V)."""
    eva_waits_for_a_turn = Interpretation()
    """The owner of P7 is not asked about the EVA; their companies take it in their turns (§V)."""
    eva_comes_above_limit = Interpretation()
    """A company above its limit because of the EVA gives up a train of its choice (§V)."""
    privates_wait_for_questions = Interpretation(since=2)
    """P4 and the EVA cannot be used when no player has another decision (§V)."""
    targets_wait_for_turns = Interpretation()
    """Targets are checked in companies' turns, for companies that have had a turn or claim the target (§VIII)."""
    joins_tunnels_beneath_the_line = Interpretation(since=2)
    """Under the Furka-Oberalp line a tunnel needs a reachable mouth at an edge that the line does not use (§VII)."""
    bare_mountains_make_routes = Interpretation()
    """A bare mountain counts as a stop when checking for a route (§IX, §X)."""
    exchange_bears_interest = Interpretation()
    """Money that a player lacks in the exchange into the SBB is a debt like for a train (§XII)."""
    last_director_gives_double = Interpretation()
    """The SBB's director gets its double certificate from the last of the former directors (§XII)."""
    sbb_must_own_train = Interpretation()
    """The SBB must own a train if it has a route (§XII)."""
    export_precedes_sbb = Interpretation(since=2)
    """After the last round of a set the train export precedes the SBB's formation (§XII, §XVII)."""
    end_precedes_sbb = Interpretation()
    """The game ends before the SBB forms (§XXIII)."""
    has_20_eights = Interpretation()
    """There are 20 cards 8E/8H (§XVII)."""
    eights_count_any_stops = Interpretation()
    """An 8E counts any stops of its route; both ends are not required (§XVII)."""
    discards_are_gone = Interpretation()
    """Trains above a limit leave the game (§XVII)."""
    discards_in_turns_alone = Interpretation()
    """Trains above a limit lowered by an export are given up when the next operating round begins (§XVII)."""
    director_pays_for_dearest = Interpretation()
    """The director helps if the company cannot pay for the most expensive train on sale, and for any of them
    (§XVII).
    """
    has_no_debt_for_own_trains = Interpretation(since=2)
    """A director takes no debt for a train of another of their companies (§XVII)."""
    trades_without_consent = Interpretation()
    """Another director's train is bought without their consent (§XVII)."""
    sells_excess_first = Interpretation(since=2)
    """A player above the certificate limit must sell before buying a mountain railway or tunnel share (§XXII)."""
    debtors_may_start = Interpretation()
    """A player in debt may start a company (§XVII)."""
    starters_repay_at_once = Interpretation(since=2)
    """A debtor who has started a company repays in the same turn (§XVII)."""
    debtors_repay_before_passing = Interpretation(since=2)
    """A debtor who can neither start a company nor sell shares repays as much as possible (§XVII)."""
    late_money_buys_no_train = Interpretation(since=2)
    """P4's money for a company that could pay for no train buys none in that turn (§XVII)."""
    has_bankruptcy = Interpretation()
    """The director of a company that cannot raise the cheapest train's price may give up (§XVII)."""
    may_run_nothing = Interpretation()
    """A company that can run may run no train (§IX, §X)."""
    may_run_for_less = Interpretation()
    """The highest revenue is not enforced (§XVIII)."""
    asks_h_trains_without_stops = Interpretation()
    """H-trains that only reach red hexes get a run decision (§XVII)."""
    parts_points_of_the_compass = Interpretation(since=2)
    """No route joins two off-board areas of the same point of the compass (§XVIII)."""
    keeps_marker_at_launch = Interpretation()
    """A launched company's marker stays where it was put when its price was set (§XXII)."""
    ends_when_bank_owes = Interpretation()
    """The end is announced when the bank owes money, not when it reaches zero (§XXIII)."""


interpretation_flags = Interpretations1844
