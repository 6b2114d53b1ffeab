"""Where 1844 is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`), and by which
version of the rules. docs/titles/1844.md has the rulebook's side of each."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations1844(InterpretationFlags):
    passes_over_poor_openers = Interpretation()
    """Who can pay for no private that is left opens no auction (§IV)."""
    p6_costs_180 = Interpretation()
    """P6 costs 180 (§V)."""
    fnm_begins_at_once = Interpretation()
    """The FNM is launched as soon as its price is set (§V)."""
    buys_privates_from_anyone = Interpretation()
    """A company buys privates from any player who agrees (§V)."""
    eva_waits_for_a_turn = Interpretation()
    """The owner of P7 is not asked about the EVA; his companies take it in their turns (§V)."""
    eva_comes_above_limit = Interpretation()
    """A company above its limit by the EVA gives up a train of its choice (§V)."""
    privates_wait_for_questions = Interpretation(since=2)
    """P4 and the EVA are not used where nobody is asked about anything else (§V)."""
    targets_wait_for_turns = Interpretation()
    """Targets are looked for in companies' turns, of those that have had one or that say so (§VIII)."""
    joins_tunnels_beneath_the_line = Interpretation(since=2)
    """A tunnel under the Furka-Oberalp line has a mouth that is reached, at no edge of the line (§VII)."""
    bare_mountains_make_routes = Interpretation()
    """A bare mountain is a stop for the question whether there is a route (§IX, §X)."""
    exchange_bears_interest = Interpretation()
    """What a player lacks in the exchange into the SBB is a debt like that for a train (§XII)."""
    last_director_gives_double = Interpretation()
    """The SBB's director has its double certificate from the last of the former directors (§XII)."""
    sbb_must_own_train = Interpretation()
    """The SBB must own a train if it has a route (§XII)."""
    export_precedes_sbb = Interpretation(since=2)
    """After the last round of a set a train is sold abroad before the SBB forms (§XII, §XVII)."""
    end_precedes_sbb = Interpretation()
    """The game is over before the SBB forms (§XXIII)."""
    has_20_eights = Interpretation()
    """There are 20 cards 8E/8H (§XVII)."""
    eights_count_any_stops = Interpretation()
    """An 8E counts any stops of its route, not both ends (§XVII)."""
    discards_are_gone = Interpretation()
    """Trains above a limit are out of the game (§XVII)."""
    discards_in_turns_alone = Interpretation()
    """Trains above a limit that an export lowers are given up when the next operating round begins (§XVII)."""
    director_pays_for_dearest = Interpretation()
    """The director helps where the company cannot pay for the dearest train on sale, and for any of them (§XVII)."""
    has_no_debt_for_own_trains = Interpretation(since=2)
    """For a train of another company of his a director takes up no debt (§XVII)."""
    trades_without_consent = Interpretation()
    """Another director's train is bought without asking him (§XVII)."""
    sells_excess_first = Interpretation(since=2)
    """Whoever is above his certificate limit buys no mountain railway and no tunnel share before he has sold (§XXII)."""
    debtors_may_start = Interpretation()
    """Who owes money may start a company (§XVII)."""
    starters_repay_at_once = Interpretation(since=2)
    """A debtor who has started a company pays back in the same turn (§XVII)."""
    debtors_repay_before_passing = Interpretation(since=2)
    """A debtor who can neither start a company nor sell shares pays back what he has (§XVII)."""
    late_money_buys_no_train = Interpretation(since=2)
    """What P4 brings a company that could pay for no train buys none in that turn (§XVII)."""
    has_bankruptcy = Interpretation()
    """The director of a company that cannot raise the cheapest train's price may give up (§XVII)."""
    may_run_nothing = Interpretation()
    """A company that can run may run no train (§IX, §X)."""
    may_run_for_less = Interpretation()
    """The highest revenue is not enforced (§XVIII)."""
    asks_h_trains_without_stops = Interpretation()
    """H-trains that reach red spaces alone are asked for a run (§XVII)."""
    parts_points_of_the_compass = Interpretation(since=2)
    """No route joins two off-board places of one point of the compass (§XVIII)."""
    keeps_marker_at_launch = Interpretation()
    """A launched company's marker stays where it lies since its price was set (§XXII)."""
    ends_when_bank_owes = Interpretation()
    """The end is announced when the bank owes money, not when it has none (§XXIII)."""


readings = Interpretations1844
