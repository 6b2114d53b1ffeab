"""Where 1848 is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`), and by which
version of the rules. docs/titles/1848.md has the rulebook's side of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.engine.play.game import Game


@dataclass(frozen=True)
class Readings:
    """What holds in a game beside, or instead of, what the rulebook says; by the rulebook and today's version nothing
    does."""

    has_endless_diesels: bool
    """The bank never runs out of 8/D (§8.2.4)."""
    com_gets_capital_at_60: bool
    """COM gets its capital at 60%, linked or not (§5.3.2)."""
    sells_a_company_once_a_turn: bool
    """All shares of a railway to be sold in a turn are sold at once (§12.4.1)."""
    owner_alone_lays_tasmania: bool
    """The Tasmania tile is laid by a company that owns P3, not by one whose director does (§4.4)."""
    lays_tasmania_at_any_time: bool
    """The Tasmania tile is laid at any time of a turn, not only while track is built (§4.4, §7.3)."""
    lays_tasmania_before_discards: bool
    """With the first 5/5+ the Tasmania tile is laid before trains above the limit are given up (§4.4, §8.3.5)."""
    discards_in_turns_alone: bool
    """Trains above a limit that a removal lowers are given up in the next company's turn or stock round (§5.4.4)."""
    discards_before_round_ends: bool
    """Those above a limit that the last company's fall lowers are given up before the round ends (§5.4.4)."""
    removal_begins_next_phase_alone: bool
    """A 5/5+ removed before the first 4/4+ is sold closes the privates and begins no phase (§5.4.4)."""
    bank_earns_by_tiles: bool
    """A station in receivership has the value of its tile's colour, not of the phase (§5.5.7)."""
    bank_has_no_limits: bool
    """Certificate limits and the 60% do not bind shares of the Bank of England (§12.2)."""
    may_run_nothing: bool
    """A company that can run may run no train (§7.3)."""
    must_take_last_loan: bool
    """A company without a train, before receivership, takes a loan if it can (§5.6.1)."""
    turn_loan_comes_first: bool
    """The one loan of a turn is taken before loans for a train (§5.6.3)."""
    forced_loans_are_extra: bool
    """A loan that a train forces is not the one loan of the turn (§5.6.3, §8.4.3)."""
    forced_loans_cost_three: bool
    """Each loan for a train costs three spaces, the first one too (§5.6.2)."""
    borrows_for_dearer_trains: bool
    """Loans for a compulsory train are taken also where another one of the bank could be paid (§8.4.1)."""
    borrows_for_used_trains: bool
    """They are taken for another director's train too, at its face value (§8.4.1)."""
    trades_without_consent: bool
    """Another director's train is bought without asking him (§8.3.4)."""
    leaves_full_companies_out: bool
    """A company at its train limit is not asked, even where a rebate or a trade-in would let it buy (§4.5, §8.2.4)."""
    buys_while_it_can_pay: bool
    """A company that can pay for no train, or none more, is past its trains, whatever loan it takes then (§8.1)."""


def readings(game: Game) -> Readings:
    """How this game is read."""
    return read(game.state.options.get("rules", ""), game.title.version)


@cache
def read(rules: str, version: int) -> Readings:
    """How games with that choice of `rules` are read by a version. Version 1 did not know all that 18xx.games does."""
    is_there = rules == "18xx.games"
    is_now = is_there and version > 1
    return Readings(
        has_endless_diesels=is_there,
        com_gets_capital_at_60=is_there,
        sells_a_company_once_a_turn=is_now,
        owner_alone_lays_tasmania=is_now,
        lays_tasmania_at_any_time=is_there or version < 2,
        lays_tasmania_before_discards=is_now,
        discards_in_turns_alone=is_there,
        discards_before_round_ends=is_now,
        removal_begins_next_phase_alone=is_now,
        bank_earns_by_tiles=is_there and version < 2,
        bank_has_no_limits=is_there and version < 2,
        may_run_nothing=is_there,
        must_take_last_loan=is_now,
        turn_loan_comes_first=is_now,
        forced_loans_are_extra=is_there,
        forced_loans_cost_three=is_there,
        borrows_for_dearer_trains=is_there,
        borrows_for_used_trains=is_there,
        trades_without_consent=is_there,
        leaves_full_companies_out=version < 2,
        buys_while_it_can_pay=is_now,
    )
