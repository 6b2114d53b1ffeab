"""The readings of 1848: by the rulebook or as 18xx.games plays it (option `rules`), and by which version of the
rules."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations1848(InterpretationFlags):
    has_endless_diesels = Interpretation()
    """§8.2.4"""
    com_gets_capital_at_60 = Interpretation()
    """COM gets its capital at 60%, linked or not (§5.3.2)."""
    sells_a_company_once_a_turn = Interpretation(since=2)
    """All shares of a railway sold in a turn are sold together (§12.4.1)."""
    only_owners_pass = Interpretation(since=2)
    """In the auction a player without a private may not pass while able to pay for one (§3.1.3)."""
    owner_alone_lays_tasmania = Interpretation(since=2)
    """Only a company that owns P3 lays the Tasmania tile, not a company whose director does (§4.4)."""
    lays_tasmania_at_any_time = Interpretation(before=2)
    """The Tasmania tile may be laid at any time of a turn, not only while track is built (§4.4, §7.3)."""
    lays_tasmania_before_discards = Interpretation(since=2)
    """With the first 5/5+ the Tasmania tile is laid before excess trains are given up (§4.4, §8.3.5)."""
    discards_in_turns_alone = Interpretation()
    """Trains above a limit lowered by a removal are given up in the next company's turn or stock round (§5.4.4)."""
    discards_before_round_ends = Interpretation(since=2)
    """Trains above a limit lowered by the last company's receivership are given up before the round ends (§5.4.4)."""
    removal_begins_next_phase_alone = Interpretation(since=2)
    """A 5/5+ removed before the first 4/4+ is sold closes the privates and begins no phase (§5.4.4)."""
    bank_earns_by_tiles = Interpretation(until=2)
    """A station in receivership has the value of its tile's colour, not of the phase (§5.5.7)."""
    bank_has_no_limits = Interpretation(until=2)
    """Certificate limits and the 60% do not apply to shares of the Bank of England (§12.2)."""
    may_run_nothing = Interpretation()
    """A company that can run may run no train (§7.3)."""
    must_take_last_loan = Interpretation(since=2)
    """A company without a train, about to enter receivership, takes a loan if it can (§5.6.1)."""
    turn_loan_comes_first = Interpretation(since=2)
    """The turn's loan is taken before loans for a train (§5.6.3)."""
    forced_loans_are_extra = Interpretation()
    """A loan forced by a train does not count as the turn's loan (§5.6.3, §8.4.3)."""
    forced_loans_cost_three = Interpretation()
    """Each loan for a train costs three spaces, including the first (§5.6.2)."""
    borrows_for_dearer_trains = Interpretation()
    """A company may take loans for a compulsory train even if it could pay for another train of the bank (§8.4.1)."""
    borrows_for_used_trains = Interpretation()
    """Loans may also pay for another director's train, at face value (§8.4.1)."""
    trades_without_consent = Interpretation()
    """Another director's train is bought without their consent (§8.3.4)."""
    leaves_full_companies_out = Interpretation(there=False, before=2)
    """A company at its train limit is skipped, even if a rebate or a trade-in would let it buy (§4.5, §8.2.4)."""
    ends_when_bank_owes = Interpretation(since=2)
    """The bank has run out of money when it owes some, not when it reaches zero (§13.1)."""
    buys_while_it_can_pay = Interpretation(since=2)
    """A company that can pay for no train, or no further train, is past buying trains, even with a loan taken then
    (§8.1).
    """


interpretation_flags = Interpretations1848
