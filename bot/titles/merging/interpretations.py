"""Where the family is read in more than one way: as tables play it or as 18xx.games plays it (option `rules`)."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class MergingInterpretations(InterpretationFlags):
    trades_without_consent = Interpretation()
    """Another president's train is bought without their consent."""
    merges_without_consent = Interpretation()
    """Other players' minors are merged without their owners' consent."""
    asks_every_minor = Interpretation()
    """In the merger round a minor that can neither convert nor merge passes, too."""
    breaks_bank_by_auctions = Interpretation()
    """The bank is broken if it has less than the first price of a minor's two shares when the minor is sold."""


interpretation_flags = MergingInterpretations
