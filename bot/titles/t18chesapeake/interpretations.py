"""Where 18Chesapeake is read in more than one way: as tables play it or as 18xx.games plays it (option `rules`)."""

from __future__ import annotations

from bot.engine.play.interpretations import Interpretation, InterpretationFlags


class Interpretations18Chesapeake(InterpretationFlags):
    trades_without_consent = Interpretation()
    """Another president's train is bought without their consent."""


interpretation_flags = Interpretations18Chesapeake
