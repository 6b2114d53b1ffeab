"""Where 1844 is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`), and by which
version of the rules. docs/titles/1844.md has the rulebook's side of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.engine.play.game import Game


@dataclass(frozen=True)
class Readings:
    """What holds in a game beside, or instead of, what the rulebook says; by the rulebook and today's version nothing
    does."""

    passes_over_poor_openers: bool
    """Who can pay for no private that is left opens no auction (§IV)."""
    p6_costs_180: bool
    """P6 costs 180 (§V)."""
    fnm_begins_at_once: bool
    """The FNM is launched as soon as its price is set (§V)."""
    buys_privates_from_anyone: bool
    """A company buys privates from any player who agrees (§V)."""
    eva_waits_for_a_turn: bool
    """The owner of P7 is not asked about the EVA; his companies take it in their turns (§V)."""
    eva_comes_above_limit: bool
    """A company above its limit by the EVA gives up a train of its choice (§V)."""
    privates_wait_for_questions: bool
    """P4 and the EVA are not used where nobody is asked about anything else (§V)."""
    targets_wait_for_turns: bool
    """Targets are looked for in companies' turns, of those that have had one or that say so (§VIII)."""
    joins_tunnels_beneath_the_line: bool
    """A tunnel under the Furka-Oberalp line has a mouth that is reached, at no edge of the line (§VII)."""
    bare_mountains_make_routes: bool
    """A bare mountain is a stop for the question whether there is a route (§IX, §X)."""
    exchange_bears_interest: bool
    """What a player lacks in the exchange into the SBB is a debt like that for a train (§XII)."""
    last_director_gives_double: bool
    """The SBB's director has its double certificate from the last of the former directors (§XII)."""
    sbb_must_own_train: bool
    """The SBB must own a train if it has a route (§XII)."""
    export_precedes_sbb: bool
    """After the last round of a set a train is sold abroad before the SBB forms (§XII, §XVII)."""
    end_precedes_sbb: bool
    """The game is over before the SBB forms (§XXIII)."""
    has_20_eights: bool
    """There are 20 cards 8E/8H (§XVII)."""
    eights_count_any_stops: bool
    """An 8E counts any stops of its route, not both ends (§XVII)."""
    discards_are_gone: bool
    """Trains above a limit are out of the game (§XVII)."""
    discards_in_turns_alone: bool
    """Trains above a limit that an export lowers are given up when the next operating round begins (§XVII)."""
    director_pays_for_dearest: bool
    """The director helps where the company cannot pay for the dearest train on sale, and for any of them (§XVII)."""
    has_no_debt_for_own_trains: bool
    """For a train of another company of his a director takes up no debt (§XVII)."""
    trades_without_consent: bool
    """Another director's train is bought without asking him (§XVII)."""
    debtors_may_start: bool
    """Who owes money may start a company (§XVII)."""
    starters_repay_at_once: bool
    """A debtor who has started a company pays back in the same turn (§XVII)."""
    debtors_repay_before_passing: bool
    """A debtor who can neither start a company nor sell shares pays back what he has (§XVII)."""
    late_money_buys_no_train: bool
    """What P4 brings a company that could pay for no train buys none in that turn (§XVII)."""
    has_bankruptcy: bool
    """The director of a company that cannot raise the cheapest train's price may give up (§XVII)."""
    may_run_nothing: bool
    """A company that can run may run no train (§IX, §X)."""
    may_run_for_less: bool
    """The highest revenue is not enforced (§XVIII)."""
    asks_h_trains_without_stops: bool
    """H-trains that reach red spaces alone are asked for a run (§XVII)."""
    parts_points_of_the_compass: bool
    """No route joins two off-board places of one point of the compass (§XVIII)."""
    keeps_marker_at_launch: bool
    """A launched company's marker stays where it lies since its price was set (§XXII)."""
    ends_when_bank_owes: bool
    """The end is announced when the bank owes money, not when it has none (§XXIII)."""


def readings(game: Game) -> Readings:
    """How this game is read."""
    return read(game.state.options.get("rules", ""), game.title.version)


@cache
def read(rules: str, version: int) -> Readings:
    """How games with that choice of `rules` are read by a version. Version 1 did not know all that 18xx.games does."""
    is_there = rules == "18xx.games"
    is_now = is_there and version > 1
    return Readings(
        passes_over_poor_openers=is_there,
        p6_costs_180=is_there,
        fnm_begins_at_once=is_there,
        buys_privates_from_anyone=is_there,
        eva_waits_for_a_turn=is_there,
        eva_comes_above_limit=is_there,
        privates_wait_for_questions=is_now,
        targets_wait_for_turns=is_there,
        joins_tunnels_beneath_the_line=is_now,
        bare_mountains_make_routes=is_there,
        exchange_bears_interest=is_there,
        last_director_gives_double=is_there,
        sbb_must_own_train=is_there,
        export_precedes_sbb=is_now,
        end_precedes_sbb=is_there,
        has_20_eights=is_there,
        eights_count_any_stops=is_there,
        discards_are_gone=is_there,
        discards_in_turns_alone=is_there,
        director_pays_for_dearest=is_there,
        has_no_debt_for_own_trains=is_now,
        trades_without_consent=is_there,
        debtors_may_start=is_there,
        starters_repay_at_once=is_now,
        debtors_repay_before_passing=is_now,
        late_money_buys_no_train=is_now,
        has_bankruptcy=is_there,
        may_run_nothing=is_there,
        may_run_for_less=is_there,
        asks_h_trains_without_stops=is_there,
        parts_points_of_the_compass=is_now,
        keeps_marker_at_launch=is_there,
        ends_when_bank_owes=is_there,
    )
