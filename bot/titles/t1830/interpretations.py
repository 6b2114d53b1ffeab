"""Where 1830 is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`).
docs/titles/1830.md has the rulebook's side of each.
"""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations1830(InterpretationFlags):
    trades_without_consent = Interpretation()
    """Another president's train is bought without their consent."""
    camden_is_not_traded = Interpretation()
    """Players do not sell each other the Camden & Amboy."""
    brown_shares_follow_a_private = Interpretation()
    """A player who has bought a private in this turn may still buy shares of a single company in the brown zone."""
    ends_when_bank_owes = Interpretation()
    """The bank is broken when it owes money, not when it reaches zero."""


interpretation_flags = Interpretations1830
